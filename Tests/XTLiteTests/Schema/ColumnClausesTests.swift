import Testing

@testable import XTLite

struct ColumnClausesTests {
  @Test(arguments: [
    "NOT NULL", "not  null", "NULL", "DEFAULT 5", "DEFAULT -1.5e-3", "DEFAULT (1 + 2)",
    "CONSTRAINT `needed` NOT NULL", "UNIQUE NOT NULL ON CONFLICT IGNORE",
    "CHECK (a > 0) /* why */ DEFAULT 'x'",
  ])
  func statesNullability_clauseStated_true(_ sql: String) {
    #expect(ColumnClauses(sql).statesNullability)
  }

  @Test(arguments: [
    "", "UNIQUE", "CHECK (a <> 'DEFAULT')", "CHECK (a IS NOT NULL)", "COLLATE NOCASE",
    "REFERENCES `User` (`id`) ON DELETE SET NULL ON UPDATE SET DEFAULT",
    "REFERENCES `NULL` NOT DEFERRABLE", "CONSTRAINT `DEFAULT` UNIQUE", "-- DEFAULT 5",
    "CHECK (length(`not null`) > 0)", "UNIQUE ON CONFLICT REPLACE", "COLLATE `DEFAULT`",
    "CHECK (a <> '(' AND a <> ') DEFAULT 1')", "CHECK (a <> \"DEFAULT 5\")",
  ])
  func statesNullability_wordElsewhere_false(_ sql: String) {
    #expect(!ColumnClauses(sql).statesNullability)
  }

  @Test func clauses_manyInOneText_areTakenApart() {
    let clauses = ColumnClauses(
      "UNIQUE ON CONFLICT IGNORE COLLATE NOCASE CHECK (a IN (1, 2)) DEFAULT -.5 NULL"
        + " REFERENCES t (a, b) ON DELETE NO ACTION MATCH FULL DEFERRABLE INITIALLY DEFERRED")
    #expect(
      clauses.clauses.map(\.text) == [
        "UNIQUE ON CONFLICT IGNORE", "COLLATE NOCASE", "CHECK (a IN (1, 2))", "DEFAULT -.5",
        "NULL",
        "REFERENCES t (a, b) ON DELETE NO ACTION MATCH FULL DEFERRABLE INITIALLY DEFERRED",
      ])
    #expect(clauses.first(.unique)?.conflict == "IGNORE")
    #expect(
      clauses.without(.unique, .references).text
        == "COLLATE NOCASE CHECK (a IN (1, 2)) DEFAULT -.5 NULL")
  }

  @Test(arguments: [
    ("DEFAULT NULL", false), ("DEFAULT 'NULL'", true), ("DEFAULT X'00'", true),
    ("DEFAULT 1e-5", true), ("CHECK (a) ", false),
  ])
  func hasDefaultOtherThanNull_value_isRead(_ sql: String, _ expected: Bool) {
    #expect(ColumnClauses(sql).hasDefaultOtherThanNull == expected)
  }

  @Test(arguments: [
    "CHECK (a > 0", "CHECK a > 0)", "UNIQUE, `evil` TEXT", "UNIQUE; DROP TABLE t", "DEFAULT 'x",
    "CHECK (a /* open", "COLLATE [x",
  ])
  func problem_brokenText_isNamed(_ sql: String) {
    #expect(DeclarationToken.tokens(of: sql).problem(allowingCommas: false) != nil)
  }

  @Test(arguments: [
    "DEFAULT 'a,b(c'';--'", "CHECK (a IN (1, 2))", "DEFAULT (1) -- ; , (", "COLLATE `a,b`",
  ])
  func problem_soundText_isNil(_ sql: String) {
    #expect(DeclarationToken.tokens(of: sql).problem(allowingCommas: false) == nil)
  }
}
