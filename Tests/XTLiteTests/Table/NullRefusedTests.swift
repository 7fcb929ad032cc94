import Foundation
import Testing

@testable import XTLite

private struct Before: XTModel {
  var pkid: Int64?
  var nick = ""
  var age = 0

  static var xt_tableName: String { "NullRefused" }
}

private struct After: XTModel {
  var pkid: Int64?
  var nick: String?
  var age = 0

  static var xt_tableName: String { "NullRefused" }
}

/// A property that became optional, whose column still takes no NULL.
@Suite struct NullRefusedTests {
  @Test func nil_namesTheStepToWrite() throws {
    let test = try TestDatabase()
    var old = Before(nick: "a")
    try test.table(Before.self).insert(&old)
    let table = test.table(After.self)
    var new = After(nick: nil, age: 3)
    for call in [
      { try table.insert(&new) }, { try table.insertList([new]) },
      { try table.update(After(pkid: 1)) }, { try table.update(After(pkid: 1), only: \.nick) },
      { try table.updateAll(.set(\.nick, to: nil)) },
      {
        var changed = After(pkid: 1)
        try table.save(&changed)
      },
      { try table.upsert(&new, by: \.age) },
    ] as [() throws -> Void] {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .constraint(.notNull) && error?.column == "nick")
      #expect(error?.hint?.contains(#"$0.change(\.nick)"#) == true)
    }
    #expect(try test.seen("SELECT nick, age FROM NullRefused") == ["a|0"])
    #expect(
      try test.database.differences(for: [After.self]).map(\.subject) == [
        .nullability("nick"), .defaultValue("nick"),
      ])
    // Anything but nil goes in.
    new.nick = "b"
    try table.insert(&new)
  }

  @Test func nullOfAnotherTable_isNotExplainedWithThisOne() throws {
    let test = try TestDatabase()
    try test.table(Before.self).create()
    try test.outside(
      """
      CREATE TABLE Log (nick TEXT NOT NULL);
      CREATE TRIGGER t AFTER INSERT ON NullRefused BEGIN INSERT INTO Log VALUES (NULL); END
      """)
    var new = After(nick: "x")
    let error = #expect(throws: XTError.self) { try test.table(After.self).insert(&new) }
    #expect(error?.table == "Log" && error?.hint == nil)
  }
}
