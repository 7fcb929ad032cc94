import Foundation

/// All upgrades of one call: found, checked and run.
struct UpgradeSet: Sendable {
  let upgrades: [XTUpgrade]
  let allowsNewer: Bool

  /// - Throws: `upgrade` for a version below 1, or one that is given twice.
  init(_ upgrades: [XTUpgrade], allowsNewer: Bool) throws {
    self.upgrades = upgrades
    self.allowsNewer = allowsNewer
    for (index, upgrade) in upgrades.enumerated() {
      let table = try upgrade.table ?? ModelMapping.of(upgrade.model).tableName
      guard upgrade.version > 0 else {
        throw XTError(
          .upgrade, "the version of an upgrade is 1 or more, not \(upgrade.version)", table: table)
      }
      let isTwice = upgrades[..<index].contains { other in
        other.model == upgrade.model && other.version == upgrade.version
          && other.table.map(SQLiteName.init) == upgrade.table.map(SQLiteName.init)
      }
      if isTwice {
        throw XTError(
          .upgrade, "there are two upgrades of \(upgrade.model) to \(upgrade.version)",
          hint: "put their steps into one, or give one another version", table: table)
      }
      let renamesTable = upgrade.steps.contains { step in
        if case .renameTable = step { true } else { false }
      }
      if upgrade.table != nil, renamesTable {
        throw XTError(
          .upgrade, "an upgrade of one table, named: \"\(table)\", cannot rename it",
          hint: "renameTable is for the model's own table; call xt_alterRenameToNewTableName for"
            + " another", table: table)
      }
    }
  }

  /// Whether a table lacks a version. One SELECT.
  ///
  /// - Throws: `upgrade` where the file is newer than the program.
  func isDue(on connection: Connection) throws -> Bool {
    let history = try SchemaRecord.history(on: connection)
    let tables = try tables(history)
    try refuseNewer(tables, history)
    return tables.contains { !$0.due(history.applied(to: $0.table)).isEmpty }
  }

  // MARK: Tables

  private func tables(_ history: UpgradeHistory) throws -> [TableHistory] {
    var tables: [TableHistory] = []
    var seen: [any XTModel.Type] = []
    for upgrade in upgrades where !seen.contains(where: { $0 == upgrade.model }) {
      seen.append(upgrade.model)
      let mapping = try ModelMapping.of(upgrade.model)
      let all = upgrades.filter { $0.model == upgrade.model }
      let common = all.filter { $0.table == nil }
      func entry(_ table: String, isOwn: Bool) -> TableHistory {
        let special = all.filter { $0.table.map(SQLiteName.init) == SQLiteName(table) }
        let sorted = (common + special).sorted { $0.version < $1.version }
        return TableHistory(mapping: mapping, table: table, upgrades: sorted, isOwn: isOwn)
      }
      var names: [String] = []
      if !common.isEmpty {
        let own = entry(mapping.tableName, isOwn: true)
        tables.append(own)
        names = own.names
      }
      let others =
        (common.isEmpty ? [] : history.otherTables(of: names))
        + all.compactMap(\.table)
      var done = Set(names.map(SQLiteName.init))
      for name in others where done.insert(SQLiteName(name)).inserted {
        tables.append(entry(name, isOwn: false))
      }
    }
    return tables
  }

  private func refuseNewer(_ tables: [TableHistory], _ history: UpgradeHistory) throws {
    if allowsNewer { return }
    for table in tables {
      guard let newest = history.applied(to: table.table).max(), newest > table.newest else {
        continue
      }
      throw XTError(
        .upgrade,
        "the file is newer than the program: `\(table.table)` has had version \(newest), and the"
          + " program knows versions up to \(table.newest)",
        hint: "open it with the newer program, or upgrade with allowingNewer: true",
        table: table.table)
    }
  }

  // MARK: Running

  /// Applies what is due, refusing first what can be refused. For a transaction with foreign keys
  /// off.
  ///
  /// - Returns: Whether a version was applied.
  func apply(
    on connection: Connection, automaticColumns: Bool, progress: Progress? = nil
  ) throws -> Bool {
    let recorder = PlanRecorder(
      file: progress == nil ? nil : connection, comparesModels: false)
    let plan = try plan(on: connection, automaticColumns: automaticColumns, recorder)
    if let progress {
      // Foundation ends the program where a total becomes 0 that was not.
      progress.totalUnitCount = Int64(max(plan.rows + recorder.companionRows, 1))
      progress.completedUnitCount = 0
    }
    let before = try DanglingReferences(on: connection)
    let runner = UpgradeRunner(
      connection: connection, automaticColumns: automaticColumns, progress: progress)
    let isApplied = try run(runner)
    try DanglingReferences(on: connection, originalName: runner.originalName)
      .refuseMore(than: before, mayMove: runner.hasMoved, path: connection.path)
    if let progress { progress.completedUnitCount = progress.totalUnitCount }
    return isApplied
  }

  /// - Returns: Whether a version was applied that XTFMDB hadn't.
  private func run(_ runner: UpgradeRunner) throws -> Bool {
    let connection = runner.connection
    let history = try SchemaRecord.history(on: connection)
    let tables = try tables(history)
    try refuseNewer(tables, history)
    var work: [UpgradeWork] = []
    var states: [UpgradeTable] = []
    var fresh: [Int: FreshTable] = [:]
    let covered = try XTFMDBVersion.number(on: connection) ?? 0
    for (index, table) in tables.enumerated() {
      let name = try table.currentName(history) {
        try SchemaReader.tableExists($0, on: connection)
      }
      states.append(
        UpgradeTable(
          mapping: table.mapping, name: name, isOwn: table.isOwn,
          laterNames: try table.laterNames(), runner: runner))
      let due = table.due(history.applied(to: name))
      if due.isEmpty { continue }
      if try !SchemaReader.tableExists(name, on: connection) { fresh[index] = FreshTable() }
      let shape =
        due.contains { $0.version <= covered }
        ? try SchemaReader.shape(of: name, mapping: table.mapping, on: connection) : nil
      for upgrade in due {
        let order =
          upgrades.firstIndex {
            $0.model == upgrade.model
              && $0.version == upgrade.version && $0.table == upgrade.table
          } ?? 0
        let isCovered = try upgrade.version <= covered && shape?.looksLeft(by: upgrade) == true
        work.append(UpgradeWork(upgrade: upgrade, order: order, table: index, isCovered: isCovered))
      }
    }
    // Before any step: what a step makes by the way is then no table that is there.
    for index in fresh.keys.sorted() { try make(states[index], tables[index].newest, runner) }
    work.sort {
      ($0.upgrade.version, $0.order, $0.table) < ($1.upgrade.version, $1.order, $1.table)
    }
    for item in work {
      let steps = item.steps(fresh: &fresh[item.table])
      try apply(item, steps, to: &states[item.table], tables[item.table], runner)
    }
    let there = try states.filter { state in
      try state.isOwn || SchemaReader.tableExists(state.name, on: connection)
    }
    try prepareCompanions(of: there, runner)
    try runner.recorder?.compare(there, on: connection, automaticColumns: runner.automaticColumns)
    return work.contains { !$0.isCovered }
  }

  private func prepareCompanions(of tables: [UpgradeTable], _ runner: UpgradeRunner) throws {
    for table in tables {
      let shape = try table.shape()
      guard shape.isOwn else { continue }
      if let recorder = runner.recorder {
        // What can't be made is an error of the upgrade, and none of its plan.
        let areMissing = try? TableCompanions.areMissing(shape, on: runner.connection)
        if areMissing == true { recorder.companionIsMade(of: runner.originalName(of: table.name)) }
      } else if try TableCompanions.areMissing(shape, on: runner.connection) {
        let rows = try runner.connection.firstValue("SELECT count(*) FROM \(quoted(table.name))")
        runner.expect(rows: rows?.int64 ?? 0)
        try TableCompanions.prepare(shape, on: runner.connection) { try runner.advance(by: $0) }
      }
    }
  }

  /// What `apply` would do, found on a copy of the schema.
  func plan(on file: Connection, automaticColumns: Bool) throws -> XTUpgradePlan {
    try plan(
      on: file, automaticColumns: automaticColumns,
      PlanRecorder(file: file, comparesModels: true))
  }

  private func plan(
    on file: Connection, automaticColumns: Bool, _ recorder: PlanRecorder
  ) throws -> XTUpgradePlan {
    let clone = try SchemaClone(of: file)
    defer { clone.connection.close() }
    let runner = UpgradeRunner(
      connection: clone.connection, automaticColumns: automaticColumns, recorder: recorder)
    do {
      try clone.connection.inTransaction { _ = try run(runner) }
    } catch let end as OpenEnd {
      recorder.end(because: end.reason)
    } catch let error as XTError where !clone.isWhole {
      recorder.end(because: error.message)
    }
    return recorder.plan
  }

  private func make(_ table: UpgradeTable, _ version: Int, _ runner: UpgradeRunner) throws {
    if let recorder = runner.recorder {
      recorder.begin(table.name, version: version)
      recorder.tableWasMade(table.name)
      let definition = try table.definition()
      runner.note(try definition.createTable())
      for index in try definition.indexes(mark: definition.deletionMark) {
        runner.note(index.sql(named: index.name))
      }
    }
    try TableMaker.create(
      table: table.name, mapping: table.mapping, automaticColumns: runner.automaticColumns,
      on: runner.connection)
  }

  private func apply(
    _ work: UpgradeWork, _ steps: [UpgradeStep], to table: inout UpgradeTable,
    _ history: TableHistory,
    _ runner: UpgradeRunner
  ) throws {
    // A step before may have merged it into another.
    guard try SchemaReader.tableExists(table.name, on: runner.connection) else { return }
    let version = work.upgrade.version
    table.isStated = work.upgrade.table != nil
    if !steps.isEmpty { runner.recorder?.begin(table.name, version: version) }
    for step in steps {
      do {
        try table.run(step, nextName: nextName(after: step, history, version))
      } catch var error as XTError {
        error.message =
          "upgrading `\(table.name)` to \(version): \(error.message)"
        if error.table == nil { error.table = table.name }
        throw error
      }
    }
    try SchemaRecord.addVersion(version, to: table.name, on: runner.connection)
  }

  private func nextName(
    after step: UpgradeStep, _ history: TableHistory, _ version: Int
  ) -> String {
    guard case .renameTable(let old) = step else { return history.table }
    let older = history.olderNames
    let index = older.lastIndex {
      SQLiteName($0.name) == SQLiteName(old) && $0.until <= version
    }
    guard let index, index + 1 < older.count else {
      return history.isOwn ? history.table : history.mapping.tableName
    }
    return older[index + 1].name
  }
}
