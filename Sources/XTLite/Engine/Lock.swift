#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

#if canImport(Darwin)
  typealias PlatformLock = os_unfair_lock
#else
  typealias PlatformLock = pthread_mutex_t
#endif

/// A small lock that does not re-enter.
// @unchecked: the only state is the platform's lock, which is made for use from any thread; it
// lives at a fixed address of its own for the whole life of the object.
final class Lock: @unchecked Sendable {
  private let platformLock: UnsafeMutablePointer<PlatformLock>

  init() {
    platformLock = .allocate(capacity: 1)
    #if canImport(Darwin)
      platformLock.initialize(to: os_unfair_lock())
    #else
      platformLock.initialize(to: pthread_mutex_t())
      pthread_mutex_init(platformLock, nil)
    #endif
  }

  deinit {
    #if !canImport(Darwin)
      pthread_mutex_destroy(platformLock)
    #endif
    platformLock.deallocate()
  }

  @inline(__always)
  func lock() {
    #if canImport(Darwin)
      os_unfair_lock_lock(platformLock)
    #else
      pthread_mutex_lock(platformLock)
    #endif
  }

  @inline(__always)
  func unlock() {
    #if canImport(Darwin)
      os_unfair_lock_unlock(platformLock)
    #else
      pthread_mutex_unlock(platformLock)
    #endif
  }

  @inline(__always)
  func withLock<T>(_ body: () throws -> T) rethrows -> T {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// State that is only reached with its lock held.
// @unchecked: `state` is private and every access is inside `withLock`.
final class Mutex<State>: @unchecked Sendable {
  private let lock = Lock()
  // The lock keeps accesses apart; the runtime need not check it again.
  @exclusivity(unchecked) private var state: State

  init(_ state: State) {
    self.state = state
  }

  @inline(__always)
  func withLock<T>(_ body: (inout State) throws -> T) rethrows -> T {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}
