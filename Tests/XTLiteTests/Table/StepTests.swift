import Foundation
import Testing

@testable import XTLite

/// What each verb runs and how many rows it takes from SQLite, once it has run before: one more
/// statement, or a row that nobody asked for, is a defect.
@Suite struct StepTests {
  @Test(arguments: SteppedVerb.all)
  func verb_thatRunsAgain_takesTheseSteps(verb: SteppedVerb) throws {
    let test = try TestDatabase()
    let table = test.table(PreparedRow.self)
    var rows = (0..<20).map { PreparedRow(name: "row \($0)", age: $0) }
    try table.insertList(&rows)
    try verb.run(table, rows[0])
    let (_, cost) = try test.database.measured { try verb.run(table, rows[1]) }
    let steps = cost.statements.map { statement in
      let word = statement.sql.prefix { $0.isLetter }
      return statement.rows == 0
        ? "\(statement.count) \(word)" : "\(statement.count) \(word) of \(statement.rows)"
    }
    #expect(steps == verb.steps)
    #expect(cost.prepared == 0)
  }
}

/// A verb and what it is to run: how often, which kind of statement, how many rows in all.
struct SteppedVerb: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let steps: [String]
  let run: @Sendable (XTTable<PreparedRow>, PreparedRow) throws -> Void

  private init(
    _ name: String, _ steps: String...,
    run: @escaping @Sendable (XTTable<PreparedRow>, PreparedRow) throws -> Void
  ) {
    testDescription = name
    self.steps = steps
    self.run = run
  }

  static let all = writing + reading

  private static let writing = [
    SteppedVerb("insert", "1 INSERT of 1") { table, _ in
      var row = PreparedRow(name: "new", age: 1)
      try table.insert(&row)
    },
    SteppedVerb("insertList", "1 BEGIN", "1 PRAGMA of 1", "3 INSERT of 3", "1 COMMIT") { table, _ in
      try table.insertList((0..<3).map { PreparedRow(name: "new", age: $0) })
    },
    SteppedVerb("update", "1 UPDATE of 1") { table, row in try table.update(row) },
    SteppedVerb("updateList", "1 BEGIN", "1 PRAGMA of 1", "2 UPDATE of 2", "1 COMMIT") {
      table, row in
      try table.updateList([row, row])
    },
    SteppedVerb("update where", "1 BEGIN", "1 PRAGMA of 1", "1 UPDATE of 1", "1 COMMIT") {
      table, row in
      try table.update(where: \.name == row.name, .set(\.age, to: 7))
    },
    SteppedVerb("delete", "1 DELETE of 1") { table, row in try table.delete(row) },
    SteppedVerb("delete where", "1 DELETE of 1") { table, row in
      try table.delete(where: \.name == row.name)
    },
    SteppedVerb("transaction", "1 BEGIN", "1 UPDATE of 1", "1 COMMIT") { table, row in
      try table.database.transaction { _ = try table.update(row) }
    },
  ]

  private static let reading = [
    SteppedVerb("find by pkid", "1 SELECT of 1") { table, row in
      _ = try table.find(pkid: row.pkid ?? 0)
    },
    SteppedVerb("find by pkid, in vain", "1 SELECT") { table, _ in _ = try table.find(pkid: -1) },
    SteppedVerb("findAll", "1 SELECT of 20") { table, _ in _ = try table.findAll() },
    SteppedVerb("find where", "1 SELECT of 5") { table, _ in
      _ = try table.find(where: \.age < 5)
    },
    SteppedVerb("findFirst", "1 SELECT of 1") { table, _ in
      _ = try table.findFirst(where: \.age < 5)
    },
    SteppedVerb("forEach, left early", "1 SELECT of 1") { table, _ in
      struct Enough: Error {}
      do {
        try table.forEach { _ in throw Enough() }
      } catch is Enough {}
    },
    SteppedVerb("count", "1 SELECT of 1") { table, _ in _ = try table.count() },
    SteppedVerb("has", "1 SELECT of 1") { table, _ in _ = try table.has(where: \.age == 3) },
    SteppedVerb("max", "1 SELECT of 1") { table, _ in _ = try table.max(of: \.age) },
    SteppedVerb("sum", "1 SELECT of 1") { table, _ in _ = try table.sum(of: \.age) },
    SteppedVerb("read block", "1 BEGIN", "1 PRAGMA of 1", "1 SELECT of 20", "1 COMMIT") {
      table, _ in
      _ = try table.database.read { try table.findAll() }
    },
  ]
}
