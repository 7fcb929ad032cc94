/// Memory for one model on its way from a row.
///
/// A find gives an optional, whose metadata the runtime would look up at each call if it passed
/// through the generic functions around the reading. So those are given this place, and only the
/// verb itself makes an optional of what is in it.
struct ModelPlace<Model>: ~Copyable {
  private let memory: UnsafeMutableRawPointer
  private var isFilled = false

  @inline(__always)
  init() {
    memory = .allocate(
      byteCount: MemoryLayout<Model>.size, alignment: MemoryLayout<Model>.alignment)
  }

  @inline(__always)
  deinit {
    if isFilled { memory.assumingMemoryBound(to: Model.self).deinitialize(count: 1) }
    memory.deallocate()
  }

  /// Takes a model that `make` puts into the memory, which holds none where that throws.
  @inline(__always)
  mutating func fill(_ make: (UnsafeMutableRawPointer) throws -> Void) rethrows {
    if isFilled { _ = take() }
    try make(memory)
    isFilled = true
  }

  @inline(__always)
  func change(_ body: (UnsafeMutableRawPointer) throws -> Void) rethrows {
    try body(memory)
  }

  /// What was filled in.
  @inline(__always)
  mutating func take() -> Model {
    isFilled = false
    return memory.assumingMemoryBound(to: Model.self).move()
  }
}
