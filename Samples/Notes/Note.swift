import Foundation
import XTLite

struct Note: XTModel, Identifiable, Sendable {
  var pkid: Int64?
  var title = ""
  var body = ""

  var id: Int64? { pkid }
}

/// A note that a search has found, as a line shows it.
struct Found {
  let title: String
  let excerpt: String
}

extension Note {
  /// The notes in which all the words of a text occur, the newest first.
  static func found(_ text: String, limit: Int) throws -> [Found] {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first else { return [] }
    func contains(_ word: String) -> XTCondition<Note> {
      (\Note.title).contains(word) || (\Note.body).contains(word)
    }
    let condition = words.dropFirst().reduce(contains(first)) { $0 && contains($1) }
    return try xt_findWhere(condition, orderBy: .desc(\.pkid), limit: limit).map {
      Found(title: $0.title, excerpt: String($0.body.prefix(60)))
    }
  }
}
