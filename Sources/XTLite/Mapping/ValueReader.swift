/// Reads column values of one type, which is looked up once.
struct ValueReader<Value>: Sendable {
  private let access: FieldAccess

  /// - Throws: `unsupportedProperty` for a type that no column can hold.
  init() throws {
    access = try FieldAccess(of: Value.self)
  }

  /// - Throws: `ColumnFailure` where `value` is none of the type's.
  @inline(__always)
  func read(_ value: some StoredValue) throws -> Value {
    try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      // A capacity of one always has an address.
      guard let base = memory.baseAddress else {
        throw ColumnFailure.mismatch(value.value, TypeName.display(Value.self))
      }
      do {
        try access.store(value, in: UnsafeMutableRawPointer(base), assigning: false)
      } catch {
        guard value.storageClass == .null else { throw error }
        throw ValueReading.null(as: Value.self)
      }
      return base.move()
    }
  }
}

enum ValueReading {
  /// NULL where the type has no room for it.
  static func null(as type: Any.Type) -> ColumnFailure {
    ColumnFailure(kind: .decoding, message: "NULL is no \(type)", hint: "read it as \(type)?")
  }
}
