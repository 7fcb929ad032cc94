/// A table's records: which value is which column, as the new file's own table says.
struct TableLayout: Sendable {
  struct Column: Sendable {
    let name: String
    let affinity: Affinity
    /// NULL is refused.
    let isNotNull: Bool
    let hasDefault: Bool
    /// Whether it is the row's number, for which the record has a NULL.
    let isRowID: Bool
    let isUntyped: Bool
  }

  let name: String
  /// In the order of the record.
  let columns: [Column]
  /// The table's tree is that of an index: it has no row numbers.
  let isWithoutRowID: Bool
  /// SQL for the row's number; nil where there is none.
  let rowIDName: String?
  /// Columns that were in the file before others were added: shorter records can't be.
  let keyColumns: Int

  /// Reads it from a file that has the table.
  static func of(_ entry: SchemaEntry, on connection: Connection) throws -> TableLayout {
    let all = try SchemaReader.columns(of: entry.name, on: connection)
    let text = entry.sql.flatMap(TableText.init)
    let isWithoutRowID = text?.isWithoutRowID ?? false
    let rowIDColumn =
      isWithoutRowID
      ? nil
      : try SchemaReader.rowIDName(
        of: entry.name, columns: all, isRecorded: false, on: connection)
    // What is computed at each read is in no record; what is stored is, but can't be written.
    let stored = all.filter { column in
      column.isWritable || text?.item(of: column.name)?.isStoredGenerated == true
    }
    var ordered = stored
    if isWithoutRowID {
      // Those of the key come first, in its order, and each once.
      var key: [SchemaReader.FileColumn] = []
      for column in stored.filter({ $0.keyPosition > 0 }).sorted(by: {
        $0.keyPosition < $1.keyPosition
      }) where !key.contains(where: { $0.name == column.name }) {
        key.append(column)
      }
      ordered = key + stored.filter { $0.keyPosition == 0 }
    }
    let hidden =
      isWithoutRowID || rowIDColumn != nil
      ? rowIDColumn.map(quoted)
      : try SchemaReader.hiddenRowID(
        of: entry.name, columns: all, isRecorded: false, on: connection)
    return TableLayout(
      name: entry.name,
      columns: ordered.map { column in
        Column(
          name: column.isWritable ? column.name : "",
          affinity: Affinity(declaredType: column.declaredType),
          isNotNull: column.isNotNull || (isWithoutRowID && column.keyPosition > 0),
          hasDefault: column.hasDefaultOtherThanNull, isRowID: column.name == rowIDColumn,
          isUntyped: column.declaredType.isEmpty)
      },
      isWithoutRowID: isWithoutRowID, rowIDName: hidden,
      keyColumns: isWithoutRowID ? all.count { $0.keyPosition > 0 } : 1)
  }

  /// How well a record goes with the table: nil where it can be none of its rows, else the better
  /// the higher.
  func fit(of types: [Int]) -> Double? {
    guard types.count <= columns.count, types.count >= min(keyColumns, columns.count) else {
      return nil
    }
    var score = 0.0
    for (type, column) in zip(types, columns) {
      guard let part = Self.fit(of: type, column) else { return nil }
      score += part
    }
    for column in columns[types.count...] {
      // A column that came later has a default, or takes NULL.
      if column.isNotNull, !column.hasDefault { return nil }
      score -= 1
    }
    return score
  }

  private static func fit(of type: Int, _ column: Column) -> Double? {
    if column.isRowID { return type == 0 ? 2 : nil }
    if type == 0 { return column.isNotNull ? nil : -0.3 }
    let isNumber = type < 12
    let isText = type >= 13 && type % 2 == 1
    switch column.affinity {
    case .text:
      // Numbers become text in such a column.
      return isNumber ? nil : isText ? 1 : -2
    case .integer:
      return isNumber ? (type == 7 ? -1 : 1) : -3
    case .real:
      return isNumber ? 1 : -3
    case .numeric:
      return isNumber ? 0.7 : isText ? -1 : -3
    case .blob:
      return column.isUntyped ? 0 : isNumber ? -2 : isText ? -1 : 1
    }
  }

  /// As `RowProfile.likelihood`, where no rows have been seen: by the declared types alone.
  func likelihood(of types: [Int]) -> Double {
    var sum = -6.0 * Double(columns.count - types.count)
    for (type, column) in zip(types, columns) {
      let part = Self.fit(of: type, column) ?? -9
      sum += part >= 1.5 ? -0.1 : part >= 0.5 ? -1.3 : part >= 0 ? -2.2 : part > -0.5 ? -1.6 : -5
    }
    return sum
  }

  /// Whether a value is one that SQLite would not have put into the column.
  func isOdd(_ value: Record.Value, at index: Int) -> Bool {
    guard index < columns.count else { return true }
    let column = columns[index]
    switch value {
    case .null: return column.isNotNull && !column.isRowID
    case .integer, .real: return column.isRowID || column.affinity == .text
    default: return column.isRowID
    }
  }
}

extension TableText.Item {
  /// Whether the column's value is computed once and kept in the record.
  fileprivate var isStoredGenerated: Bool {
    isGenerated && (clauses.first(.generated)?.tokens.contains { $0.word == "STORED" } ?? false)
  }
}
