extension TableText {
  /// The text with some columns as the model declares them, and the constraints over them.
  ///
  /// - Parameter model: The text of the model's own CREATE TABLE.
  func changed(
    _ columns: [Column], to model: TableText, mapping: ModelMapping
  ) throws -> TableText {
    var new = self
    // A key that is the model's own stays the key, as the file has it.
    let keptKey = key.flatMap { key in
      Set(key.map(SQLiteName.init)) == Set(mapping.primaryKey.map { SQLiteName($0.name) })
        ? key : nil
    }
    new.items.removeAll { item in
      item.column == nil && columns.contains { item.names($0.name) }
        && !(item.kind == .primaryKey && keptKey != nil)
        // What the model knows nothing of is none of its business.
        && item.keyColumns.allSatisfy { !has(column: $0) || mapping.column(named: $0) != nil }
    }
    for column in columns {
      guard var wanted = model.item(of: column.name) else { continue }
      if wanted.isPrimaryKey, try !new.giveUpKey(for: wanted, model) { continue }
      if let clause = item(of: column.name)?.clauses.first(.primaryKey), keptKey != nil {
        wanted = wanted.without(.unique, .primaryKey, adding: clause.text)
      }
      if let index = new.index(of: column.name) {
        new.items[index] = wanted
      } else {
        let end = new.items.firstIndex { $0.column == nil } ?? new.items.count
        new.items.insert(wanted, at: wanted.isPrimaryKey ? 0 : end)
      }
    }
    if new.key == nil, key != nil, let number = model.items.first(where: \.isPrimaryKey),
      let column = number.column, !new.has(column: column)
    {
      new.items.insert(number, at: 0)
    }
    new.items += model.items.filter { item in
      guard item.column == nil, columns.contains(where: { item.names($0.name) }) else {
        return false
      }
      if let keptKey, item.kind == .unique,
        Set(item.keyColumns.map(SQLiteName.init)) == Set(keptKey.map(SQLiteName.init))
      {
        return false
      }
      return item.keyColumns.allSatisfy { mapping.column(named: $0) == nil || new.has(column: $0) }
    }
    return new
  }

  /// The columns of the primary key; nil where there is none.
  var key: [String]? {
    if let column = items.first(where: \.isPrimaryKey)?.column { return [column] }
    return items.first { $0.kind == .primaryKey }?.keyColumns
  }

  /// Makes place for another key: a table has one. The columns of the old one stay, and stay unique,
  /// but for a number that XTLite gave.
  ///
  /// - Returns: Whether there is place; false where the key is that one already.
  private mutating func giveUpKey(for wanted: Item, _ model: TableText) throws -> Bool {
    guard let key else { return true }
    if key.count == 1, wanted.column.map(SQLiteName.init) == SQLiteName(key[0]) { return true }
    guard !isWithoutRowID else {
      throw XTError(
        .upgrade, "the rows of `\(name)` are kept by its key, which can't be another",
        hint: "name the file's key in xt_primaryKey, or make the table anew: $0.run(\"…\")",
        table: name)
    }
    let automatic = ColumnRole.pkid.automaticName.map(SQLiteName.init)
    items = items.compactMap { item in
      if item.kind == .primaryKey { return item.asUnique }
      guard item.isPrimaryKey else { return item }
      if let column = item.column, SQLiteName(column) == automatic, !model.has(column: column) {
        return nil
      }
      return item.without(.primaryKey, .unique, adding: "UNIQUE")
    }
    return true
  }
}

extension TableText.Item {
  /// The column with other clauses.
  fileprivate func without(_ kinds: ColumnClauses.Kind..., adding clause: String) -> Self {
    var reader = TokenReader(Array(tokens.dropFirst()))
    let type = reader.takeType()
    let kept = ColumnClauses(reader.rest.source).clauses.filter { !kinds.contains($0.kind) }
    let parts = [tokens[0].text, type.source, clause] + kept.map(\.text)
    return Self(
      DeclarationToken.tokens(of: parts.filter { !$0.isEmpty }.joined(separator: " ")))
  }

  /// PRIMARY KEY (…) as UNIQUE (…).
  fileprivate var asUnique: Self {
    guard let start = tokens.firstIndex(where: { $0.word == "PRIMARY" }) else { return self }
    let unique = DeclarationToken.tokens(of: "UNIQUE")
    return Self(Array(tokens[..<start]) + unique + Array(tokens[(start + 2)...]))
  }
}
