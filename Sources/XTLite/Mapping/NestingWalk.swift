import Foundation

/// An encoding that writes nothing: it goes where a value's own `encode(to:)` leads, so that only
/// what would be written counts, and notices how deep that is and where it comes back to an object.
final class NestingWalk {
  struct TooDeep: Error {}

  private let limit: Int
  private(set) var deepest = 0
  private var calls = 0
  private var objects: Set<ObjectIdentifier> = []

  init(limit: Int) {
    self.limit = limit
  }

  /// - Parameter level: the arrays and objects of JSON that stand around the value.
  func visit<Value: Encodable>(_ value: Value, level: Int) throws {
    guard !Self.isLeaf(value) else { return }
    // A value that hands on to another makes no level, but takes room on the stack too.
    guard calls < 4 * (limit + 1) else { throw TooDeep() }
    calls += 1
    defer { calls -= 1 }
    let encoder = NestingEncoder(walk: self, level: level)
    guard Swift.type(of: value) is AnyClass else { return try value.encode(to: encoder) }
    let object = ObjectIdentifier(value as AnyObject)
    guard objects.insert(object).inserted else { throw NestingCheck.cycle(Swift.type(of: value)) }
    defer { objects.remove(object) }
    try value.encode(to: encoder)
  }

  /// An array or object begins, which may stay empty.
  fileprivate func begin(_ level: Int) {
    deepest = max(deepest, level)
  }

  fileprivate func enter(_ level: Int) throws {
    guard level <= limit else { throw TooDeep() }
  }

  /// What encoders write by themselves: asked to encode itself, such a value would come back here.
  private static func isLeaf<Value>(_ value: Value) -> Bool {
    ColumnType.scalar(Value.self) != nil || Value.self is any BinaryInteger.Type
      || Value.self is any BinaryFloatingPoint.Type
  }
}

private struct NestingEncoder: Encoder {
  let walk: NestingWalk
  let level: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    walk.begin(level + 1)
    return KeyedEncodingContainer(NestingMembers(walk: walk, level: level + 1))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    walk.begin(level + 1)
    return NestingElements(walk: walk, level: level + 1)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    NestingValue(walk: walk, level: level)
  }
}

/// An object's members.
private struct NestingMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let walk: NestingWalk
  let level: Int

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try walk.enter(level) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try walk.enter(level)
    try walk.visit(value, level: level)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    superEncoder().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    superEncoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { NestingEncoder(walk: walk, level: level) }
  func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

/// An array's elements.
private struct NestingElements: UnkeyedEncodingContainer {
  let walk: NestingWalk
  let level: Int
  private(set) var count = 0

  init(walk: NestingWalk, level: Int) {
    self.walk = walk
    self.level = level
  }

  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil() throws {
    count += 1
    try walk.enter(level)
  }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    count += 1
    try walk.enter(level)
    try walk.visit(value, level: level)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    superEncoder().container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    superEncoder().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    count += 1
    return NestingEncoder(walk: walk, level: level)
  }
}

/// A value that makes no level of its own.
private struct NestingValue: SingleValueEncodingContainer {
  let walk: NestingWalk
  let level: Int

  var codingPath: [any CodingKey] { [] }

  func encodeNil() throws {}

  func encode<Value: Encodable>(_ value: Value) throws {
    try walk.visit(value, level: level)
  }
}
