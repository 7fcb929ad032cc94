import Foundation
import Testing

@testable import XTLite

/// Every reading verb in every scope, beside what the file holds.
@Suite struct ScopeTests {
  let test: TestDatabase

  init() throws {
    test = try TestDatabase()
    let samples = test.table(Sample.self)
    try samples.insertList([
      Sample("live", 1) { $0.isMember = true }, Sample("gone", 20) { $0.price = 0.5 },
      Sample("gone too", 300),
    ])
    try samples.softDelete(where: \.order > 1)
  }

  @Test(arguments: ["NOT NULL", ""])
  func everyRow_isLiveOrDeleted(isDel: String) throws {
    let test = try TestDatabase(
      after: """
        CREATE TABLE Memo (pkid INTEGER PRIMARY KEY, text TEXT, xt_isDel INTEGER \(isDel));
        INSERT INTO Memo VALUES (1, 'a', 0), (2, 'b', 1), (3, 'c', 2), (4, 'd', 'x');
        """)
    if isDel.isEmpty { try test.outside("INSERT INTO Memo VALUES (5, 'e', NULL)") }
    let memos = test.table(Memo.self)
    let (live, deleted) = try (memos.count(), memos.count(scope: .deleted))
    #expect(live > 0 && deleted > 0)
    #expect(try live + deleted == memos.count(scope: .all))
  }

  static let cases: [(XTScope, [String], Int64)] = [
    (.live, ["live"], 1), (.deleted, ["gone", "gone too"], 320),
    (.all, ["live", "gone", "gone too"], 321),
  ]

  @Test(arguments: cases)
  func everyReadingVerb_seesItsScope(scope: XTScope, names: [String], sum: Int64) throws {
    try test.asCurrent { () throws in
      #expect(try Sample.xt_findAll(scope: scope).map(\.name) == names)
      #expect(try Sample.xt_findAll(only: \.name, scope: scope).map(\.name) == names)
      #expect(try Sample.xt_findWhere(nil, scope: scope).map(\.name) == names)
      #expect(try Sample.xt_findWhere("1 OR 0", scope: scope).map(\.name) == names)
      #expect(
        try Sample.xt_findWhere(\.order > 0 || \.order < 0, scope: scope).map(\.name) == names)
      let members = names.contains("live") ? 1 : 0
      #expect(try Sample.xt_findWhere(\.isMember, scope: scope).count == members)
      let sorted = try Sample.xt_findWhere(nil, orderBy: [.desc(\.order)], scope: scope)
      #expect(sorted.map(\.name) == names.reversed())
      #expect(try Sample.xt_find(pkids: [1, 2, 3], scope: scope).map(\.name) == names)
      for pkid in Int64(1)...3 {
        let found = try Sample.xt_find(pkid: pkid, scope: scope)
        #expect((found != nil) == names.contains(["live", "gone", "gone too"][Int(pkid) - 1]))
      }
      #expect(try Sample.xt_findFirst(orderBy: .asc(\.order), scope: scope)?.name == names.first)
      #expect(
        try Sample.xt_findFirstWhere(\.order > 0, orderBy: .desc(\.order), scope: scope)?.name
          == names.last)
      #expect(try Sample.xt_hasModelWhere(\.name == "live", scope: scope) == names.contains("live"))
      #expect(try Sample.xt_hasModelWhere("name = 'gone'", scope: scope) == names.contains("gone"))
      var seen: [String] = []
      try Sample.xt_forEachWhere(nil, scope: scope) { seen.append($0.name) }
      #expect(seen == names)
      #expect(try Sample.xt_select(\.name, scope: scope) == names)
      #expect(try Sample.xt_count(scope: scope) == names.count)
      #expect(try Sample.xt_countWhere(\.order > 0, scope: scope) == names.count)
      #expect(try Sample.xt_sumOf(\.order, scope: scope) == sum)
      #expect(try Sample.xt_sumOf(\.price, scope: scope) == (scope == .live ? 0 : 0.5))
      #expect(try Sample.xt_maxOf(\.name, scope: scope) == names.max())
      #expect(try Sample.xt_minOf(\.name, scope: scope) == names.min())
      #expect(try Sample.xt_avgOf(\.order, scope: scope) == Double(sum) / Double(names.count))
    }
  }

  @Test func withoutAScope_rowsAreLive() throws {
    try test.asCurrent { () throws in
      #expect(try Sample.xt_count() == 1)
      #expect(try Sample.xt_findAll().map(\.name) == ["live"])
      #expect(try Sample.xt_find(pkid: 2) == nil)
      #expect(try !Sample.xt_hasModelWhere(\.name == "gone"))
      #expect(try Sample.xt_sumOf(\.order) == 1)
      #expect(try Sample.xt_select(\.order) == [1])
    }
  }

  @Test func isEmptyTable_countsEveryRow() throws {
    try test.asCurrent { () throws in
      try Sample.xt_deleteModelWhere(nil)
      #expect(try Sample.xt_count() == 0)
      #expect(try !Sample.xt_isEmptyTable())
      try Sample.xt_deleteAll()
      #expect(try Sample.xt_isEmptyTable())
    }
  }

  @Test func tableMadeWithoutAutomaticColumns_hasLiveRowsOnly() throws {
    let plain = try TestDatabase { $0.automaticColumns = false }
    let notes = plain.table(Note.self)
    try notes.insertList([Note(), Note()])
    #expect(try plain.columns(of: "Note") == ["text"])
    #expect(try notes.count() == 2)
    #expect(try notes.count(scope: .all) == 2)
    let error = #expect(throws: XTError.self) { try notes.count(scope: .deleted) }
    #expect(error?.kind == .schema)
    #expect(try notes.findAll().map(\.text) == ["", ""])
  }
}

private struct Note: XTModel {
  var text = ""
}
