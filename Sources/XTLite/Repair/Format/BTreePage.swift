/// One page of a b-tree: where its cells are, and what they hold.
struct BTreePage {
  enum Kind: UInt8, Sendable {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13

    var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
    var isTable: Bool { self == .tableInterior || self == .tableLeaf }
  }

  let number: Int
  let kind: Kind
  let bytes: [UInt8]
  /// Bytes that belong to the b-tree; the rest is reserved.
  let usable: Int
  let cellCount: Int
  /// Where the header begins: the first page has the file's before it.
  let start: Int
  let contentStart: Int

  /// - Parameter assumed: What the page has to be whatever its first byte says.
  /// - Returns: nil for what can be no page of a b-tree.
  init?(_ bytes: [UInt8], number: Int, usable: Int, assuming assumed: Kind? = nil) {
    let start = number == 1 ? DatabaseHeader.size : 0
    guard usable <= bytes.count, usable >= 400, start < usable,
      let kind = assumed ?? Kind(rawValue: bytes[start]),
      let cellCount = bytes.uint16(at: start + 3), let stated = bytes.uint16(at: start + 5)
    else { return nil }
    let contentStart = stated == 0 ? 65_536 : stated
    let pointers = start + (kind.isLeaf ? 8 : 12) + 2 * cellCount
    guard contentStart <= usable, pointers <= contentStart, cellCount <= usable / 4 else {
      return nil
    }
    self.number = number
    self.kind = kind
    self.bytes = bytes
    self.usable = usable
    self.cellCount = cellCount
    self.start = start
    self.contentStart = contentStart
  }

  private var headerSize: Int { kind.isLeaf ? 8 : 12 }

  /// Where a cell begins; nil where that is outside of the cells.
  func cellOffset(_ index: Int) -> Int? {
    guard index >= 0, index < cellCount,
      let offset = bytes.uint16(at: start + headerSize + 2 * index),
      offset >= contentStart, offset <= usable - (kind == .tableInterior ? 5 : 4)
    else { return nil }
    return offset
  }

  /// The last child; 0 on a leaf.
  var rightChild: Int { kind.isLeaf ? 0 : bytes.uint32(at: start + 8) ?? 0 }

  /// A cell's child page.
  func child(_ index: Int) -> Int? {
    guard !kind.isLeaf, let offset = cellOffset(index) else { return nil }
    return bytes.uint32(at: offset)
  }

  /// The key of a cell of a table: the row's number, or the greatest below an interior cell.
  func rowID(_ index: Int) -> Int64? {
    guard let offset = cellOffset(index) else { return nil }
    switch kind {
    case .tableInterior:
      return bytes.varint(at: offset + 4).map { Int64(bitPattern: $0.value) }
    case .tableLeaf:
      guard let payload = bytes.varint(at: offset) else { return nil }
      return bytes.varint(at: offset + payload.length).map { Int64(bitPattern: $0.value) }
    default: return nil
    }
  }

  /// What a cell holds of its row.
  struct Cell {
    /// The whole payload's bytes, on this page and on others.
    let payloadSize: Int
    /// The part that is on this page.
    let local: Range<Int>
    /// The page with the next part; 0 where there is none.
    let overflow: Int
    let rowID: Int64?
  }

  /// A cell with a payload; nil where it does not fit on the page.
  func cell(_ index: Int) -> Cell? {
    guard kind != .tableInterior, let offset = cellOffset(index) else { return nil }
    var position = offset + (kind == .indexInterior ? 4 : 0)
    guard let size = bytes.varint(at: position), size.value <= UInt64(Int32.max) else {
      return nil
    }
    position += size.length
    var rowID: Int64?
    if kind == .tableLeaf {
      guard let key = bytes.varint(at: position) else { return nil }
      rowID = Int64(bitPattern: key.value)
      position += key.length
    }
    let payloadSize = Int(size.value)
    let localSize = Self.localSize(of: payloadSize, usable: usable, isTable: kind.isTable)
    guard position + localSize <= usable else { return nil }
    var overflow = 0
    if localSize < payloadSize {
      guard position + localSize + 4 <= usable,
        let next = bytes.uint32(at: position + localSize)
      else { return nil }
      overflow = next
    }
    return Cell(
      payloadSize: payloadSize, local: position..<(position + localSize), overflow: overflow,
      rowID: rowID)
  }

  /// How much of a payload its own page keeps.
  static func localSize(of payload: Int, usable: Int, isTable: Bool) -> Int {
    let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    if payload <= most { return payload }
    let least = (usable - 12) * 32 / 255 - 23
    let size = least + (payload - least) % (usable - 4)
    return size <= most ? size : least
  }

  /// The bytes of a cell; nil where it can't be one.
  private func extent(_ index: Int) -> Range<Int>? {
    guard let offset = cellOffset(index) else { return nil }
    if kind == .tableInterior {
      guard let key = bytes.varint(at: offset + 4), offset + 4 + key.length <= usable else {
        return nil
      }
      return offset..<(offset + 4 + key.length)
    }
    guard let cell = cell(index) else { return nil }
    let end = cell.local.upperBound + (cell.overflow != 0 ? 4 : 0)
    return offset..<Swift.max(end, offset + 4)
  }

  /// Where the last cell ends; nil for a page whose cells can't be true.
  var contentEnd: Int? {
    var end = 0
    for index in 0..<cellCount {
      guard let extent = extent(index) else { return nil }
      end = Swift.max(end, extent.upperBound)
    }
    return end
  }

  /// Whether cells, free blocks and fragments are the whole content, as SQLite always leaves it, and
  /// keys of a table ascend: nearly no damage within a page's structure gets past this.
  var isSound: Bool {
    var parts: [Range<Int>] = []
    parts.reserveCapacity(cellCount + 2)
    var last: Int64?
    for index in 0..<cellCount {
      guard let extent = extent(index), extent.upperBound <= usable else { return false }
      parts.append(extent)
      guard kind.isTable else { continue }
      guard let key = rowID(index), last.map({ key > $0 }) ?? true else { return false }
      last = key
    }
    var block = bytes.uint16(at: start + 1) ?? 0
    while block != 0 {
      guard block >= contentStart, let next = bytes.uint16(at: block),
        let size = bytes.uint16(at: block + 2), size >= 4, block + size <= usable,
        next == 0 || next > block + size - 1
      else { return false }
      parts.append(block..<(block + size))
      block = next
    }
    parts.sort { $0.lowerBound < $1.lowerBound }
    var position = contentStart
    var fragments = 0
    for part in parts {
      guard part.lowerBound >= position else { return false }
      fragments += part.lowerBound - position
      position = part.upperBound
    }
    fragments += usable - position
    return fragments == Int(bytes[start + 7])
  }
}
