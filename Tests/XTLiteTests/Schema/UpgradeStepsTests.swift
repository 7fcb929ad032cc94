import Foundation
import Testing

@testable import XTLite

struct UpgradeStepsTests {
  private func old<Model: XTModel>(
    _ type: Model.Type, rows: Int, version: Int
  ) throws -> TestDatabase {
    let database = try TestDatabase()
    try database.table(type).create()
    for number in 0..<rows {
      try database.outside(
        "INSERT INTO UpMember (name, age) VALUES ('n\(number)', '\(20 + number)')")
      if version > 2 {
        try database.outside(
          "UPDATE UpMember SET token = '\(UUID().uuidString)' WHERE token IS NULL")
      }
    }
    if version > 1 {
      for done in 2...version {
        try database.database.write {
          try database.database.execute(
            """
            CREATE TABLE IF NOT EXISTS `xtlite_versions` (`table_name` TEXT NOT NULL COLLATE NOCASE,
             `version` INTEGER NOT NULL, PRIMARY KEY (`table_name`, `version`)) WITHOUT ROWID
            """)
          try database.database.execute("INSERT INTO xtlite_versions VALUES ('UpMember', \(done))")
        }
      }
    }
    return database
  }

  private func upgrade(_ database: TestDatabase, _ isDue: Bool, to version: Int = 5) throws {
    let wasDue = try database.database.upgrade { UpMemberUpgrades.all(to: version) }
    #expect(wasDue == isDue)
  }

  private func compareWithFresh(_ database: TestDatabase) throws {
    let fresh = try TestDatabase()
    try fresh.table(UpMember.self).create()
    #expect(try declaredColumns(database, "UpMember") == declaredColumns(fresh, "UpMember"))
    func indexes(_ database: TestDatabase) throws -> [String] {
      try database.seen(
        "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'UpMember'"
          + " AND sql IS NOT NULL ORDER BY name")
    }
    #expect(try indexes(database) == indexes(fresh))
    let keys = "PRAGMA foreign_key_list(UpMember)"
    #expect(try database.seen(keys) == fresh.seen(keys))
    #expect(try database.seen("PRAGMA integrity_check") == ["ok"])
  }

  @Test(arguments: [0, 3], [1, 2, 3])
  func upgrade_fromEachVersion_isAsMadeFresh(_ rows: Int, _ version: Int) throws {
    let database =
      switch version {
      case 1: try old(UpMember1.self, rows: rows, version: 1)
      case 2: try old(UpMember2.self, rows: rows, version: 2)
      default: try old(UpMember3.self, rows: rows, version: 3)
      }
    try upgrade(database, true)
    try compareWithFresh(database)
    let members = try database.table(UpMember.self).findAll(orderBy: .asc(\.name))
    #expect(members.map(\.name) == (0..<rows).map { "n\($0)" })
    #expect(members.map(\.age) == (0..<rows).map { 120 + $0 })
    #expect(Set(members.map(\.token)).count == rows)
    if version < 3 {
      #expect(members.map(\.email) == (0..<rows).map { "n\($0)@example.org" })
    }
    let statements = try database.statements {
      try upgrade(database, false)
    }
    #expect(statements.count == 1)
    #expect(statements.first?.hasPrefix("SELECT") == true)
  }

  @Test func upgrade_freshFile_isMadeAtTheNewestVersionWithoutSteps() throws {
    let database = try TestDatabase()
    try upgrade(database, true)
    try compareWithFresh(database)
    #expect(
      try database.seen("SELECT * FROM xtlite_versions")
        == ["UpMember|2", "UpMember|3", "UpMember|4", "UpMember|5"])
    // One that is made later is made as new as that.
    var member = UpMember()
    try database.table(UpMember.self, named: "UpMember_7").insert(&member)
    try upgrade(database, false)
    try database.table(UpMember.self).drop()
    try database.table(UpMember.self).insert(&member)
    try upgrade(database, false)
  }

  @Test func upgrade_inSmallSteps_isTheSame() throws {
    let database = try old(UpMember1.self, rows: 3, version: 1)
    for version in 2...5 {
      try upgrade(database, true, to: version)
    }
    try compareWithFresh(database)
    #expect(try database.seen("SELECT sum(age) FROM UpMember") == ["363"])
  }

  @Test func upgrade_namedTables_eachRunTheSteps() throws {
    let database = try old(UpMember1.self, rows: 1, version: 1)
    try database.table(UpMember1.self, named: "UpMember_2").create()
    try database.outside("INSERT INTO UpMember_2 (name, age, nick) VALUES ('x', '7', 'y')")
    try database.database.upgrade { UpMemberUpgrades.all() }
    #expect(
      try database.seen("SELECT name, nickname, age, email FROM UpMember_2")
        == ["x|y|7|x@example.org"])
    #expect(try database.seen("SELECT count(*) FROM xtlite_versions") == ["8"])
  }

  @Test func upgrade_failingStep_leavesTheFileAsItWas() throws {
    let database = try old(UpMember1.self, rows: 3, version: 1)
    try database.outside("UPDATE UpMember SET age = 'abc' WHERE pkid = 2")
    let before = try database.seen("SELECT sql FROM sqlite_master")
    let error = schemaError { try database.database.upgrade { UpMemberUpgrades.all() } }
    #expect(error?.kind == .upgrade)
    #expect(error?.message.contains("row 2") == true)
    #expect(error?.message.contains("'abc'") == true)
    #expect(error?.hint?.contains("$0.change(\\.age)") == true)
    #expect(try database.seen("SELECT sql FROM sqlite_master") == before)
    #expect(try database.database.anyFunc(sql: "PRAGMA foreign_keys") == 1)
    try database.outside("UPDATE UpMember SET age = '5' WHERE pkid = 2")
    try upgrade(database, true)
  }

  @Test func upgrade_newerFile_isRefusedUnlessAllowed() throws {
    let database = try TestDatabase()
    try database.database.upgrade { UpMemberUpgrades.all() }
    let error = schemaError { try database.database.upgrade { UpMemberUpgrades.all(to: 3) } }
    #expect(error?.kind == .upgrade)
    #expect(error?.message.contains("newer than the program") == true)
    let isDone = try !database.database.upgrade(allowingNewer: true) { UpMemberUpgrades.all(to: 3) }
    #expect(isDone)
  }

  @Test func upgrade_insideABlock_isRefusedBeforeAnyStatement() throws {
    let database = try TestDatabase()
    let statements = try database.statements {
      try database.database.write {
        let kind = schemaErrorKind { try database.database.upgrade { UpMemberUpgrades.all() } }
        #expect(kind == .upgrade)
      }
    }
    #expect(statements == [])
  }

  @Test func upgrade_parentOfACascade_keepsTheChildren() throws {
    struct Leaf: XTModel {
      var root: Int64?
      static var xt_tableName: String { "CascadeLeaf" }
      static var xt_constraints: [XTConstraint] {
        [.foreignKey(\Leaf.root, references: Root.self, onDelete: .cascade)]
      }
    }
    struct OldRoot: XTModel {
      var size = "1"
      static var xt_tableName: String { "CascadeRoot" }
    }
    struct Root: XTModel {
      var size = 1
      static var xt_tableName: String { "CascadeRoot" }
    }
    let database = try TestDatabase()
    try database.table(OldRoot.self).create()
    try database.table(Leaf.self).create()
    try database.outside(
      "INSERT INTO CascadeRoot (size) VALUES ('4'), ('5'); DELETE FROM CascadeRoot WHERE pkid = 2;"
        + "INSERT INTO CascadeLeaf (root) VALUES (1), (1), (1)")
    try database.database.upgrade { XTUpgrade(Root.self, to: 2) { $0.change(\.size) } }
    #expect(try database.seen("SELECT count(*) FROM CascadeLeaf") == ["3"])
    #expect(try database.seen("SELECT typeof(size), size FROM CascadeRoot") == ["integer|4"])
    // The number of the deleted row is not given again.
    var root = Root()
    #expect(try database.table(Root.self).insert(&root) == 3)
    #expect(throws: XTError.self) {
      try database.database.execute("INSERT INTO CascadeLeaf (root) VALUES (99)")
    }
    #expect(try database.table(Root.self).deleteAll() == 2)
    #expect(try database.seen("SELECT count(*) FROM CascadeLeaf") == ["0"])
  }
}
