/// What a statement keeps while a meter watches it.
final class StatementGauge {
  /// The sum of the use that is on, without the run that is on.
  @exclusivity(unchecked) var use: StatementUse
  // The run that is on.
  @exclusivity(unchecked) var isRunning = false
  @exclusivity(unchecked) var rows = 0
  @exclusivity(unchecked) var nanoseconds: UInt64 = 0
  @exclusivity(unchecked) var sqlWithValues: String?

  init(_ sql: String) {
    use = StatementUse(sql: sql)
  }
}

extension Statement {
  /// Watches the statement until `endUse`.
  func beginUse() {
    gauge = StatementGauge(sql)
    isMetered = true
  }

  /// Tells the meter of the use that ends.
  @inline(never)
  func endUse() {
    isMetered = false
    guard let gauge else { return }
    self.gauge = nil
    guard let meter = connection?.meter else { return }
    endRun(gauge, meter)
    meter.used(gauge.use)
    if meter.options.tellsUses, !meter.options.wantsValues, gauge.use.runs > 0 {
      meter.hear?(.ran(gauge.use))
    }
  }

  /// As `step`, with a look at the clock before and after.
  @inline(never)
  func timedStep() throws -> Bool {
    guard let gauge, let meter = connection?.meter else {
      isMetered = false
      return try step()
    }
    if sqlite3_stmt_busy(pointer) == 0 {
      endRun(gauge, meter)
      gauge.isRunning = true
      if meter.options.wantsValues { gauge.sqlWithValues = textWithValues }
    }
    let start = Uptime.now
    let code = sqlite3_step(pointer)
    gauge.nanoseconds &+= Uptime.now - start
    meter.endWait()
    if code == SQLITE_ROW {
      gauge.rows += 1
      return true
    }
    if code == SQLITE_DONE, kind == .change, !isReadOnly, columnCount == 0 {
      gauge.rows = Int(sqlite3_changes(sqlite3_db_handle(pointer)))
    }
    // First the error: whoever hears of the run may not disturb what SQLite says of it.
    let failure = code == SQLITE_DONE ? nil : self.failure(code)
    endRun(gauge, meter)
    if let failure { throw failure }
    return false
  }

  private func endRun(_ gauge: StatementGauge, _ meter: Meter) {
    guard gauge.isRunning else { return }
    let run = StatementUse(
      sql: sql, sqlWithValues: gauge.sqlWithValues, runs: 1, rows: gauge.rows,
      nanoseconds: gauge.nanoseconds)
    (gauge.isRunning, gauge.rows, gauge.nanoseconds, gauge.sqlWithValues) = (false, 0, 0, nil)
    gauge.use.runs += 1
    gauge.use.rows += run.rows
    gauge.use.nanoseconds += run.nanoseconds
    guard let hear = meter.hear else { return }
    if meter.options.tellsUses, meter.options.wantsValues { hear(.ran(run)) }
    if run.nanoseconds >= meter.options.slowLimit { hear(.slow(run)) }
  }

  /// The SQL with what is bound in the place of its parameters.
  var textWithValues: String? {
    guard let text = sqlite3_expanded_sql(pointer) else { return nil }
    defer { sqlite3_free(text) }
    return String(cString: text)
  }
}
