import Foundation
import Testing

@testable import XTLite

@Suite struct FunctionsTests {
  let connection: Connection

  init() throws {
    connection = try Connection(ConnectionSettings())
  }

  @Test func createCollation_ownOrder_sorts() throws {
    try connection.createCollation("length") { left, right in
      left.count == right.count
        ? .orderedSame : left.count < right.count ? .orderedAscending : .orderedDescending
    }
    let rows = try connection.rows(
      "SELECT a FROM (SELECT 'ccc' AS a UNION ALL SELECT '' UNION ALL SELECT 'zz') "
        + "ORDER BY a COLLATE length")
    #expect(rows == [[""], ["zz"], ["ccc"]])
  }

  @Test func createFunction_eachStorageClass_comesBack() throws {
    try connection.createFunction("same", arguments: 1) { $0[0].value }
    for value in XTValueTests.samples {
      #expect(try connection.firstValue("SELECT same(?)", [value]) == value)
    }
  }

  @Test func createFunction_throws_isTheStatementsError() throws {
    struct Failure: Error, CustomStringConvertible { let description = "not today" }
    try connection.createFunction("fail", arguments: nil) { _ in throw Failure() }
    let error = try #require(throws: XTError.self) {
      try connection.firstValue("SELECT fail(1, 2)")
    }
    #expect(error.message == "not today")
  }

  @Test func createFunction_replacedAndClosed_releasesItsClosure() throws {
    final class Token: Sendable {}
    weak var first: Token?
    weak var second: Token?
    func register(_ token: Token) throws {
      try connection.createFunction("f", arguments: 0) { _ in
        withExtendedLifetime(token) { 1 }
      }
      try connection.createCollation("c") { _, _ in
        withExtendedLifetime(token) { .orderedSame }
      }
    }
    do {
      let token = Token()
      first = token
      try register(token)
    }
    #expect(first != nil)
    do {
      let token = Token()
      second = token
      try register(token)
    }
    #expect(first == nil)
    connection.close()
    #expect(second == nil)
  }
}
