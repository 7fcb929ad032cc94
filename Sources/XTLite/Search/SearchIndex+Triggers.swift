/// The triggers that keep the index in step.
///
/// Before a statement changes or takes away a row, the row is noted with the texts that the index
/// has of it, and so is each row that is in its way; afterwards the index is made to hold what the
/// rows are. Between the two anything may happen: a REPLACE takes rows away without a trigger, or
/// with one (`PRAGMA recursive_triggers`); a program's own trigger changes the same rows, or others;
/// a cascade deletes what is being updated. So what is noted stays until whoever has noted it is
/// done, or the row is gone.
///
/// Whoever was refused (OR IGNORE, ON CONFLICT DO NOTHING) never comes to that. What it has noted is
/// true, and goes when there is much of it, the oldest first. Where that was the note of a statement
/// which still runs, the row is noted again by what the trigger after it is told.
extension SearchIndex {
  /// How many of the noted rows are left at least.
  private static let kept = 8
  /// How many make it worth looking.
  private static let many = 12

  /// The table's row in SQL, whatever the table's name is: it may be called `new`.
  private var row: String { "`xt_row`" }
  private var rows: String { "\(quoted(table)) AS \(row)" }

  func triggers(
    _ key: String, _ unique: [UniqueKey], _ computed: Set<SQLiteName>,
    _ typeless: Set<SQLiteName>, _ aliases: [String]
  ) -> [Part] {
    let table = quoted(table)
    let conflict = ["\(row).\(key) = new.\(key)"] + unique.map(\.condition)
    let update = updateHead(key, unique, computed, typeless, aliases)
    let inTheWay = "EXISTS (SELECT 1 FROM \(rows) WHERE \(conflict.joined(separator: " OR ")))"
    // Whether the index differs from the rows in more than the new one.
    let isUnsettled =
      "EXISTS (SELECT 1 FROM \(pending) WHERE `id` = new.\(key) OR \(isGone(key)))"
    let tidy = tidy(key)
    return [
      trigger(
        "before_insert", "BEFORE INSERT ON \(table) WHEN \(inTheWay)",
        [tidy] + stash(key, conflict)),
      // Mostly the first: there is nothing to settle but the new row. Whichever runs first, the other
      // finds nothing left to do.
      trigger(
        "after_insert",
        "AFTER INSERT ON \(table) WHEN NOT \(isUnsettled) AND NOT \(isIndexed("new.\(key)"))",
        putIn(key)),
      trigger(
        "after_replace", "AFTER INSERT ON \(table) WHEN \(isUnsettled)",
        settle(key, "new.\(key)")),
      trigger(
        "before_update", "BEFORE \(update)",
        [tidy] + stash(key, ["\(row).\(key) = old.\(key)"] + conflict)),
      trigger(
        "after_update", "AFTER \(update)",
        [noteOld(key)] + settle(key, "old.\(key), new.\(key)")),
      // Not what the trigger is told afterwards: a trigger of the program's own may have changed the
      // row first.
      trigger(
        "before_delete", "BEFORE DELETE ON \(table)",
        stash(key, ["\(row).\(key) = old.\(key)"])),
      trigger(
        "after_delete", "AFTER DELETE ON \(table)",
        [
          noteOld(key),
          takeOut(where: "`isIndexed` AND \(isGone(key))"),
          "DELETE FROM \(pending) WHERE \(isGone(key))",
        ]),
    ]
  }

  /// Which updates count: of what is searched, of the number, by whatever name, and of all that makes
  /// rows be in each other's way.
  private func updateHead(
    _ key: String, _ unique: [UniqueKey], _ computed: Set<SQLiteName>,
    _ typeless: Set<SQLiteName>, _ aliases: [String]
  ) -> String {
    var known: Set<SQLiteName> = []
    let names = fields.map(\.column.name) + unique.flatMap { $0.columns.map(\.name) }
    let watched = names.filter { known.insert(SQLiteName($0)).inserted }
    let columns = (watched.map { quoted($0) } + [key]).reduce(into: [String]()) { list, column in
      if !list.contains(column) { list.append(column) }
    }
    // Equal numbers of two types are two texts.
    let types = fields.map(\.column).filter { typeless.contains(SQLiteName($0.name)) }
      .map { "typeof(old.\($0.quotedName)) IS NOT typeof(new.\($0.quotedName))" }
    let change = (columns.map { "old.\($0) IS NOT new.\($0) COLLATE BINARY" } + types)
      .joined(separator: " OR ")
    let isComputed = !computed.isDisjoint(with: known)
    let named = (columns + aliases.map { quoted($0) }).joined(separator: ", ")
    return "UPDATE \(isComputed ? "" : "OF \(named) ")ON"
      + " \(quoted(table)) WHEN \(change)"
  }

  private func trigger(_ suffix: String, _ head: String, _ statements: [String]) -> Part {
    let triggerName = "\(name)_\(suffix)"
    return Part(
      type: "trigger", name: triggerName,
      sql: "CREATE TRIGGER \(quoted(triggerName)) \(head) BEGIN "
        + statements.map { $0 + "; " }.joined() + "END")
  }

  private func isIndexed(_ key: String) -> String {
    "EXISTS (SELECT 1 FROM \(sizes) WHERE \(engine.sizeKey) = \(key))"
  }

  /// Whether a noted row is not in the table any more.
  private func isGone(_ key: String) -> String {
    "NOT EXISTS (SELECT 1 FROM \(rows) WHERE \(row).\(key) = \(pending).`id`)"
  }

  private var nextNumber: String { "(SELECT ifnull(max(`number`), 0) + 1 FROM \(pending))" }

  /// Forgets what was noted long ago of rows that are as they were.
  private func tidy(_ key: String) -> String {
    "DELETE FROM \(pending) WHERE `isIndexed` AND `number` <= (SELECT max(`number`) FROM \(pending))"
      + " - \(Self.kept) AND NOT \(isGone(key))"
      + " AND EXISTS (SELECT 1 FROM \(pending) LIMIT 1 OFFSET \(Self.many))"
  }

  /// Notes what the index holds of rows that the statement may change or take away.
  private func stash(_ key: String, _ conditions: [String]) -> [String] {
    let condition = conditions.joined(separator: " OR ")
    return [
      "UPDATE \(pending) SET `claims` = `claims` + 1 WHERE `id` IN (SELECT \(row).\(key)"
        + " FROM \(rows) WHERE \(condition))",
      "INSERT INTO \(pending) (`id`, `isIndexed`, `number`, `claims`, \(textList))"
        + " SELECT \(row).\(key), \(isIndexed("\(row).\(key)")), \(nextNumber), 1, \(columnList)"
        + " FROM \(rows) WHERE (\(condition))"
        + " AND \(row).\(key) NOT IN (SELECT `id` FROM \(pending))",
    ]
  }

  /// Notes the row once more that was written, where many refused ones have pushed its note out.
  private func noteOld(_ key: String) -> String {
    let texts = fields.map { "old.\($0.column.quotedName)" }.joined(separator: ", ")
    return "INSERT INTO \(pending) (`id`, `isIndexed`, `number`, `claims`, \(textList))"
      + " SELECT old.\(key), 1, \(nextNumber), 1, \(texts) WHERE \(isIndexed("old.\(key)"))"
      + " AND old.\(key) NOT IN (SELECT `id` FROM \(pending))"
  }

  /// Makes the index hold what the rows are.
  ///
  /// - Parameter own: The numbers of the row that was written.
  private func settle(_ key: String, _ own: String) -> [String] {
    let isOwn = "`id` IN (\(own))"
    let isUnsettled = "`isIndexed` AND (\(isOwn) OR \(isGone(key)))"
    let texts = fields.indices.map {
      "`c\($0)` = (SELECT \(row).\(fields[$0].column.quotedName) FROM \(rows)"
        + " WHERE \(row).\(key) = \(pending).`id`)"
    }
    return [
      "INSERT INTO \(pending) (`id`, `isIndexed`, `number`, `claims`) SELECT new.\(key), 0,"
        + " \(nextNumber), 1 WHERE new.\(key) NOT IN (SELECT `id` FROM \(pending))"
        + " AND NOT \(isIndexed("new.\(key)"))",
      takeOut(where: isUnsettled),
      "UPDATE \(pending) SET `isIndexed` = 0 WHERE \(isUnsettled)",
      "INSERT INTO \(quotedName) (`rowid`, \(nameList)) SELECT \(row).\(key), \(columnList)"
        + " FROM \(rows) WHERE \(row).\(key) IN"
        + " (SELECT `id` FROM \(pending) WHERE NOT `isIndexed`)",
      "DELETE FROM \(pending) WHERE \(isOwn) AND `claims` < 2 OR \(isGone(key))",
      // Another statement, inside of which this one runs, has yet to be done with it.
      "UPDATE \(pending) SET `isIndexed` = 1, `claims` = `claims` - 1,"
        + " \(texts.joined(separator: ", ")) WHERE NOT `isIndexed`",
    ]
  }

  /// A row that the index doesn't have.
  private func putIn(_ key: String) -> [String] {
    [
      "INSERT INTO \(pending) (`id`, `isIndexed`) VALUES (new.\(key), 0)",
      "INSERT INTO \(quotedName) (`rowid`, \(nameList)) SELECT \(row).\(key), \(columnList)"
        + " FROM \(rows) WHERE \(row).\(key) = new.\(key)",
      "DELETE FROM \(pending) WHERE `id` = new.\(key)",
    ]
  }

  private func takeOut(where condition: String) -> String {
    switch engine {
    case .fts5:
      "INSERT INTO \(quotedName) (\(quotedName), `rowid`, \(nameList)) SELECT 'delete', `id`,"
        + " \(textList) FROM \(pending) WHERE \(condition)"
    case .fts4:
      "DELETE FROM \(quotedName) WHERE `docid` IN (SELECT `id` FROM \(pending)"
        + " WHERE \(condition))"
    }
  }
}
