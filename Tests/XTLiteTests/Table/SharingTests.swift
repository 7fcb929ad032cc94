import Foundation
import Testing

@testable import XTLite

/// What is kept in a constant is used from wherever.
private enum Asked {
  static let members: XTCondition<Sample> = \.isMember && \.order >= 0
  static let named: XTCondition<Sample> = "name LIKE \("n%") AND \(\.order) < \(50)"
  static let orders: [XTOrder<Sample>] = [.desc(\.order), .asc(\.name)]
  static let all: XTSQL = "SELECT * FROM \(Sample.self) ORDER BY \(\Sample.order) DESC"
  static let wrong: XTCondition<Sample> = \.score == .nan
  static let change: XTAssignment<Sample> = .add(\.order, 1)
}

private func isSendable(_ values: any Sendable...) -> Bool { true }

@Suite struct SharingTests {
  let test: TestDatabase

  init() throws {
    test = try TestDatabase()
    try test.table(Sample.self).insertList(
      (0..<100).map { Sample("n\($0)", $0) { $0.isMember = $0.order % 2 == 0 } })
  }

  @Test func constants_areSendable() {
    #expect(
      isSendable(
        Asked.members, Asked.named, Asked.orders, Asked.all, Asked.change,
        test.table(Sample.self), test.database, XTScope.live, XTValue.null))
  }

  @Test func constants_usedByManyThreads_meanTheSame() throws {
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      do {
        let table = test.table(Sample.self)
        for _ in 0..<20 {
          let members = try table.find(where: Asked.members, orderBy: Asked.orders)
          let both = try table.count(where: Asked.members && Asked.named)
          let either = try table.count(where: Asked.members || !Asked.named)
          let first = try table.findFirst(sql: Asked.all)
          let isRight =
            members.count == 50 && members.first?.order == 98 && both == 25 && either == 75
            && first?.order == 99
          if !isRight { failures.withLock { $0.append("thread \(thread)") } }
          do {
            _ = try table.count(where: Asked.wrong)
            failures.withLock { $0.append("no error") }
          } catch let error as XTError where error.kind == .valueOutOfRange {}
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }

  @Test func firstUse_ofAModelByManyThreads_isOne() throws {
    let failures = Mutex<[String]>([])
    for round in 0..<5 {
      let fresh = try TestDatabase()
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        do {
          let table = fresh.table(Sample.self, named: "T\(round)")
          _ = try table.count(where: \.order == thread)
          try table.insertList([Sample("x", thread)])
          if try table.findFirst(where: \.order == thread)?.name != "x" {
            failures.withLock { $0.append("lost") }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      #expect(try fresh.table(Sample.self, named: "T\(round)").count() == 8)
    }
    #expect(failures.withLock { $0 } == [])
  }

  @Test func tasks_readAtTheSameTime() async throws {
    let database = test.database
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await database.read {
            try Sample.xt_countWhere(Asked.members && \.order < number * 5)
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts.sorted() == (0..<20).map { ($0 * 5 + 1) / 2 })
  }
}
