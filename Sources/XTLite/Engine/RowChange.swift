/// One row that a statement changed, as SQLite tells it.
struct RowChange: Sendable {
  enum Kind: Sendable { case insert, update, delete }

  let kind: Kind
  let table: TableColumns
  /// Nil in a table WITHOUT ROWID.
  var rowID: Int64?
  /// What it was before the update.
  var oldRowID: Int64?
  /// Nil for an insert, and where the library doesn't tell.
  var old: [XTValue]?
  /// Nil for a delete, and where the library doesn't tell.
  var new: [XTValue]?
  /// How many bytes it takes, about.
  var size = Self.sizeOfRow

  static let sizeOfRow = MemoryLayout<RowChange>.stride
}

/// What the rows of one table have in common.
final class TableColumns: Sendable {
  let name: String
  let columns: [String]
  let hasRowID: Bool
  /// The places of the columns whose whole numbers SQLite keeps as integers and gives as REAL.
  let realColumns: [Int]
  /// Whether all columns are in the row as it is stored.
  let storesAll: Bool
  /// Whether a row may go that nobody hears of, where the library has no hook for that.
  let mayReplace: Bool
  /// Whether nobody is to hear of its rows.
  let isHidden: Bool
  /// Whether it is a virtual table, of whose rows SQLite tells nothing.
  let isVirtual: Bool

  init(
    name: String, columns: [String] = [], hasRowID: Bool = true, realColumns: [Int] = [],
    storesAll: Bool = false, mayReplace: Bool = true, isHidden: Bool = false,
    isVirtual: Bool = false
  ) {
    self.name = name
    self.columns = columns
    self.hasRowID = hasRowID
    self.realColumns = realColumns
    self.storesAll = storesAll
    self.mayReplace = mayReplace
    self.isHidden = isHidden
    self.isVirtual = isVirtual
  }
}

extension Connection {
  /// The columns of a table of the main file, as they are now.
  func tableColumns(_ table: String) throws -> TableColumns {
    let pragma = SQLiteLibrary.showsGeneratedColumns ? "table_xinfo" : "table_info"
    let rows = try rows("PRAGMA main.\(pragma)(\(quoted(table)))")
    let sql = try firstValue(
      "SELECT `sql` FROM main.`sqlite_master` WHERE `type` = 'table' AND `name` = ? COLLATE NOCASE",
      [.text(table)]
    )?.string
    let words = SQLScanner.words(of: sql ?? "")
    let reals = rows.indices.filter { Self.isReal(rows[$0][2].string ?? "") }
    return TableColumns(
      name: table, columns: rows.map { $0[1].string ?? "" },
      hasRowID: !words.adjacent("WITHOUT", "ROWID"), realColumns: reals,
      storesAll: !rows.isEmpty
        && rows.allSatisfy { $0.count < 7 || ![1, 2].contains($0[6].int64) },
      mayReplace: words.contains("REPLACE"),
      isVirtual: words.prefix(2) == ["CREATE", "VIRTUAL"])
  }

  /// Whether a declared type means REAL to SQLite.
  private static func isReal(_ type: String) -> Bool {
    let type = type.uppercased()
    if ["INT", "CHAR", "CLOB", "TEXT", "BLOB"].contains(where: type.contains) { return false }
    return ["REAL", "FLOA", "DOUB"].contains(where: type.contains)
  }
}

extension SQLScanner {
  /// The words of a text outside of quotes and comments, upper case.
  static func words(of sql: String) -> [String] {
    let scanner = SQLScanner(sql)
    return scanner.filter { $0.kind == .word }.map { scanner.text(of: $0).uppercased() }
  }
}

extension [String] {
  fileprivate func adjacent(_ first: String, _ second: String) -> Bool {
    zip(self, dropFirst()).contains { $0 == first && $1 == second }
  }
}
