import Foundation
import Testing

@testable import XTLite

@Suite struct XTErrorTests {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(ConnectionSettings(path: folder.path("x.sqlite")))
    try connection.executeScript(
      """
      CREATE TABLE team (id INTEGER PRIMARY KEY);
      CREATE TABLE person (
        pkid INTEGER PRIMARY KEY, name TEXT UNIQUE, age INTEGER NOT NULL DEFAULT 0,
        team REFERENCES team (id), a TEXT, b TEXT, UNIQUE (a, b), CHECK (age >= 0));
      CREATE TRIGGER t BEFORE DELETE ON person BEGIN SELECT RAISE(ABORT, 'not this one'); END;
      INSERT INTO person (name, a, b) VALUES ('mamba', 'x', 'y');
      """)
  }

  func failure(_ sql: String, _ values: [XTValue] = []) throws -> XTError {
    try #require(throws: XTError.self) { try connection.run(sql, values) }
  }

  @Test func kind_uniqueKeyTaken_namesTableAndColumn() throws {
    let error = try failure("INSERT INTO person (name) VALUES (?)", ["mamba"])
    #expect(error.kind == .constraint(.unique))
    #expect(error.table == "person")
    #expect(error.column == "name")
    #expect(error.code == 19)
    #expect(error.extendedCode == 2067)
    #expect(error.sql == "INSERT INTO person (name) VALUES (?)")
    #expect(error.path == connection.path)
  }

  @Test func kind_uniqueKeyOfTwoColumns_namesBoth() throws {
    let error = try failure("INSERT INTO person (a, b) VALUES ('x', 'y')")
    #expect(error.kind == .constraint(.unique))
    #expect(error.column == "a, b")
  }

  @Test func kind_eachConstraint_isTold() throws {
    #expect(
      try failure("INSERT INTO person (pkid) VALUES (1)").kind == .constraint(.primaryKey))
    let notNull = try failure("INSERT INTO person (age) VALUES (NULL)")
    #expect(notNull.kind == .constraint(.notNull))
    #expect(notNull.column == "age")
    #expect(try failure("INSERT INTO person (age) VALUES (-1)").kind == .constraint(.check))
    #expect(
      try failure("INSERT INTO person (team) VALUES (9)").kind == .constraint(.foreignKey))
    #expect(try failure("INSERT INTO person (pkid) VALUES ('x')").kind == .constraint(.other))
    let trigger = try failure("DELETE FROM person")
    #expect(trigger.kind == .constraint(.trigger))
    #expect(trigger.message == "not this one")
  }

  @Test func kind_wrongNames_areUnknownColumnOrSchema() throws {
    let column = try failure("SELECT nope FROM person")
    #expect(column.kind == .unknownColumn)
    #expect(column.column == "nope")
    let qualified = try failure("SELECT person.nope FROM person")
    #expect(qualified.column == "nope")
    #expect(qualified.table == "person")
    let insert = try failure("INSERT INTO person (nope) VALUES (1)")
    #expect(insert.kind == .unknownColumn)
    #expect(insert.table == "person")
    #expect(insert.column == "nope")
    let table = try failure("SELECT 1 FROM nobody")
    #expect(table.kind == .schema)
    #expect(table.table == "nobody")
    #expect(try failure("CREATE TABLE team (a)").kind == .schema)
    #expect(try failure("SELEC 1").kind == .sqlite)
  }

  @Test func kind_doubleQuotedWrongName_isAnErrorWhereTheLibraryCan() throws {
    guard SQLiteLibrary.canDisableDoubleQuotedStrings else { return }
    let error = try failure("DELETE FROM person WHERE \"nope\" != 'x'")
    #expect(error.kind == .unknownColumn)
    #expect(error.column == "nope")
  }

  @Test func kind_numbersOutOfRange_isValueOutOfRange() throws {
    let sum = try failure("SELECT sum(x) FROM (SELECT ? AS x UNION ALL SELECT 1)", [.integer(.max)])
    #expect(sum.kind == .valueOutOfRange)
    #expect(try failure("SELECT ?", [.real(.nan)]).kind == .valueOutOfRange)
    let length = try failure("SELECT zeroblob(?)", [.integer(.max)])
    #expect(length.kind == .valueOutOfRange)
  }

  @Test func description_boundValues_areNotInIt() throws {
    let error = try failure("INSERT INTO person (name) VALUES (?)", ["mamba"])
    for text in [error.description, error.debugDescription, error.localizedDescription] {
      #expect(!text.contains("mamba"))
      #expect(text.contains("person.name"))
      #expect(text.contains("INSERT INTO person"))
      #expect(text.contains(connection.path))
    }
    #expect(error.localizedDescription == error.description)
  }

  @Test func debugDescription_valuesInErrors_hasThem() throws {
    var settings = ConnectionSettings(path: connection.path)
    settings.valuesInErrors = true
    let second = try Connection(settings)
    let error = try #require(throws: XTError.self) {
      try second.run("INSERT INTO person (name) VALUES (?)", ["mamba"])
    }
    #expect(error.debugDescription.contains("'mamba'"))
    #expect(!error.description.contains("mamba"))
  }

  @Test func description_everyKind_hasANameWithoutTheCase() {
    #expect(XTError(.diskFull, "x").description == "diskFull: x")
    let error = XTError(
      .constraint(.notNull), "m", hint: "h", table: "t1", column: "c1", sql: "s", path: "p",
      code: 1299)
    #expect(
      error.description == """
        constraint (notNull): m (SQLite 1299) [table t1, column c1]
        Hint: h
        SQL: s
        File: p
        """)
    #expect(error.code == 19)
  }
}

@Suite struct XTErrorPlaceTests {
  @Test func place_whoseNameIsPartOfAnotherWord_isNamed() {
    let error = XTError(.valueOutOfRange, "one value cannot be stored", table: "o", column: "e")
    #expect(error.description.contains("[table o, column e]"))
  }

  @Test func place_thatTheMessageNames_isNotRepeated() {
    let error = XTError(
      .constraint(.unique), "UNIQUE constraint failed: Person.name", table: "Person", column: "name"
    )
    #expect(!error.description.contains("["))
  }

  @Test func sqlOfGreatLength_isShortenedInTheTextOnly() {
    let sql = "SELECT \(String(repeating: "?, ", count: 10_000))1"
    let error = XTError(.sqlite, "too many SQL variables", sql: sql)
    #expect(error.description.utf8.count < 2_000)
    #expect(error.sql == sql)
  }
}

@Suite struct XTErrorSystemTests {
  @Test func systemError_folderThatIsNotThere_isTheSystemsNumber() throws {
    let error = try #require(throws: XTError.self) {
      _ = try Connection(ConnectionSettings(path: "/xtlite/is/not/there.sqlite"))
    }
    #expect(error.kind == .open)
    #expect(error.systemError == ENOENT)
    #expect(error.description.contains("System: No such file or directory (errno \(ENOENT))"))
  }

  @Test func systemError_errorOfSQLiteItself_isZero() throws {
    let connection = try Connection(ConnectionSettings())
    let error = try #require(throws: XTError.self) { try connection.run("SELECT nothing") }
    #expect(error.systemError == 0)
    #expect(!error.description.contains("System:"))
  }
}
