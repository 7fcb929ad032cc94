import XTLite

struct FaultCrate: XTModel, Equatable {
  var pkid: Int64?
  var name = ""
  var weight = 0
  var note = ""

  static var xt_keywords: XTKeywordMap { [\FaultCrate.name: .unique] }

  init() {}

  init(_ name: String, _ weight: Int = 0, note: String = "") {
    self.name = name
    self.weight = weight
    self.note = note
  }
}

/// A later version of the program, with one more column.
struct LabelledFaultCrate: XTModel {
  var pkid: Int64?
  var name = ""
  var weight = 0
  var note = ""
  var label: String?

  static var xt_keywords: XTKeywordMap { [\LabelledFaultCrate.name: .unique] }
}

final class FaultBarrel: XTModel {
  var pkid: Int64?
  var name = ""

  static var xt_tableName: String { "FaultBarrel" }

  init() {}

  init(_ name: String) {
    self.name = name
  }
}

/// A later version of the barrel, which an upgrade makes of it.
struct FaultCask: XTModel {
  var pkid: Int64?
  var name = ""
  var size = 3

  static var xt_tableName: String { "FaultBarrel" }
}
