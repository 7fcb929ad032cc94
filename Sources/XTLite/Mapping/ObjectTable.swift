/// Rows by the addresses of objects. An entry whose object died stays until the table is swept.
///
/// The entries lie in the order in which they were made, which is mostly that of the objects on
/// the heap: so a sweep passes over memory from one end to the other, and gives it back in that
/// order. An index in open addressing finds them.
///
/// Not a class, and no arrays: what happens here happens for every object of every find.
struct ObjectTable {
  private struct Entry {
    /// The object's; it never changes.
    var address: UInt
    var mark: ObjectMark
    var row: KeptRow
  }

  /// An object's address, and what it is hashed to.
  struct Key {
    let address: UInt
    private let hash: UInt

    @inline(__always)
    init(address: UInt) {
      self.address = address
      // Fibonacci hashing: the multiplier spreads the aligned addresses over the high bits.
      hash = (address >> 4) &* UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    }

    @inline(__always)
    init(_ object: AnyObject) {
      self.init(address: UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    }

    @inline(__always)
    var index: Int { Int(truncatingIfNeeded: hash >> (UInt(UInt.bitWidth) / 2)) }

    /// Some of the address, so that most of the entries of others need not be looked at.
    @inline(__always)
    var tag: UInt32 { UInt32(truncatingIfNeeded: address >> 4) }
  }

  private struct Slot {
    /// The number of an entry, plus one; 0 where there is none.
    var number: UInt32 = 0
    /// The tag of the entry's key.
    var tag: UInt32 = 0
  }

  private var index: UnsafeMutablePointer<Slot>
  /// A power of two, of which the entries take half at most.
  private var indexSize: Int
  private var entries: UnsafeMutablePointer<Entry>
  private(set) var count = 0
  /// How many entries were left by the latest sweep.
  private(set) var swept = 0

  private static let leastSize = 64

  init() {
    indexSize = Self.leastSize
    index = Self.makeIndex(indexSize)
    entries = .allocate(capacity: indexSize / 2)
  }

  func destroy() {
    entries.deinitialize(count: count)
    entries.deallocate()
    index.deallocate()
  }

  private static func makeIndex(_ size: Int) -> UnsafeMutablePointer<Slot> {
    let index = UnsafeMutablePointer<Slot>.allocate(capacity: size)
    index.initialize(repeating: Slot(), count: size)
    return index
  }

  @inline(__always)
  func row(of object: AnyObject, _ key: Key) -> KeptRow? {
    let number = index[slot(of: key)].number
    guard number != 0 else { return nil }
    let entry = entries + Int(number - 1)
    guard entry.pointee.mark.isOn(object), !entry.pointee.row.isRemoved else { return nil }
    return entry.pointee.row
  }

  /// The place of the object's row, which holds an empty one where it had none.
  ///
  /// - Returns: nil where the table is full and should be swept.
  @inline(__always)
  mutating func place(for object: AnyObject, _ key: Key) -> UnsafeMutablePointer<KeptRow>? {
    let slot = slot(of: key)
    if index[slot].number == 0 {
      guard count < indexSize / 2 else { return nil }
      (entries + count).initialize(
        to: Entry(address: key.address, mark: ObjectMark(object), row: KeptRow()))
      count += 1
      index[slot] = Slot(number: UInt32(truncatingIfNeeded: count), tag: key.tag)
      return row(count - 1)
    }
    let number = Int(index[slot].number - 1)
    if !entries[number].mark.isOn(object) {
      entries[number].mark = ObjectMark(object)
      entries[number].row = KeptRow()
    } else if entries[number].row.isRemoved {
      entries[number].row = KeptRow()
    }
    return row(number)
  }

  @inline(__always)
  private func row(_ number: Int) -> UnsafeMutablePointer<KeptRow> {
    // A stored property of a value in memory has an address.
    let offset = MemoryLayout<Entry>.offset(of: \.row).unsafelyUnwrapped
    return (UnsafeMutableRawPointer(entries + number) + offset)
      .assumingMemoryBound(to: KeptRow.self)
  }

  /// Where the index has the entry, or else the free place where it would go.
  @inline(__always)
  private func slot(of key: Key) -> Int {
    var place = key.index & (indexSize - 1)
    while true {
      let slot = index[place]
      if slot.number == 0 { return place }
      if slot.tag == key.tag, entries[Int(slot.number - 1)].address == key.address { return place }
      place = (place + 1) & (indexSize - 1)
    }
  }

  /// Drops the entries of dead objects, and makes the table large enough for twice the living.
  ///
  /// - Returns: objects that live, to be let go without a lock.
  @inline(never)
  mutating func sweep() -> [AnyObject] {
    var met: [AnyObject] = []
    var living = 0
    for number in 0..<count {
      let entry = entries + number
      guard let address = UnsafeMutableRawPointer(bitPattern: entry.pointee.address) else {
        continue
      }
      if entry.pointee.mark.isDead(address, &met) {
        entry.deinitialize(count: 1)
      } else {
        if living < number { (entries + living).moveInitialize(from: entry, count: 1) }
        living += 1
      }
    }
    count = living
    swept = living
    resize()
    return met
  }

  private mutating func resize() {
    // Smaller by half at most: as many objects as there were will often come again.
    indexSize = max(Self.leastSize, indexSize / 2)
    while indexSize < count * 4 { indexSize *= 2 }
    index.deallocate()
    index = Self.makeIndex(indexSize)
    let old = entries
    entries = .allocate(capacity: indexSize / 2)
    entries.moveInitialize(from: old, count: count)
    old.deallocate()
    for number in 0..<count {
      let key = Key(address: entries[number].address)
      index[slot(of: key)] = Slot(number: UInt32(truncatingIfNeeded: number + 1), tag: key.tag)
    }
  }
}
