/// Keeps rows beside objects.
///
/// An entry is found by the object's address, and its mark tells whether the object is still the
/// one that it was made for. The entries are spread over shards, each a table of its own behind a
/// lock of its own; dead ones go when their shard's table is full.
package final class ObjectKeeper: Sendable {
  package static let shared = ObjectKeeper()

  private static let shardBits: UInt = 4
  /// So few entries may all be dead.
  private static let neverDue = 1_000

  private nonisolated(unsafe) let shards: UnsafeMutablePointer<Shard>

  private struct Shard {
    let lock = SpinLock()
    /// Touched only while the lock is held.
    let table: UnsafeMutablePointer<ObjectTable>

    init() {
      table = .allocate(capacity: 1)
      table.initialize(to: ObjectTable())
    }
  }

  package init() {
    shards = .allocate(capacity: 1 << Self.shardBits)
    for index in 0..<(1 << Self.shardBits) { (shards + index).initialize(to: Shard()) }
  }

  deinit {
    for index in 0..<(1 << Self.shardBits) {
      shards[index].table.pointee.destroy()
      shards[index].table.deallocate()
      shards[index].lock.destroy()
    }
    shards.deallocate()
  }

  @inline(__always)
  package func row(of object: AnyObject) -> KeptRow? {
    let key = ObjectTable.Key(object)
    let shard = shard(key)
    shard.lock.lock()
    defer { shard.lock.unlock() }
    return shard.table.pointee.row(of: object, key)
  }

  @inline(__always)
  package func set(_ row: KeptRow, for object: AnyObject) {
    update(object) { $0 = row }
  }

  /// Changes the object's row, which is an empty one where it had none.
  ///
  /// - Parameter change: runs with a lock held.
  @inline(__always)
  func update(_ object: AnyObject, _ change: (inout KeptRow) -> Void) {
    let key = ObjectTable.Key(object)
    let shard = shard(key)
    shard.lock.lock()
    while true {
      if let row = shard.table.pointee.place(for: object, key) {
        change(&row.pointee)
        return shard.lock.unlock()
      }
      makeRoom(shard)
    }
  }

  func remove(_ object: AnyObject) {
    guard row(of: object) != nil else { return }
    // The entry stays, so that those behind it are still found.
    var none = KeptRow()
    none.isRemoved = true
    set(none, for: object)
  }

  /// How many entries there are, those of dead objects that no sweep has met included.
  var count: Int {
    var count = 0
    forEachShard { count += $0.table.pointee.count }
    return count
  }

  /// Drops the entries of dead objects.
  ///
  /// What is left of those lies between everything else on the heap. Before many new objects are
  /// made it had better go, or they all are made in the gaps.
  ///
  /// - Parameter onlyIfDue: does nothing where few entries are new since the latest sweep, each of
  ///   which would cost much then.
  func sweep(onlyIfDue: Bool = false) {
    guard !onlyIfDue || isSweepDue else { return }
    for index in 0..<(1 << Self.shardBits) {
      shards[index].lock.lock()
      sweep(shards[index])
    }
  }

  private var isSweepDue: Bool {
    var (count, swept) = (0, 0)
    forEachShard {
      count += $0.table.pointee.count
      swept += $0.table.pointee.swept
    }
    return count > Self.neverDue && count - swept > count / 4
  }

  /// Runs `body` with the lock of one shard after the other.
  private func forEachShard(_ body: (Shard) -> Void) {
    for index in 0..<(1 << Self.shardBits) {
      shards[index].lock.lock()
      body(shards[index])
      shards[index].lock.unlock()
    }
  }

  /// Objects that lie close to each other share a shard: whoever makes many at a time then stays in
  /// one shard's memory for a while.
  @inline(__always)
  private func shard(_ key: ObjectTable.Key) -> Shard {
    let region = key.address >> 16
    let hash = region &* UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    return shards[Int(truncatingIfNeeded: hash >> (UInt(UInt.bitWidth) - Self.shardBits))]
  }

  /// Called with the shard's lock held, which is held again when it returns.
  @inline(never)
  private func makeRoom(_ shard: Shard) {
    sweep(shard)
    // New objects come to other shards than those that died.
    sweep(onlyIfDue: true)
    shard.lock.lock()
  }

  /// Called with the shard's lock held; unlocks.
  private func sweep(_ shard: Shard) {
    // Objects that the sweep met alive are let go without the lock: the last reference to one may
    // be among these, and what its deinit does is not ours to know.
    let met = shard.table.pointee.sweep()
    shard.lock.unlock()
    withExtendedLifetime(met) {}
  }
}
