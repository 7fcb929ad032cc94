extension XTDatabase {
  // MARK: By the names of the columns

  /// All rows of any one statement, with names and values: a SELECT, a PRAGMA, an EXPLAIN, a
  /// statement that writes and has RETURNING. One that gives no rows gives an empty array.
  ///
  /// ```swift
  /// for row in try database.rows("PRAGMA table_info(Person)") {
  ///   print(try row["name"] as String, try row["type"] as String)
  /// }
  /// ```
  ///
  /// - Parameter sql: One statement; its values are bound. It is prepared once for its text, however
  ///   often it is run.
  /// - Throws: ``XTError``: what SQLite says of the SQL; `readOnly` for one that writes inside
  ///   `read { }` and where the file was opened read-only.
  public func rows(_ sql: XTSQL) throws -> [XTRow] {
    try all(sql, .row)
  }

  /// All rows of any one statement as values of a `Decodable` type, by the names of the columns.
  ///
  /// ```swift
  /// struct Summary: Decodable { var city: String; var people: Int; var oldest: Date? }
  /// let sums = try database.rows(
  ///   "SELECT city, count(*) AS people, min(born) AS oldest FROM Person GROUP BY city",
  ///   as: Summary.self)
  /// ```
  ///
  /// Each property is read as a model's is: dates from seconds, enums from raw values, nested
  /// Codable values from JSON, nil from NULL. An optional property also does without its column.
  /// Columns that the type doesn't know are passed over; case of ASCII letters doesn't count in
  /// names. A single value such as `String` or `Date` is read from the one column; a model goes by
  /// its own mapping.
  ///
  /// - Throws: ``XTError``: `unknownColumn` where there is no column for a property; `decoding` and
  ///   `valueOutOfRange`, which name column and type, for a value that is none of the property's.
  ///   Otherwise as `rows(_:)`.
  @_disfavoredOverload
  public func rows<Row: Decodable>(_ sql: XTSQL, as type: Row.Type) throws -> [Row] {
    try all(sql, .decoding(self))
  }

  /// All rows of any one statement as models: columns that the model doesn't know are passed over,
  /// properties that have none keep what `init()` gives.
  ///
  /// - Throws: As `rows(_:)`, and for a value that its property can't hold.
  public func rows<Model: XTModel>(_ sql: XTSQL, as type: Model.Type) throws -> [Model] {
    try all(sql, .model(table(type)))
  }

  /// The first row of any one statement; nil where it gives none. No more than that is read.
  ///
  /// ```swift
  /// let row = try database.firstRow("SELECT name, age FROM Person WHERE pkid = \(7)")
  /// ```
  ///
  /// - Throws: As `rows(_:)`.
  public func firstRow(_ sql: XTSQL) throws -> XTRow? {
    try first(sql, .row)
  }

  /// The first row of any one statement as a value of a `Decodable` type; nil where it gives none.
  ///
  /// - Throws: As `rows(_:as:)`.
  @_disfavoredOverload
  public func firstRow<Row: Decodable>(_ sql: XTSQL, as type: Row.Type) throws -> Row? {
    try first(sql, .decoding(self))
  }

  /// The first row of any one statement as a model; nil where it gives none.
  public func firstRow<Model: XTModel>(_ sql: XTSQL, as type: Model.Type) throws -> Model? {
    try first(sql, .model(table(type)))
  }

  /// Calls `body` with one row after the other, without holding more than one in memory.
  ///
  /// An error that `body` throws ends the loop and comes out. Any verb may be used inside `body`.
  ///
  /// - Throws: As `rows(_:)`.
  public func forEachRow(_ sql: XTSQL, _ body: (XTRow) throws -> Void) throws {
    try forEach(sql, .row, body)
  }

  /// Calls `body` with one row after the other, as values of a `Decodable` type.
  @_disfavoredOverload
  public func forEachRow<Row: Decodable>(
    _ sql: XTSQL, as type: Row.Type, _ body: (Row) throws -> Void
  ) throws {
    try forEach(sql, .decoding(self), body)
  }

  /// Calls `body` with one row after the other, as models.
  public func forEachRow<Model: XTModel>(
    _ sql: XTSQL, as type: Model.Type, _ body: (Model) throws -> Void
  ) throws {
    try forEach(sql, .model(table(type)), body)
  }

  // MARK: By the places of the columns

  /// The columns of all rows of any one statement, each as the type at its place.
  ///
  /// ```swift
  /// let pairs = try database.select("SELECT name, age FROM Person", as: String.self, Int?.self)
  /// let names = try database.select("SELECT name FROM Person", as: String.self)   // [String]
  /// ```
  ///
  /// - Parameters:
  ///   - sql: One statement; its values are bound.
  ///   - types: One for each column: any type that a column can hold, or `XTValue`.
  /// - Throws: ``XTError`` `decoding` where there are more or fewer columns than types, and for a
  ///   value that is none of its type's. Otherwise as `rows(_:)`.
  public func select<each V>(
    _ sql: XTSQL, as types: repeat (each V).Type
  ) throws -> [(repeat each V)] {
    try all(sql, .columns(repeat each types))
  }

  /// The columns of the first row of any one statement; nil where it gives none.
  ///
  /// ```swift
  /// let (oldest, count) = try database.selectFirst(
  ///   "SELECT max(age), count(*) FROM Person", as: Int?.self, Int.self) ?? (nil, 0)
  /// ```
  ///
  /// - Throws: As `select(_:as:)`.
  public func selectFirst<each V>(
    _ sql: XTSQL, as types: repeat (each V).Type
  ) throws -> (repeat each V)? {
    try first(sql, .columns(repeat each types))
  }
}

extension XTDatabase {
  private func all<Element>(_ sql: XTSQL, _ maker: RowMaker<Element>) throws -> [Element] {
    var rows: [Element] = []
    try answer(sql, maker) { rows = try $0.all() }
    return rows
  }

  private func first<Element>(_ sql: XTSQL, _ maker: RowMaker<Element>) throws -> Element? {
    var row: Element?
    try answer(sql, maker) { row = try $0.next() }
    return row
  }

  private func forEach<Element>(
    _ sql: XTSQL, _ maker: RowMaker<Element>, _ body: (Element) throws -> Void
  ) throws {
    try answer(sql, maker, streams: true) { run in
      while let row = try run.next() { try notAttempting { try body(row) } }
    }
  }
}
