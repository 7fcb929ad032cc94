import Foundation

/// How the memory of a field is laid out, for the types that the two hot loops handle themselves.
enum FieldKind: UInt8, Sendable {
  case bool
  case int64, int32, int16, int8
  case uint64, uint32, uint16, uint8
  case double, float
  case string, data, date, uuid, url, decimal
  /// JSON that the type's codec writes and reads as bytes, mostly.
  case directJSON
  /// Every other type: its codec does the work.
  case coded
  /// An `XTValue`, which takes whatever there is. No property is one.
  case any
}

/// How a Swift type is kept in one column; the same for every property of that type.
final class ColumnType: Sendable {
  let swiftType: Any.Type
  let kind: FieldKind
  let isOptional: Bool
  /// The class of what is stored, NULL aside.
  let storageClass: XTStorageClass
  /// The column's type in the table's definition.
  let declaredType: String
  /// Goes with the kinds `.directJSON` and `.coded`.
  let codec: (any FieldCodec)?
  /// JSON text: what stands in the column is a container.
  let isJSON: Bool
  /// Two instances made by `init()` cannot be expected to agree: never a DEFAULT.
  let isVolatile: Bool

  private init(
    _ swiftType: Any.Type, _ kind: FieldKind, isOptional: Bool = false,
    storageClass: XTStorageClass,
    declaredType: String? = nil, codec: (any FieldCodec)? = nil, isJSON: Bool = false,
    isVolatile: Bool = false
  ) {
    self.swiftType = swiftType
    self.kind = kind
    self.isOptional = isOptional
    self.storageClass = storageClass
    self.declaredType = declaredType ?? storageClass.declaredType
    self.codec = codec
    self.isJSON = isJSON
    self.isVolatile = isVolatile
  }

  /// - Throws: `unsupportedProperty`, which names the type, where no column can hold it.
  static func of(_ type: Any.Type) throws -> ColumnType {
    let key = ObjectIdentifier(type)
    if let known = cache.withLock({ $0[key] }) { return known }
    // Made outside of the lock: a type's parts are looked up while it is made.
    let made = try make(type)
    cache.withLock { $0[key] = made }
    return made
  }

  private static let cache = Mutex<[ObjectIdentifier: ColumnType]>([:])

  /// A decimal number, or a type whose raw value is one: text that compares as a number.
  var isDecimal: Bool { kind == .decimal || codec?.isDecimal == true }
  var isInteger: Bool { integerRange != nil }

  /// The integers that a property of this type can hold, as far as SQLite can; nil for other types.
  var integerRange: ClosedRange<Int64>? {
    func range<Number: FixedWidthInteger>(_: Number.Type) -> ClosedRange<Int64> {
      Int64(clamping: Number.min)...Int64(clamping: Number.max)
    }
    return switch kind {
    case .int64: range(Int64.self)
    case .int32: range(Int32.self)
    case .int16: range(Int16.self)
    case .int8: range(Int8.self)
    case .uint64: range(UInt64.self)
    case .uint32: range(UInt32.self)
    case .uint16: range(UInt16.self)
    case .uint8: range(UInt8.self)
    default: nil
    }
  }

  private static func make(_ type: Any.Type) throws -> ColumnType {
    if let scalar = scalar(type) { return scalar }
    if let optional = type as? any OptionalType.Type {
      let wrapped = try of(optional.wrappedType)
      guard !wrapped.isOptional else { throw unsupported(type) }
      return ColumnType(
        type, wrapped.kind, isOptional: true, storageClass: wrapped.storageClass,
        declaredType: wrapped.declaredType, codec: wrapped.codec?.forOptional(),
        isJSON: wrapped.isJSON, isVolatile: wrapped.isVolatile)
    }
    if let codec = scalarCodec(type) {
      return ColumnType(type, .coded, storageClass: codec.storageClass, codec: codec)
    }
    if let codec = ModelJSON.codec(for: type) ?? JSONContainer.codec(for: type) {
      return ColumnType(
        type, codec.isDirect ? .directJSON : .coded, storageClass: .text, codec: codec,
        isJSON: true)
    }
    throw unsupported(type)
  }

  /// The types that have a field kind of their own; nil for every other.
  static func scalar(_ type: Any.Type) -> ColumnType? {
    func integer(_ kind: FieldKind) -> ColumnType { ColumnType(type, kind, storageClass: .integer) }
    if type == Int.self { return integer(MemoryLayout<Int>.size == 8 ? .int64 : .int32) }
    if type == UInt.self { return integer(MemoryLayout<UInt>.size == 8 ? .uint64 : .uint32) }
    if type == Int64.self { return integer(.int64) }
    if type == Int32.self { return integer(.int32) }
    if type == Int16.self { return integer(.int16) }
    if type == Int8.self { return integer(.int8) }
    if type == UInt64.self { return integer(.uint64) }
    if type == UInt32.self { return integer(.uint32) }
    if type == UInt16.self { return integer(.uint16) }
    if type == UInt8.self { return integer(.uint8) }
    if type == Bool.self {
      return ColumnType(type, .bool, storageClass: .integer, declaredType: "BOOLEAN")
    }
    if type == Double.self { return ColumnType(type, .double, storageClass: .real) }
    if type == Float.self { return ColumnType(type, .float, storageClass: .real) }
    if type == String.self { return ColumnType(type, .string, storageClass: .text) }
    if type == Data.self { return ColumnType(type, .data, storageClass: .blob) }
    if type == Date.self {
      return ColumnType(type, .date, storageClass: .real, isVolatile: true)
    }
    if type == UUID.self {
      return ColumnType(type, .uuid, storageClass: .text, isVolatile: true)
    }
    if type == URL.self { return ColumnType(type, .url, storageClass: .text) }
    if type == Decimal.self { return ColumnType(type, .decimal, storageClass: .text) }
    return nil
  }

  private static func unsupported(_ type: Any.Type) -> XTError {
    XTError(
      .unsupportedProperty, "no column can hold a \(TypeName.display(type))",
      hint:
        "make the type Codable, conform it to XTColumnValue, or list the property in xt_ignored")
  }
}

extension XTStorageClass {
  /// The type that a column of this class is declared with.
  var declaredType: String {
    switch self {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob, .null: "BLOB"
    }
  }
}

/// Any `Optional`, so that its wrapped type can be found from a type that is only known at run
/// time.
protocol OptionalType {
  static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrappedType: Any.Type { Wrapped.self }
}
