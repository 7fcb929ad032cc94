import Testing

@testable import XTLite

@Suite struct IdentifierTests {
  @Test(arguments: [
    "order", "select", "work&33-cur", "3a", "a b", "a\"b", "a`b", "``", "表", "a'b", "a.b",
    "e\u{301}",
    "[x]", "-- x", "x;y",
  ])
  func quotedIdentifier_anyName_namesTheTableAndColumn(_ name: String) throws {
    let connection = try Connection(ConnectionSettings())
    try connection.run("CREATE TABLE \(quoted(name)) (\(quoted(name)) TEXT)")
    try connection.run("INSERT INTO \(quoted(name)) (\(quoted(name))) VALUES (?)", ["x"])
    let rows = try connection.rows("SELECT \(quoted(name)) FROM \(quoted(name))")
    #expect(rows == [["x"]])
    let names = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
    #expect(names == [[.text(name)]])
  }
}
