/// One word that any thread reads and writes without a lock.
// @unchecked: the only state is the word at `pointer`, which lives as long as the value and is only
// reached by atomic operations.
struct AtomicWord: ~Copyable, @unchecked Sendable {
  private let pointer: UnsafeMutablePointer<UInt>

  init(_ value: UInt = 0) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: value)
  }

  deinit {
    pointer.deallocate()
  }

  @inline(__always)
  var value: UInt { xt_atomic_load_word(pointer) }

  @inline(__always)
  func set(_ value: UInt) { xt_atomic_store_word(pointer, value) }

  /// Adds one, beginning with 0 again at the end.
  func advance() { xt_atomic_advance(pointer) }
}
