import Foundation
import Testing

@testable import XTLite

/// A table that is not there reads as an empty one, and is not made by reading.
@Suite struct MissingTableTests {
  let test: TestDatabase

  init() throws {
    test = try TestDatabase()
  }

  private func readEverything(_ scope: XTScope) throws {
    try test.asCurrent { () throws in
      #expect(try Sample.xt_findAll(orderBy: .asc(\.name), limit: 3, scope: scope).isEmpty)
      #expect(try Sample.xt_findAll(only: \.name, scope: scope).isEmpty)
      #expect(try Sample.xt_findWhere("pkid > 3 OR name = \("x")", scope: scope).isEmpty)
      #expect(try Sample.xt_findWhere(\.order > 3 && \.name == "x", scope: scope).isEmpty)
      #expect(try Sample.xt_findWhere(\.isMember, scope: scope).isEmpty)
      #expect(try Sample.xt_findWhere(nil, orderBy: [], scope: scope).isEmpty)
      #expect(try Sample.xt_find(pkid: 1, scope: scope) == nil)
      #expect(try Sample.xt_find(pkids: [1, 2], scope: scope).isEmpty)
      #expect(try Sample.xt_findFirst(scope: scope) == nil)
      #expect(try Sample.xt_findFirstWhere(\.order == 1, scope: scope) == nil)
      #expect(try !Sample.xt_hasModelWhere(\.order == 1, scope: scope))
      try Sample.xt_forEachWhere(nil, scope: scope) { _ in Issue.record("a row") }
      #expect(try Sample.xt_select(\.name, \.order, scope: scope).isEmpty)
      #expect(try Sample.xt_isEmptyTable())
      #expect(try Sample.xt_count(scope: scope) == 0)
      #expect(try Sample.xt_countWhere(\.order == 1, scope: scope) == 0)
      #expect(try Sample.xt_maxOf(\.order, scope: scope) == nil)
      #expect(try Sample.xt_minOf(\.price, scope: scope) == nil)
      #expect(try Sample.xt_sumOf(\.order, scope: scope) == nil)
      #expect(try Sample.xt_sumOf(\.price, scope: scope) == nil)
      #expect(try Sample.xt_avgOf(\.order, scope: scope) == nil)
      #expect(try Sample.xt_findWithSql("SELECT * FROM Sample").isEmpty)
      #expect(try Sample.xt_findFirstWithSql("SELECT * FROM `sample`") == nil)
    }
  }

  @Test(arguments: [XTScope.live, .deleted, .all])
  func reading_givesNothingAndMakesNothing(scope: XTScope) throws {
    let statements = try test.statements { try readEverything(scope) }
    #expect(try test.tables() == [])
    for statement in statements {
      #expect(!["CREATE", "ALTER", "INSERT"].contains { statement.contains($0) }, "\(statement)")
    }
    try test.database.read { try readEverything(scope) }
    try test.database.transaction { try readEverything(scope) }
    #expect(try test.tables() == [])
    #expect(try test.seen("PRAGMA schema_version") == ["0"])
  }

  @Test func tableMadeByAnotherProgram_isSeenByTheNextVerb() throws {
    let samples = test.table(Sample.self)
    #expect(try samples.count() == 0)
    try test.outside("CREATE TABLE Sample (name TEXT); INSERT INTO Sample VALUES ('a')")
    #expect(try samples.findAll().map(\.name) == ["a"])
    try test.outside("DROP TABLE Sample")
    #expect(try samples.findAll().isEmpty)
    #expect(try samples.count() == 0)
    try test.outside(
      "CREATE TABLE Sample (name TEXT, `order` INT); INSERT INTO Sample VALUES ('b', 2)")
    #expect(try samples.max(of: \.order) == 2)
  }

  @Test func tableReplacedByAnotherProgram_isReadAnew() throws {
    let samples = test.table(Sample.self)
    try samples.insertList([Sample("a", 1)])
    let replacing: [(String, () throws -> Bool)] = [
      ("find", { try samples.findAll().map(\.order) == [0] }),
      ("count", { try samples.count(where: \.order == 0) == 1 }),
      ("sum", { try samples.sum(of: \.price) == 0 }),
      ("find pkid", { try samples.find(pkid: 1)?.order == 0 }),
      (
        "forEach",
        {
          var orders: [Int] = []
          try samples.forEach { orders.append($0.order) }
          return orders == [0]
        }
      ),
      (
        "select",
        {
          let orders: [Int] = try samples.select(\.order)
          return orders == [0]
        }
      ),
    ]
    for (verb, read) in replacing {
      #expect(try samples.findAll().count == 1, "\(verb)")
      try test.outside(
        """
        DROP TABLE Sample; CREATE TABLE Sample (name TEXT);
        INSERT INTO Sample VALUES ('b')
        """)
      #expect(try read(), "\(verb)")
      try test.outside(
        """
        DROP TABLE Sample; CREATE TABLE Sample (name TEXT, `order` INTEGER, price TEXT);
        INSERT INTO Sample VALUES ('b', 7, '7')
        """)
      #expect(try samples.select(\.order) == [7], "\(verb)")
    }
  }

  // MARK: Mistakes are noticed all the same

  @Test func rawCondition_withAMistake_throwsWithoutATable() throws {
    let samples = test.table(Sample.self)
    let wrong: [(XTCondition<Sample>, XTError.Kind)] = [
      ("nmae = \("x")", .unknownColumn), ("\"nmae\" = 1", .unknownColumn),
      ("`nmae` = 1 OR 1", .unknownColumn), ("name = 1 AND Other.name = 2", .unknownColumn),
      (\.order == 1 && "nmae = 1", .unknownColumn), (!"nmae = 1", .unknownColumn),
      ("name = = 1", .sqlite), ("name LIKE", .sqlite), ("1 ORDER BY name", .sqlite),
    ]
    for (condition, kind) in wrong {
      let calls: [() throws -> Void] = [
        { _ = try samples.find(where: condition) }, { _ = try samples.count(where: condition) },
        { _ = try samples.findFirst(where: condition) }, { _ = try samples.has(where: condition) },
        { try samples.forEach(where: condition) { _ in } },
        { _ = try samples.max(of: \.order, where: condition) },
        { _ = try samples.sum(of: \.price, where: condition) },
        { _ = try samples.select(\.name, where: condition) },
      ]
      for call in calls {
        let error = #expect(throws: XTError.self, "\(condition)") { try call() }
        #expect(error?.kind == kind, "\(condition)")
      }
    }
    #expect(try test.tables() == [])
  }

  @Test func rawCondition_thatMayBeRightElsewhere_passes() throws {
    let samples = test.table(Sample.self)
    let fine: [XTCondition<Sample>] = [
      "name", "soundslike(name) = 1", "EXISTS (SELECT 1 FROM Other WHERE Other.name = Sample.name)",
      "pkid > 3 AND xt_isDel = 0", "xt_createTime > 1", "rowid = 1", "Sample.pkid = 1",
      "name = 'x' COLLATE nocase", "`order` IN \(list: [1, 2])",
    ]
    for condition in fine { #expect(try samples.count(where: condition) == 0, "\(condition)") }
  }

  @Test func typedMistakes_throwWithoutATable() throws {
    let samples = test.table(Sample.self)
    let calls: [() throws -> Void] = [
      { _ = try samples.find(where: \.draft == "x") },
      { _ = try samples.find(where: \.name.count > 3) },
      { _ = try samples.findAll(orderBy: .asc(\.draft)) },
      { _ = try samples.findAll(only: \.draft) },
      { _ = try samples.select(\.draft) },
      { _ = try samples.count(where: (\Sample.draft).in(["x"])) },
    ]
    for call in calls {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .unknownColumn)
    }
    #expect(throws: XTError.self) { try samples.findAll(limit: -1) }
    #expect(throws: XTError.self) { try samples.count(where: \.score == .nan) }
  }

  @Test func sqlOverAnotherMissingTable_throws() throws {
    let samples = test.table(Sample.self)
    let error = #expect(throws: XTError.self) { try samples.find(sql: "SELECT * FROM Smaple") }
    #expect(error?.kind == .schema && error?.table == "Smaple")
    #expect(throws: XTError.self) { try samples.anyFunc(sql: "SELECT count(*) FROM Sample") }
  }
}
