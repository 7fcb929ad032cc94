/// Why one value cannot go into a column or come out of it. Who knows the table, the column and the
/// SQL makes an `XTError` of it.
struct ColumnFailure: Error {
  var kind: XTError.Kind
  var message: String
  var hint: String?

  static var null: ColumnFailure {
    ColumnFailure(
      kind: .decoding, message: "NULL is stored, but the property is not optional",
      hint: "declare the property as optional, or fill the rows that hold NULL")
  }

  static var notUTF8: ColumnFailure {
    ColumnFailure(
      kind: .decoding, message: "the text is not UTF-8",
      hint: "declare the property as Data to read its bytes")
  }

  static func mismatch(_ value: XTValue, _ type: String) -> ColumnFailure {
    ColumnFailure(kind: .decoding, message: "\(shortened(value)) is no \(type)", hint: nil)
  }

  static func outOfRange(_ value: XTValue, _ type: String) -> ColumnFailure {
    ColumnFailure(
      kind: .valueOutOfRange, message: "\(shortened(value)) is out of the range of \(type)",
      hint: "use a wider type for the property")
  }

  static func notStorable(_ what: String, hint: String? = nil) -> ColumnFailure {
    ColumnFailure(kind: .valueOutOfRange, message: what, hint: hint)
  }

  /// The error that a caller sees.
  func error(table: String?, column: String?, sql: String? = nil) -> XTError {
    XTError(kind, message, hint: hint, table: table, column: column, sql: sql)
  }

  private static func shortened(_ value: XTValue) -> String {
    let text = value.sqlLiteral
    return text.utf8.count <= 100 ? text : "\(text.prefix(80))… (\(text.utf8.count) bytes)"
  }
}
