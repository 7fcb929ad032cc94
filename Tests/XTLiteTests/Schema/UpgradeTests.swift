import Foundation
import Testing

@testable import XTLite

private struct Person1: XTModel {
  var name = ""
  static var xt_tableName: String { "Person" }
}

private struct Person2: XTModel {
  var name = ""
  var age = 3
  var born = Date()
  var token = UUID()
  static var xt_tableName: String { "Person" }
}

private struct Person3: XTModel {
  var name = ""
  var age = 3
  var born = Date()
  var token = UUID()
  var code = "x"
  var last = 1
  static var xt_tableName: String { "Person" }
  static var xt_keywords: XTKeywordMap { [\Person3.code: .unique] }
}

private struct Order1: XTModel {
  var group = ""
  static var xt_tableName: String { "select" }
}

private struct Order2: XTModel {
  var group = ""
  var order = "a, (b"
  var `default` = "'); DROP TABLE x;--"
  static var xt_tableName: String { "select" }
}

struct UpgradeTests {
  private func fileWithRows(_ count: Int) throws -> SchemaFile {
    let file = try SchemaFile()
    try file.create(Person1.self)
    for number in 0..<count {
      try file.connection.run("INSERT INTO Person (name) VALUES (?)", [.text("n\(number)")])
    }
    return file
  }

  @Test(arguments: [0, 3])
  func upgrade_newProperties_areAddedAndTheVersionIsKept(_ rows: Int) throws {
    let file = try fileWithRows(rows)
    #expect(try file.upgrade(Person2.self, add: [\.age, \.born, \.token], version: 2))
    #expect(
      try file.seen("SELECT count(DISTINCT token), count(born), sum(age) FROM Person")
        == [rows == 0 ? "0|0|NULL" : "3|3|9"])
    #expect(try file.seen("SELECT * FROM xtlite_versions") == ["Person|2"])
    #expect(try file.shape(Person2.self).lenientColumns.map(\.name) == ["born", "token"])
  }

  @Test func upgrade_missingTable_isMadeWhole() throws {
    let file = try SchemaFile()
    #expect(try file.upgrade(Person2.self, add: [\.age], version: 2))
    #expect(try file.shape(Person2.self).missingColumns.isEmpty)
    #expect(try !file.upgrade(Person2.self, add: [\.age], version: 2))
    #expect(try file.upgrade(Person2.self, add: [\.token], version: 3))
    #expect(try file.seen("SELECT version FROM xtlite_versions") == ["2", "3"])
  }

  @Test func upgrade_keywordNamesAndOddDefaults_areAddedOnce() throws {
    let file = try SchemaFile()
    try file.create(Order1.self)
    try file.connection.run("INSERT INTO `select` (`group`) VALUES ('g')")
    #expect(try file.upgrade(Order2.self, add: [\.order, \.default], version: 2))
    #expect(
      try file.seen("SELECT `group`, `order`, `default` FROM `select`")
        == ["g|a, (b|'); DROP TABLE x;--"])
    let statements = try file.statements {
      let isDone = try !file.upgrade(Order2.self, add: [\.order, \.default], version: 2)
      #expect(isDone)
    }
    #expect(statements.count == 1)
    #expect(statements.first?.hasPrefix("SELECT") == true)
  }

  @Test func upgrade_sameNumberForTwoTables_bothAreDone() throws {
    let file = try fileWithRows(1)
    try file.create(Order1.self)
    #expect(try file.upgrade(Person2.self, add: [\.age], version: 2))
    #expect(try file.upgrade(Order2.self, add: [\.order], version: 2))
    #expect(try file.seen("SELECT * FROM xtlite_versions") == ["Person|2", "select|2"])
  }

  @Test func upgrade_failedVersion_isTriedAgainAfterALaterOne() throws {
    let file = try fileWithRows(2)
    let before = try file.sql(of: "Person")
    #expect(
      schemaErrorKind { try file.upgrade(Person3.self, add: [\.age, \.code], version: 2) }
        == .upgrade)
    #expect(try file.sql(of: "Person") == before)
    #expect(try file.upgrade(Person3.self, add: [\.last], version: 3))
    try file.connection.run("DELETE FROM Person WHERE pkid = 2")
    #expect(try file.upgrade(Person3.self, add: [\.age, \.code], version: 2))
    #expect(try file.seen("SELECT version FROM xtlite_versions") == ["2", "3"])
    #expect(try file.seen("SELECT age, code, last FROM Person") == ["3|x|1"])
  }

  @Test func upgrade_columnAddedByItselfBefore_isOnlyRecorded() throws {
    let file = try fileWithRows(2)
    try file.prepare(Person2.self)
    let before = try file.seen("SELECT * FROM Person")
    #expect(try file.upgrade(Person2.self, add: [\.age, \.token], version: 2))
    #expect(try file.seen("SELECT * FROM Person") == before)
  }

  @Test func upgrade_namedTables_eachHaveTheirOwnVersions() throws {
    let file = try fileWithRows(1)
    try file.create(Person1.self, named: "Person_53")
    try file.create(Person1.self, named: "Person_54")
    #expect(try file.upgrade(Person2.self, add: [\.age], version: 2, named: "Person_53"))
    #expect(try file.columns(of: "Person").count == 5)
    #expect(try file.upgrade(Person2.self, add: [\.age], version: 2))
    #expect(
      try file.seen("SELECT * FROM xtlite_versions")
        == ["Person|2", "Person_53|2", "Person_54|2"])
    #expect(try file.columns(of: "Person_54").count == 6)
    #expect(try !file.upgrade(Person2.self, add: [\.age], version: 2, named: "Person_54"))
  }

  @Test func upgrade_tableOfOthers_isAddedToAsAsked() throws {
    let file = try SchemaFile()
    try file.connection.executeScript(
      "CREATE TABLE Person (id INTEGER PRIMARY KEY, name TEXT);"
        + "INSERT INTO Person (name) VALUES ('a'), ('b')")
    #expect(try file.upgrade(Person2.self, add: [\.age, \.token], version: 2))
    #expect(
      try file.columns(of: "Person").map { $0.prefix { $0 != "|" } }
        == ["id", "name", "age", "token"])
    #expect(try file.seen("SELECT count(DISTINCT token) FROM Person WHERE age = 3") == ["2"])
    let shape = try file.shape(Person2.self)
    #expect(!shape.isOwn)
    #expect(shape.lenientColumns.map(\.name) == ["token"])
  }

  @Test func upgrade_withoutRowID_addsConstantsAndValuesForEachRow() throws {
    let file = try SchemaFile()
    try file.connection.executeScript(
      "CREATE TABLE Person (name TEXT PRIMARY KEY) WITHOUT ROWID;"
        + "INSERT INTO Person VALUES ('a'), ('b')")
    #expect(try file.upgrade(Person2.self, add: [\.age], version: 2))
    #expect(try file.upgrade(Person2.self, add: [\.token], version: 3))
    #expect(try file.seen("SELECT count(DISTINCT token) FROM Person WHERE age = 3") == ["2"])
    #expect(try file.sql(of: "Person").first?.hasSuffix("WITHOUT ROWID") == true)
  }

  @Test func upgrade_view_throwsSchema() throws {
    let file = try SchemaFile()
    try file.connection.run("CREATE VIEW Person AS SELECT 'a' AS name")
    #expect(schemaErrorKind { try file.upgrade(Person2.self, add: [\.age], version: 2) } == .schema)
    #expect(try file.seen("SELECT count(*) FROM sqlite_master") == ["1"])
  }

  @Test func upgrade_propertyOfAnotherName_isFoundInAnyCase() throws {
    let file = try SchemaFile()
    try file.connection.run("CREATE TABLE Person (NAME, AGE)")
    #expect(try file.upgrade(Person2.self, add: [\.age], version: 2))
    #expect(try file.columns(of: "Person").count == 2)
  }

  @Test func upgrade_twoConnectionsAtOnce_doItOnce() throws {
    let file = try fileWithRows(3)
    let path = file.path
    let done = Mutex<[Bool]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        let connection = try Connection(ConnectionSettings(path: path))
        let upgrade = XTUpgrade(Person2.self, to: 2) { $0.add(\.age, \.born, \.token) }
        let result = try UpgradeSet([upgrade], allowsNewer: true).run(on: connection)
        done.withLock { $0.append(result) }
      } catch {
        Issue.record(error)
      }
    }
    #expect(done.withLock { $0 }.filter { $0 }.count == 1)
    #expect(try file.seen("SELECT count(DISTINCT token) FROM Person") == ["3"])
  }

  @Test func upgrade_ofADatabase_worksOnceAndRefusesOpenBlocks() throws {
    let file = try fileWithRows(2)
    file.connection.close()
    let log = SchemaStatementLog()
    var configuration = XTConfiguration()
    configuration.statementLog = { log.add($0) }
    let database = try XTDatabase(path: file.path, configuration: configuration)
    _ = log.take()
    for block in [database.transaction, database.savepoint, database.write, database.read]
      as [(() throws -> Void) throws -> Void]
    {
      var inside: [String] = []
      let kind = schemaErrorKind {
        try block {
          _ = log.take()
          defer { inside = log.take() }
          try database.upgrade(Person2.self, add: [\Person2.age], version: 2)
        }
      }
      #expect(kind == .upgrade)
      #expect(inside == [])
    }
    #expect(try database.upgrade(Person2.self, add: [\Person2.age], version: 2))
    _ = log.take()
    #expect(try !database.upgrade(Person2.self, add: [\Person2.age], version: 2))
    let statements = log.take()
    #expect(statements.count == 1 && statements[0].hasPrefix("SELECT"))
    #expect(try file.seen("SELECT sum(age) FROM Person") == ["6"])
    #expect(
      schemaErrorKind { try database.upgrade(Person2.self, add: [\Person1.name], version: 3) }
        == .unknownColumn)
    #expect(
      schemaErrorKind { try database.upgrade(Person2.self, add: [\Person2.age], version: 0) }
        == .upgrade)
    try database.close()
  }

  @Test func upgrade_ofAReadOnlyDatabase_throwsOnlyWhereSomethingIsDue() throws {
    let file = try fileWithRows(2)
    try file.upgrade(Person2.self, add: [\.age], version: 2)
    file.connection.close()
    var configuration = XTConfiguration()
    configuration.readOnly = true
    let database = try XTDatabase(path: file.path, configuration: configuration)
    #expect(try !database.upgrade(Person2.self, add: [\Person2.age], version: 2))
    #expect(
      schemaErrorKind { try database.upgrade(Person2.self, add: [\Person2.born], version: 3) }
        == .readOnly)
    try database.close()
  }
}
