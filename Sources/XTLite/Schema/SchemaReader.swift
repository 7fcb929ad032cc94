/// What the file says about its tables, by PRAGMAs that the oldest supported SQLite has.
///
/// A PRAGMA looks a table up in SQLite's own memory; `sqlite_master` is read from its first row to
/// its last, so it is asked only where nothing else answers.
enum SchemaReader {
  /// A column of a table or view.
  struct FileColumn: Sendable {
    let name: String
    /// As it was written, such as "VARCHAR(20)"; "" where there is none.
    let declaredType: String
    let isNotNull: Bool
    /// The SQL behind DEFAULT; nil where there is none.
    let defaultText: String?
    /// 1 for the first column of the primary key; 0 for a column outside of it.
    let keyPosition: Int
    /// Whether rows can be given a value there: not in a generated column, nor in a hidden one.
    var isWritable = true
    /// Whether a virtual table leaves it out of `*`.
    var isHidden = false

    var hasDefaultOtherThanNull: Bool {
      defaultText.map { $0.uppercased() != "NULL" } ?? false
    }
  }

  /// An index, with those that SQLite makes for UNIQUE and PRIMARY KEY.
  struct FileIndex: Sendable {
    enum Origin: String, Sendable {
      case createIndex = "c"
      case unique = "u"
      case primaryKey = "pk"
    }

    let name: String
    let isUnique: Bool
    let origin: Origin
    /// In order; a nil column is an expression.
    let terms: [(column: String?, isDescending: Bool)]
    /// What stands behind WHERE of a partial index, in a form that can be compared; nil for an index
    /// of all rows.
    let condition: String?
  }

  enum ObjectKind: Sendable { case table, view, virtualTable }

  /// Whether there is a table, or a view, of that name.
  static func tableExists(_ table: String, on connection: Connection) throws -> Bool {
    try !columns(of: table, on: connection).isEmpty
  }

  /// The columns in the file's order; none where there is no such table. Generated columns are
  /// among them, and those that a virtual table hides.
  static func columns(of table: String, on connection: Connection) throws -> [FileColumn] {
    if !SQLiteLibrary.looksBeforePragmas { _ = try connection.firstValue(look) }
    let pragma = SQLiteLibrary.showsGeneratedColumns ? "table_xinfo" : "table_info"
    return try connection.rows("PRAGMA \(pragma)(\(quoted(table)))").map { row in
      FileColumn(
        name: row[1].string ?? "", declaredType: row[2].string ?? "",
        isNotNull: row[3].int64 == 1, defaultText: row[4].string,
        keyPosition: Int(row[5].int64 ?? 0),
        isWritable: row.count < 7 || row[6].int64 == 0,
        isHidden: row.count >= 7 && row[6].int64 == 1)
    }
  }

  /// Makes SQLite see what another program did to the schema.
  static let look = "SELECT 1 FROM `sqlite_master` LIMIT 1"

  /// The indexes of a table, newest first.
  static func indexes(of table: String, on connection: Connection) throws -> [FileIndex] {
    try connection.rows("PRAGMA index_list(\(quoted(table)))").map { row in
      let name = row[1].string ?? ""
      // The rows after the key columns carry the rowid.
      let terms = try connection.rows("PRAGMA index_xinfo(\(quoted(name)))")
        .filter { $0[5].int64 == 1 }
        .map { (column: $0[2].string, isDescending: $0[3].int64 == 1) }
      let isPartial = row[4].int64 == 1
      return FileIndex(
        name: name, isUnique: row[2].int64 == 1,
        origin: row[3].string.flatMap(FileIndex.Origin.init) ?? .createIndex, terms: terms,
        condition: isPartial ? try scope(ofIndex: name, on: connection)?.normalizedText ?? "" : nil)
    }
  }

  /// The sets of columns that no two rows of a table can agree in, its rowid aside.
  static func uniqueKeys(of table: String, on connection: Connection) throws -> [Set<SQLiteName>] {
    try indexes(of: table, on: connection).compactMap { index in
      guard index.isUnique, index.condition == nil else { return nil }
      let names = index.terms.compactMap { $0.column.map(SQLiteName.init) }
      return names.count == index.terms.count ? Set(names) : nil
    }
  }

  /// What kind of thing has this name; nil where nothing has.
  static func kind(of table: String, on connection: Connection) throws -> ObjectKind? {
    let row = try connection.rows(
      "SELECT `type`, `sql` FROM `sqlite_master` WHERE `name` = ? COLLATE NOCASE"
        + " AND `type` IN ('table', 'view')", [.text(table)]
    ).first
    guard let row else { return nil }
    if row[0].string == "view" { return .view }
    return DeclarationToken.makesVirtualTable(row[1].string ?? "") ? .virtualTable : .table
  }

  /// The text that made the table or view; nil where there is none of that name.
  static func sql(of table: String, on connection: Connection) throws -> String? {
    try connection.firstValue(
      "SELECT `sql` FROM `sqlite_master` WHERE `name` = ? COLLATE NOCASE"
        + " AND `type` IN ('table', 'view')", [.text(table)])?.string
  }

  /// What was made by SQL and belongs to a table or speaks of it.
  static func objects(naming table: String, on connection: Connection) throws -> [SchemaObject] {
    try SchemaObject.all(
      ["index", "view", "trigger"], includingTemporary: false, on: connection
    ).filter { $0.belongs(to: table) || $0.speaks(of: table) }
  }

  /// The table that an index of this name belongs to, or the name itself where it is a table's.
  static func owner(ofName name: String, on connection: Connection) throws -> String? {
    try connection.firstValue(
      "SELECT `tbl_name` FROM `sqlite_master` WHERE `name` = ? COLLATE NOCASE", [.text(name)]
    )?.string
  }

  /// The column that is the table's rowid; nil where there is none by any name.
  ///
  /// - Parameter isRecorded: Whether XTLite made the table, so that the key's form is known.
  static func rowIDName(
    of table: String, columns: [FileColumn], isRecorded: Bool, on connection: Connection
  ) throws -> String? {
    let key = columns.filter { $0.keyPosition > 0 }
    guard key.count == 1, let column = key.first, column.declaredType.uppercased() == "INTEGER"
    else { return nil }
    if isRecorded { return column.name }
    // WITHOUT ROWID and PRIMARY KEY DESC keep the key in an index of its own.
    let indexes = try connection.rows("PRAGMA index_list(\(quoted(table)))")
    return indexes.contains { $0[3].string == FileIndex.Origin.primaryKey.rawValue }
      ? nil : column.name
  }

  /// SQL for a row's number in a table that has no column for it; nil where rows have none.
  ///
  /// - Parameter isRecorded: Whether XTLite made the table, so that its rows have a number.
  static func hiddenRowID(
    of table: String, columns: [FileColumn], isRecorded: Bool, on connection: Connection
  ) throws -> String? {
    let names = Set(columns.map { SQLiteName($0.name) })
    guard let name = ["rowid", "_rowid_", "oid"].first(where: { !names.contains(SQLiteName($0)) })
    else { return nil }
    if isRecorded { return name }
    // Older libraries give NULL as the rowid of a view instead of an error.
    if try kind(of: table, on: connection) == .view { return nil }
    do {
      _ = try connection.firstValue("SELECT \(name) FROM \(quoted(table)) LIMIT 0")
      return name
    } catch let error as XTError where error.kind == .unknownColumn {
      return nil
    }
  }

  /// What stands behind WHERE of an index; nil where it is of all rows.
  static func scope(
    ofIndex name: String, on connection: Connection
  ) throws -> ArraySlice<DeclarationToken>? {
    let sql = try connection.firstValue(
      "SELECT `sql` FROM `sqlite_master` WHERE `type` = 'index' AND `name` = ?", [.text(name)]
    )?.string
    let tokens = DeclarationToken.tokens(of: sql ?? "")
    guard let start = tokens.firstIndex(where: { $0.word == "WHERE" }) else { return nil }
    return tokens[(start + 1)...]
  }
}

extension SchemaReader.FileIndex {
  /// Whether this index does what `definition` asks for, under whatever name.
  func satisfies(_ definition: IndexDefinition) -> Bool {
    guard terms.count == definition.terms.count, isUnique || !definition.isUnique else {
      return false
    }
    for (term, wanted) in zip(terms, definition.terms) {
      guard let column = term.column, SQLiteName(column) == SQLiteName(wanted.column),
        term.isDescending == wanted.isDescending
      else { return false }
    }
    return [definition.condition, definition.olderCondition].contains { wanted in
      condition == wanted?.normalized
    }
  }
}
