import Foundation

/// Any JSON, for a property whose shape is not known beforehand; in a column it is JSON text.
///
/// ```swift
/// struct Event: XTModel {
///   var payload: XTJSON = ["kind": "login", "tries": 3]
/// }
/// event.payload["kind"]?.string      // "login"
/// ```
public enum XTJSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([XTJSON])
  case object([String: XTJSON])

  /// The member `key` of an object; nil for everything else.
  public subscript(key: String) -> XTJSON? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The element at `index` of an array; nil where there is none.
  public subscript(index: Int) -> XTJSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The text of a string; nil for everything else.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The truth value; nil for everything else.
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The number, where it is a whole one; nil for everything else.
  public var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The number; nil for everything else.
  public var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}

extension XTJSON: Codable {
  /// Decodes whatever JSON is there.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .integer(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let elements = try? container.decode([XTJSON].self) {
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: XTJSON].self))
    }
  }

  /// Encodes the JSON as itself.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}

extension XTJSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// JSON's `null`.
  public init(nilLiteral: ()) { self = .null }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: XTJSON...) { self = .array(elements) }
  /// An object; the last of several members with one name counts.
  public init(dictionaryLiteral elements: (String, XTJSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

// JSON has one kind of number: 1 and 1.0 are the same there, and so they are here.
extension XTJSON: Hashable {
  /// Whether both are the same JSON; the members of objects have no order.
  public static func == (left: XTJSON, right: XTJSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
      Int64(exactly: number) == integer
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Feeds the uppermost levels of what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hash(into: &hasher, levels: 4)
  }

  private func hash(into hasher: inout Hasher, levels: Int) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let flag): hasher.combine(flag)
    case .integer(let number): hasher.combine(number)
    case .number(let number):
      if let whole = Int64(exactly: number) {
        hasher.combine(whole)
      } else {
        hasher.combine(number)
      }
    case .string(let text): hasher.combine(text)
    case .array(let elements):
      hasher.combine(elements.count)
      guard levels > 0 else { return }
      for element in elements { element.hash(into: &hasher, levels: levels - 1) }
    case .object(let members):
      hasher.combine(Set(members.keys))
    }
  }
}
