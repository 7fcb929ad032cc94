/// Puts the parts of long rows together.
struct PayloadReader {
  enum Result {
    case whole([UInt8], Doubts)
    /// A part is lost.
    case broken
  }

  /// Bytes by which a row that goes on in zeros is known.
  private static let runOfZeros = 32

  let store: PageStore
  /// The most bytes that a row can have: no more than there are in the file.
  let limit: Int

  init(store: PageStore) {
    self.store = store
    limit = min(store.pageCount * store.pageSize, 1_000_000_000)
  }

  /// The payload of a cell.
  ///
  /// - Parameter map: Told of the pages that the row goes on in. One that several rows say is theirs
  ///   makes the later ones doubtful, and the third is refused: so a file can't make this read the
  ///   same pages for ever.
  func payload(of cell: BTreePage.Cell, on page: BTreePage, _ map: inout PageMap) -> Result {
    var bytes = Array(page.bytes[cell.local])
    guard cell.payloadSize > cell.local.count else { return .whole(bytes, []) }
    guard cell.payloadSize <= limit else { return .broken }
    bytes.reserveCapacity(cell.payloadSize)
    var doubts: Doubts = []
    var next = cell.overflow
    let room = store.usable - 4
    while bytes.count < cell.payloadSize {
      guard next > 1, next <= store.pageCount else { return .broken }
      switch map[next] {
      case .unreadable, .pointerMap, .lock: return .broken
      case .free: doubts.insert(.contested)
      default: break
      }
      let owner = map.owner(of: next)
      if owner != PageMap.nobody { doubts.insert(.contested) }
      let claims = map.claim(next)
      if claims > 0 { doubts.insert(.contested) }
      guard claims < 2, let part = store.page(next), let following = part.uint32(at: 0) else {
        return .broken
      }
      let count = min(room, cell.payloadSize - bytes.count)
      // A page of nothing but zeros is what damage leaves more often than a row does, unless zeros are
      // before it, too.
      if part.isAllZero, !bytes.suffix(Self.runOfZeros).allSatisfy({ $0 == 0 }) {
        doubts.insert(.damagedPage)
      }
      if store.isUnproved(next) { doubts.insert(.unprovedLog) }
      bytes += part[4..<(4 + count)]
      next = following
    }
    // The last part points to none.
    if next != 0 { doubts.insert(.damagedPage) }
    return .whole(bytes, doubts)
  }
}
