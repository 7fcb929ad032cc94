/// A number that moves with each change of something, for others to compare without a lock.
///
/// The connections of one file share one for the schema, which moves when a change of it is
/// committed, so that the readers know when what they remember of tables is out of date.
// @unchecked: the only state is the word, which lives as long as the object and is only reached by
// atomic operations.
final class ChangeClock: @unchecked Sendable {
  private let word: UnsafeMutablePointer<UInt>

  init() {
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
  }

  deinit {
    word.deallocate()
  }

  @inline(__always)
  var time: Int { Int(truncatingIfNeeded: xt_atomic_load_word(word)) }

  /// For one thread at a time.
  func advance() { xt_atomic_store_word(word, xt_atomic_load_word(word) &+ 1) }
}
