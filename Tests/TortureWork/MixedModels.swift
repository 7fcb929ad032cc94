import XTLite

/// A row of one worker. Its text follows from its key and value, so that a reader sees a row that
/// is half of one write and half of another.
public struct MixedRow: XTModel, Sendable {
  public var pkid: Int64?
  public var owner = ""
  public var key = ""
  public var value = 0
  public var text = ""

  public static var xt_keywords: XTKeywordMap { [\MixedRow.key: .unique] }
  public static var xt_indexes: [XTIndex] { [XTIndex(\MixedRow.owner)] }

  public init() {}

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
public final class MixedObject: XTModel {
  public var owner = ""
  public var value = 0

  public init() {}

  init(owner: String, value: Int) {
    self.owner = owner
    self.value = value
  }
}

/// Money that moves between rows and never changes its sum.
public struct MixedAccount: XTModel {
  public var pkid: Int64?
  public var number = 0
  public var amount = 0

  public static let count = 20
  public static let start = 1000

  public static var xt_keywords: XTKeywordMap { [\MixedAccount.number: .unique] }

  public init() {}

  init(number: Int) {
    self.number = number
    amount = Self.start
  }
}

/// What all workers count together.
public struct MixedCounter: XTModel {
  public var pkid: Int64?
  public var name = ""
  public var value = 0

  public static var xt_keywords: XTKeywordMap { [\MixedCounter.name: .unique] }

  public init() {}

  init(name: String) {
    self.name = name
  }
}
