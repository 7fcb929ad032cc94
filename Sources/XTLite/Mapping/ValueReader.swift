/// Reads column values of one type, which is looked up once.
struct ValueReader<Value>: Sendable {
  private let access: FieldAccess?

  /// - Throws: `unsupportedProperty` for a type that no column can hold.
  init() throws {
    let isRaw = Value.self == XTValue.self || Value.self == XTValue?.self
    access = isRaw ? nil : FieldAccess(try ColumnType.of(Value.self), offset: 0)
  }

  /// - Throws: `ColumnFailure` where `value` is none of the type's.
  @inline(__always)
  func read(_ value: some StoredValue) throws -> Value {
    guard let access else { return try raw(value) }
    return try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      // A capacity of one always has an address.
      guard let base = memory.baseAddress else { throw mismatch(value.value) }
      do {
        try access.store(value, in: UnsafeMutableRawPointer(base), assigning: false)
      } catch {
        guard value.storageClass == .null else { throw error }
        throw ValueReading.null(as: Value.self)
      }
      return base.move()
    }
  }

  private func raw(_ value: some StoredValue) throws -> Value {
    let stored = value.value
    if Value.self == XTValue?.self, stored.isNull, let none = XTValue?.none as? Value {
      return none
    }
    guard let stored = stored as? Value else { throw mismatch(stored) }
    return stored
  }

  private func mismatch(_ value: XTValue) -> ColumnFailure {
    ColumnFailure.mismatch(value, TypeName.display(Value.self))
  }
}

enum ValueReading {
  /// NULL where the type has no room for it.
  static func null(as type: Any.Type) -> ColumnFailure {
    ColumnFailure(kind: .decoding, message: "NULL is no \(type)", hint: "read it as \(type)?")
  }
}
