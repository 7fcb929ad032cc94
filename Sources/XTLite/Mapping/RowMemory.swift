/// What rows become on its way to an array, in memory of its own until it is known how many rows
/// there are.
///
/// An array that grows holds what it has twice, at each growth, and takes each element through a
/// generic `append`. Here an element is made in its place and moved once, into an array of just the
/// right size.
struct RowMemory<Row>: ~Copyable {
  private struct Chunk {
    let rows: UnsafeMutablePointer<Row>
    let count: Int
  }

  /// The chunks that are full.
  private var full: [Chunk] = []
  private var rows: UnsafeMutablePointer<Row>
  private var capacity: Int
  private var count = 0
  /// How many places hold one, those included that are ahead of the rows.
  private var made = 0
  /// Whether something is kept beside each object.
  private let isKept: Bool

  private static var firstCapacity: Int { 16 }
  /// Bytes of a chunk, about: below what malloc takes from the system for each block.
  private static var largestChunk: Int { 1 << 20 }
  private static var mostAhead: Int { 64 }

  init(isKept: Bool = false) {
    self.isKept = isKept
    capacity = Self.firstCapacity
    rows = .allocate(capacity: capacity)
  }

  deinit {
    for chunk in full {
      chunk.rows.deinitialize(count: chunk.count)
      chunk.rows.deallocate()
    }
    rows.deinitialize(count: max(count, made))
    rows.deallocate()
  }

  /// Memory for one more, which becomes part of the rows by `keep`.
  @inline(__always)
  mutating func place() -> UnsafeMutablePointer<Row> {
    if count == capacity { addChunk() }
    return rows + count
  }

  /// What `place` or `freshPlace` gave is a row's now.
  @inline(__always)
  mutating func keep() {
    count += 1
  }

  @inline(never)
  private mutating func addChunk() {
    full.append(Chunk(rows: rows, count: count))
    let largest = Self.largestChunk / MemoryLayout<Row>.stride
    capacity = max(Self.firstCapacity, min(capacity * 2, largest))
    rows = .allocate(capacity: capacity)
    count = 0
    made = 0
  }

  /// All of them, which are not here any more afterwards.
  @inline(never)
  mutating func takeAll() -> [Row] {
    let total = full.reduce(count) { $0 + $1.count }
    let all = [Row](unsafeUninitializedCapacity: total) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      for chunk in full {
        (start + initialized).moveInitialize(from: chunk.rows, count: chunk.count)
        initialized += chunk.count
        chunk.rows.deallocate()
      }
      (start + initialized).moveInitialize(from: rows, count: count)
      initialized += count
    }
    if made > count { (rows + count).deinitialize(count: made - count) }
    full = []
    count = 0
    made = 0
    return all
  }
}

extension RowMemory where Row: XTModel {
  /// The same with a model in it, as `init()` makes it.
  @inline(__always)
  mutating func freshPlace() -> UnsafeMutablePointer<Row> {
    if count >= made { make() }
    return rows + count
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
    for index in count..<(count + group) { (rows + index).initialize(to: Row()) }
    made = count + group
  }
}
