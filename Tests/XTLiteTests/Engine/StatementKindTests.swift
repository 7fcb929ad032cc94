import Testing

@testable import XTLite

@Suite struct StatementKindTests {
  @Test(arguments: [
    ("INSERT INTO t VALUES (1)", StatementKind.change), ("  update t SET a = 1", .change),
    ("WITH x AS (SELECT 1) DELETE FROM t", .change), ("-- CREATE\nSELECT 1", .other),
    ("/* DROP */ create table t (a)", .schema), (";;Drop TABLE t", .schema), ("begin", .begin),
    ("COMMIT", .commit), ("end transaction", .commit), ("ROLLBACK", .rollback),
    ("rollback transaction", .rollback), ("ROLLBACK TO x", .rollbackTo),
    ("ROLLBACK/**/TRANSACTION TO x", .rollbackTo), ("ROLLBACK TRANSACTION all TO x", .rollbackTo),
    ("SAVEPOINT x", .savepoint),
    ("release x", .release), ("", .other),
    ("/*", .other), ("--", .other), ("表", .other),
  ])
  func kind_ofAText_isThatOfItsFirstWord(_ sql: String, _ kind: StatementKind) {
    #expect(StatementKind(sql: sql) == kind)
  }

  @Test func words_onlyBlanksAndComments_areAtEnd() {
    for text in ["", " \n\t;", "-- x", "/* x */ ; -- y\n", "/* open"] {
      var words = Words(text[...].utf8)
      let isAtEnd = words.isAtEnd
      #expect(isAtEnd)
    }
    var words = Words(" -- x\n1"[...].utf8)
    let isAtEnd = words.isAtEnd
    #expect(!isAtEnd)
  }
}
