import Foundation
import Testing

@testable import XTLite

@Suite struct ConnectionPoolTests {
  let pool = ConnectionPool(DatabaseFile(path: nil, label: "x"), capacity: 1) {
    try Connection(ConnectionSettings())
  }
  /// One whose connection was never needed.
  let place = Loan(connection: nil)

  /// A waiter that records how its wait ended.
  func waiter(
    _ limit: Double = 30, isTask: Bool = false, _ ended: @escaping @Sendable (Bool) -> Void
  ) -> Waiter {
    let wake: @Sendable (Result<Loan, any Error>) -> Void = { result in
      if case .success = result { ended(true) } else { ended(false) }
    }
    return Waiter(.transaction, limit: limit, wake: isTask ? .task(wake) : .job(wake))
  }

  @Test func take_free_isImmediate() throws {
    _ = try pool.takePlace(.write, limit: 0)
    #expect(pool.takeIfFree(.write) == nil)
    pool.give(place)
    #expect(pool.takeIfFree(.write) != nil)
    pool.give(place)
  }

  @Test func take_takenWithoutALimit_throwsLockedAtOnce() throws {
    _ = try pool.takePlace(.read, limit: 1)
    let error = try #require(throws: XTError.self) { try pool.takePlace(.write, limit: 0) }
    #expect(error.kind == .locked)
    #expect(error.message.contains("a read { } block"))
    #expect(pool.waiting == 0)
    pool.give(place)
    _ = try pool.takePlace(.write, limit: 0)
  }

  /// A thread that waits for the only connection, and takes it away for good.
  func waitingThread(_ name: Int, _ order: Mutex<[Int]>) -> DispatchSemaphore {
    let isOver = DispatchSemaphore(value: 0)
    let before = pool.waiting
    Thread { [pool] in
      if let connection = try? pool.take(.write, limit: 60) {
        order.withLock { $0.append(name) }
        pool.give(connection)
      }
      isOver.signal()
    }.start()
    #expect(eventually { pool.waiting > before })
    return isOver
  }

  @Test func give_threadsThatHaveWaited_getItInOrder() throws {
    let order = Mutex<[Int]>([])
    let connection = try pool.take(.write, limit: 0)
    let threads = (0..<20).map { waitingThread($0, order) }
    Thread.sleep(forTimeInterval: 0.005)
    pool.give(connection)
    // Nobody passes those who have waited for a millisecond.
    #expect(pool.takeIfFree(.write) == nil || order.withLock { $0.count } == 20)
    for thread in threads { thread.wait() }
    #expect(order.withLock { $0 } == Array(0..<20))
  }

  @Test func give_waitingThread_isNotPassedForEver() throws {
    let order = Mutex<[Int]>([])
    for round in 0..<100 {
      var connection = try pool.take(.write, limit: 60)
      let thread = waitingThread(round, order)
      // One that comes back at once each time.
      #expect(
        try eventually {
          pool.give(connection)
          connection = try pool.take(.write, limit: 60)
          return order.withLock { $0.count } > round
        })
      pool.give(connection)
      thread.wait()
    }
    #expect(pool.counts.lent == 0 && pool.counts.open == 1)
  }

  @Test func give_toAThreadThatSleeps_wakesIt() throws {
    let order = Mutex<[Int]>([])
    for round in 0..<200 {
      let connection = try pool.take(.write, limit: 60)
      let thread = waitingThread(round, order)
      if round.isMultiple(of: 2) { Thread.sleep(forTimeInterval: 0.0002) }
      pool.give(connection)
      if round.isMultiple(of: 3) { pool.give(try pool.take(.write, limit: 60)) }
      // Nobody comes back for it.
      thread.wait()
    }
    #expect(order.withLock { $0.count } == 200)
  }

  /// The first in line may be left more than one, before it has woken.
  @Test func give_severalToALine_wakesAllWhoCanHaveOne() throws {
    let pool = ConnectionPool(DatabaseFile(path: nil, label: "x"), capacity: 2) {
      try Connection(ConnectionSettings())
    }
    let (mayEnd, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for round in 0..<300 {
      let connections = [try pool.take(.read, limit: 60), try pool.take(.read, limit: 60)]
      Thread {
        if let connection = try? pool.take(.read, limit: 60) {
          mayEnd.wait()
          pool.give(connection)
        }
        isOver.signal()
      }.start()
      while pool.waiting == 0 { xt_spin_pause() }
      let isServed = DispatchSemaphore(value: 0)
      pool.submit(
        waiter(60) { hasPlace in
          if hasPlace { isServed.signal() }
        })
      for (index, connection) in connections.enumerated() {
        if index == 1, round.isMultiple(of: 2) { usleep(UInt32(round * 5)) }
        pool.give(connection)
      }
      #expect(isServed.wait(timeout: .now() + 900) == .success)
      pool.give(place)
      mayEnd.signal()
      isOver.wait()
    }
    #expect(pool.counts.lent == 0)
  }

  @Test func letGo_capacityLoweredMeanwhile_closesWhatIsTooMuch() throws {
    let pool = ConnectionPool(DatabaseFile(path: nil, label: "x"), capacity: 3) {
      try Connection(ConnectionSettings())
    }
    let connections = try (0..<3).map { _ in try pool.take(.read, limit: 0) }
    for connection in connections { pool.give(connection) }
    try pool.holdBack(.closing, limit: 1)
    pool.setCapacity(1)
    #expect(pool.counts.open == 3)
    pool.letGo()
    #expect(pool.counts.open == 1)
    #expect(connections.count { $0.isOpen } == 1)
  }

  @Test func give_afterClose_closesTheConnection() throws {
    let connection = try pool.take(.write, limit: 0)
    pool.close()
    pool.give(connection)
    #expect(!connection.isOpen && pool.counts.open == 0)
  }

  @Test func submit_waitersInLine_getTheTurnInOrder() throws {
    let order = Mutex<[Int]>([])
    _ = try pool.takePlace(.write, limit: 1)
    for number in 0..<100 {
      pool.submit(
        waiter { _ in
          order.withLock { $0.append(number) }
          self.pool.give(self.place)
        })
    }
    #expect(pool.waiting == 100)
    pool.give(place)
    #expect(order.withLock { $0 } == Array(0..<100))
    #expect(pool.takeIfFree(.write) != nil)
  }

  @Test func submit_waiterThatHoldsTheLastOfAnObject_letsItGoOutsideOfTheLock() throws {
    // As a database does that closes itself when the last call on it is over.
    final class Holder: Sendable {
      let pool: ConnectionPool
      let gone: Mutex<Int>
      init(_ pool: ConnectionPool, _ gone: Mutex<Int>) { (self.pool, self.gone) = (pool, gone) }
      deinit {
        _ = pool.waiting
        gone.withLock { $0 += 1 }
      }
    }
    let gone = Mutex(0)
    _ = try pool.takePlace(.write, limit: 1)
    for number in 0..<100 {
      let holder = Holder(pool, gone)
      let waiter = waiter { _ in
        withExtendedLifetime(holder) {}
        if number % 3 != 0 { self.pool.give(self.place) }
      }
      pool.submit(waiter)
      if number % 3 == 0 { pool.cancel(waiter) }
    }
    pool.give(place)
    #expect(pool.takeIfFree(.write) != nil)
    #expect(gone.withLock { $0 } == 100)
  }

  @Test func cancel_inLine_leavesItAndOnlyOnce() throws {
    let ended = Mutex<[Bool]>([])
    _ = try pool.takePlace(.write, limit: 1)
    let waiter = waiter { result in ended.withLock { $0.append(result) } }
    pool.submit(waiter)
    pool.cancel(waiter)
    pool.cancel(waiter)
    pool.give(place)
    #expect(ended.withLock { $0 } == [false])
    #expect(pool.takeIfFree(.write) != nil)
    pool.cancel(waiter)
  }

  @Test func submit_pastItsDeadline_endsWithoutTheTurn() throws {
    _ = try pool.takePlace(.write, limit: 1)
    let ended = DispatchSemaphore(value: 0)
    let gotTurn = Flag()
    let start = Date()
    pool.submit(waiter(100) { _ in })
    pool.submit(
      waiter(0.05) { result in
        gotTurn.set(result)
        ended.signal()
      })
    ended.wait()
    #expect(!gotTurn.isSet)
    #expect(Date().timeIntervalSince(start) >= 0.04)
    #expect(pool.waiting == 1)
  }

  @Test func claim_reservedTask_hasTheTurn() throws {
    _ = try pool.takePlace(.write, limit: 1)
    let task = waiter(isTask: true) { _ in }
    pool.submit(task)
    pool.give(place)
    #expect(pool.takeIfFree(.write) == nil)
    #expect(pool.claim(task) != nil)
    #expect(pool.claim(task) == nil)
    pool.give(place)
    #expect(pool.takeIfFree(.write) != nil)
  }

  @Test func claim_taskThatDoesNotCome_isPassedOverAndGoesToTheHead() throws {
    let order = Mutex<[String]>([])
    _ = try pool.takePlace(.write, limit: 1)
    let task = waiter(isTask: true) { _ in order.withLock { $0.append("task") } }
    pool.submit(task)
    pool.give(place)
    #expect(order.withLock { $0 } == ["task"])
    _ = try pool.takePlace(.write, limit: 30)
    #expect(pool.claim(task) == nil)
    pool.submit(waiter { _ in order.withLock { $0.append("job") } })
    pool.submit(
      waiter(isTask: true) { _ in order.withLock { $0.append("again") } }, atHead: true)
    pool.give(place)
    #expect(order.withLock { $0 } == ["task", "again"])
  }

  @Test func close_thoseInLineAndLater_failWithClosed() throws {
    let failed = Mutex(0)
    _ = try pool.takePlace(.closing, limit: 1)
    pool.submit(waiter { result in if !result { failed.withLock { $0 += 1 } } })
    pool.submit(waiter(isTask: true) { result in if !result { failed.withLock { $0 += 1 } } })
    pool.close()
    #expect(failed.withLock { $0 } == 2)
    let error = try #require(throws: XTError.self) { try pool.takePlace(.write, limit: 1) }
    #expect(error.kind == .closed)
    pool.submit(waiter { result in if !result { failed.withLock { $0 += 1 } } })
    #expect(failed.withLock { $0 } == 3)
  }

  @Test func place_mixedWaitersUnderLoad_isHeldByOneAtATime() async throws {
    let inside = Flag()
    let overlaps = Mutex(0)
    let turns = Mutex(0)
    @Sendable func useTurn() {
      if inside.isSet { overlaps.withLock { $0 += 1 } }
      inside.set(true)
      turns.withLock { $0 += 1 }
      inside.set(false)
    }
    let (pool, place) = (pool, place)
    // Threads of their own: the pool's are needed by the tasks that are given the turn.
    @Sendable func runThread() async -> Int {
      await withCheckedContinuation { continuation in
        Thread {
          var got = 0
          for round in 0..<200 {
            // Also with limits that are over before the turn comes.
            let limit = round % 5 == 0 ? 0.000_01 : 30
            guard (try? pool.takePlace(.write, limit: limit)) != nil else { continue }
            useTurn()
            pool.give(place)
            got += 1
          }
          continuation.resume(returning: got)
        }.start()
      }
    }
    @Sendable func runTask() async -> Int {
      var got = 0
      for round in 0..<200 {
        let hasTurn = await withCheckedContinuation { continuation in
          let waiter = waiter { continuation.resume(returning: $0) }
          pool.submit(waiter)
          if round % 7 == 0 { pool.cancel(waiter) }
        }
        guard hasTurn else { continue }
        useTurn()
        pool.give(place)
        got += 1
      }
      return got
    }
    let expected = await withTaskGroup(of: Int.self) { group in
      for worker in 0..<6 {
        group.addTask { worker % 2 == 0 ? await runThread() : await runTask() }
      }
      return await group.reduce(0, +)
    }
    #expect(overlaps.withLock { $0 } == 0)
    #expect(turns.withLock { $0 } == expected)
    #expect(pool.waiting == 0)
    #expect(pool.takeIfFree(.write) != nil)
  }
}
