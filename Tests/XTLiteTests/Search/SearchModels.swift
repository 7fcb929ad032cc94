import Foundation
import Testing

@testable import XTLite

struct SearchNote: XTModel {
  var pkid: Int64?
  var title = ""
  var body: String?
  var age = 0
  static var xt_search: XTSearch {
    XTSearch(
      [\SearchNote.title, \SearchNote.body], prefixes: [2, 3], weights: [\SearchNote.title: 10])
  }
}

struct SearchKeyed: XTModel {
  var code = ""
  var title = ""
  static var xt_keywords: XTKeywordMap { [\SearchKeyed.code: .unique] }
  static var xt_search: XTSearch { XTSearch([\SearchKeyed.title]) }
}

/// Its key has the name that FTS5 gives its own.
struct SearchIded: XTModel {
  var id = 0
  var title = ""
  static var xt_primaryKey: XTKeyPaths { [\SearchIded.id] }
  static var xt_search: XTSearch {
    XTSearch([\SearchIded.title], weights: [\SearchIded.title: 0.000_01])
  }
}

struct SearchCJK: XTModel {
  var pkid: Int64?
  var text = ""
  static var xt_search: XTSearch { XTSearch([\SearchCJK.text], tokenizer: .cjk) }
}

extension TestDatabase {
  /// What the tests of the index look at after each step: that it says of itself that it is whole,
  /// as the tool in the hand of somebody else does.
  func expectIndexFits<Model: XTModel>(
    _ type: Model.Type, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: Never.self, sourceLocation: sourceLocation) {
      try self.table(type).checkSearch()
    }
  }
}

extension [XTHit<SearchNote>] {
  var titles: [String] { map(\.model.title) }
}
