import Foundation
import Testing

@testable import XTLite

extension SharedDatabaseTests {
  /// The `xt_` verbs where nothing says which database: the shared one. That each does what its
  /// verb on a table does is tested with the verbs, in Table.
  @Suite struct SharedVerbsTests {
    @Test func verbs_withoutABlock_goToTheSharedDatabase() throws {
      let (shared, other) = (try TestDatabase(), try TestDatabase())
      try XTDatabase.configure(shared.database)
      var member = Member(name: "a")
      #expect(try member.xt_insert() == 1)
      #expect(try Vessel("a").xt_insert() == 1)
      try other.database.transaction {
        #expect(try Member.xt_insertList([Member(name: "b"), Member(name: "c")]) == 2)
        try shared.database.asCurrent { try Member(name: "a", age: 3).xt_update() }
      }
      #expect(try Member.xt_updateWhere(\.name == "a", .add(\.age, 1)) == 1)
      #expect(try shared.seen("SELECT name, age FROM Member") == ["a|4"])
      #expect(try other.seen("SELECT name FROM Member ORDER BY pkid") == ["b", "c"])
    }
  }
}
