/// A type of one's own that a column holds as one plain value.
///
/// ```swift
/// struct Money: XTColumnValue {
///   var cents: Int64
///   static var xt_storageClass: XTStorageClass { .integer }
///   var xt_columnValue: XTValue { .integer(cents) }
///   init(xt_columnValue value: XTValue) throws {
///     guard case .integer(let cents) = value else { throw NotMoney() }
///     self.cents = cents
///   }
/// }
/// ```
///
/// NULL never comes here: an optional property holds it as nil, any other refuses it.
public protocol XTColumnValue: SendableMetatype {
  /// The column's type in the table: `.integer`, `.real`, `.text` or `.blob`.
  static var xt_storageClass: XTStorageClass { get }

  /// The value as SQLite keeps it.
  ///
  /// - Throws: any error where this value cannot be kept; the write then fails with it.
  var xt_columnValue: XTValue { get throws }

  /// The value that SQLite kept.
  ///
  /// - Throws: any error where `value` is none of this type's; the read then fails with `decoding`.
  init(xt_columnValue value: XTValue) throws
}
