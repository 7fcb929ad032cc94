import Foundation
import Testing

@testable import XTLite

@Suite struct WriterQueueTests {
  let queue = WriterQueue(label: "x", path: "x.sqlite")

  /// A waiter that records how its wait ended.
  func waiter(
    _ limit: Double = 30, isTask: Bool = false, _ ended: @escaping @Sendable (Bool) -> Void
  ) -> Waiter {
    let wake: @Sendable (Result<Void, any Error>) -> Void = { result in
      if case .success = result { ended(true) } else { ended(false) }
    }
    return Waiter(.transaction, limit: limit, wake: isTask ? .task(wake) : .job(wake))
  }

  @Test func take_free_isImmediate() throws {
    try queue.take(.write, limit: 0)
    #expect(!queue.takeIfFree(.write))
    queue.give()
    #expect(queue.takeIfFree(.write))
    queue.give()
  }

  @Test func take_takenWithoutALimit_throwsLockedAtOnce() throws {
    try queue.take(.read, limit: 1)
    let error = try #require(throws: XTError.self) { try queue.take(.write, limit: 0) }
    #expect(error.kind == .locked)
    #expect(error.message.contains("a read { } block"))
    #expect(queue.waiting == 0)
    queue.give()
    try queue.take(.write, limit: 0)
  }

  @Test func submit_waitersInLine_getTheTurnInOrder() throws {
    let order = Mutex<[Int]>([])
    try queue.take(.write, limit: 1)
    for number in 0..<100 {
      queue.submit(
        waiter { _ in
          order.withLock { $0.append(number) }
          self.queue.give()
        })
    }
    #expect(queue.waiting == 100)
    queue.give()
    #expect(order.withLock { $0 } == Array(0..<100))
    #expect(queue.takeIfFree(.write))
  }

  @Test func cancel_inLine_leavesItAndOnlyOnce() throws {
    let ended = Mutex<[Bool]>([])
    try queue.take(.write, limit: 1)
    let waiter = waiter { result in ended.withLock { $0.append(result) } }
    queue.submit(waiter)
    queue.cancel(waiter)
    queue.cancel(waiter)
    queue.give()
    #expect(ended.withLock { $0 } == [false])
    #expect(queue.takeIfFree(.write))
    queue.cancel(waiter)
  }

  @Test func submit_pastItsDeadline_endsWithoutTheTurn() throws {
    try queue.take(.write, limit: 1)
    let ended = DispatchSemaphore(value: 0)
    let gotTurn = Flag()
    let start = Date()
    queue.submit(waiter(100) { _ in })
    queue.submit(
      waiter(0.05) { result in
        gotTurn.set(result)
        ended.signal()
      })
    ended.wait()
    #expect(!gotTurn.isSet)
    #expect(Date().timeIntervalSince(start) >= 0.04)
    #expect(queue.waiting == 1)
  }

  @Test func claim_reservedTask_hasTheTurn() throws {
    try queue.take(.write, limit: 1)
    let task = waiter(isTask: true) { _ in }
    queue.submit(task)
    queue.give()
    #expect(!queue.takeIfFree(.write))
    #expect(queue.claim(task))
    #expect(!queue.claim(task))
    queue.give()
    #expect(queue.takeIfFree(.write))
  }

  @Test func claim_taskThatDoesNotCome_isPassedOverAndGoesToTheHead() throws {
    let order = Mutex<[String]>([])
    try queue.take(.write, limit: 1)
    let task = waiter(isTask: true) { _ in order.withLock { $0.append("task") } }
    queue.submit(task)
    queue.give()
    #expect(order.withLock { $0 } == ["task"])
    try queue.take(.write, limit: 30)
    #expect(!queue.claim(task))
    queue.submit(waiter { _ in order.withLock { $0.append("job") } })
    queue.submit(
      waiter(isTask: true) { _ in order.withLock { $0.append("again") } }, atHead: true)
    queue.give()
    #expect(order.withLock { $0 } == ["task", "again"])
  }

  @Test func close_thoseInLineAndLater_failWithClosed() throws {
    let failed = Mutex(0)
    try queue.take(.closing, limit: 1)
    queue.submit(waiter { result in if !result { failed.withLock { $0 += 1 } } })
    queue.submit(waiter(isTask: true) { result in if !result { failed.withLock { $0 += 1 } } })
    queue.close()
    #expect(failed.withLock { $0 } == 2)
    let error = try #require(throws: XTError.self) { try queue.take(.write, limit: 1) }
    #expect(error.kind == .closed)
    queue.submit(waiter { result in if !result { failed.withLock { $0 += 1 } } })
    #expect(failed.withLock { $0 } == 3)
  }

  @Test func turn_mixedWaitersUnderLoad_isHeldByOneAtATime() async throws {
    let inside = Flag()
    let overlaps = Mutex(0)
    let turns = Mutex(0)
    @Sendable func useTurn() {
      if inside.isSet { overlaps.withLock { $0 += 1 } }
      inside.set(true)
      turns.withLock { $0 += 1 }
      inside.set(false)
    }
    let queue = queue
    // Threads of their own: the pool's are needed by the tasks that are given the turn.
    @Sendable func runThread() async -> Int {
      await withCheckedContinuation { continuation in
        Thread {
          var got = 0
          for round in 0..<200 {
            // Also with limits that are over before the turn comes.
            let limit = round % 5 == 0 ? 0.000_01 : 30
            guard (try? queue.take(.write, limit: limit)) != nil else { continue }
            useTurn()
            queue.give()
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
          queue.submit(waiter)
          if round % 7 == 0 { queue.cancel(waiter) }
        }
        guard hasTurn else { continue }
        useTurn()
        queue.give()
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
    #expect(queue.waiting == 0)
    #expect(queue.takeIfFree(.write))
  }
}
