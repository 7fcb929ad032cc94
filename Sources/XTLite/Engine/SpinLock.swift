#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A lock for a few instructions' work, at about half the cost of the platform's mutex. Does not
/// re-enter. On Apple's systems it is the platform's own, which is as small and never spins.
///
/// A copy is the same lock. It lives until `destroy`.
// @unchecked: the only state is the word, which is only reached by atomic operations.
struct SpinLock: @unchecked Sendable {
  #if canImport(Darwin)
    private typealias Word = os_unfair_lock
  #else
    private typealias Word = Int32
  #endif

  /// Two locks in one line of the processor's cache would hold each other up.
  private static let lineSize = 64

  private let word: UnsafeMutablePointer<Word>

  init() {
    word =
      UnsafeMutableRawPointer
      .allocate(byteCount: Self.lineSize, alignment: Self.lineSize)
      .initializeMemory(as: Word.self, to: Word())
  }

  func destroy() {
    word.deallocate()
  }

  @inline(__always)
  func lock() {
    #if canImport(Darwin)
      os_unfair_lock_lock(word)
    #else
      if xt_atomic_take(word) == 0 { wait() }
    #endif
  }

  @inline(__always)
  func unlock() {
    #if canImport(Darwin)
      os_unfair_lock_unlock(word)
    #else
      xt_atomic_store(word, 0)
    #endif
  }

  #if !canImport(Darwin)
    @inline(never)
    private func wait() {
      while true {
        // Looking is cheaper than taking: it leaves the line in the holder's cache.
        for _ in 0..<100 {
          if xt_atomic_load(word) == 0, xt_atomic_take(word) != 0 { return }
          xt_spin_pause()
        }
        // The holder may need this very processor.
        sched_yield()
      }
    }
  #endif
}
