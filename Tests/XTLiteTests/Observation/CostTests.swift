import Foundation
import Testing

@testable import XTLite

/// What observing may not cost.
@Suite struct CostTests {
  @Test func idleObserver_makesNoStatementPreparedAgain() async throws {
    let test = try TestDatabase()
    let (database, pets) = (test.database, test.table(LivePet.self))
    try pets.insertList([LivePet("a")])
    let watching = Watching(test.table(LivePerson.self).observeCount())
    #expect(await watching.has(1))
    func prepared(_ body: () throws -> Void) rethrows -> Int {
      let before = database.core.ledger[.prepared]
      try body()
      return database.core.ledger[.prepared] - before
    }
    func write() throws {
      var pet = LivePet("b")
      try pets.insert(&pet)
      try pets.update(pet)
      try pets.insertList([LivePet("c"), LivePet("d")])
      try pets.delete(where: \.name == "c")
    }
    try write()
    #expect(try prepared { for _ in 0..<20 { try write() } } == 0)
    watching.cancel()
    #expect(await until { watching.isOver })
    try write()
    #expect(try prepared { for _ in 0..<20 { try write() } } == 0)
  }
}
