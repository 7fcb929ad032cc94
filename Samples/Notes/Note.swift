import Foundation
import XTLite

struct Note: XTModel, Identifiable, Sendable {
  var pkid: Int64?
  var title = ""
  var body = ""

  var id: Int64? { pkid }

  /// In any language: 树 is found in 苹果树. Only programs with XTLite can write to such a table;
  /// with `.words` any could.
  static var xt_search: XTSearch {
    XTSearch(
      [\Note.title, \Note.body], tokenizer: .cjk, prefixes: [1, 2, 3], weights: [\Note.title: 3])
  }
}

/// A note that a search has found, as a line shows it.
struct Found {
  let title: String
  let excerpt: String
}

extension Note {
  /// The notes in which all the words of a text occur, the best first; the last word may go on.
  static func found(_ text: String, limit: Int) throws -> [Found] {
    try xt_search(text, lastWordIsPrefix: true, limit: limit).map { hit in
      Found(
        title: hit.highlight(\.title, from: "[", to: "]"),
        excerpt: hit.snippet(\.body, words: 10, from: "[", to: "]"))
    }
  }
}
