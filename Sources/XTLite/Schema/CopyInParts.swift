extension Connection {
  /// Copies the rows of a table in the order of their keys, in parts, between which it can be
  /// cancelled.
  ///
  /// - Parameters:
  ///   - insert: INSERT with a SELECT from the table, without WHERE and ORDER BY.
  ///   - table: the table's name.
  ///   - key: SQL for a row's number, or another value that each row has for itself, not NULL.
  ///   - count: how many rows a part has.
  ///   - advance: told how many rows a part had; what it throws ends the work.
  func copyInParts(
    _ insert: String, from table: String, by key: String, count: Int,
    advance: (Int64) throws -> Void
  ) throws {
    var comparison = ">="
    var last = XTValue.integer(.min)
    while true {
      let end = try rows(
        "SELECT max(`k`), count(*) FROM (SELECT \(key) AS `k` FROM \(quoted(table)) WHERE \(key)"
          + " \(comparison) ? ORDER BY \(key) LIMIT \(count))", [last])
      guard let row = end.first, !row[0].isNull else { return }
      try run(
        "\(insert) WHERE \(key) \(comparison) ? AND \(key) <= ? ORDER BY \(key)", [last, row[0]])
      last = row[0]
      comparison = ">"
      try advance(row[1].int64 ?? 0)
    }
  }
}
