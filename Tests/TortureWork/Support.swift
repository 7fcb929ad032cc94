import Dispatch
import Foundation

/// What a worker found that must not be.
package struct Broken: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Numbers that look random and come again for the same seed.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  // SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Runs async work from a thread of its own, which waits for it.
@discardableResult
func waiting<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) throws -> T {
  let outcome = Outcome<T>()
  let task = Task.detached { outcome.set(await Result.of(body)) }
  return try withExtendedLifetime(task) { try outcome.get() }
}

/// The same, and cancels the task after some microseconds. Nil where it was cancelled.
func cancelling<T: Sendable>(
  after delay: UInt32, _ body: @escaping @Sendable () async throws -> T
) throws -> T? {
  let outcome = Outcome<T>()
  let task = Task.detached { outcome.set(await Result.of(body)) }
  usleep(delay)
  task.cancel()
  do {
    return try outcome.get()
  } catch is CancellationError {
    return nil
  }
}

extension Result where Failure == any Error {
  fileprivate static func of(_ body: () async throws -> Success) async -> Self {
    do {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
}

/// A result that one thread waits for and another brings.
// @unchecked: written once before the semaphore is signalled, read once after it was waited for.
private final class Outcome<T: Sendable>: @unchecked Sendable {
  private var result: Result<T, any Error>?
  private let isThere = DispatchSemaphore(value: 0)

  func set(_ result: Result<T, any Error>) {
    self.result = result
    isThere.signal()
  }

  func get() throws -> T {
    isThere.wait()
    guard let result else { throw Broken("a task ended without a result") }
    return try result.get()
  }
}
