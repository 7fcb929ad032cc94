/// Compares tables with their models.
struct SchemaDifference {
  /// `XTConfiguration.automaticColumns`.
  let automaticColumns: Bool

  /// The model's own table, where it is there or no other is, and each `named:` one.
  func tables(of mapping: ModelMapping, on connection: Connection) throws -> [String] {
    let recorded = try SchemaRecord.tables(of: mapping, on: connection)
    let own = mapping.tableName
    if recorded.contains(where: { SQLiteName($0) == SQLiteName(own) }) { return recorded }
    let isThere = try recorded.isEmpty || SchemaReader.tableExists(own, on: connection)
    return isThere ? [own] + recorded : recorded
  }

  /// What `table` and the model disagree on, in one snapshot that the caller has.
  func differences(
    of table: String, mapping: ModelMapping, on connection: Connection
  ) throws -> [XTDifference] {
    let shape = try SchemaReader.shape(of: table, mapping: mapping, on: connection)
    let definition = try TableDefinition(
      table: table, mapping: mapping, automaticColumns: automaticColumns && shape.isOwn)
    guard shape.exists else {
      return [
        XTDifference(
          model: mapping.typeName, table: table, subject: .table, inFile: nil,
          inModel: quoted(table))
      ]
    }
    let text = try SchemaReader.sql(of: table, on: connection).flatMap(TableFacts.init)
    var comparison = TableComparison(
      shape: shape, definition: definition, file: text,
      isMade: try SchemaRecord.entry(of: table, on: connection)?.isMade ?? false)
    comparison.compareColumns()
    // A view or a virtual table has nothing else of its own.
    guard text != nil, let model = TableFacts(try definition.createTable()) else {
      return comparison.found
    }
    try comparison.compareKeys(
      with: model, indexes: SchemaReader.indexes(of: table, on: connection))
    try comparison.compareForeignKeys(with: model) {
      try SchemaReader.columns(of: $0, on: connection).filter { $0.keyPosition > 0 }
        .sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
    }
    return comparison.found
  }
}

/// One table beside its model.
struct TableComparison {
  let shape: TableShape
  let definition: TableDefinition
  /// The table's text; nil for a view or a virtual table.
  let file: TableFacts?
  /// Whether XTLite made the table, which then is as the model is or was, word for word.
  let isMade: Bool
  private(set) var found: [XTDifference] = []

  init(shape: TableShape, definition: TableDefinition, file: TableFacts?, isMade: Bool) {
    self.shape = shape
    self.definition = definition
    self.file = file
    self.isMade = isMade
  }

  mutating func note(_ subject: XTDifference.Subject, file: String?, model: String?) {
    found.append(
      XTDifference(
        model: shape.mapping.typeName, table: shape.table, subject: subject, inFile: file,
        inModel: model))
  }

  /// The columns that the table should have.
  var wantedColumns: [ColumnDefinition] {
    definition.columns.filter { wanted in
      if shape.has(column: wanted.name) { return true }
      guard wanted.isRowID else { return true }
      // A table may number its rows under another name, and one that was made without pkid stays
      // without.
      return wanted.column.role == .property
        || wanted.column.access != nil && (shape.isOwn || shape.rowIDExpression == nil)
    }
  }

  mutating func compareColumns() {
    for wanted in wantedColumns {
      if let column = shape.fileColumns.first(where: { wanted.isNamed($0.name) }) {
        guard let file, !wanted.isRowID else { continue }
        compare(wanted, column, file.columns.first { wanted.isNamed($0.name) })
      } else {
        note(.column(wanted.name), file: nil, model: wanted.sql)
      }
    }
    let known = Set(
      (shape.mapping.columns.map(\.name) + ColumnRole.automatic.compactMap(\.automaticName)
        + (shape.mapping.rowIDColumn == nil ? [shape.rowIDName].compactMap(\.self) : []))
        .map(SQLiteName.init))
    let names = file?.columns.map(\.name) ?? shape.fileColumns.filter(\.isWritable).map(\.name)
    for name in names where !known.contains(SQLiteName(name)) {
      let source = file?.columns.first { $0.name == name }?.source
      note(.column(name), file: source ?? quoted(name), model: nil)
    }
  }

  private mutating func compare(
    _ wanted: ColumnDefinition, _ column: SchemaReader.FileColumn, _ text: TableFacts.Column?
  ) {
    // XTFMDB's own columns are its times in integers, which serve as well.
    if !isMade, wanted.column.role != .property { return }
    if !isSameType(column.declaredType, wanted.declaredType) {
      note(.type(column.name), file: column.declaredType, model: wanted.declaredType)
    }
    if let isNotNull = nullability(of: wanted), isNotNull != column.isNotNull {
      func name(_ isNotNull: Bool) -> String { isNotNull ? "NOT NULL" : "NULL" }
      note(.nullability(column.name), file: name(column.isNotNull), model: name(isNotNull))
    }
    compareDefaults(wanted, column)
    let clauses = text?.clauses
    let collations = [clauses, wanted.clauses].map { $0?.collation ?? "BINARY" }
    if SQLiteName(collations[0]) != SQLiteName(collations[1]) {
      note(.collation(column.name), file: collations[0], model: collations[1])
    }
    let others = [clauses, wanted.clauses].map { $0?.otherText }
    if others[0]?.normalized != others[1]?.normalized {
      note(.keywords(column.name), file: others[0], model: others[1])
    }
  }

  private func isSameType(_ file: String, _ model: String) -> Bool {
    if SQLiteName(file) == SQLiteName(model) { return true }
    // A column without a type takes everything as it comes.
    return !isMade
      && (file.isEmpty || Affinity(declaredType: file).keeps(Affinity(declaredType: model)))
  }

  /// Whether the column should take no NULL; nil where it doesn't matter, since XTLite itself
  /// refuses it.
  private func nullability(of wanted: ColumnDefinition) -> Bool? {
    if wanted.clauses.has(.notNull) { return true }
    if wanted.clauses.statesNullability { return false }
    return wanted.column.isRequiredWithoutDefault ? nil : wanted.isNotNull
  }

  private mutating func compareDefaults(
    _ wanted: ColumnDefinition, _ column: SchemaReader.FileColumn
  ) {
    let affinity = Affinity(declaredType: column.declaredType)
    let inFile = column.defaultText.map { DefaultValue($0, affinity) }
    let stated = wanted.clauses.first(.defaultValue)?.tokens.dropFirst().source
    let inModel = (stated ?? wanted.defaultLiteral).map { DefaultValue($0, affinity) }
    if inFile ?? .null == inModel ?? .null { return }
    if stated == nil {
      // Each row that XTLite writes has a value there.
      if !isMade, inFile == nil { return }
      let usual = wanted.column.defaultValue.map { DefaultValue($0.sqlLiteral, affinity) }
      if inFile != nil, inFile == usual { return }
    }
    note(
      .defaultValue(column.name), file: column.defaultText, model: stated ?? wanted.defaultLiteral)
  }
}

/// What stands behind DEFAULT, as it comes out of the column.
private enum DefaultValue: Equatable {
  case null
  case number(Double)
  case integer(Int64)
  case other(String)

  init(_ text: String, _ affinity: Affinity) {
    var tokens = DeclarationToken.tokens(of: text)
    // `DEFAULT (5)` is 5.
    while tokens.count > 2, tokens[0].isSymbol("("), tokens.last?.isSymbol(")") == true {
      tokens = Array(tokens.dropFirst().dropLast())
    }
    var isNegative = false
    while tokens.count > 1, tokens[0].isSymbol("-") || tokens[0].isSymbol("+") {
      if tokens[0].isSymbol("-") { isNegative.toggle() }
      tokens.removeFirst()
    }
    guard tokens.count == 1, let token = tokens.first else {
      self = .other(tokens.source.normalized)
      return
    }
    switch token.word {
    case "NULL": self = .null
    case "TRUE": self = .integer(1)
    case "FALSE": self = .integer(0)
    case .some: self = .other(tokens.source.normalized)
    case nil:
      let isText = token.kind == .literal && token.text.hasPrefix("'")
      let content = (isText ? token.anyName : nil) ?? token.text
      let number = Self.number(isNegative ? "-\(content)" : content)
      if affinity == .text || affinity == .blob && isText {
        self = .other("'\(isNegative ? "-" : "")\(content)'")
      } else {
        self = number ?? .other(isText ? "'\(content)'" : tokens.source.normalized)
      }
    }
  }

  private static func number(_ text: String) -> DefaultValue? {
    if let integer = Int64(text) { return .integer(integer) }
    guard let double = Double(text), double.isFinite else { return nil }
    return Int64(exactly: double).map(DefaultValue.integer) ?? .number(double)
  }
}

extension ColumnClauses {
  /// The name behind COLLATE.
  fileprivate var collation: String? { first(.collate)?.tokens.last?.anyName }

  /// What is compared nowhere else; nil where there is nothing.
  fileprivate var otherText: String? {
    let others = clauses.filter { $0.kind == .generated || $0.kind == .other }
    return others.isEmpty ? nil : others.map(\.text).joined(separator: " ")
  }
}

extension String {
  /// SQL without the blanks, quotes and letter cases that mean nothing.
  var normalized: String { DeclarationToken.tokens(of: self).normalizedText }
}

extension Sequence<DeclarationToken> {
  /// The same of tokens.
  var normalizedText: String {
    map { token in
      token.kind == .literal ? token.text : (token.name ?? token.text).asciiLowercased
    }.joined(separator: " ")
  }
}

extension String {
  private func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// The text with its ASCII letters in lower case, as SQLite compares names.
  fileprivate var asciiLowercased: String {
    String(decoding: utf8.map { isUpper($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
