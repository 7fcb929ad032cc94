#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A lock that is held while code of the program's runs: a thread that comes back to it gets an
/// error, where a plain lock would hang for ever.
final class Gate: Sendable {
  private let lock = Lock()
  private let owner = Mutex<UInt?>(nil)

  func withLock<T>(orThrow refusal: @autoclosure () -> XTError, _ body: () throws -> T) throws -> T
  {
    let thread = Self.thread
    // Only this thread itself can have put its own number there.
    if owner.withLock({ $0 == thread }) { throw refusal() }
    return try lock.withLock {
      owner.withLock { $0 = thread }
      defer { owner.withLock { $0 = nil } }
      return try body()
    }
  }

  private static var thread: UInt {
    // A pointer on one platform, a number on the other; a word on all.
    withUnsafeBytes(of: pthread_self()) { $0.loadUnaligned(as: UInt.self) }
  }
}
