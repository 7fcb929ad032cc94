import Foundation
import Testing

@testable import XTLite

@Suite struct PrintingTests {
  /// What is printed while `body` runs.
  func lines(
    _ test: TestDatabase, _ topics: XTMonitor.Topics, withValues: Bool = false,
    _ body: () throws -> Void
  ) rethrows -> [String] {
    let printed = Mutex<[String]>([])
    let printing = XTMonitor.printing(test.database, for: topics, withValues: withValues) { text in
      printed.withLock { $0.append(text) }
    }
    defer { printing.cancel() }
    try body()
    return printed.withLock { $0 }
  }

  @Test func statement_hasTheDatabaseItsSQLRowsAndTime() throws {
    let test = try TestDatabase { $0.label = "people" }
    let table = test.table(Monitored.self)
    try table.insertList([Monitored(name: "a")])
    _ = try table.find(where: \.name == "a")
    let plain = try lines(test, .statements) { _ = try table.find(where: \.name == "a") }
    #expect(plain.count == 1)
    let line = try #require(plain.first)
    #expect(line.hasPrefix("[people] SELECT "))
    #expect(line.contains("  -- 1 row, "))
    #expect(!line.contains("'a'"))
    let full = try lines(test, .statements, withValues: true) {
      _ = try table.find(where: \.name == "a")
    }
    #expect(full.contains { $0.contains("'a'") })
  }

  @Test func listOfModels_isOneLineWithItsCount() throws {
    let test = try TestDatabase()
    let table = test.table(Monitored.self)
    let printed = try lines(test, .statements) {
      try table.insertList((0..<7).map { Monitored(name: "\($0)") })
    }
    #expect(printed.contains { $0.contains("7 × INSERT INTO") && $0.contains("7 rows") })
  }

  @Test func errorsAndWarnings_areNamed() throws {
    let test = try TestDatabase { $0.longHold = 0 }
    let printed = lines(test, [.errors, .warnings]) {
      _ = try? test.database.execute("SELECT nothing")
    }
    #expect(printed.contains { $0.contains("] error: ") && $0.contains("nothing") })
    #expect(printed.contains { $0.contains("] warning: ") })
  }

  @Test func performance_hasTheCallAndItsStatements() throws {
    let test = try TestDatabase()
    let printed = try lines(test, .performance) {
      _ = try test.database.transaction { try test.database.execute("CREATE TABLE t (a)") }
    }
    let last = try #require(printed.last)
    #expect(last.contains("] transaction: "))
    #expect(last.contains("\n  1 × BEGIN IMMEDIATE: 0 rows, "))
    #expect(last.contains("\n  1 × CREATE TABLE t (a): "))
  }

  @Test func longSQL_isShortenedInTheTextOnly() throws {
    let test = try TestDatabase()
    let sql = "SELECT 1 -- " + String(repeating: "x", count: 5_000)
    let printed = try lines(test, .statements) {
      try test.database.anyFunc(sql: XTSQL(unsafe: sql))
    }
    #expect(printed.count == 1)
    #expect(printed.allSatisfy { $0.count < 2_500 })
  }
}
