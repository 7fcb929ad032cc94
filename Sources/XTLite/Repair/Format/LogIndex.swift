/// What a write-ahead log (-wal) adds to its file: the newest committed copy of each page.
///
/// Frames are chained by checksums. A frame that does not fit costs itself: the one behind it is
/// proved by the checksum that the damaged one states.
struct LogIndex: Sendable {
  struct Frame: Sendable {
    /// Where the page's bytes begin in the log.
    let offset: Int
    /// Whether its checksum is right.
    let isProved: Bool
  }

  private(set) var frames: [UInt32: Frame] = [:]
  /// Pages of the database after the last commit; nil without one.
  private(set) var pageCount: Int?
  let pageSize: Int
  /// Committed frames whose bytes are not what was written.
  private(set) var damagedFrames = 0
  /// Whether a frame is lost of which not even the page is known.
  private(set) var hasUnknownFrames = false

  /// Whether the last transaction's end is damaged, or was never written: it is left out, as SQLite
  /// itself does.
  private(set) var endsInDoubt = false

  static let headerSize = 32
  static let frameHeaderSize = 24

  /// The page size that a log's header states; nil where there is none.
  static func pageSize(in file: ByteFile) -> Int? {
    guard let header = file.read(at: 0, count: headerSize), header.count == headerSize else {
      return nil
    }
    return Header(header)?.pageSize
  }

  private struct Header {
    let pageSize: Int
    let salts: ArraySlice<UInt8>
    let isBigEndian: Bool
    let checksum: Checksum

    init?(_ bytes: [UInt8]) {
      guard bytes.count == LogIndex.headerSize, let magic = bytes.uint32(at: 0),
        magic & ~1 == 0x377F_0682, let pageSize = bytes.uint32(at: 8),
        DatabaseHeader.isPageSize(pageSize)
      else { return nil }
      isBigEndian = magic & 1 == 1
      var sum = Checksum()
      sum.add(bytes[0..<24], isBigEndian: isBigEndian)
      guard sum == Checksum(stated: bytes, at: 24) else { return nil }
      self.pageSize = pageSize
      salts = bytes[16..<24]
      checksum = sum
    }
  }

  /// Reads the whole log, one frame at a time.
  ///
  /// - Parameters:
  ///   - pageSize: Of the database; nil where only the log may know it.
  ///   - isCancelled: Asked for each frame.
  /// - Returns: nil for what is no log of such a database.
  init?(_ file: ByteFile, pageSize stated: Int?, check: () throws -> Void) rethrows {
    let bytes = file.read(at: 0, count: Self.headerSize) ?? []
    let header = Header(bytes)
    guard let pageSize = stated ?? header?.pageSize else { return nil }
    if let header, header.pageSize != pageSize { return nil }
    self.pageSize = pageSize
    var reader = Reader(pageSize: pageSize)
    if let header {
      reader.salts = Array(header.salts)
      reader.isBigEndian = header.isBigEndian
      reader.previous = header.checksum
    }
    let size = Self.frameHeaderSize + pageSize
    var offset = Self.headerSize
    while offset + size <= file.size {
      try check()
      if let frame = file.read(at: offset, count: size), frame.count == size {
        reader.add(frame, at: offset)
      } else {
        reader.skip()
      }
      offset += size
    }
    frames = reader.frames
    pageCount = reader.pageCount
    damagedFrames = frames.values.count { !$0.isProved }
    hasUnknownFrames = reader.lost > 0
    endsInDoubt = reader.endsInDoubt
  }

  private struct Reader {
    let pageSize: Int
    var salts: [UInt8]?
    /// Nil where the header does not tell: found out by the first pair of frames that fits.
    var isBigEndian: Bool?
    /// The checksum up to here; nil behind a frame that states none.
    var previous: Checksum?
    var frames: [UInt32: Frame] = [:]
    var pageCount: Int?
    /// Frames known to be lost between committed ones.
    var lost = 0
    private var pending: [UInt32: Frame] = [:]
    private var pendingLost = 0
    private var hasUnprovedCommit = false

    var endsInDoubt: Bool { hasUnprovedCommit || (pendingLost > 0 && !pending.isEmpty) }

    init(pageSize: Int) { self.pageSize = pageSize }

    mutating func skip() {
      previous = nil
      pendingLost += 1
    }

    mutating func add(_ frame: [UInt8], at offset: Int) {
      guard let number = frame.uint32(at: 0), let size = frame.uint32(at: 4), number > 0,
        salts.map({ frame[8..<16].elementsEqual($0) }) ?? true
      else { return skip() }
      if salts == nil { salts = Array(frame[8..<16]) }
      let stated = Checksum(stated: frame, at: 16)
      let isProved = proves(frame, stated)
      previous = stated
      pending[UInt32(truncatingIfNeeded: number)] = Frame(
        offset: offset + LogIndex.frameHeaderSize, isProved: isProved)
      guard size > 0 else { return }
      guard isProved else {
        hasUnprovedCommit = true
        return
      }
      hasUnprovedCommit = false
      frames.merge(pending) { $1 }
      pageCount = size
      lost += pendingLost
      pending = [:]
      pendingLost = 0
    }

    private mutating func proves(_ frame: [UInt8], _ stated: Checksum) -> Bool {
      guard let previous else { return false }
      for isBigEndian in isBigEndian.map({ [$0] }) ?? [true, false] {
        var sum = previous
        sum.add(frame[0..<8], isBigEndian: isBigEndian)
        sum.add(frame[LogIndex.frameHeaderSize...], isBigEndian: isBigEndian)
        if sum == stated {
          self.isBigEndian = isBigEndian
          return true
        }
      }
      return false
    }
  }

  struct Checksum: Equatable, Sendable {
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init() {}

    init(stated bytes: [UInt8], at offset: Int) {
      first = UInt32(truncatingIfNeeded: bytes.uint32(at: offset) ?? 0)
      second = UInt32(truncatingIfNeeded: bytes.uint32(at: offset + 4) ?? 0)
    }

    /// - Parameter bytes: A multiple of eight of them.
    mutating func add(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
      var (one, two) = (first, second)
      bytes.withUnsafeBytes { bytes in
        var position = 0
        while position + 8 <= bytes.count {
          let left = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
          let right = bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
          one = one &+ (isBigEndian ? left.bigEndian : left.littleEndian) &+ two
          two = two &+ (isBigEndian ? right.bigEndian : right.littleEndian) &+ one
          position += 8
        }
      }
      (first, second) = (one, two)
    }
  }
}
