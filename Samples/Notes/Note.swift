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
    guard !words.isEmpty else { return [] }
    var query = xt_query().orderBy(.desc(\.pkid)).limit(limit)
    for word in words {
      query = query.where(
        Note.xt.title.contains(word, caseInsensitive: true)
          || Note.xt.body.contains(word, caseInsensitive: true))
    }
    return try query.all().map { Found(title: $0.title, excerpt: String($0.body.prefix(60))) }
  }
}
