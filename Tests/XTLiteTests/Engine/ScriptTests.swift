import Testing

@testable import XTLite

@Suite struct ScriptTests {
  let connection: Connection

  init() throws {
    connection = try Connection(ConnectionSettings())
  }

  @Test func executeScript_severalStatements_runInOrderAndSumTheirRows() throws {
    let changed = try connection.executeScript(
      """
      -- the table
      CREATE TABLE t (a TEXT); /* rows; */
      INSERT INTO t VALUES ('a;b'), ('--');;
      UPDATE t SET a = a || '!';
      SELECT * FROM t; DELETE FROM t WHERE a = '--!'
      """)
    #expect(changed == 5)
    #expect(try connection.rows("SELECT a FROM t") == [["a;b!"]])
  }

  @Test func executeScript_emptyTexts_doNothing() throws {
    for sql in ["", ";", " -- x", "/* x */"] {
      #expect(try connection.executeScript(sql) == 0)
    }
  }

  @Test func executeScript_triggerBody_isOneStatement() throws {
    try connection.executeScript(
      """
      CREATE TABLE t (a); CREATE TABLE log (a);
      CREATE TRIGGER x AFTER INSERT ON t BEGIN
        INSERT INTO log VALUES (new.a); INSERT INTO log VALUES (new.a);
      END;
      INSERT INTO t VALUES (1);
      """)
    #expect(try connection.rows("SELECT a FROM log") == [[1], [1]])
  }

  @Test func executeScript_values_goToTheParametersInOrder() throws {
    let changed = try connection.executeScript(
      "CREATE TABLE t (a, b); INSERT INTO t VALUES (?, 'x'); INSERT INTO t VALUES (?, ?)",
      [1, "it's", nil])
    #expect(changed == 2)
    #expect(try connection.rows("SELECT a, b FROM t") == [[1, "x"], ["it's", nil]])
  }

  @Test func executeScript_countOfValuesWrong_throws() throws {
    try connection.run("CREATE TABLE t (a)")
    #expect(throws: XTError.self) { try connection.executeScript("INSERT INTO t VALUES (?)") }
    #expect(throws: XTError.self) { try connection.executeScript("SELECT 1", [1]) }
    #expect(try connection.firstValue("SELECT count(*) FROM t") == 0)
  }

  @Test func executeScript_failureInTheMiddle_stopsThereAndNamesTheStatement() throws {
    let error = try #require(throws: XTError.self) {
      try connection.executeScript(
        "CREATE TABLE t (a); INSERT INTO t VALUES (1); INSERT INTO u VALUES (1); DELETE FROM t")
    }
    #expect(error.kind == .schema)
    #expect(try connection.firstValue("SELECT count(*) FROM t") == 1)
  }

  @Test func executeScript_veryLong_takesTimeInProportion() throws {
    try connection.run("CREATE TABLE t (a)")
    let script = String(
      repeating: "INSERT INTO t VALUES ('\(String(repeating: "x", count: 80))');\n", count: 30_000)
    #expect(try connection.inTransaction { try connection.executeScript(script) } == 30_000)
  }
}
