/// The automatic columns of an object whose class declares none, as they stand in its row.
struct KeptRow {
  private var number = Int64.min
  private var created = Double.nan
  private var updated = Double.nan
  var isDeleted = false
  /// Which database the row is in; 0 where the user set the pkid by hand, which goes for any.
  var database: UInt32 = 0

  init(
    pkid: Int64? = nil, createTime: Double? = nil, updateTime: Double? = nil,
    isDeleted: Bool = false, database: UInt32 = 0
  ) {
    self.isDeleted = isDeleted
    self.database = database
    self.pkid = pkid
    self.createTime = createTime
    self.updateTime = updateTime
  }

  // Kept small: values that no row has stand for nil.

  var pkid: Int64? {
    get { number == .min ? nil : number }
    set { number = newValue ?? .min }
  }

  /// Seconds since 1970.
  var createTime: Double? {
    get { created.isNaN ? nil : created }
    set { created = newValue ?? .nan }
  }

  /// Seconds since 1970.
  var updateTime: Double? {
    get { updated.isNaN ? nil : updated }
    set { updated = newValue ?? .nan }
  }
}

/// Keeps rows beside objects.
///
/// An entry is found by the object's address and checked by a weak reference, since most new
/// objects take a dead one's address. The entries are spread over shards, each a table of its own
/// behind a lock of its own; dead ones go when their shard's table is full.
final class ObjectKeeper: Sendable {
  static let shared = ObjectKeeper()

  private static let shardBits = 6
  private let shards = ContiguousArray((0..<(1 << shardBits)).map { _ in Shard() })

  @inline(__always)
  func row(of object: AnyObject) -> KeptRow? {
    let hash = Shard.hash(Shard.address(of: object))
    return shard(hash).row(of: object, hash)
  }

  @inline(__always)
  func set(_ row: KeptRow, for object: AnyObject) {
    let hash = Shard.hash(Shard.address(of: object))
    shard(hash).set(row, for: object, hash)
  }

  /// Changes the object's row, which is an empty one where it had none.
  func update(_ object: AnyObject, _ change: (inout KeptRow) -> Void) {
    var row = row(of: object) ?? KeptRow()
    change(&row)
    set(row, for: object)
  }

  func remove(_ object: AnyObject) {
    let hash = Shard.hash(Shard.address(of: object))
    shard(hash).remove(object, hash)
  }

  /// How many entries there are, dead ones included.
  var count: Int { shards.reduce(0) { $0 + $1.count } }

  @inline(__always)
  private func shard(_ hash: UInt) -> Shard {
    shards[Int(truncatingIfNeeded: hash >> (UInt.bitWidth - Self.shardBits))]
  }
}

private struct Entry {
  weak var object: AnyObject?
  var row: KeptRow
}

/// An open-addressing table. An entry whose object died keeps its address until the table is swept.
// Unchecked: everything mutable is touched only while the lock is held.
private final class Shard: @unchecked Sendable {
  private let lock = Lock()
  /// 0 where there is no entry.
  private var addresses: UnsafeMutablePointer<UInt>
  /// Initialized where there is an address.
  private var entries: UnsafeMutablePointer<Entry>
  private var capacity: Int
  private var filled = 0

  init() {
    capacity = 16
    (addresses, entries) = Self.allocate(capacity)
  }

  deinit {
    for index in 0..<capacity where addresses[index] != 0 { (entries + index).deinitialize(count: 1) }
    addresses.deallocate()
    entries.deallocate()
  }

  private static func allocate(_ capacity: Int) -> (UnsafeMutablePointer<UInt>, UnsafeMutablePointer<Entry>) {
    let addresses = UnsafeMutablePointer<UInt>.allocate(capacity: capacity)
    addresses.initialize(repeating: 0, count: capacity)
    return (addresses, .allocate(capacity: capacity))
  }

  var count: Int { lock.withLock { filled } }

  @inline(__always)
  func row(of object: AnyObject, _ hash: UInt) -> KeptRow? {
    lock.lock()
    defer { lock.unlock() }
    let index = slot(Self.address(of: object), hash)
    guard addresses[index] != 0, entries[index].object === object else { return nil }
    return entries[index].row
  }

  @inline(__always)
  func set(_ row: KeptRow, for object: AnyObject, _ hash: UInt) {
    lock.lock()
    let address = Self.address(of: object)
    let index = slot(address, hash)
    if addresses[index] != 0 {
      entries[index].object = object
      entries[index].row = row
      return lock.unlock()
    }
    if filled * 4 < capacity * 3 {
      add(row, for: object, address, at: index)
      return lock.unlock()
    }
    // Objects that the sweep met alive are let go only after the lock: the last reference to one
    // may be among these, and what its deinit does is not ours to know.
    let met = sweep()
    add(row, for: object, address, at: slot(address, hash))
    lock.unlock()
    withExtendedLifetime(met) {}
  }

  func remove(_ object: AnyObject, _ hash: UInt) {
    lock.lock()
    defer { lock.unlock() }
    // The address stays, so that entries behind it are still found.
    let index = slot(Self.address(of: object), hash)
    if addresses[index] != 0 { entries[index].object = nil }
  }

  @inline(__always)
  private func add(_ row: KeptRow, for object: AnyObject, _ address: UInt, at index: Int) {
    addresses[index] = address
    (entries + index).initialize(to: Entry(object: object, row: row))
    filled += 1
  }

  /// Where the address is, or else the free place where it would go.
  @inline(__always)
  private func slot(_ address: UInt, _ hash: UInt) -> Int {
    // The shard was chosen by the top bits; these are the ones below.
    var index = Int(truncatingIfNeeded: hash >> (UInt.bitWidth / 4)) & (capacity - 1)
    while addresses[index] != 0, addresses[index] != address { index = (index + 1) & (capacity - 1) }
    return index
  }

  @inline(__always)
  static func address(of object: AnyObject) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// Fibonacci hashing: the multiplier spreads the aligned addresses over the high bits.
  @inline(__always)
  static func hash(_ address: UInt) -> UInt {
    (address >> 4) &* UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
  }

  /// Drops dead entries, and doubles the table where the living still take half of it.
  ///
  /// - Returns: the living objects.
  @inline(never)
  private func sweep() -> [AnyObject] {
    let (oldAddresses, oldEntries, oldCapacity) = (addresses, entries, capacity)
    var living: [AnyObject] = []
    living.reserveCapacity(filled)
    for index in 0..<oldCapacity where oldAddresses[index] != 0 {
      if let object = oldEntries[index].object {
        living.append(object)
      } else {
        (oldEntries + index).deinitialize(count: 1)
        oldAddresses[index] = 0
      }
    }
    if living.count * 2 >= oldCapacity { capacity *= 2 }
    (addresses, entries) = Self.allocate(capacity)
    filled = living.count
    for index in 0..<oldCapacity where oldAddresses[index] != 0 {
      let target = slot(oldAddresses[index], Self.hash(oldAddresses[index]))
      addresses[target] = oldAddresses[index]
      (entries + target).moveInitialize(from: oldEntries + index, count: 1)
    }
    oldAddresses.deallocate()
    oldEntries.deallocate()
    return living
  }
}
