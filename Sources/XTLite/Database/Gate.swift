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
/// error, where a plain lock would hang for ever. So does one for which a thread waits, by way of
/// other gates, that holds this one.
final class Gate: Sendable {
  private struct Waits {
    /// Which thread is inside of a gate.
    var owners: [ObjectIdentifier: UInt] = [:]
    /// Which gate a thread waits for, or is about to enter.
    var wanted: [UInt: ObjectIdentifier] = [:]

    /// Whether `thread` would wait for itself. No two threads wait for each other, so this ends.
    func wouldHang(_ thread: UInt, before gate: ObjectIdentifier) -> Bool {
      var gate = gate
      while let owner = owners[gate] {
        if owner == thread { return true }
        guard let next = wanted[owner] else { return false }
        gate = next
      }
      return false
    }
  }

  private static let waits = Mutex(Waits())
  private let lock = Lock()

  func withLock<T>(orThrow refusal: @autoclosure () -> XTError, _ body: () throws -> T) throws -> T
  {
    let (gate, thread) = (ObjectIdentifier(self), Self.thread)
    let mayWait = Self.waits.withLock { waits in
      if waits.wouldHang(thread, before: gate) { return false }
      waits.wanted[thread] = gate
      return true
    }
    guard mayWait else { throw refusal() }
    return try lock.withLock {
      Self.waits.withLock { waits in
        waits.wanted[thread] = nil
        waits.owners[gate] = thread
      }
      defer { Self.waits.withLock { $0.owners[gate] = nil } }
      return try AccessStack.current.holding(body)
    }
  }

  private static var thread: UInt {
    // A pointer on one platform, a number on the other; a word on all.
    withUnsafeBytes(of: pthread_self()) { $0.loadUnaligned(as: UInt.self) }
  }
}
