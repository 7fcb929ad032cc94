/// Models on their way from rows to an array, in memory of their own until it is known how many
/// there are.
///
/// An array that grows holds what it has twice, at each growth, and takes each model through a
/// generic `append`. Here a model is made in its place and moved once, into an array of just the
/// right size.
struct ModelRows<Model: XTModel>: ~Copyable {
  private struct Chunk {
    let models: UnsafeMutablePointer<Model>
    let count: Int
  }

  /// The chunks that are full.
  private var full: [Chunk] = []
  private var models: UnsafeMutablePointer<Model>
  private var capacity: Int
  private var count = 0
  /// How many places hold a model, those included that are ahead of the rows.
  private var made = 0
  /// Whether something is kept beside each object.
  private let isKept: Bool

  private static var firstCapacity: Int { 16 }
  /// Bytes of a chunk, about: below what malloc takes from the system for each block.
  private static var largestChunk: Int { 1 << 20 }
  private static var mostAhead: Int { 64 }

  init(isKept: Bool) {
    self.isKept = isKept
    capacity = Self.firstCapacity
    models = .allocate(capacity: capacity)
  }

  deinit {
    for chunk in full {
      chunk.models.deinitialize(count: chunk.count)
      chunk.models.deallocate()
    }
    models.deinitialize(count: max(count, made))
    models.deallocate()
  }

  /// Memory for one more model, which becomes part of the rows by `keep`.
  @inline(__always)
  mutating func place() -> UnsafeMutablePointer<Model> {
    if count == capacity { addChunk() }
    return models + count
  }

  /// The same with a model in it, as `init()` makes it.
  @inline(__always)
  mutating func freshPlace() -> UnsafeMutablePointer<Model> {
    if count >= made { make() }
    return models + count
  }

  /// What `place` or `freshPlace` gave is a row's model now.
  @inline(__always)
  mutating func keep() {
    count += 1
  }

  /// Makes the next model, or the next few.
  ///
  /// The memory of objects that something is kept beside is not free before a sweep has met them.
  /// Were each made right before its texts, the heap would be full of holes once the texts are
  /// gone, and the whole program slower; so they are made in groups.
  @inline(never)
  private mutating func make() {
    if count == capacity { addChunk() }
    var group = 1
    if isKept, !full.isEmpty {
      if count == 0, full.count == 1 { ObjectKeeper.shared.sweep(onlyIfDue: true) }
      // No more than an eighth of the rows there are may turn out to be too many.
      group = min(Self.mostAhead, capacity / 8, capacity - count)
    }
    for index in count..<(count + group) { (models + index).initialize(to: Model()) }
    made = count + group
  }

  @inline(never)
  private mutating func addChunk() {
    full.append(Chunk(models: models, count: count))
    let largest = Self.largestChunk / MemoryLayout<Model>.stride
    capacity = max(Self.firstCapacity, min(capacity * 2, largest))
    models = .allocate(capacity: capacity)
    count = 0
    made = 0
  }

  /// All models, which are not here any more afterwards.
  @inline(never)
  mutating func takeAll() -> [Model] {
    let total = full.reduce(count) { $0 + $1.count }
    let all = [Model](unsafeUninitializedCapacity: total) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      for chunk in full {
        (start + initialized).moveInitialize(from: chunk.models, count: chunk.count)
        initialized += chunk.count
        chunk.models.deallocate()
      }
      (start + initialized).moveInitialize(from: models, count: count)
      initialized += count
    }
    if made > count { (models + count).deinitialize(count: made - count) }
    full = []
    count = 0
    made = 0
    return all
  }
}
