/// A model's table while steps run on it.
struct UpgradeTable {
  let mapping: ModelMapping
  /// What it is called now.
  var name: String
  /// Whether it is the model's own table, not a `named:` one.
  let isOwn: Bool
  /// What its `rename` steps call columns, by what they were called.
  var laterNames: [SQLiteName: String] = [:]
  /// Whether the upgrade that runs is for this table alone, not for each of the model's.
  var isStated = false
  let runner: UpgradeRunner

  var connection: Connection { runner.connection }

  /// The table as the model declares it.
  func definition() throws -> TableDefinition {
    try TableDefinition(
      table: name, mapping: mapping, automaticColumns: runner.automaticColumns)
  }

  /// The same with all automatic columns, which a step may ask for by name.
  func fullDefinition() throws -> TableDefinition {
    try TableDefinition(table: name, mapping: mapping, automaticColumns: true)
  }

  func text() throws -> TableText { try TableText.of(name, on: connection) }

  /// The text of the model's own CREATE TABLE.
  func modelText() throws -> TableText {
    let sql = try fullDefinition().createTable()
    guard let text = TableText(sql) else {
      throw XTError(.schema, "the declaration of \(mapping.typeName) can't be read", sql: sql)
    }
    return text
  }

  func fileColumn(_ column: String) throws -> SchemaReader.FileColumn? {
    try SchemaReader.columns(of: name, on: connection).first {
      SQLiteName($0.name) == SQLiteName(column)
    }
  }

  func shape() throws -> TableShape {
    try SchemaReader.shape(of: name, mapping: mapping, on: connection)
  }

  /// Whether there is a row.
  func hasRow(where condition: String) throws -> Bool {
    try connection.firstValue(
      "SELECT 1 FROM \(quoted(name)) WHERE \(condition) LIMIT 1") != nil
  }

  func refusal(_ message: String, hint: String? = nil, column: String? = nil) -> XTError {
    XTError(.upgrade, message, hint: hint, table: name, column: column)
  }
}

/// SQL of a step's own failed in a plan, which says nothing of the file: there are rows in that.
struct OpenEnd: Error {
  let reason: String
}

extension UpgradeTable {
  mutating func run(_ step: UpgradeStep, nextName: String) throws {
    if !step.isPlainSQL {
      try TableMaker.refuseView(name, on: connection)
      try TableCompanions.refuse(name, on: connection)
    }
    switch step {
    // What hangs on the columns' names is made again at the end.
    case .rename, .swap, .drop, .change, .renameTable:
      try TableCompanions.remove(from: name, on: connection)
      try TableCompanions.removeOrphans(on: connection)
    default: break
    }
    switch step {
    case .add(let reference): try add(reference.column(in: mapping))
    case .addColumn(let column, let declaration): try add(column, declaration)
    case .rename(let old, let new): try rename(old, to: new.name(in: mapping))
    case .swap(let first, let second):
      try swap(first.name(in: mapping), second.name(in: mapping))
    case .drop(let column): try drop(column)
    case .change(let references, let conversion):
      try change(references.map { try $0.column(in: mapping) }, conversion)
    case .addIndex(let index): try addIndex(index)
    case .dropIndex(let index): try dropIndex(index)
    case .dropIndexOver(let columns):
      try dropIndexes(over: columns.map { try $0.name(in: mapping) })
    case .renameTable(let old): try renameTable(from: old, to: nextName)
    case .merge(let other, let conflict, let keepsTable):
      if isOwn || isStated { try merge(other, conflict, keepsTable: keepsTable) }
    case .fill(let reference, let everyRow, let value):
      try fill(reference.column(in: mapping), everyRow: everyRow, value)
    case .run(let sql): if isOwn || isStated { try run(sql) }
    case .runForEach(let sql): try run(try sql(name))
    case .addAutomaticColumns: try addAutomaticColumns()
    }
  }

  private func run(_ sql: XTSQL) throws {
    let fragment = try sql.resolved()
    runner.note(fragment.text)
    do {
      try connection.executeScript(fragment.text, fragment.values)
    } catch let error as XTError where runner.recorder != nil {
      throw OpenEnd(reason: error.message)
    }
    try runner.checkCancelled()
    runner.forgetAllFresh()
    runner.forgetHealth()
  }
}
