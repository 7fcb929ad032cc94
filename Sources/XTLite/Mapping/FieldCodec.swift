/// Takes a field of one type, which is no plain scalar, to a column's value and back.
protocol FieldCodec: AnyObject, Sendable {
  var storageClass: XTStorageClass { get }
  /// What is stored is the text of a decimal number.
  var isDecimal: Bool { get }
  /// The codec of an optional of the type, which holds nil as NULL.
  func forOptional() -> any FieldCodec
  /// The value to store of the field at `pointer`.
  func value(at pointer: UnsafeRawPointer) throws -> XTValue
  /// Puts what `value`, which is not NULL, stands for into the field at `pointer`. The field is
  /// left alone where that throws.
  func store(_ value: XTValue, at pointer: UnsafeMutableRawPointer, assigning: Bool) throws
  func storeNil(at pointer: UnsafeMutableRawPointer, assigning: Bool)
  /// Whether fields are mostly written and read as bytes of text, by the two functions below.
  var isDirect: Bool { get }
  /// Writes the field at `pointer` as it stands in the column.
  ///
  /// - Returns: false where that is for `value` to do, which any field may be.
  func write(at pointer: UnsafeRawPointer, to writer: inout JSONWriter) -> Bool
  /// Puts what the text in a column stands for into the field at `pointer`.
  ///
  /// - Returns: false where that is for `store` to do, which any text may be.
  func read(
    _ text: UnsafeBufferPointer<UInt8>, at pointer: UnsafeMutableRawPointer, assigning: Bool
  ) -> Bool
  func destroy(at pointer: UnsafeMutableRawPointer)
  /// Writes the field at `pointer` as JSON, where its type has nested models in it.
  ///
  /// - Returns: false for every other type, whose JSON follows from what a column would hold.
  func appendJSON(
    at pointer: UnsafeRawPointer, to text: inout String, _ path: inout NestingPath
  ) throws -> Bool
  /// Puts what such JSON stands for into the field at `pointer`.
  ///
  /// - Returns: false for every other type.
  func storeJSON(_ node: JSONNode, at pointer: UnsafeMutableRawPointer, assigning: Bool) throws
    -> Bool
}

/// Puts a value into memory that holds none yet, or in the place of the one that it holds.
@inline(__always)
func put<Value>(_ value: consuming Value, at pointer: UnsafeMutableRawPointer, assigning: Bool) {
  if assigning {
    pointer.assumingMemoryBound(to: Value.self).pointee = value
  } else {
    pointer.initializeMemory(as: Value.self, to: value)
  }
}

/// Takes values of one type to a column's value and back.
protocol ValueCoder<Value>: Sendable {
  associatedtype Value
  var storageClass: XTStorageClass { get }
  var isDecimal: Bool { get }
  func encode(_ value: Value) throws -> XTValue
  func decode(_ value: XTValue) throws -> Value
  /// See `FieldCodec`.
  var isDirect: Bool { get }
  func write(_ value: Value, to writer: inout JSONWriter) -> Bool
  func read(_ text: UnsafeBufferPointer<UInt8>) -> Value?
  /// See `FieldCodec.appendJSON`.
  func appendJSON(_ value: Value, to text: inout String, _ path: inout NestingPath) throws -> Bool
  /// What JSON stands for, where the type has nested models in it; nil for every other.
  func decodeJSON(_ node: JSONNode) throws -> Value?
}

extension ValueCoder {
  var isDecimal: Bool { false }
  var isDirect: Bool { false }
  func write(_ value: Value, to writer: inout JSONWriter) -> Bool { false }
  func read(_ text: UnsafeBufferPointer<UInt8>) -> Value? { nil }
  func appendJSON(_ value: Value, to text: inout String, _ path: inout NestingPath) -> Bool {
    false
  }
  func decodeJSON(_ node: JSONNode) -> Value? { nil }
}

/// A coder made of two functions.
struct FunctionCoder<Value>: ValueCoder {
  let storageClass: XTStorageClass
  private let encoding: @Sendable (Value) throws -> XTValue
  private let decoding: @Sendable (XTValue) throws -> Value

  init(
    _ storageClass: XTStorageClass, encode: @escaping @Sendable (Value) throws -> XTValue,
    decode: @escaping @Sendable (XTValue) throws -> Value
  ) {
    self.storageClass = storageClass
    encoding = encode
    decoding = decode
  }

  func encode(_ value: Value) throws -> XTValue { try encoding(value) }
  func decode(_ value: XTValue) throws -> Value { try decoding(value) }
}

/// Fields of the coder's type.
final class ValueCodec<Coder: ValueCoder>: FieldCodec {
  let coder: Coder

  init(_ coder: Coder) {
    self.coder = coder
  }

  var storageClass: XTStorageClass { coder.storageClass }
  var isDecimal: Bool { coder.isDecimal }
  var isDirect: Bool { coder.isDirect }

  func forOptional() -> any FieldCodec {
    OptionalCodec(coder)
  }

  func write(at pointer: UnsafeRawPointer, to writer: inout JSONWriter) -> Bool {
    coder.write(pointer.assumingMemoryBound(to: Coder.Value.self).pointee, to: &writer)
  }

  func read(
    _ text: UnsafeBufferPointer<UInt8>, at pointer: UnsafeMutableRawPointer, assigning: Bool
  ) -> Bool {
    guard let value = coder.read(text) else { return false }
    put(value, at: pointer, assigning: assigning)
    return true
  }

  func value(at pointer: UnsafeRawPointer) throws -> XTValue {
    try coder.encode(pointer.assumingMemoryBound(to: Coder.Value.self).pointee)
  }

  func store(_ value: XTValue, at pointer: UnsafeMutableRawPointer, assigning: Bool) throws {
    put(try coder.decode(value), at: pointer, assigning: assigning)
  }

  func storeNil(at pointer: UnsafeMutableRawPointer, assigning: Bool) {
    // Only optional fields hold nil: `FieldAccess.store` refuses NULL in any other.
  }

  func destroy(at pointer: UnsafeMutableRawPointer) {
    pointer.assumingMemoryBound(to: Coder.Value.self).deinitialize(count: 1)
  }

  func appendJSON(
    at pointer: UnsafeRawPointer, to text: inout String, _ path: inout NestingPath
  ) throws -> Bool {
    try coder.appendJSON(
      pointer.assumingMemoryBound(to: Coder.Value.self).pointee, to: &text, &path)
  }

  func storeJSON(
    _ node: JSONNode, at pointer: UnsafeMutableRawPointer, assigning: Bool
  ) throws -> Bool {
    guard let value = try coder.decodeJSON(node) else { return false }
    put(value, at: pointer, assigning: assigning)
    return true
  }
}

/// Fields of an optional of the coder's type.
private final class OptionalCodec<Coder: ValueCoder>: FieldCodec {
  private let coder: Coder

  init(_ coder: Coder) {
    self.coder = coder
  }

  var storageClass: XTStorageClass { coder.storageClass }
  var isDecimal: Bool { coder.isDecimal }
  var isDirect: Bool { coder.isDirect }

  func forOptional() -> any FieldCodec { self }

  func write(at pointer: UnsafeRawPointer, to writer: inout JSONWriter) -> Bool {
    guard let value = pointer.assumingMemoryBound(to: Coder.Value?.self).pointee else {
      return false
    }
    return coder.write(value, to: &writer)
  }

  func read(
    _ text: UnsafeBufferPointer<UInt8>, at pointer: UnsafeMutableRawPointer, assigning: Bool
  ) -> Bool {
    guard let value = coder.read(text) else { return false }
    put(Optional(value), at: pointer, assigning: assigning)
    return true
  }

  func value(at pointer: UnsafeRawPointer) throws -> XTValue {
    try pointer.assumingMemoryBound(to: Coder.Value?.self).pointee.map(coder.encode) ?? .null
  }

  func store(_ value: XTValue, at pointer: UnsafeMutableRawPointer, assigning: Bool) throws {
    put(Optional(try coder.decode(value)), at: pointer, assigning: assigning)
  }

  func storeNil(at pointer: UnsafeMutableRawPointer, assigning: Bool) {
    put(Coder.Value?.none, at: pointer, assigning: assigning)
  }

  func destroy(at pointer: UnsafeMutableRawPointer) {
    pointer.assumingMemoryBound(to: Coder.Value?.self).deinitialize(count: 1)
  }

  func appendJSON(
    at pointer: UnsafeRawPointer, to text: inout String, _ path: inout NestingPath
  ) throws -> Bool {
    guard let value = pointer.assumingMemoryBound(to: Coder.Value?.self).pointee else {
      return false
    }
    return try coder.appendJSON(value, to: &text, &path)
  }

  func storeJSON(
    _ node: JSONNode, at pointer: UnsafeMutableRawPointer, assigning: Bool
  ) throws -> Bool {
    guard let value = try coder.decodeJSON(node) else { return false }
    put(Optional(value), at: pointer, assigning: assigning)
    return true
  }
}
