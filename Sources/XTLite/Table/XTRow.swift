/// A row of any statement: its values, by the names of the columns and by their places.
///
/// ```swift
/// for row in try database.rows("SELECT name, nick, age FROM Person WHERE age > \(17)") {
///   let name: String = try row["name"]
///   let nick = try row["nick"] as String?     // nil for NULL
///   let age = try row[2] as Int
///   print(row)                                // [name: 'mamba', nick: NULL, age: 24]
/// }
/// ```
///
/// Names are compared as SQLite does, without regard to the case of ASCII letters. Where several
/// columns have one name, that means the first of them; the others are there by their places.
public struct XTRow: Sendable {
  private let header: RowHeader
  /// The values, in the order of the columns.
  public let values: [XTValue]
  /// The places of texts that are not UTF-8, and were repaired.
  private let repaired: [Int]

  init(_ header: RowHeader, _ statement: Statement) {
    self.header = header
    var values: [XTValue] = []
    var repaired: [Int] = []
    let count = header.names.count
    values.reserveCapacity(count)
    for index in 0..<count {
      let column = statement.column(index)
      guard column.storageClass == .text else {
        values.append(column.value)
        continue
      }
      let text = column.text()
      if text == nil { repaired.append(index) }
      values.append(text.map(XTValue.text) ?? column.value)
    }
    self.values = values
    self.repaired = repaired
  }

  /// Of values that are at hand.
  init(_ header: RowHeader, _ values: [XTValue]) {
    self.header = header
    self.values = values
    repaired = []
  }

  /// How many columns there are.
  public var count: Int { values.count }

  /// The names of the columns, in their order: as in AS, or as the table has them.
  public var names: [String] { header.names }

  /// What the row holds in a column, as any type that a column can hold, or as ``XTValue``.
  ///
  /// ```swift
  /// let born = try row["born"] as Date?
  /// ```
  ///
  /// - Throws: ``XTError`` `unknownColumn` where there is no such column; `decoding` and
  ///   `valueOutOfRange`, which name column and type, for a value that is none of the type's, and
  ///   for NULL where the type is not optional.
  public subscript<Value>(_ column: String) -> Value {
    get throws { try value(at: try place(of: column), as: Value.self) }
  }

  /// What the row holds at a place, which begins with 0; otherwise as by name.
  public subscript<Value>(_ place: Int) -> Value {
    get throws { try value(at: place, as: Value.self) }
  }

  /// What the row holds in a column, as SQLite keeps it; nil where there is no such column.
  public func value(_ column: String) -> XTValue? {
    header.place(of: column).map { values[$0] }
  }

  /// What the row holds at a place, which begins with 0; nil where there is no such column.
  public func value(at place: Int) -> XTValue? {
    // Not by `? :`, where nil would be the value NULL.
    guard values.indices.contains(place) else { return nil }
    return values[place]
  }

  /// The row as a value of any `Decodable` type, by the names of its columns.
  ///
  /// - Throws: As `rows(_:as:)`.
  public func decode<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try DecodableRow.decode(type, from: self)
  }
}

extension XTRow {
  var sql: String { header.sql }

  func place(of column: String) throws -> Int {
    guard let place = header.place(of: column) else { throw noColumn(column) }
    return place
  }

  /// The place of a column; nil where there is none.
  func placeIfAny(of column: String) -> Int? { header.place(of: column) }

  func value<Value>(at place: Int, as type: Value.Type) throws -> Value {
    try reading(at: place) { try ValueReader<Value>().read($0) }
  }

  /// Runs `body`, which reads the value at a place, and says of its errors which column that is.
  @inline(__always)
  func reading<Value>(at place: Int, _ body: (ValueInHand) throws -> Value) throws -> Value {
    guard values.indices.contains(place) else { throw noColumn(place) }
    do {
      if !repaired.isEmpty, repaired.contains(place) { throw ColumnFailure.notUTF8 }
      return try body(ValueInHand(value: values[place]))
    } catch {
      throw located(error, place)
    }
  }

  @inline(never)
  private func located(_ error: any Error, _ place: Int) -> any Error {
    if let failure = error as? ColumnFailure {
      return failure.error(table: nil, column: names[place], sql: sql)
    }
    guard var error = error as? XTError else { return error }
    error.column = error.column ?? names[place]
    error.sql = error.sql ?? sql
    return error
  }

  private func noColumn(_ name: String) -> XTError {
    XTError(
      .unknownColumn, "the row has no column \(name)",
      hint: "its columns are \(names.joined(separator: ", ")); give one a name with AS",
      column: name, sql: sql)
  }

  private func noColumn(_ place: Int) -> XTError {
    XTError(
      .unknownColumn, "the row has no column at place \(place)",
      hint: "it has \(count); the first is at place 0", sql: sql)
  }
}

extension XTRow: Hashable {
  /// Whether names and values are the same, in the same order.
  public static func == (left: XTRow, right: XTRow) -> Bool {
    left.values == right.values && (left.header === right.header || left.names == right.names)
  }

  /// By the values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(values)
  }
}

extension XTRow: CustomStringConvertible {
  /// Names and values: `[name: 'mamba', nick: NULL, age: 24]`.
  public var description: String {
    let parts = zip(names, values).map { name, value in
      if case .blob = value { "\(name): \(value)" } else { "\(name): \(value.sqlLiteral)" }
    }
    return "[\(parts.joined(separator: ", "))]"
  }
}

/// What the rows of one statement share.
final class RowHeader: Sendable {
  let sql: String
  let names: [String]
  private let places: [String: Int]
  private let foldedPlaces: [SQLiteName: Int]

  /// Of a statement that has been stepped: before that it may know columns that the table had.
  convenience init(_ statement: Statement) {
    self.init(names: (0..<statement.columnCount).map(statement.columnName), sql: statement.sql)
  }

  init(names: [String], sql: String) {
    self.sql = sql
    self.names = names
    let numbered = names.enumerated()
    foldedPlaces = Dictionary(
      numbered.map { (SQLiteName($1), $0) }, uniquingKeysWith: { first, _ in first })
    let folded = foldedPlaces
    places = Dictionary(
      names.map { ($0, folded[SQLiteName($0)] ?? 0) }, uniquingKeysWith: { first, _ in first })
  }

  func place(of name: String) -> Int? {
    // Two spellings of one letter are one name to Swift, and two to SQLite.
    if let place = places[name], names[place].utf8.elementsEqual(name.utf8) { return place }
    return foldedPlaces[SQLiteName(name)]
  }
}
