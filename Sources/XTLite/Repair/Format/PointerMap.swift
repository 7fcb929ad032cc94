/// Pages of a file with auto_vacuum that tell of each other page what it is and who points to it.
struct PointerMap: Sendable {
  enum Kind: UInt8, Sendable {
    case root = 1
    case free = 2
    case firstOverflow = 3
    case overflow = 4
    case node = 5
  }

  let usable: Int
  let pageSize: Int

  /// Pages that one map tells of.
  private var perMap: Int { usable / 5 }

  /// The page that SQLite's locks are on, which holds nothing.
  static func lockPage(pageSize: Int) -> Int { 0x4000_0000 / pageSize + 1 }

  /// The map that tells of a page; the page itself where it is a map.
  func map(of page: Int) -> Int {
    guard page >= 2 else { return 0 }
    let map = (page - 2) / (perMap + 1) * (perMap + 1) + 2
    return map == Self.lockPage(pageSize: pageSize) ? map + 1 : map
  }

  func isMap(_ page: Int) -> Bool { page >= 2 && map(of: page) == page }

  /// What the map says of a page.
  func entry(of page: Int, in map: [UInt8]) -> (kind: Kind, parent: Int)? {
    let offset = 5 * (page - self.map(of: page) - 1)
    guard offset >= 0, offset + 5 <= usable, let byte = map.uint8(at: offset),
      let kind = Kind(rawValue: UInt8(truncatingIfNeeded: byte)),
      let parent = map.uint32(at: offset + 1)
    else { return nil }
    return (kind, parent)
  }

  /// Whether a page can be the file's first map: each entry up to the file's end has to be possible.
  static func isMap(_ page: [UInt8], usable: Int, pageCount: Int) -> Bool {
    let entries = min(usable / 5, pageCount - 2)
    guard entries > 0 else { return false }
    for index in 0..<entries {
      guard let byte = page.uint8(at: 5 * index), let parent = page.uint32(at: 5 * index + 1),
        let kind = Kind(rawValue: UInt8(truncatingIfNeeded: byte))
      else { return false }
      let isRootless = kind == .root || kind == .free
      guard isRootless ? parent == 0 : parent > 0 && parent <= pageCount else { return false }
    }
    return true
  }
}
