import Foundation
import Testing

@testable import XTLite

/// A row of the tables r0 to r5.
struct ObservedRow: XTModel, Equatable {
  var id = 0
  var v = 0
  static var xt_primaryKey: XTKeyPaths { [\ObservedRow.id] }
}

/// Random transactions against twenty observers; all of them with `make torture`, a tenth else.
@Suite struct ObservationTortureTests {
  static let schema = """
    CREATE TABLE r0 (id INTEGER PRIMARY KEY, v INTEGER);
    CREATE TABLE r1 (id INTEGER PRIMARY KEY, v INTEGER);
    CREATE TABLE r2 (id INTEGER PRIMARY KEY, v INTEGER REFERENCES r3 (id) ON DELETE CASCADE);
    CREATE TABLE r3 (id INTEGER PRIMARY KEY, v INTEGER);
    CREATE TABLE r4 (id INTEGER PRIMARY KEY, v INTEGER) WITHOUT ROWID;
    CREATE TABLE r5 (id INTEGER PRIMARY KEY, v INTEGER UNIQUE);
    CREATE TRIGGER after0 AFTER INSERT ON r0 BEGIN
      INSERT OR REPLACE INTO r1 VALUES (new.id, new.v);
    END;
    INSERT INTO r3 SELECT 1, 1;
    """
  static let tableCount = 6

  /// The tables that a write to one touches.
  static func touched(by table: Int, isDeletion: Bool) -> Set<Int> {
    switch table {
    case 0: [0, 1]
    case 3 where isDeletion: [2, 3]
    default: [table]
    }
  }

  /// What one observer reads, and what it got.
  final class Observer: Sendable {
    let tables: Set<Int>
    let runs = RunCount()
    let watching: Watching<[Int64]>
    let read: @Sendable () throws -> [Int64]

    init(_ database: XTDatabase, _ number: Int, _ random: inout some RandomNumberGenerator) {
      let tables = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        Int.random(in: 0..<ObservationTortureTests.tableCount, using: &random)
      }
      let limit = Int.random(in: 1...40, using: &random)
      let read: @Sendable () throws -> [Int64] = {
        try tables.flatMap { table -> [Int64] in
          let (sum, ids): (XTSQL, XTSQL) = (
            XTSQL(unsafe: "SELECT count(*) + total(v) FROM r\(table)"),
            XTSQL(unsafe: "SELECT id FROM r\(table) ORDER BY v, id LIMIT \(limit)")
          )
          let total = try database.anyFunc(sql: sum)?.double ?? -1
          if number % 2 == 0 { return [Int64(total)] }
          return try [Int64(total)] + database.rows(ids).map { try $0[0] as Int64 }
        }
      }
      let runs = runs
      // Of each kind some: the rows of a model, a count, a typed query, and what a closure reads.
      let table = database.table(ObservedRow.self, named: "r\(tables[0])")
      let orders: [XTOrder<ObservedRow>] = [.asc(\.v), .asc(\.id)]
      let numbers: @Sendable ([ObservedRow]) -> [Int64] = { rows in
        rows.flatMap { [Int64($0.id), Int64($0.v)] }
      }
      switch number % 5 {
      case 0:
        self.tables = [tables[0]]
        self.read = { numbers(try table.find(where: \.v > 100, orderBy: orders, limit: limit)) }
        watching = Watching(
          table.observe(where: \.v > 100, orderBy: orders, limit: limit), as: numbers)
      case 1:
        self.tables = [tables[0]]
        self.read = { [Int64(try table.count(where: \.v > 100))] }
        watching = Watching(table.observeCount(where: \.v > 100), as: { [Int64($0)] })
      case 2:
        self.tables = [tables[0]]
        let query = table.query().where(ObservedRow.xt.v * 2 > 200).orderBy(orders).limit(limit)
        self.read = { numbers(try query.all()) }
        watching = Watching(query.observe(), as: numbers)
      default:
        self.tables = Set(tables)
        self.read = read
        watching = Watching(
          database.observe {
            runs.advance()
            return try read()
          })
      }
    }
  }

  /// One random statement. Returns the tables that it may touch.
  private func write(_ database: XTDatabase, _ random: inout some RandomNumberGenerator) -> Set<Int>
  {
    let table = Int.random(in: 0..<Self.tableCount, using: &random)
    let id = Int.random(in: 1...60, using: &random)
    let value = table == 2 ? 1 : Int.random(in: 1...1_000, using: &random)
    let kind = Int.random(in: 0...9, using: &random)
    let sql =
      switch kind {
      case 0...3: "INSERT OR REPLACE INTO r\(table) VALUES (\(id), \(value))"
      case 4: "INSERT INTO r\(table) VALUES (\(id), \(value)), (\(id + 1), \(value + 1))"
      case 5: "UPDATE r\(table) SET v = \(value) WHERE id = \(id)"
      case 6: "UPDATE OR IGNORE r\(table) SET v = \(table == 2 ? "v" : "v + 1") WHERE id < \(id)"
      case 7: "DELETE FROM r\(table) WHERE id = \(id)"
      case 8: "DELETE FROM r\(table) WHERE id > \(id)"
      default: "DELETE FROM r\(table)"
      }
    // Some of them fail, which changes nothing.
    _ = try? database.executeScript(sql)
    // REPLACE deletes, too.
    return Self.touched(by: table, isDeletion: kind <= 4 || kind >= 7)
  }

  struct Undone: Error {}

  private func transaction(
    _ database: XTDatabase, _ random: inout some RandomNumberGenerator
  ) -> Set<Int> {
    var touched: Set<Int> = []
    let form = Int.random(in: 0...4, using: &random)
    do {
      if form == 0 { return write(database, &random) }
      try database.transaction {
        for _ in 0..<Int.random(in: 1...5, using: &random) {
          if Int.random(in: 0...3, using: &random) == 0 {
            try? database.savepoint {
              touched.formUnion(write(database, &random))
              if Bool.random(using: &random) { throw Undone() }
            }
          } else {
            touched.formUnion(write(database, &random))
          }
        }
        // What r2 refers to; its cascades are among what happens.
        try database.executeScript("INSERT OR IGNORE INTO r3 VALUES (1, 1)")
        touched.insert(3)
        if form == 1 { throw Undone() }
        if form == 2, Bool.random(using: &random) {
          touched = []
          try database.rollback()
        }
      }
      return touched
    } catch {
      return []
    }
  }

  @Test func randomTransactions_giveEachObserverTheRightValues() async throws {
    let test = try TestDatabase { $0.statementLog = nil }
    let database = test.database
    try database.executeScript(Self.schema)
    var random = SplitMix(state: 8)
    let observers = (0..<20).map { Observer(database, $0, &random) }
    for observer in observers { #expect(await observer.watching.has(1)) }
    var history = try observers.map { [try $0.read()] }
    var touches = [Int](repeating: 0, count: observers.count)
    for step in 0..<Torture.part(of: 1_000) {
      let touched = transaction(database, &random)
      for (index, observer) in observers.enumerated() {
        history[index].append(try observer.read())
        if !touched.isDisjoint(with: observer.tables) { touches[index] += 1 }
      }
      // Now and then all of them are up to date, so that each change of a table wakes by itself.
      if step % 3 == 0 { await Task.yield() }
    }
    for (index, observer) in observers.enumerated() {
      let last = try #require(history[index].last)
      #expect(await observer.watching.gets(last))
      #expect(observer.watching.error == nil)
      // Each value was there once, and none came before an older one.
      var place = 0
      for value in observer.watching.values {
        let found = history[index][place...].firstIndex(of: value)
        #expect(found != nil, "observer \(index): \(value)")
        place = found ?? place
      }
      #expect(observer.runs.count <= 1 + touches[index])
      #expect(observer.watching.values.count <= 1 + touches[index])
    }
    for observer in observers { observer.watching.cancel() }
    #expect(await until { LiveHub.of(database).counts == (0, 0, 0) })
  }

  /// Two that make the first observation of a database at one time share all that is made for it.
  @Test func firstObservers_atOneTime_areAllWoken() async throws {
    for _ in 0..<Torture.part(of: 300) {
      let database = try XTDatabase.inMemory()
      let people = database.table(LivePerson.self)
      try people.create()
      let all = await withTaskGroup(of: Watching<Int>.self) { group in
        for _ in 0..<6 { group.addTask { Watching(people.observeCount()) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      for watching in all { #expect(await watching.gets(0)) }
      try people.insertList([LivePerson("a")])
      for watching in all { #expect(await watching.gets(1)) }
    }
  }
}
