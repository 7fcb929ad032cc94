/// A number that moves with each change of something, for others to compare without a lock.
///
/// The connections of one file share one for the schema, which moves when a change of it is
/// committed, so that the readers know when what they remember of tables is out of date.
final class ChangeClock: Sendable {
  private let word = AtomicWord()

  @inline(__always)
  var time: Int { Int(truncatingIfNeeded: word.value) }

  func advance() { word.advance() }

  private let watcher = Mutex<Watcher?>(nil)

  // In a structure: a closure that goes in and out of generic code by itself is wrapped anew each
  // time, and its calls go through all of that.
  private struct Watcher {
    let body: @Sendable () -> Void
  }

  /// A change was committed, or undone: who watches is told.
  func changed() {
    advance()
    watcher.withLock { $0 }?.body()
  }

  /// Calls `body` at each change from now on, on the thread that made it; the latest one counts. It
  /// must not wait, nor use the connection.
  func watch(_ body: @escaping @Sendable () -> Void) {
    watcher.withLock { $0 = Watcher(body: body) }
  }
}
