import Foundation
import Testing

@testable import XTLite

/// Another program changes a table between two verbs.
@Suite struct ChangedTableTests {
  private static let verbs: [(name: String, run: @Sendable (XTTable<Member>) throws -> Void)] = [
    (
      "insert",
      {
        var member = Member(name: "new"); try $0.insert(&member)
      }
    ),
    (
      "insertOrIgnore",
      {
        var member = Member(name: "new"); try $0.insertOrIgnore(&member)
      }
    ),
    ("insertList", { try $0.insertList([Member(name: "new")]) }),
    (
      "save",
      {
        var member = Member(name: "new"); try $0.save(&member)
      }
    ),
    (
      "upsert",
      {
        var member = Member(name: "new"); try $0.upsert(&member, by: \.name)
      }
    ),
    ("insertOrReplaceList", { try $0.insertOrReplaceList([Member(name: "new")]) }),
    ("update", { _ = try? $0.update(Member(pkid: 1, name: "old", age: 5)) }),
    ("updateList", { try $0.updateList([Member(pkid: 1, name: "old", age: 5)]) }),
    ("updateWhere", { try $0.updateAll(.add(\.age, 1)) }),
    ("delete", { try $0.delete(Member(pkid: 99)) }),
    ("deleteWhere", { try $0.delete(where: \.name == "none") }),
    ("softDelete", { try $0.softDelete(Member(pkid: 99)) }),
  ]

  private static let changes = [
    "DROP TABLE Member",
    "ALTER TABLE Member RENAME TO Other",
    "ALTER TABLE Member ADD COLUMN extra TEXT DEFAULT 'e'",
    """
    DROP TABLE Member;
    CREATE TABLE Member (
      pkid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, xt_createTime, xt_updateTime,
      xt_isDel DEFAULT 0)
    """,
    """
    DROP TABLE Member;
    CREATE TABLE Member (xt_isDel BOOLEAN DEFAULT 0, nick TEXT, age INTEGER DEFAULT 0,
      xt_updateTime REAL, name TEXT, must TEXT NOT NULL, xt_createTime REAL,
      pkid INTEGER PRIMARY KEY AUTOINCREMENT)
    """,
  ]

  @Test(arguments: verbs.indices, changes)
  func verb_afterAChange_worksWithWhatIsThereNow(index: Int, change: String) throws {
    let verb = Self.verbs[index]
    for place in Place.allCases {
      let test = try TestDatabase()
      let table = test.table(Member.self)
      try table.insertList([Member(name: "old")])
      try verb.run(table)
      try table.delete(where: \.name == "new")
      try test.outside(change)
      try place.run(test.database) { try verb.run(table) }
      let inserts = verb.name.contains("nsert") || ["save", "upsert"].contains(verb.name)
      let rows = try table.findAll().map(\.name)
      #expect(rows.contains("new") == inserts, "\(verb.name), \(place)")
      #expect(try test.tables().contains("Member"))
    }
  }

  @Test func verb_afterAChangeInTheSameTransaction_worksToo() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    try table.insertList([Member(name: "a")])
    try test.database.transaction {
      try test.database.execute("DROP TABLE Member")
      try table.insertList([Member(name: "b")])
      try test.database.execute("ALTER TABLE Member RENAME TO Old")
      var member = Member(name: "c")
      #expect(try table.insert(&member) == 1)
    }
    #expect(try test.seen("SELECT name FROM Old") == ["b"])
    #expect(try test.seen("SELECT name FROM Member") == ["c"])
  }
}
