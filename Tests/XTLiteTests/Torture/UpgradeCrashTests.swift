import Foundation
import Testing
import TortureWork

@testable import XTLite

/// A process that is killed while it upgrades, and a disk that is full then.
@Suite struct UpgradeTortureTests {
  /// The file as the first version of the program left it.
  private struct Original {
    let folder: TemporaryFolder
    var path: String { folder.path("original.sqlite") }

    init() throws {
      folder = try TemporaryFolder()
      try UpgradeWork.makeFile(path: path)
    }

    func copy(to path: String) throws {
      try FileManager.default.copyItem(atPath: self.path, toPath: path)
    }
  }

  private let original: Original

  init() throws {
    original = try Original()
  }

  @Test func upgrade_killedAtAStatement_leavesTheFileOldOrNew() throws {
    let step = Torture.isFull ? 1 : 7
    var statement = 1
    var kills = 0
    while true {
      let folder = try TemporaryFolder()
      let path = folder.path("upgraded.sqlite")
      try original.copy(to: path)
      let child = try ChildProcess("upgrade", path, "\(statement)")
      let lines = child.lines()
      child.wait()
      _ = try check(path)
      if lines.contains("done") { break }
      #expect(lines == ["begun"])
      kills += 1
      statement += step
    }
    #expect(kills > 5)
    if Torture.isFull { print("\(kills) kills, one before each statement") }
  }

  @Test func upgrade_killedAtAnyTime_leavesTheFileOldOrNew() throws {
    for round in 0..<Torture.part(of: 200) {
      let folder = try TemporaryFolder()
      let path = folder.path("upgraded.sqlite")
      try original.copy(to: path)
      let child = try ChildProcess("upgrade", path, "0")
      #expect(child.line() == "begun")
      usleep(.random(in: 0..<60_000))
      child.kill()
      _ = try check(path)
      // Whoever comes next does the rest.
      if round % 4 == 0 {
        try UpgradeWork.upgrade(path: path)
        #expect(try check(path))
      }
    }
  }

  @Test func upgrade_onAFullDisk_leavesTheFileOldOrNew() throws {
    var nth = 1
    var hits = 0
    while true {
      let folder = try TemporaryFolder()
      let path = folder.path("upgraded.sqlite")
      try original.copy(to: path)
      let disk = try FaultDisk()
      var configuration = XTConfiguration()
      configuration.vfs = disk.name
      configuration.cacheSize = 65_536
      let database = try XTDatabase(path: path, configuration: configuration)
      disk.arm(Fault(operation: .write, code: SQLITE_FULL, isLasting: true), nth: nth)
      let error = schemaError { try UpgradeWork.upgrade(database) }
      let wasHit = disk.hits > 0
      disk.disarm()
      if let error {
        #expect(error.kind == .diskFull, "\(error)")
        #expect(try database.anyFunc(sql: "PRAGMA foreign_keys") == 1)
        hits += 1
      }
      try database.close()
      _ = try check(path)
      if !wasHit { break }
      nth += Torture.isFull ? 3 : 40
    }
    #expect(hits > 0)
  }

  /// Whether the file is the new one. It is whole, as it was or as it is to be.
  private func check(_ path: String) throws -> Bool {
    let other = try Connection(ConnectionSettings(path: path))
    defer { other.close() }
    func value(_ sql: String) throws -> String {
      try other.firstValue(sql)?.description ?? ""
    }
    #expect(try value("PRAGMA integrity_check") == "ok")
    #expect(try other.rows("PRAGMA foreign_key_check").isEmpty)
    let columns = try SchemaReader.columns(of: "UpgradedCrate", on: other).map(\.name).filter {
      !$0.hasPrefix("xt_") && $0 != "pkid"
    }
    let isNew = columns.contains("name")
    #expect(
      Set(columns)
        == (isNew ? ["name", "weight", "color", "token"] : ["label", "weight", "spare"]))
    let rows = UpgradeWork.rows
    let name = isNew ? "name" : "label"
    #expect(
      try value(
        "SELECT count(*) FROM UpgradedCrate WHERE \(name) = 'crate ' || pkid"
          + " AND CAST(weight AS TEXT) = CAST(pkid AS TEXT)") == "\(rows)")
    #expect(try value("SELECT count(*) FROM lid") == "\(rows)")
    #expect(try value("SELECT count(*) FROM labels") == "\(rows)")
    #expect(
      try value(
        "SELECT count(*) FROM sqlite_master WHERE name LIKE 'xtlite_new%'") == "0")
    if isNew {
      #expect(try value("SELECT count(DISTINCT token) FROM UpgradedCrate") == "\(rows)")
      #expect(try value("SELECT count(*) FROM xtlite_versions") == "2")
    }
    return isNew
  }
}
