/// The automatic columns of an object whose class declares none, as they stand in its row.
struct KeptRow {
  var pkid: Int64?
  /// Seconds since 1970.
  var createTime: Double?
  /// Seconds since 1970.
  var updateTime: Double?
  var isDeleted = false
  /// Which database the row is in; 0 where the user set the pkid by hand, which goes for any.
  var database: UInt64 = 0
}

/// Keeps rows beside objects.
///
/// An entry is found by the object's address and checked by a weak reference, since most new
/// objects take a dead one's address. The entries are spread over shards, each a table of its own
/// behind a lock of its own; dead ones go when their shard's table is full.
final class ObjectKeeper: Sendable {
  static let shared = ObjectKeeper()

  private let shards = (0..<64).map { _ in Shard() }

  func row(of object: AnyObject) -> KeptRow? {
    let (shard, hash) = place(of: object)
    return shard.row(of: object, hash)
  }

  func set(_ row: KeptRow, for object: AnyObject) {
    let (shard, hash) = place(of: object)
    shard.update(object, hash) { $0 = row }
  }

  func update(_ object: AnyObject, _ change: (inout KeptRow) -> Void) {
    let (shard, hash) = place(of: object)
    shard.update(object, hash, change)
  }

  func remove(_ object: AnyObject) {
    let (shard, hash) = place(of: object)
    shard.remove(object, hash)
  }

  /// How many entries there are, dead ones included.
  var count: Int { shards.reduce(0) { $0 + $1.used } }

  @inline(__always)
  private func place(of object: AnyObject) -> (Shard, UInt) {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    let hash = Self.hash(address)
    return (shards[Int(hash >> (UInt.bitWidth - 6))], hash)
  }

  /// Fibonacci hashing: the multiplier spreads the aligned addresses over the high bits.
  @inline(__always)
  fileprivate static func hash(_ address: UInt) -> UInt {
    (address >> 4) &* UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
  }
}

private struct Slot {
  /// 0: never used. An entry whose object died keeps its address until the table is swept.
  var address: UInt = 0
  weak var object: AnyObject?
  var row = KeptRow()
}

// Unchecked: everything mutable is touched only while the lock is held.
private final class Shard: @unchecked Sendable {
  private let lock = Lock()
  private var slots: UnsafeMutablePointer<Slot>
  private var capacity = 16
  private var filled = 0

  init() {
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Slot(), count: capacity)
  }

  deinit {
    slots.deinitialize(count: capacity)
    slots.deallocate()
  }

  var used: Int { lock.withLock { filled } }

  @inline(__always)
  func row(of object: AnyObject, _ hash: UInt) -> KeptRow? {
    lock.lock()
    defer { lock.unlock() }
    guard let index = find(object, hash), slots[index].object === object else { return nil }
    return slots[index].row
  }

  @inline(__always)
  func update(_ object: AnyObject, _ hash: UInt, _ change: (inout KeptRow) -> Void) {
    lock.lock()
    if let index = find(object, hash) {
      if slots[index].object !== object {
        slots[index].object = object
        slots[index].row = KeptRow()
      }
      change(&slots[index].row)
      return lock.unlock()
    }
    // Objects that the sweep met alive are let go only after the lock: the last reference to one
    // may be among these, and what its deinit does is not ours to know.
    let met = filled * 4 >= capacity * 3 ? sweep() : []
    let index = freeSlot(hash)
    slots[index].address = address(of: object)
    slots[index].object = object
    slots[index].row = KeptRow()
    filled += 1
    change(&slots[index].row)
    lock.unlock()
    withExtendedLifetime(met) {}
  }

  func remove(_ object: AnyObject, _ hash: UInt) {
    lock.lock()
    defer { lock.unlock() }
    // The address stays, so that entries behind it are still found.
    if let index = find(object, hash) { slots[index].object = nil }
  }

  @inline(__always)
  private func address(of object: AnyObject) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  @inline(__always)
  private func find(_ object: AnyObject, _ hash: UInt) -> Int? {
    let address = address(of: object)
    var index = start(hash)
    while slots[index].address != 0 {
      if slots[index].address == address { return index }
      index = (index + 1) & (capacity - 1)
    }
    return nil
  }

  private func freeSlot(_ hash: UInt) -> Int {
    var index = start(hash)
    while slots[index].address != 0 { index = (index + 1) & (capacity - 1) }
    return index
  }

  /// The top bits choose the shard; the ones below them the slot.
  @inline(__always)
  private func start(_ hash: UInt) -> Int {
    Int((hash << 6) >> (UInt.bitWidth / 2)) & (capacity - 1)
  }

  /// Drops dead entries, and doubles the table where the living still take half of it.
  ///
  /// - Returns: the living objects.
  private func sweep() -> [AnyObject] {
    let old = slots
    let oldCapacity = capacity
    var living: [AnyObject] = []
    living.reserveCapacity(filled)
    var kept: [Int] = []
    kept.reserveCapacity(filled)
    for index in 0..<oldCapacity {
      guard let object = old[index].object else { continue }
      living.append(object)
      kept.append(index)
    }
    if living.count * 2 >= oldCapacity { capacity *= 2 }
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Slot(), count: capacity)
    filled = living.count
    for index in kept {
      let target = freeSlot(ObjectKeeper.hash(old[index].address))
      swap(&slots[target], &old[index])
    }
    old.deinitialize(count: oldCapacity)
    old.deallocate()
    return living
  }
}
