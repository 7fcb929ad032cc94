import Foundation
import Testing

@testable import XTLite

private struct Ship: XTModel {
  var name = ""
  var crew = 1
  static var xt_tableName: String { "UpShip" }
}

/// Steps between tables, plans, and how an upgrade ends.
struct UpgradeTablesTests {
  private func ships(_ rows: Int, table: String = "UpOldShip", and script: String = "") throws
    -> TestDatabase
  {
    let database = try TestDatabase()
    try database.table(Ship.self, named: table).create()
    try database.outside("UPDATE xtlite_tables SET model = name")
    for number in 0..<rows {
      try database.outside("INSERT INTO \(table) (name, crew) VALUES ('s\(number)', \(number))")
    }
    if !script.isEmpty { try database.outside(script) }
    return database
  }

  private static let hangers = """
    CREATE TABLE port (ship INTEGER REFERENCES UpOldShip (pkid) ON DELETE CASCADE);
    INSERT INTO port SELECT pkid FROM UpOldShip;
    CREATE TABLE ship_log (text);
    CREATE TRIGGER sunk AFTER DELETE ON UpOldShip
      BEGIN INSERT INTO ship_log SELECT count(*) FROM UpOldShip; END;
    CREATE VIEW ship_names AS SELECT UpOldShip.name FROM UpOldShip;
    """

  @Test(arguments: [0, 3]) func renameTable_takesAllAlongThatSpeaksOfIt(_ rows: Int) throws {
    let database = try ships(rows, and: Self.hangers)
    let upgrade = XTUpgrade(Ship.self, to: 3) {
      $0.renameTable(from: "UpOldShip")
      $0.addIndex(\.crew)
    }
    try database.database.upgrade { upgrade }
    #expect(try !database.tables().contains("UpOldShip"))
    #expect(try database.table(Ship.self).count() == rows)
    #expect(try database.seen("SELECT count(*) FROM ship_names") == ["\(rows)"])
    #expect(
      try database.seen("SELECT count(*) FROM sqlite_master WHERE sql LIKE '%UpOldShip%'") == ["0"])
    try database.database.execute("DELETE FROM UpShip WHERE crew = 1")
    #expect(try database.seen("SELECT text FROM ship_log") == (rows == 0 ? [] : ["2"]))
    #expect(try database.seen("SELECT count(*) FROM port") == [rows == 0 ? "0" : "2"])
    let isDone = try !database.database.upgrade { upgrade }
    #expect(isDone)
  }

  @Test func renameTable_versionsOfTheOldName_count() throws {
    let database = try ships(1)
    try database.outside("INSERT INTO xtlite_versions VALUES ('UpOldShip', 2)")
    try database.database.upgrade {
      XTUpgrade(Ship.self, to: 2) { $0.run("UPDATE UpOldShip SET crew = 100") }
      XTUpgrade(Ship.self, to: 3) { $0.renameTable(from: "UpOldShip") }
      XTUpgrade(Ship.self, to: 4) { $0.run("UPDATE UpShip SET crew = crew + 1") }
    }
    #expect(try database.seen("SELECT crew FROM UpShip") == ["1"])
    #expect(
      try database.seen("SELECT * FROM xtlite_versions") == ["UpShip|2", "UpShip|3", "UpShip|4"])
    #expect(try database.seen("SELECT * FROM xtlite_tables") == ["UpShip|UpShip"])
  }

  @Test func renameTable_newNameTaken_isRefusedUnlessEmptyAndOurs() throws {
    let upgrade = XTUpgrade(Ship.self, to: 3) { $0.renameTable(from: "UpOldShip") }
    let database = try ships(2)
    try database.table(Ship.self).create()
    try database.database.upgrade { upgrade }
    #expect(try database.table(Ship.self).count() == 2)

    let used = try ships(2)
    var ship = Ship()
    try used.table(Ship.self).insert(&ship)
    let error = schemaError { try used.database.upgrade { upgrade } }
    #expect(error?.kind == .upgrade)
    #expect(error?.message.contains("`UpOldShip`") == true)
    #expect(error?.message.contains("`UpShip`") == true)
    #expect(try used.seen("SELECT count(*) FROM UpOldShip") == ["2"])
  }

  @Test(arguments: [0, 3]) func merge_movesTheRows(_ rows: Int) throws {
    let database = try ships(rows)
    var ship = Ship(name: "flag")
    try database.table(Ship.self).insert(&ship)
    try database.database.upgrade { XTUpgrade(Ship.self, to: 2) { $0.merge(from: "UpOldShip") } }
    #expect(try database.table(Ship.self).count() == rows + 1)
    #expect(try !database.tables().contains("UpOldShip"))
    // Into a table that is not there yet.
    let fresh = try ships(rows)
    try fresh.database.upgrade { XTUpgrade(Ship.self, to: 2) { $0.merge(from: "UpOldShip") } }
    #expect(try fresh.table(Ship.self).count() == rows)
  }

  @Test func merge_thatWouldLoseAColumn_isRefused() throws {
    let database = try ships(1, and: "ALTER TABLE UpOldShip ADD COLUMN flag TEXT")
    try database.outside("UPDATE UpOldShip SET flag = 'F'")
    let upgrade = XTUpgrade(Ship.self, to: 2) { $0.merge(from: "UpOldShip") }
    let error = schemaError { try database.database.upgrade { upgrade } }
    #expect(error?.message.contains("`flag`") == true)
    #expect(try !database.tables().contains("UpShip"))
  }

  @Test func merge_ofANamedTable_takesItsRowsAndItsTurns() throws {
    let database = try ships(2, table: "UpShip")
    try database.outside(
      "CREATE TABLE other (name TEXT, crew INTEGER); INSERT INTO other VALUES ('x', 1)")
    var one = Ship()
    one.name = "of 53"
    try database.table(Ship.self, named: "UpShip_53").insert(&one)
    var two = Ship()
    try database.table(Ship.self, named: "UpShip_54").insert(&two)
    let upgrades = [
      XTUpgrade(Ship.self, to: 2) {
        $0.merge(from: "UpShip_53")
        $0.merge(from: "other", keepsTable: true)
        $0.add(column: "flag", "TEXT")
      },
      XTUpgrade(Ship.self, to: 3) { $0.add(column: "port", "TEXT") },
    ]
    let plan = try database.database.upgradePlan { upgrades }
    #expect(!plan.differences.contains { $0.table == "UpShip_53" })
    try database.database.upgrade { upgrades }
    #expect(try database.seen("SELECT count(*) FROM UpShip WHERE name IN ('of 53', 'x')") == ["2"])
    #expect(try database.seen("SELECT count(*) FROM UpShip_54") == ["1"])
    #expect(try database.columns(of: "UpShip_54").suffix(2) == ["flag", "port"])
    #expect(try database.tables().contains("other"))
    #expect(try !database.tables().contains("UpShip_53"))
    #expect(try !database.database.upgrade { upgrades })
  }

  @Test func stepsForOneTable_runOnIt() throws {
    let database = try ships(2, table: "UpShip")
    var one = Ship()
    try database.table(Ship.self, named: "UpShip_53").insert(&one)
    try database.outside("CREATE TABLE other (name TEXT); INSERT INTO other VALUES ('x')")
    try database.database.upgrade {
      XTUpgrade(Ship.self, to: 2, named: "UpShip_53") {
        $0.run("UPDATE UpShip_53 SET name = 'changed'")
        $0.merge(from: "other")
      }
    }
    #expect(
      try database.seen("SELECT name FROM UpShip_53 ORDER BY name") == ["changed", "x"])
    #expect(try database.seen("SELECT * FROM xtlite_versions") == ["UpShip_53|2"])
    let error = schemaError {
      try database.database.upgrade {
        XTUpgrade(Ship.self, to: 3, named: "UpShip_53") { $0.renameTable(from: "x") }
      }
    }
    #expect(error?.kind == .upgrade)
    let twice = schemaError {
      try database.database.upgrade {
        XTUpgrade(Ship.self, to: 3, named: "upship_53") { _ in }
        XTUpgrade(Ship.self, to: 3, named: "UpShip_53") { _ in }
      }
    }
    #expect(twice?.message.contains("two upgrades") == true)
  }

  /// The first version of a program listed an upgrade, which made the table under its new name.
  @Test func renameTable_ontoANameWithVersions_works() throws {
    let database = try ships(2)
    try database.database.upgrade { XTUpgrade(Ship.self, to: 1) { _ in } }
    try database.outside("INSERT INTO xtlite_versions VALUES ('UpOldShip', 1)")
    let upgrades = [
      XTUpgrade(Ship.self, to: 1) { _ in },
      XTUpgrade(Ship.self, to: 2) { $0.renameTable(from: "UpOldShip") },
    ]
    try database.database.upgrade { upgrades }
    #expect(try database.seen("SELECT count(*) FROM UpShip") == ["2"])
    #expect(try database.seen("SELECT * FROM xtlite_versions") == ["UpShip|1", "UpShip|2"])
    #expect(try !database.database.upgrade { upgrades })
  }

  @Test func renameTable_backAndForth_endsAtTheModelsName() throws {
    let database = try ships(2, table: "UpA")
    let upgrades = [
      XTUpgrade(Ship.self, to: 2) { $0.renameTable(from: "UpA") },
      XTUpgrade(Ship.self, to: 3) { $0.renameTable(from: "UpB") },
      XTUpgrade(Ship.self, to: 4) { $0.renameTable(from: "UpA") },
    ]
    try database.database.upgrade { upgrades }
    #expect(try database.seen("SELECT count(*) FROM UpShip") == ["2"])
    #expect(try !database.database.upgrade { upgrades })
  }

  @Test func namedTable_droppedAndMadeAgain_keepsItsVersions() throws {
    let database = try ships(2, table: "UpShip")
    var one = Ship()
    try database.table(Ship.self, named: "UpShip_53").insert(&one)
    let upgrades = [
      XTUpgrade(Ship.self, to: 2, named: "UpShip_53") { $0.run("UPDATE UpShip_53 SET crew = 9") }
    ]
    try database.database.upgrade { upgrades }
    try database.table(Ship.self, named: "UpShip_53").drop()
    one = Ship()
    try database.table(Ship.self, named: "UpShip_53").insert(&one)
    #expect(try !database.database.upgrade { upgrades })
  }

  // MARK: Plan

  @Test func plan_saysWhatWouldRunAndTouchesNothing() throws {
    let database = try ships(3, table: "UpShip")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: database.path))
    let upgrades = [
      XTUpgrade(Ship.self, to: 2) {
        $0.add(column: "flag", "TEXT")
        $0.change(\.crew) { old in Int(old.int64 ?? 0) }
        $0.fill(\.crew) { _ in 7 }
      }
    ]
    let plan = try database.database.upgradePlan { upgrades }
    #expect(plan.parts.map(\.version) == [2])
    #expect(plan.openEnd == nil)
    let text = plan.description
    #expect(text.contains("UpShip to 2"))
    #expect(text.contains("ADD COLUMN `flag` TEXT"))
    #expect(text.contains("-- 3 rows"))
    #expect(text.contains("-- 1 row\n") || text.hasSuffix("-- 1 row"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: database.path)) == bytes)
    #expect(try database.seen("SELECT count(*) FROM xtlite_versions") == ["0"])
    try database.database.upgrade { upgrades }
    #expect(try database.database.upgradePlan { upgrades }.isEmpty)
  }

  @Test func plan_saysWhatStaysDifferent_andWhatAddFills() throws {
    struct Port: XTModel {
      var pkid: Int64?
      var name = ""
      var opened = Date()
      static var xt_tableName: String { "UpPort" }
    }
    let database = try TestDatabase(
      after: "CREATE TABLE UpPort (pkid INTEGER PRIMARY KEY, name INTEGER, odd);"
        + "INSERT INTO UpPort (name) VALUES (1), (2)")
    let plan = try database.database.upgradePlan {
      XTUpgrade(Port.self, to: 2) { $0.add(\.opened) }
    }
    #expect(plan.parts.flatMap(\.statements).map(\.rows) == [nil, 2])
    #expect(plan.parts.last?.statements.last?.sql.hasPrefix("UPDATE OR ABORT `UpPort` SET") == true)
    #expect(
      plan.differences.map(\.subject) == [
        .type("name"), .nullability("name"), .column("odd"),
      ])
    #expect(plan.description.contains("then still different:\n  UpPort.name, type"))
    let progress = Progress(totalUnitCount: 0)
    try database.database.upgrade(progress: progress) {
      XTUpgrade(Port.self, to: 2) { $0.add(\.opened) }
    }
    #expect(progress.totalUnitCount == 2 && progress.completedUnitCount == 2)
    let rest = try database.database.upgradePlan {
      XTUpgrade(Port.self, to: 2) { $0.add(\.opened) }
      XTUpgrade(Port.self, to: 3) {
        $0.change(\.name)
        $0.drop("odd")
      }
    }
    #expect(rest.differences == [])
  }

  // MARK: Ends

  @Test func upgrade_cancelledProgress_rollsBack() throws {
    let database = try ships(3_000 / 100, table: "UpShip")
    let progress = Progress(totalUnitCount: 0)
    let upgrades = [
      XTUpgrade(Ship.self, to: 2) {
        $0.drop("crew")
        $0.fill(\.name, everyRow: true) { row in
          progress.cancel()
          return row["name"] as String? ?? ""
        }
      }
    ]
    #expect(throws: CancellationError.self) {
      try database.database.upgrade(progress: progress) { upgrades }
    }
    #expect(try database.columns(of: "UpShip").contains("crew"))
    let next = Progress(totalUnitCount: 0)
    let fill = [XTUpgrade(Ship.self, to: 2) { $0.fill(\.crew, everyRow: true) { _ in 3 } }]
    try database.database.upgrade(progress: next) { fill }
    #expect(next.isFinished && next.totalUnitCount == 30)
  }

  @Test func upgrade_cancelledTask_rollsBack() async throws {
    let database = try ships(20, table: "UpShip")
    let state = Mutex((hasBegun: false, isCancelled: false))
    let upgrades = [
      XTUpgrade(Ship.self, to: 2) {
        $0.drop("crew")
        $0.fill(\.name, everyRow: true) { row in
          state.withLock { $0.hasBegun = true }
          while !state.withLock({ $0.isCancelled }) { usleep(1_000) }
          return row["name"] as String? ?? ""
        }
      }
    ]
    let task = Task { try await database.database.upgrade { upgrades } }
    while !state.withLock({ $0.hasBegun }) { try await Task.sleep(nanoseconds: 1_000_000) }
    task.cancel()
    state.withLock { $0.isCancelled = true }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try database.columns(of: "UpShip").contains("crew"))
    #expect(try database.database.anyFunc(sql: "PRAGMA foreign_keys") == 1)
    let fill = [XTUpgrade(Ship.self, to: 2) { $0.fill(\.crew, everyRow: true) { _ in 3 } }]
    let isDone = try await database.database.upgrade { fill }
    #expect(isDone)
  }

  @Test func upgrade_danglingRows_areRefused() throws {
    let database = try ships(2, table: "UpShip")
    try database.outside(
      "CREATE TABLE port (ship INTEGER REFERENCES UpShip (pkid));"
        + "INSERT INTO port SELECT pkid FROM UpShip")
    let upgrades = [XTUpgrade(Ship.self, to: 2) { $0.run("DELETE FROM UpShip") }]
    let error = schemaError { try database.database.upgrade { upgrades } }
    #expect(error?.kind == .upgrade)
    #expect(error?.message.contains("`port`") == true)
    #expect(try database.seen("SELECT count(*) FROM UpShip") == ["2"])
  }

  @Test func upgrade_twoAtOnce_oneDoesIt() throws {
    let database = try ships(1, table: "UpShip")
    let upgrades = [
      XTUpgrade(Ship.self, to: 2) { $0.run("UPDATE UpShip SET crew = crew + 1") }
    ]
    let counts = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 6) { _ in
      let other = try? XTDatabase(path: database.path)
      if (try? other?.upgrade { upgrades }) == true { counts.withLock { $0 += 1 } }
    }
    #expect(counts.withLock { $0 } == 1)
    #expect(try database.seen("SELECT crew FROM UpShip") == ["1"])
  }
}
