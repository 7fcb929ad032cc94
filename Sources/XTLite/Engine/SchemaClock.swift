/// Moves when a change of the schema is committed. The writer's connection and the readers of one
/// file share it, so that the readers know when what they remember of tables is out of date.
// @unchecked: the only state is the word, which lives as long as the object and is only reached by
// atomic operations.
final class SchemaClock: @unchecked Sendable {
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

  /// Called by the writer alone.
  func advance() { xt_atomic_store_word(word, xt_atomic_load_word(word) &+ 1) }
}
