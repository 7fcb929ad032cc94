import Foundation

// What the hot loops do with one field: read it, write it, destroy it. One switch each over the
// field's kind, with the type known in every case, so that nothing is looked up per value.

/// A field of a model as the loops see it.
struct FieldAccess {
  let offset: Int
  let kind: FieldKind
  let isOptional: Bool
  let codec: (any FieldCodec)?

  init(_ type: ColumnType, offset: Int) {
    self.init(offset: offset, kind: type.kind, isOptional: type.isOptional, codec: type.codec)
  }

  /// Of any type that a column can hold, or `XTValue`.
  ///
  /// - Throws: `unsupportedProperty` for every other.
  init<Value>(of type: Value.Type, offset: Int = 0) throws {
    guard type == XTValue.self || type == XTValue?.self else {
      self.init(try ColumnType.of(type), offset: offset)
      return
    }
    self.init(offset: offset, kind: .any, isOptional: type == XTValue?.self, codec: nil)
  }

  private init(offset: Int, kind: FieldKind, isOptional: Bool, codec: (any FieldCodec)?) {
    self.offset = offset
    self.kind = kind
    self.isOptional = isOptional
    self.codec = codec
  }
}

extension FieldAccess {
  /// Puts `value` into the field of the model at `base`; the field is left alone where that throws.
  @inline(__always)
  func store<Value: StoredValue>(
    _ value: Value, in base: UnsafeMutableRawPointer, assigning: Bool
  ) throws {
    let pointer = base + offset
    let stored = value.storageClass
    if stored == .null {
      guard isOptional else {
        guard kind == .any else { throw ColumnFailure.null }
        return XTLite.put(XTValue.null, at: pointer, assigning: assigning)
      }
      storeNil(at: pointer, assigning: assigning)
      return
    }
    switch kind {
    case .int64: put(try value.integer(stored, as: Int64.self), pointer, assigning)
    case .string: put(try value.string(stored), pointer, assigning)
    case .double: put(try value.floatingPoint(stored), pointer, assigning)
    case .bool: put(try value.bool(stored), pointer, assigning)
    case .data: put(try value.data(stored), pointer, assigning)
    case .date: put(try value.date(stored), pointer, assigning)
    case .int32: put(try value.integer(stored, as: Int32.self), pointer, assigning)
    case .int16: put(try value.integer(stored, as: Int16.self), pointer, assigning)
    case .int8: put(try value.integer(stored, as: Int8.self), pointer, assigning)
    case .uint64: put(try value.integer(stored, as: UInt64.self), pointer, assigning)
    case .uint32: put(try value.integer(stored, as: UInt32.self), pointer, assigning)
    case .uint16: put(try value.integer(stored, as: UInt16.self), pointer, assigning)
    case .uint8: put(try value.integer(stored, as: UInt8.self), pointer, assigning)
    case .float: put(try value.float(stored), pointer, assigning)
    case .uuid: put(try value.uuid(stored), pointer, assigning)
    case .url: put(try value.url(stored), pointer, assigning)
    case .decimal: put(try value.decimal(stored), pointer, assigning)
    case .directJSON:
      try storeJSON(value, stored, at: pointer, assigning: assigning)
    case .coded:
      try codec?.store(value.exactValue(stored), at: pointer, assigning: assigning)
    case .any: put(value.value, pointer, assigning)
    }
  }

  @inline(__always)
  private func put<Value>(
    _ value: consuming Value, _ pointer: UnsafeMutableRawPointer, _ assigning: Bool
  ) {
    if isOptional {
      XTLite.put(Optional(value), at: pointer, assigning: assigning)
    } else {
      XTLite.put(value, at: pointer, assigning: assigning)
    }
  }

  @inline(never)
  private func storeJSON<Value: StoredValue>(
    _ value: Value, _ stored: XTStorageClass, at pointer: UnsafeMutableRawPointer, assigning: Bool
  ) throws {
    guard let codec else { return }
    let isRead =
      stored == .text && value.withText { codec.read($0, at: pointer, assigning: assigning) }
    if !isRead { try codec.store(value.exactValue(stored), at: pointer, assigning: assigning) }
  }

  @inline(__always)
  private func storeNil(at pointer: UnsafeMutableRawPointer, assigning: Bool) {
    switch kind {
    case .bool: XTLite.put(Bool?.none, at: pointer, assigning: assigning)
    case .int64: XTLite.put(Int64?.none, at: pointer, assigning: assigning)
    case .int32: XTLite.put(Int32?.none, at: pointer, assigning: assigning)
    case .int16: XTLite.put(Int16?.none, at: pointer, assigning: assigning)
    case .int8: XTLite.put(Int8?.none, at: pointer, assigning: assigning)
    case .uint64: XTLite.put(UInt64?.none, at: pointer, assigning: assigning)
    case .uint32: XTLite.put(UInt32?.none, at: pointer, assigning: assigning)
    case .uint16: XTLite.put(UInt16?.none, at: pointer, assigning: assigning)
    case .uint8: XTLite.put(UInt8?.none, at: pointer, assigning: assigning)
    case .double: XTLite.put(Double?.none, at: pointer, assigning: assigning)
    case .float: XTLite.put(Float?.none, at: pointer, assigning: assigning)
    case .string: XTLite.put(String?.none, at: pointer, assigning: assigning)
    case .data: XTLite.put(Data?.none, at: pointer, assigning: assigning)
    case .date: XTLite.put(Date?.none, at: pointer, assigning: assigning)
    case .uuid: XTLite.put(UUID?.none, at: pointer, assigning: assigning)
    case .url: XTLite.put(URL?.none, at: pointer, assigning: assigning)
    case .decimal: XTLite.put(Decimal?.none, at: pointer, assigning: assigning)
    case .coded, .directJSON: codec?.storeNil(at: pointer, assigning: assigning)
    case .any: XTLite.put(XTValue?.none, at: pointer, assigning: assigning)
    }
  }
}

/// Where the value of a field goes: to a statement's parameter, or into an `XTValue`.
protocol ValueSink {
  mutating func null() throws
  mutating func integer(_ number: Int64) throws
  mutating func real(_ number: Double) throws
  mutating func text(_ text: borrowing String) throws
  mutating func blob(_ data: borrowing Data) throws
  mutating func value(_ value: XTValue) throws
  /// Takes the text that `write` writes.
  ///
  /// - Returns: what `write` does: false where there is no text.
  mutating func json(_ write: (inout JSONWriter) -> Bool) throws -> Bool
}

extension FieldAccess {
  /// Gives the value of the field of the model at `base` to `sink`.
  @inline(__always)
  func write<Sink: ValueSink>(from base: UnsafeRawPointer, to sink: inout Sink) throws {
    let pointer = base + offset
    switch kind {
    case .int64: try with(pointer, Int64.self, &sink) { try $1.integer($0) }
    case .string: try with(pointer, String.self, &sink) { try $1.text($0) }
    case .double: try with(pointer, Double.self, &sink) { try $1.real(try Self.number($0)) }
    case .bool: try with(pointer, Bool.self, &sink) { try $1.integer($0 ? 1 : 0) }
    case .data: try with(pointer, Data.self, &sink) { try $1.blob($0) }
    case .date:
      try with(pointer, Date.self, &sink) { try $1.real(try Self.number($0.timeIntervalSince1970)) }
    case .int32: try with(pointer, Int32.self, &sink) { try $1.integer(Int64($0)) }
    case .int16: try with(pointer, Int16.self, &sink) { try $1.integer(Int64($0)) }
    case .int8: try with(pointer, Int8.self, &sink) { try $1.integer(Int64($0)) }
    case .uint64: try with(pointer, UInt64.self, &sink) { try $1.integer(try Self.signed($0)) }
    case .uint32: try with(pointer, UInt32.self, &sink) { try $1.integer(Int64($0)) }
    case .uint16: try with(pointer, UInt16.self, &sink) { try $1.integer(Int64($0)) }
    case .uint8: try with(pointer, UInt8.self, &sink) { try $1.integer(Int64($0)) }
    case .float: try with(pointer, Float.self, &sink) { try $1.real(try Self.number(Double($0))) }
    case .uuid: try with(pointer, UUID.self, &sink) { try $1.text($0.uuidString) }
    case .url: try with(pointer, URL.self, &sink) { try $1.text($0.absoluteString) }
    case .decimal:
      try with(pointer, Decimal.self, &sink) {
        guard let text = DecimalText.text(of: $0) else { throw Self.notANumber }
        try $1.text(text)
      }
    case .directJSON:
      try writeJSON(at: pointer, to: &sink)
    case .coded:
      let value = try codec?.value(at: pointer) ?? .null
      if value.isNull, !isOptional { throw Self.unexpectedNull }
      try sink.value(value)
    case .any: try with(pointer, XTValue.self, &sink) { try $1.value($0) }
    }
  }

  @inline(never)
  private func writeJSON<Sink: ValueSink>(
    at pointer: UnsafeRawPointer, to sink: inout Sink
  ) throws {
    guard let codec, try !sink.json({ codec.write(at: pointer, to: &$0) }) else { return }
    try sink.value(try codec.value(at: pointer))
  }

  @inline(__always)
  private func with<Value, Sink: ValueSink>(
    _ pointer: UnsafeRawPointer, _ type: Value.Type, _ sink: inout Sink,
    _ body: (borrowing Value, inout Sink) throws -> Void
  ) throws {
    if isOptional, pointer.assumingMemoryBound(to: Value?.self).pointee == nil {
      return try sink.null()
    }
    // An optional that holds a value begins with it; read as that, it need not be copied.
    try body(pointer.assumingMemoryBound(to: Value.self).pointee, &sink)
  }

  @inline(__always)
  private static func number(_ number: Double) throws -> Double {
    guard !number.isNaN else { throw notANumber }
    return number
  }

  @inline(__always)
  private static func signed(_ number: UInt64) throws -> Int64 {
    guard let signed = Int64(exactly: number) else {
      throw ColumnFailure.notStorable(
        "\(number) is larger than Int64.max, the largest integer of SQLite",
        hint: "keep numbers of that size as text, by a type that conforms to XTColumnValue")
    }
    return signed
  }

  private static var unexpectedNull: ColumnFailure {
    .notStorable(
      "its xt_columnValue is NULL, but the property is not optional",
      hint: "make the property optional and store nil")
  }

  private static var notANumber: ColumnFailure {
    .notStorable("NaN cannot be stored", hint: "make the property optional and store nil")
  }
}

extension FieldAccess {
  /// Ends the life of the field of the model at `base`.
  func destroy(in base: UnsafeMutableRawPointer) {
    let pointer = base + offset
    switch kind {
    case .bool, .int64, .int32, .int16, .int8, .uint64, .uint32, .uint16, .uint8, .double, .float,
      .date, .uuid, .decimal:
      break
    case .string: destroy(pointer, String.self)
    case .data: destroy(pointer, Data.self)
    case .url: destroy(pointer, URL.self)
    case .coded, .directJSON: codec?.destroy(at: pointer)
    case .any: destroy(pointer, XTValue.self)
    }
  }

  private func destroy<Value>(_ pointer: UnsafeMutableRawPointer, _ type: Value.Type) {
    if isOptional {
      pointer.assumingMemoryBound(to: Value?.self).deinitialize(count: 1)
    } else {
      pointer.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }
  }
}

/// A value of any storable type, taken to SQLite's value and back.
enum ValueCoding {
  /// - Throws: `unsupportedProperty` for a type that no column can hold, `valueOutOfRange` for a
  ///   value that none can.
  static func value<Value>(of value: Value) throws -> XTValue {
    try FieldAccess(try ColumnType.of(Value.self), offset: 0).value(of: value)
  }

  /// - Throws: `ColumnFailure` where `value` is none of `Value`'s.
  static func decode<Value>(_ value: some StoredValue, as type: Value.Type = Value.self) throws
    -> Value
  {
    let access = FieldAccess(try ColumnType.of(Value.self), offset: 0)
    return try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      // A capacity of one always has an address; SQLite's own loops get theirs the same way.
      guard let base = memory.baseAddress else {
        throw ColumnFailure.mismatch(value.value, "value")
      }
      try access.store(value, in: UnsafeMutableRawPointer(base), assigning: false)
      return base.move()
    }
  }

  static func decode<Value>(_ value: XTValue, as type: Value.Type = Value.self) throws -> Value {
    try decode(ValueInHand(value: value), as: type)
  }
}

extension FieldAccess {
  /// The value that SQLite keeps for one of the field's type, which stands alone.
  func value<Value>(of value: Value) throws -> XTValue {
    try withUnsafePointer(to: value) { try self.value(from: UnsafeRawPointer($0)) }
  }

  func value(from base: UnsafeRawPointer) throws -> XTValue {
    var sink = OneValue()
    try write(from: base, to: &sink)
    return sink.result
  }
}

private struct OneValue: ValueSink {
  var result = XTValue.null

  mutating func null() { result = .null }
  mutating func integer(_ number: Int64) { result = .integer(number) }
  mutating func real(_ number: Double) { result = .real(number) }
  mutating func text(_ text: borrowing String) { result = .text(copy text) }
  mutating func blob(_ data: borrowing Data) { result = .blob(copy data) }
  mutating func value(_ value: XTValue) { result = value }

  mutating func json(_ write: (inout JSONWriter) -> Bool) -> Bool {
    var writer = JSONWriter()
    guard write(&writer) else { return false }
    result = .text(String(decoding: writer.bytes, as: UTF8.self))
    return true
  }
}
