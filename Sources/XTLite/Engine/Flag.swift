import Dispatch

/// One bit that a thread sets and others read, without a lock.
// @unchecked: the only state is the word at `word`, which lives as long as the object and is only
// reached by atomic operations.
final class Flag: @unchecked Sendable {
  private let word: UnsafeMutablePointer<Int32>

  init() {
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
  }

  deinit {
    word.deallocate()
  }

  @inline(__always)
  var isSet: Bool { xt_atomic_load(word) != 0 }

  @inline(__always)
  func set(_ value: Bool) { xt_atomic_store(word, value ? 1 : 0) }

  /// Waits for the flag without giving the processor up. Returns whether it was set in time.
  func spin(nanoseconds: UInt64) -> Bool {
    let end = DispatchTime.now().uptimeNanoseconds + nanoseconds
    repeat {
      for _ in 0..<64 {
        if isSet { return true }
        xt_spin_pause()
      }
    } while DispatchTime.now().uptimeNanoseconds < end
    return isSet
  }
}
