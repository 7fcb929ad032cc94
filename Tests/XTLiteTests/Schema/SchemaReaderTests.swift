import Foundation
import Testing

@testable import XTLite

private struct Person: XTModel {
  var name = ""
  var age = 0
  var born = Date()
  static var xt_tableName: String { "Person" }
}

private struct Keyed: XTModel {
  var id = 0
  var name = ""
  static var xt_primaryKey: XTKeyPaths { [\Keyed.id] }
  static var xt_tableName: String { "Keyed" }
}

struct SchemaReaderTests {
  @Test func shape_missingTable_hasNoColumns() throws {
    let file = try SchemaFile()
    let shape = try file.shape(Person.self)
    #expect(!shape.exists)
    #expect(!shape.isOwn)
    #expect(shape.columns.isEmpty)
    #expect(shape.missingColumns.map(\.name) == ["name", "age", "born"])
    #expect(!shape.has(.pkid))
  }

  @Test func shape_ownTable_isRecordedAndComplete() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    let shape = try file.shape(Person.self)
    #expect(shape.exists && shape.isOwn)
    #expect(shape.columns.map(\.name) == ["name", "age", "born"])
    #expect(shape.missingColumns.isEmpty)
    #expect(shape.rowIDName == "pkid")
    #expect(ColumnRole.automatic.allSatisfy { shape.has($0) })
    // A table that was created this way refuses no NULL in `born`, and reading one throws.
    #expect(shape.lenientColumns.isEmpty)
  }

  @Test func shape_ownTable_takesTwoStatements() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    let statements = try file.statements { _ = try file.shape(Person.self) }
    #expect(statements.count == 2)
    #expect(
      ["PRAGMA table_xinfo(`Person`)", "PRAGMA table_info(`Person`)"].contains(statements.first))
    #expect(!statements.contains { $0.contains("sqlite_master") })
  }

  @Test func shape_insideReadBlock_isAllowed() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    let shapes = try file.connection.inReadTransaction {
      (try file.shape(Person.self), try file.shape(Keyed.self))
    }
    #expect(shapes.0.exists && !shapes.1.exists)
  }

  @Test func shape_tableOfXTFMDB_isOwn() throws {
    let file = try SchemaFile()
    try file.connection.run(
      "CREATE TABLE Person ( pkid INTEGER PRIMARY KEY AUTOINCREMENT DEFAULT '1',xt_createTime"
        + " BIGINT NOT NULL  DEFAULT '0' ,xt_updateTime BIGINT NOT NULL  DEFAULT '0' ,"
        + "xt_isDel BOOLEAN NOT NULL  DEFAULT '0' ,name TEXT NOT NULL  DEFAULT '' )")
    let shape = try file.shape(Person.self)
    #expect(shape.isOwn)
    #expect(shape.rowIDName == "pkid")
    #expect(shape.missingColumns.map(\.name) == ["age", "born"])
  }

  @Test(arguments: [
    ("CREATE TABLE Keyed (ID INTEGER NOT NULL, name, CONSTRAINT k PRIMARY KEY (ID))", "ID"),
    ("CREATE TABLE Keyed (id integer primary key, name)", "id"),
    ("CREATE TABLE Keyed (id INT PRIMARY KEY, name)", nil),
    ("CREATE TABLE Keyed (id INTEGER PRIMARY KEY DESC, name)", nil),
    ("CREATE TABLE Keyed (id INTEGER PRIMARY KEY, name) WITHOUT ROWID", nil),
    ("CREATE TABLE Keyed (id INTEGER, name, PRIMARY KEY (id, name))", nil),
    ("CREATE TABLE Keyed (id, name)", nil),
    ("CREATE VIEW Keyed AS SELECT 1 AS id, 'x' AS name", nil),
  ])
  func shape_tableOfOthers_findsTheRowID(_ sql: String, _ rowID: String?) throws {
    let file = try SchemaFile()
    try file.connection.run(sql)
    let shape = try file.shape(Keyed.self)
    #expect(!shape.isOwn)
    #expect(shape.rowIDName == rowID)
    #expect(shape.columns.map(\.name) == ["id", "name"])
    #expect(!shape.has(.isDel))
    let isRowless = sql.contains("WITHOUT ROWID") || sql.contains("VIEW")
    #expect(shape.rowIDExpression == (isRowless ? nil : rowID.map(quoted) ?? "rowid"))
  }

  @Test func shape_columnsThatTakeTheRowIDsNames_leaveAnother() throws {
    let file = try SchemaFile()
    try file.connection.run("CREATE TABLE Keyed (rowid, _ROWID_, id)")
    #expect(try file.shape(Keyed.self).rowIDExpression == "oid")
  }

  @Test func shape_columnsThatDifferInCase_areTheSame() throws {
    let file = try SchemaFile()
    try file.connection.run("CREATE TABLE PERSON (NAME, Age, XT_ISDEL)")
    let shape = try file.shape(Person.self)
    #expect(shape.columns.map(\.name) == ["name", "age"])
    #expect(shape.missingColumns.map(\.name) == ["born"])
    #expect(shape.has(.isDel))
  }

  @Test func prepare_tableOfOthers_isLeftAsItIs() throws {
    let file = try SchemaFile()
    try file.connection.run("CREATE TABLE Person (id INTEGER PRIMARY KEY, name TEXT)")
    let shape = try file.prepare(Person.self)
    #expect(shape.missingColumns.map(\.name) == ["age", "born"])
    #expect(try file.seen("SELECT name FROM sqlite_master") == ["Person"])
  }

  @Test func prepare_view_throwsSchema() throws {
    let file = try SchemaFile()
    try file.connection.executeScript(
      "CREATE TABLE t (name); CREATE VIEW Person AS SELECT name, 3 AS age FROM t;"
        + "CREATE TRIGGER i INSTEAD OF INSERT ON Person BEGIN INSERT INTO t VALUES (new.name); END")
    let error = schemaError { try file.prepare(Person.self) }
    #expect(error?.kind == .schema)
    #expect(error?.message.contains("view") == true)
  }

  @Test func prepare_reservedName_throwsSchema() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    #expect(schemaErrorKind { try file.prepare(Person.self, named: "xtlite_tables") } == .schema)
  }

  @Test func prepare_additionsOff_throwsForAMissingTableAndAddsNothing() throws {
    struct More: XTModel {
      var name = ""
      var extra = 0
      static var xt_tableName: String { "Person" }
    }
    let file = try SchemaFile()
    #expect(schemaErrorKind { try file.prepare(Person.self, automaticAdditions: false) } == .schema)
    try file.create(Person.self)
    let shape = try file.prepare(More.self, automaticAdditions: false)
    #expect(shape.missingColumns.map(\.name) == ["extra"])
  }

  @Test func prepare_nothingToDo_writesNothing() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    let statements = try file.statements { _ = try file.prepare(Person.self) }
    #expect(statements.count == 2)
  }

  @Test func record_droppedAndRenamedTables_areForgottenAndFollowed() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    try file.upgrade(Person.self, add: [\.age], version: 2)
    #expect(try TableMaker.rename(table: "Person", to: "People", on: file.connection))
    #expect(try file.seen("SELECT * FROM xtlite_tables") == ["People|Person"])
    #expect(try file.seen("SELECT * FROM xtlite_versions") == ["People|2"])
    #expect(try file.shape(Person.self, named: "People").isOwn)
    #expect(try TableMaker.drop(table: "People", on: file.connection))
    #expect(try !TableMaker.drop(table: "People", on: file.connection))
    #expect(try file.seen("SELECT * FROM xtlite_tables") == [])
    // What is made by that name next is as new as the model.
    #expect(try file.seen("SELECT * FROM xtlite_versions") == ["People|2"])
  }

  @Test func record_rolledBackCreation_isGone() throws {
    struct Stop: Error {}
    let file = try SchemaFile()
    #expect(throws: Stop.self) {
      try file.connection.inTransaction {
        try file.create(Person.self)
        throw Stop()
      }
    }
    #expect(try file.seen("SELECT count(*) FROM sqlite_master") == ["0"])
    #expect(try file.create(Person.self))
  }

  @Test func record_tableDroppedByOthersAndMadeAnew_startsAgain() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    try file.upgrade(Person.self, add: [\.age], version: 2)
    try file.connection.run("DROP TABLE Person")
    try file.create(Person.self)
    // Made as the model is now, it is as new as that.
    #expect(try file.seen("SELECT version FROM xtlite_versions") == ["2"])
  }
}
