// Keys, checks, foreign keys and indexes: what a table has beside its columns.
extension TableComparison {
  mutating func compareKeys(with model: TableFacts, indexes: [SchemaReader.FileIndex]) throws {
    guard let file else { return }
    let wantedIndexes = try definition.indexes(mark: shape.deletionMark)
    comparePrimaryKey(with: model, indexes: indexes)
    compareUniqueKeys(with: model, indexes: indexes, wantedIndexes: wantedIndexes)
    compareIndexes(with: model, indexes: indexes, wantedIndexes: wantedIndexes)
    func texts(_ text: TableFacts) -> [(key: String, source: String)] {
      text.checks.map { ($0.normalizedText, $0.source) }
    }
    let (inFile, inModel) = (texts(file), texts(model))
    for check in inModel where !inFile.contains(where: { $0.key == check.key }) {
      note(.check(check.source), file: nil, model: "CHECK (\(check.source))")
    }
    for check in inFile where !inModel.contains(where: { $0.key == check.key }) {
      note(.check(check.source), file: "CHECK (\(check.source))", model: nil)
    }
  }

  // MARK: Primary key

  private var fileKey: [String] {
    shape.fileColumns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
      .map(\.name)
  }

  private mutating func comparePrimaryKey(
    with model: TableFacts, indexes: [SchemaReader.FileIndex]
  ) {
    let rowID = definition.columns.first(where: \.isRowID)
    // pkid under another name, or none at all.
    let isElsewhere =
      shape.mapping.rowIDColumn == nil && rowID.map { !shape.has(column: $0.name) } ?? false
    let wanted = isElsewhere ? nil : model.primaryKey
    let key = fileKey
    let isNumber = shape.rowIDName.map(SQLiteName.init)
    if let wanted {
      let isSame =
        Set(names(key)) == Set(names(wanted.columns))
        && (rowID == nil || isNumber == wanted.columns.first.map(SQLiteName.init))
        && (!isMade || file?.primaryKey?.isAutoincrement == wanted.isAutoincrement)
      let uniqueKeys = indexes.compactMap(\.uniqueColumns).map { Set(names($0)) }
      // Unique columns serve as well.
      let isAsGood = rowID == nil && uniqueKeys.contains(Set(names(wanted.columns)))
      if !isSame, !isAsGood {
        note(.primaryKey, file: text(ofKey: key), model: Self.text(of: wanted))
      }
      return
    }
    if key.isEmpty || isUnique(key, model) { return }
    // The number of rows under a name that the model doesn't know.
    if key.count == 1, isNumber == SQLiteName(key[0]), shape.mapping.column(named: key[0]) == nil {
      return
    }
    note(.primaryKey, file: text(ofKey: key), model: nil)
  }

  private func text(ofKey columns: [String]) -> String? {
    if columns.isEmpty { return nil }
    let isRowID = columns.count == 1 && shape.rowIDName == columns[0]
    let isPlain = columns.count == 1 && !isRowID && shape.rowIDExpression != nil
    return "PRIMARY KEY (\(columns.quotedList))"
      + (file?.primaryKey?.isAutoincrement == true ? " AUTOINCREMENT" : "")
      + (isPlain ? ", which is not the row's number" : "")
  }

  private static func text(of key: TableFacts.Key) -> String {
    "PRIMARY KEY (\(key.columns.quotedList))" + (key.isAutoincrement ? " AUTOINCREMENT" : "")
  }

  private func isUnique(_ columns: [String], _ text: TableFacts) -> Bool {
    text.uniqueKeys.contains { Set(names($0.columns)) == Set(names(columns)) }
  }

  private func names(_ columns: [String]) -> [SQLiteName] { columns.map(SQLiteName.init) }

  // MARK: Unique keys

  private mutating func compareUniqueKeys(
    with model: TableFacts, indexes: [SchemaReader.FileIndex], wantedIndexes: [IndexDefinition]
  ) {
    let own = file?.uniqueKeys ?? []
    let uniqueIndexes = indexes.compactMap(\.uniqueColumns)
    func set(_ columns: [String]) -> Set<SQLiteName> { Set(names(columns)) }
    func text(_ key: TableFacts.Key) -> String {
      "UNIQUE (\(key.columns.quotedList))" + (key.conflict.map { " ON CONFLICT \($0)" } ?? "")
    }
    for wanted in model.uniqueKeys {
      if let key = own.first(where: { set($0.columns) == set(wanted.columns) }) {
        guard key.conflict != wanted.conflict else { continue }
        note(.unique(wanted.columns), file: text(key), model: text(wanted))
      } else if !uniqueIndexes.contains(where: { set($0) == set(wanted.columns) }),
        set(fileKey) != set(wanted.columns)
      {
        note(.unique(wanted.columns), file: nil, model: text(wanted))
      }
    }
    let known =
      model.uniqueKeys.map(\.columns) + [model.primaryKey?.columns ?? []]
      + wantedIndexes.filter { $0.isUnique && $0.condition == nil }.map { $0.terms.map(\.column) }
    for key in own where !known.contains(where: { set($0) == set(key.columns) }) {
      note(.unique(key.columns), file: text(key), model: nil)
    }
  }

  // MARK: Indexes

  private mutating func compareIndexes(
    with model: TableFacts, indexes: [SchemaReader.FileIndex], wantedIndexes: [IndexDefinition]
  ) {
    for wanted in wantedIndexes where !indexes.contains(where: { $0.satisfies(wanted) }) {
      note(
        .index(wanted.terms.map(\.column)), file: nil,
        model: (wanted.isUnique ? "UNIQUE " : "") + Self.text(of: wanted))
    }
    for index in indexes where index.origin == .createIndex {
      let isWanted = wantedIndexes.contains { $0.isUnique == index.isUnique && index.satisfies($0) }
      let isKey = index.uniqueColumns.map { isUnique($0, model) } ?? false
      if isWanted || isKey { continue }
      let columns = index.terms.compactMap(\.column)
      let isPlain = columns.count == index.terms.count
      note(
        .index(isPlain ? columns : [index.name]), file: Self.text(of: index, isPlain: isPlain),
        model: nil)
    }
  }

  private static func text(of index: IndexDefinition) -> String {
    let terms = index.terms.map { quoted($0.column) + ($0.isDescending ? " DESC" : "") }
    return "INDEX (\(terms.joined(separator: ", ")))"
      + (index.condition.map { " WHERE \($0)" } ?? "")
  }

  private static func text(of index: SchemaReader.FileIndex, isPlain: Bool) -> String {
    let terms = index.terms.map { term in
      (term.column.map(quoted) ?? "an expression") + (term.isDescending ? " DESC" : "")
    }
    return (index.isUnique ? "UNIQUE " : "") + "INDEX \(quoted(index.name))"
      + " (\(terms.joined(separator: ", ")))" + (index.condition == nil ? "" : " WHERE …")
  }

  // MARK: Foreign keys

  /// - Parameter keyOf: the primary key of a table.
  mutating func compareForeignKeys(
    with model: TableFacts, keyOf: (String) throws -> [String]
  ) throws {
    func resolved(_ keys: [TableFacts.ForeignKey]) throws -> [TableFacts.ForeignKey] {
      try keys.map { key in
        var key = key
        if key.parentColumns.isEmpty { key.parentColumns = try keyOf(key.parent) }
        return key
      }
    }
    let inFile = try resolved(file?.foreignKeys ?? [])
    let inModel = try resolved(model.foreignKeys)
    for key in inModel where !inFile.contains(where: { $0.isSame(as: key) }) {
      let other = inFile.first { names($0.columns) == names(key.columns) }
      note(.foreignKey(key.columns), file: other?.text, model: key.text)
    }
    for key in inFile
    where !inModel.contains(where: { names($0.columns) == names(key.columns) }) {
      note(.foreignKey(key.columns), file: key.text, model: nil)
    }
  }
}

extension TableFacts.ForeignKey {
  fileprivate var text: String {
    var text = "REFERENCES \(quoted(parent)) (\(parentColumns.quotedList))"
    if onDelete != "NO ACTION" { text += " ON DELETE \(onDelete)" }
    if onUpdate != "NO ACTION" { text += " ON UPDATE \(onUpdate)" }
    return text + (isDeferred ? " DEFERRABLE INITIALLY DEFERRED" : "")
  }

  fileprivate func isSame(as other: TableFacts.ForeignKey) -> Bool {
    func pairs(_ key: TableFacts.ForeignKey) -> Set<[SQLiteName]> {
      Set(zip(key.columns, key.parentColumns).map { [SQLiteName($0), SQLiteName($1)] })
    }
    return SQLiteName(parent) == SQLiteName(other.parent) && pairs(self) == pairs(other)
      && onDelete == other.onDelete && onUpdate == other.onUpdate && isDeferred == other.isDeferred
  }
}

extension SchemaReader.FileIndex {
  /// The columns that no two rows may agree in because of this index; nil where there are none.
  fileprivate var uniqueColumns: [String]? {
    guard isUnique, condition == nil else { return nil }
    let columns = terms.compactMap(\.column)
    return columns.count == terms.count ? columns : nil
  }
}
