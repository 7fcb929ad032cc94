/// An index as it should be: an ``XTIndex`` of a model, or the unique index of an added column.
struct IndexDefinition: Sendable {
  struct Term: Sendable, Equatable {
    let column: String
    let isDescending: Bool

    static func == (left: Term, right: Term) -> Bool {
      SQLiteName(left.column) == SQLiteName(right.column)
        && left.isDescending == right.isDescending
    }
  }

  let table: String
  let terms: [Term]
  let isUnique: Bool
  /// What stands behind WHERE; nil for an index of all rows.
  let condition: String?
  /// What may stand there instead in a file that is older than the condition.
  let olderCondition: String?
  /// The name as the model gives it, or one made of the table and the columns.
  let name: String
  let isNameGiven: Bool

  init(
    table: String, terms: [Term], isUnique: Bool, condition: String? = nil,
    olderCondition: String? = nil, suffix: String? = nil, givenName: String? = nil
  ) {
    self.table = table
    self.terms = terms
    self.isUnique = isUnique
    self.condition = condition
    self.olderCondition = olderCondition
    isNameGiven = givenName != nil
    if let givenName {
      name = givenName
    } else {
      var parts = [table]
      for term in terms { parts += term.isDescending ? [term.column, "desc"] : [term.column] }
      if let suffix { parts.append(suffix) }
      parts.append(isUnique ? "unique" : "index")
      name = parts.joined(separator: "_")
    }
  }

  /// The unique index that stands for the keyword UNIQUE of a column that was added.
  static func unique(_ columns: [String], of table: String) -> IndexDefinition {
    IndexDefinition(
      table: table, terms: columns.map { Term(column: $0, isDescending: false) }, isUnique: true)
  }

  func sql(named name: String) -> String {
    let columns = terms.map { quoted($0.column) + ($0.isDescending ? " DESC" : "") }
    var sql = "CREATE \(isUnique ? "UNIQUE " : "")INDEX IF NOT EXISTS \(quoted(name))"
    sql += " ON \(quoted(table)) (\(columns.joined(separator: ", ")))"
    if let condition { sql += " WHERE \(condition)" }
    return sql
  }
}

extension IndexDefinition {
  /// A model's index in `table`.
  ///
  /// - Parameter mark: How the table marks deleted rows; nil where it doesn't.
  init(
    _ index: XTIndex, table: String, mapping: ModelMapping, mark: DeletionMark?
  ) throws {
    guard !index.columns.isEmpty else {
      throw XTError(
        .schema, "an index of \(mapping.typeName) has no columns", table: mapping.tableName)
    }
    let terms = try index.columns.map {
      Term(column: try $0.column.column(in: mapping).name, isDescending: $0.isDescending)
    }
    // Without soft delete every row is a live one.
    if mark == nil, index.scope == .deleted {
      throw XTError(
        .schema,
        "an index of \(mapping.typeName) is over softly deleted rows, and `\(table)` has no"
          + " `xt_isDel`", table: table, column: ColumnRole.isDel.automaticName)
    }
    // One name serves one index of the whole file; other tables of the same model get their own.
    let isOwnTable = SQLiteName(table) == SQLiteName(mapping.tableName)
    self.init(
      table: table, terms: terms, isUnique: index.isUnique,
      condition: mark?.condition(of: index.scope),
      // Once the same for all tables.
      olderCondition: mark.flatMap { _ in DeletionMark(isNotNull: true).condition(of: index.scope)
      },
      suffix: index.scope == .all ? nil : "\(index.scope)",
      givenName: index.name.map { isOwnTable ? $0 : "\(table)_\($0)" })
  }
}
