import Foundation
import Testing

@testable import XTLite

@Suite struct XTStatisticsTests {
  @Test func statistics_afterSomeWork_countIt() throws {
    let test = try TestDatabase { $0.maximumReaders = 3 }
    let table = test.table(Monitored.self)
    try table.insertList([Monitored(name: "a")])
    for _ in 0..<10 { _ = try table.findAll() }
    #expect(throws: XTError.self) { try table.insertList([Monitored(name: "a")]) }
    _ = try? test.database.transaction { throw CancellationError() }
    let statistics = test.database.statistics
    #expect(statistics.committedTransactions == 1)
    #expect(statistics.rolledBackTransactions == 2)
    #expect(statistics.errors == 1)
    #expect(statistics.reusedStatements >= 9)
    #expect(statistics.preparedStatements > 0)
    #expect(statistics.openConnections == 2)
    #expect(statistics.openedConnections == 2)
    #expect(statistics.idleReaders == 1)
    #expect(statistics.busyReaders == 0)
    #expect(statistics.maximumReaders == 3)
    #expect(!statistics.isWriterBusy)
    #expect(statistics.busyWaits == 0)
    #expect(statistics.fileSize > 0)
    #expect(statistics.logSize > 0)
    #expect((0.0...1.0).contains(statistics.reuse))
  }

  @Test func statistics_insideABlock_showItsConnection() throws {
    let test = try TestDatabase()
    try test.database.transaction {
      #expect(test.database.statistics.isWriterBusy)
      #expect(test.database.statistics.committedTransactions == 0)
    }
    try test.database.read { #expect(test.database.statistics.busyReaders == 1) }
    #expect(test.database.statistics.committedTransactions == 1)
    #expect(test.database.statistics.busyReaders == 0)
  }

  @Test func statistics_ofConnectionsThatWereClosed_areKept() throws {
    let test = try TestDatabase()
    let table = test.table(Monitored.self)
    try table.insertList([Monitored(name: "a")])
    for _ in 0..<5 { _ = try table.findAll() }
    let before = test.database.statistics
    #expect(test.database.purge() == 1)
    let after = test.database.statistics
    #expect(after.preparedStatements == before.preparedStatements)
    #expect(after.reusedStatements == before.reusedStatements)
    #expect(after.openConnections == before.openConnections - 1)
    _ = try table.findAll()
    #expect(test.database.statistics.openedConnections == before.openedConnections + 1)
  }

  @Test func statistics_inMemory_haveNoReadersAndNoFile() throws {
    let database = try XTDatabase.inMemory()
    try database.table(Monitored.self).insertList([Monitored(name: "a")])
    let statistics = database.statistics
    #expect(statistics.openConnections == 1)
    #expect(statistics.maximumReaders == 0)
    #expect(statistics.fileSize == 0)
    #expect("\(statistics)".contains("transactions: 1 committed"))
  }

  @Test func statistics_whileOthersWork_mayBeTakenAtAnyTime() throws {
    let test = try TestDatabase()
    let table = test.table(Monitored.self)
    let group = DispatchGroup()
    for worker in 0..<2 {
      DispatchQueue.global().async(group: group) {
        for round in 0..<100 {
          _ = try? table.insertList([Monitored(name: "\(worker) \(round)")])
          _ = try? table.count()
        }
      }
    }
    var last = 0
    while group.wait(timeout: .now()) == .timedOut {
      let committed = test.database.statistics.committedTransactions
      #expect(committed >= last)
      last = committed
    }
    #expect(test.database.statistics.committedTransactions == 200)
    #expect(test.database.statistics.errors == 0)
  }
}
