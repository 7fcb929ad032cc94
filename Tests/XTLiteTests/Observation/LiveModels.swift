import Foundation
import Testing

@testable import XTLite

struct LivePerson: XTModel, Equatable {
  var pkid: Int64?
  var name = ""
  var age = 0
  static var xt_keywords: XTKeywordMap { [\LivePerson.name: .unique] }
}

/// Not Equatable: each value comes.
struct LivePet: XTModel {
  var pkid: Int64?
  var name = ""
  var owner: Int64?
}

final class LiveObject: XTModel {
  var name = ""
  var size = 0
  init() {}
}

/// It says which row it is, and two readings of a row are two objects.
final class LiveNumberedObject: XTModel {
  var pkid: Int64?
  var name = ""
  init() {}
}

/// Its `id` is that of the object alone.
final class LiveIdentifiedObject: XTModel, Identifiable {
  var name = ""
  init() {}
}

extension LivePerson {
  init(_ name: String, _ age: Int = 0) {
    self.init()
    (self.name, self.age) = (name, age)
  }
}

extension LivePet {
  init(_ name: String, owner: Int64? = nil) {
    self.init()
    (self.name, self.owner) = (name, owner)
  }
}

/// Waits for what other tasks bring about, without a thread. False where that takes for ever: beside
/// the rest of the suite, whose tests block the threads of Swift's pool, a task may wait for minutes
/// until it runs.
func until(
  isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool
) async rethrows -> Bool {
  let end = Date(timeIntervalSinceNow: 900)
  repeat {
    if try condition() { return true }
    try? await Task.sleep(nanoseconds: 1_000_000)
  } while Date() < end
  return try condition()
}

/// A task that iterates over an observation, and what it got.
final class Watching<Value: Sendable>: Sendable {
  struct State: Sendable {
    var values: [Value] = []
    var isOver = false
    var error: (any Error)?
  }

  private let state = Mutex(State())
  private let task = Mutex<Task<Void, Never>?>(nil)

  convenience init(
    _ observation: XTObservation<Value>,
    _ body: @escaping @Sendable (Value) async throws -> Void = { _ in }
  ) {
    self.init(observation, as: { $0 }, body)
  }

  init<Element>(
    _ observation: XTObservation<Element>, as transform: @escaping @Sendable (Element) -> Value,
    _ body: @escaping @Sendable (Value) async throws -> Void = { _ in }
  ) {
    let state = state
    let started = Task {
      do {
        for try await element in observation {
          let value = transform(element)
          state.withLock { $0.values.append(value) }
          try await body(value)
        }
        state.withLock { $0.isOver = true }
      } catch {
        state.withLock { ($0.error, $0.isOver) = (error, true) }
      }
    }
    task.withLock { $0 = started }
  }

  deinit { cancel() }

  var values: [Value] { state.withLock { $0.values } }
  var isOver: Bool { state.withLock { $0.isOver } }
  var error: (any Error)? { state.withLock { $0.error } }

  func cancel() { task.withLock { $0?.cancel() } }

  /// Waits until there are `count` values.
  func has(_ count: Int) async -> Bool {
    await until { values.count >= count }
  }

  /// Waits for a value that the newest is.
  func gets(_ isRight: (Value) -> Bool) async -> Bool {
    await until { values.last.map(isRight) ?? false }
  }
}

extension Watching where Value: Equatable {
  func gets(_ value: Value) async -> Bool {
    await gets { $0 == value }
  }
}

/// Runs `body` in the forms that block, also in an async function.
@discardableResult
func blocking<T>(_ body: () throws -> T) rethrows -> T { try body() }

/// How often a closure ran.
final class RunCount: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }
  @discardableResult func advance() -> Int {
    number.withLock {
      $0 += 1
      return $0
    }
  }
}

extension XTDatabase {
  /// Whether nothing is left of those who observed.
  func expectNobodyObserves(sourceLocation: SourceLocation = #_sourceLocation) {
    let counts = LiveHub.of(self).counts
    #expect(counts == (0, 0, 0), sourceLocation: sourceLocation)
    #expect(core.commits.wanted.isEmpty, sourceLocation: sourceLocation)
    core.forEachPool { pool in
      pool.forEachIdle { connection in
        #expect(connection.tableWatch == nil, sourceLocation: sourceLocation)
        #expect(!connection.restrictions.contains(.observed), sourceLocation: sourceLocation)
      }
    }
  }
}
