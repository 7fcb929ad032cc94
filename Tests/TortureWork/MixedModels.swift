import XTLite

/// A row of one worker. Its text follows from its key and value, so that a reader sees a row that
/// is half of one write and half of another.
package struct MixedRow: XTModel, Sendable {
  package var pkid: Int64?
  package var owner = ""
  package var key = ""
  package var value = 0
  package var text = ""

  package static var xt_keywords: XTKeywordMap { [\MixedRow.key: .unique] }
  package static var xt_indexes: [XTIndex] { [XTIndex(\MixedRow.owner)] }

  package init() {}

  init(owner: String, key: String, value: Int) {
    self.owner = owner
    self.key = key
    self.value = value
    text = Self.text(key, value)
  }

  /// Some are longer than a page.
  static func text(_ key: String, _ value: Int) -> String {
    String(repeating: "\(key) \(value) ", count: value % 97 == 0 ? 300 : 1 + value % 9)
  }

  var isWhole: Bool { text == Self.text(key, value) }
}

/// An object of one worker.
package final class MixedObject: XTModel {
  package var owner = ""
  package var value = 0

  package init() {}

  init(owner: String, value: Int) {
    self.owner = owner
    self.value = value
  }
}

/// Money that moves between rows and never changes its sum.
package struct MixedAccount: XTModel {
  package var pkid: Int64?
  package var number = 0
  package var amount = 0

  package static let count = 20
  package static let start = 1000

  package static var xt_keywords: XTKeywordMap { [\MixedAccount.number: .unique] }

  package init() {}

  init(number: Int) {
    self.number = number
    amount = Self.start
  }
}

/// What all workers count together.
package struct MixedCounter: XTModel {
  package var pkid: Int64?
  package var name = ""
  package var value = 0

  package static var xt_keywords: XTKeywordMap { [\MixedCounter.name: .unique] }

  package init() {}

  init(name: String) {
    self.name = name
  }
}
