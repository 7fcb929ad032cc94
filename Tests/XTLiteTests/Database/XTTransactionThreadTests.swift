import Foundation
import Testing

@testable import XTLite

private struct Token: XTModel {
  var pkid: Int64?
  var worth = 0
}

/// One transaction object, used and ended by several threads and tasks.
@Suite struct XTTransactionThreadTests {
  struct Failure: Error {}

  let test: TestDatabase
  var database: XTDatabase { test.database }

  init() throws {
    test = try TestDatabase { $0.busyTimeout = 0.2 }
    try test.table(Token.self).insertList([Token(worth: 1)])
  }

  /// What another program finds in the file.
  var worths: [String] {
    get throws { try test.seen("SELECT worth FROM Token ORDER BY worth") }
  }

  @Test func transaction_isPassedBetweenThreadsAndTasks() async throws {
    let transaction = try await database.begin()
    try elsewhereInIt(transaction, 2)
    await #expect(throws: Never.self) {
      try await Task.detached { try self.elsewhereInIt(transaction, 3) }.value
    }
    try await Task { @MainActor in
      _ = try transaction.table(Token.self).insertList([Token(worth: 4)])
    }.value
    try await Task.detached { try transaction.commit() }.value
    #expect(try worths == ["1", "2", "3", "4"])
    expectClean(database)
  }

  func elsewhereInIt(_ transaction: XTTransaction, _ worth: Int) throws {
    try elsewhere { _ = try transaction.table(Token.self).insertList([Token(worth: worth)]) }
  }

  @Test func manyThreads_useOneAtATime_loseNothing() throws {
    let test = try TestDatabase { $0.busyTimeout = 600 }
    let transaction = try test.database.begin()
    let coins = transaction.table(Token.self)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<50 {
        do {
          try coins.insertList([Token(worth: thread * 100 + number)])
          if number % 10 == 0 {
            try? transaction.savepoint {
              try coins.insertList([Token(worth: -1)])
              throw Failure()
            }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    try transaction.commit()
    #expect(try test.seen("SELECT count(*), min(worth) FROM Token") == ["400|0"])
    expectClean(test.database)
  }

  @Test func end_whileACallOfAnotherThreadRuns_waitsForIt() throws {
    let transaction = try database.begin()
    let inside = DispatchSemaphore(value: 0)
    let release = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    Thread {
      try? transaction.savepoint {
        inside.signal()
        release.wait()
        try Token.xt_insertList([Token(worth: 2)])
      }
      done.signal()
    }.start()
    inside.wait()
    let error = #expect(throws: XTError.self) { try transaction.commit() }
    #expect(error?.kind == .locked)
    #expect(error?.message.contains("commit() waited") == true)
    #expect(error?.message.contains("a savepoint { } block") == true)
    #expect(transaction.isOpen)
    release.signal()
    done.wait()
    try transaction.commit()
    #expect(try worths == ["1", "2"])
  }

  @Test func callsInLineAtItsEnd_throwThatItHasEnded() throws {
    let test = try TestDatabase { $0.busyTimeout = 600 }
    let transaction = try test.database.begin()
    let coins = transaction.table(Token.self)
    let (inside, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = DispatchSemaphore(value: 0)
    let pool = coins.database.writers
    let messages = Mutex<[String]>([])
    Thread {
      try? transaction.savepoint {
        inside.signal()
        release.wait()
      }
    }.start()
    inside.wait()
    for number in 0..<4 {
      Thread {
        do {
          // The first in line ends it.
          if number == 0 { try transaction.rollback() } else { try coins.insertList([Token()]) }
        } catch {
          messages.withLock { $0.append((error as? XTError)?.message ?? "\(error)") }
        }
        done.signal()
      }.start()
      while pool.waiting <= number { usleep(1000) }
    }
    release.signal()
    for _ in 0..<4 { done.wait() }
    #expect(messages.withLock { $0 } == Array(repeating: "the transaction has ended", count: 3))
    expectClean(test.database)
  }

  @Test func beginAndEnd_atTheSameTimeByManyThreads_areInOrder() throws {
    let test = try TestDatabase { $0.busyTimeout = 600 }
    try test.table(Token.self).insertList([Token(worth: 0)])
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<30 {
        do {
          let transaction = try test.database.begin()
          let coins = transaction.table(Token.self)
          let worth = try coins.max(of: \.worth) ?? 0
          try coins.updateAll(.set(\.worth, to: worth + 1))
          switch number % 3 {
          case 0: try transaction.commit()
          case 1: try transaction.rollback()
          default: break
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try test.seen("SELECT worth FROM Token") == ["80"])
    expectClean(test.database)
  }
}
