/// What is known of each page of the file: one entry of a few bytes a page.
struct PageMap {
  enum Kind: UInt8 {
    /// Not to be read at all.
    case unreadable
    /// No page of a tree: the rest of a long row, or damaged.
    case other
    case tableLeaf, tableInterior, indexLeaf, indexInterior
    case free, pointerMap, lock
  }

  /// Whose page it is.
  typealias Owner = Int32
  static let nobody: Owner = -1
  static let schema: Owner = -2
  static let index: Owner = -3

  private(set) var kinds: [Kind]
  private var owners: [Owner]
  /// How many rows have said that a part of them is there.
  private var claims: [UInt8]
  /// Whether there may be free pages that are not marked as such.
  var isFreelistIncomplete = false

  /// Numbers are those of pages, from 1.
  subscript(number: Int) -> Kind {
    get { number >= 1 && number < kinds.count ? kinds[number] : .unreadable }
    set { if number >= 1, number < kinds.count { kinds[number] = newValue } }
  }

  func owner(of number: Int) -> Owner {
    number >= 1 && number < owners.count ? owners[number] : Self.nobody
  }

  mutating func set(_ owner: Owner, of number: Int) {
    if number >= 1, number < owners.count { owners[number] = owner }
  }

  /// Notes that a row goes on in the page. Returns how many said so before.
  mutating func claim(_ number: Int) -> Int {
    guard number >= 1, number < claims.count else { return Int(UInt8.max) }
    let before = claims[number]
    if before < UInt8.max { claims[number] += 1 }
    return Int(before)
  }

  func isClaimed(_ number: Int) -> Bool {
    number >= 1 && number < claims.count && claims[number] > 0
  }

  var pageCount: Int { kinds.count - 1 }

  /// Looks at every page once.
  init(_ file: PagedFile, check: (_ page: Int) throws -> Void) rethrows {
    let store = file.store
    kinds = Array(repeating: .other, count: store.pageCount + 1)
    owners = Array(repeating: Self.nobody, count: store.pageCount + 1)
    claims = Array(repeating: 0, count: store.pageCount + 1)
    let lock = PointerMap.lockPage(pageSize: store.pageSize)
    let isListKnown = file.isHeaderSound
    var trunks: [(number: Int, trunk: Freelist.Trunk)] = []
    for number in 1..<(store.pageCount + 1) {
      try check(number)
      if number == lock {
        kinds[number] = .lock
      } else if file.pointerMap?.isMap(number) == true {
        kinds[number] = .pointerMap
      } else if let page = store.page(number) {
        kinds[number] = Self.kind(of: page, number, usable: store.usable)
        if kinds[number] == .other,
          let trunk = Freelist.Trunk(page, usable: store.usable, pageCount: store.pageCount),
          !trunk.leaves.isEmpty
        {
          trunks.append((number, trunk))
        }
      } else {
        kinds[number] = .unreadable
      }
    }
    var list = Freelist(
      head: isListKnown ? file.header.freelistHead : nil, count: file.header.freelistCount,
      in: store)
    if list.isIncomplete {
      // Without its beginning the list is still there, page by page.
      list.add(trunks, count: isListKnown ? file.header.freelistCount : nil)
    }
    isFreelistIncomplete = list.isIncomplete
    for page in list.pages where self[page] != .unreadable { self[page] = .free }
  }

  private static func kind(of bytes: [UInt8], _ number: Int, usable: Int) -> Kind {
    guard let page = BTreePage(bytes, number: number, usable: usable) else { return .other }
    if page.cellCount == 0 {
      // Nothing is in it but zeros where the header is one.
      guard page.contentStart == usable else { return .other }
    } else {
      // A long row's bytes may look like a header; that cells follow is no accident.
      var valid = 0
      for index in 0..<page.cellCount where page.cellOffset(index) != nil { valid += 1 }
      guard 2 * valid > page.cellCount else { return .other }
    }
    switch page.kind {
    case .tableLeaf: return .tableLeaf
    case .tableInterior: return .tableInterior
    case .indexLeaf: return .indexLeaf
    case .indexInterior: return .indexInterior
    }
  }
}
