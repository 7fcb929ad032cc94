/// A way down through a table's tree, from the root or from any page in it, over everything that does
/// not fit.
struct TreeWalk {
  struct Leaf {
    let page: Int
    /// Row numbers are above `low` and not above `high`; nil for no bound.
    let low: Int64?
    let high: Int64?
    var doubts: Doubts
  }

  /// A place in the tree whose page is not to be had.
  struct Hole {
    let low: Int64?
    let high: Int64?
    let depth: Int
    /// Where the tree says that the page is.
    let target: Int
    /// Whether what belongs there may be elsewhere in the file.
    var isOpen: Bool
  }

  private(set) var leaves: [Leaf] = []
  private(set) var holes: [Hole] = []
  /// Leaves that the tree points to, with row numbers that it does not.
  private(set) var misplaced: [Leaf] = []
  /// Pages that belong to another tree as well.
  private(set) var contested: [Int] = []
  /// How far below the root leaves are; nil where none was found.
  private(set) var leafDepth: Int?

  private let store: PageStore
  private let owner: PageMap.Owner
  /// Whether the record's types can be those of the table.
  private let fits: ([Int]) -> Bool

  init(store: PageStore, owner: PageMap.Owner, fits: @escaping ([Int]) -> Bool) {
    self.store = store
    self.owner = owner
    self.fits = fits
  }

  private struct Step {
    let page: Int
    let low: Int64?
    let high: Int64?
    let depth: Int
  }

  /// Goes down from a page, and makes all that it finds the owner's.
  mutating func run(
    from root: Int, in map: inout PageMap, check: () throws -> Void
  ) rethrows {
    var steps = [Step(page: root, low: nil, high: nil, depth: 0)]
    // A page is gone into once, when it gets its owner: the way ends.
    while let step = steps.popLast() {
      try check()
      visit(step, &steps, &map)
    }
    guard let leafDepth else { return }
    for index in holes.indices where holes[index].depth >= leafDepth {
      // The page that was to be read is damaged: it was the leaf itself, and is nowhere else.
      if map[holes[index].target] == .other || map[holes[index].target] == .unreadable {
        holes[index].isOpen = false
      }
    }
  }

  private mutating func visit(_ step: Step, _ steps: inout [Step], _ map: inout PageMap) {
    func miss() {
      holes.append(
        Hole(low: step.low, high: step.high, depth: step.depth, target: step.page, isOpen: true))
    }
    guard step.depth < 40, step.page >= 1, step.page <= store.pageCount else { return miss() }
    guard map.owner(of: step.page) == PageMap.nobody else {
      contested.append(step.page)
      return miss()
    }
    switch map[step.page] {
    case .tableLeaf, .tableInterior, .free, .other: break
    default: return miss()
    }
    if let page = store.tree(step.page) {
      if page.kind == .tableLeaf, addLeaf(page, step, &map) { return }
      if page.kind == .tableInterior {
        map.set(owner, of: step.page)
        return descend(page, step, &steps)
      }
    } else if let page = store.tree(step.page, assuming: .tableLeaf), looksRight(page, step) {
      if addLeaf(page, step, &map, .damagedPage) { return }
    } else if let page = store.tree(step.page, assuming: .tableInterior), page.isSound,
      page.cellCount > 0
    {
      map.set(owner, of: step.page)
      return descend(page, step, &steps)
    }
    miss()
  }

  private mutating func descend(_ page: BTreePage, _ step: Step, _ steps: inout [Step]) {
    var children: [Step] = []
    var low = step.low
    for index in 0..<page.cellCount {
      let child = page.child(index) ?? 0
      if let key = page.rowID(index), low.map({ key > $0 }) ?? true,
        step.high.map({ key <= $0 }) ?? true
      {
        children.append(Step(page: child, low: low, high: key, depth: step.depth + 1))
        low = key
      } else {
        children.append(Step(page: child, low: low, high: step.high, depth: step.depth + 1))
      }
    }
    children.append(
      Step(page: page.rightChild, low: low, high: step.high, depth: step.depth + 1))
    steps += children.reversed()
  }

  /// Takes the page as a leaf of the tree. Returns false where it can be none.
  private mutating func addLeaf(
    _ page: BTreePage, _ step: Step, _ map: inout PageMap, _ doubts: Doubts = []
  ) -> Bool {
    guard hasFittingRows(page) else { return false }
    var leaf = Leaf(page: step.page, low: step.low, high: step.high, doubts: doubts)
    if map[step.page] == .free { leaf.doubts.insert(.contested) }
    if page.cellCount > 0 {
      let ends = [page.rowID(0), page.rowID(page.cellCount - 1)].compactMap { $0 }
      let inside = ends.count { isInside($0, step) }
      if inside == 0 {
        misplaced.append(leaf)
        return false
      }
      if inside < 2 { leaf.doubts.insert(.damagedPage) }
    }
    leafDepth = leafDepth ?? step.depth
    map.set(owner, of: step.page)
    leaves.append(leaf)
    return true
  }

  private func isInside(_ key: Int64, _ step: Step) -> Bool {
    (step.low.map { key > $0 } ?? true) && (step.high.map { key <= $0 } ?? true)
  }

  /// Whether a page that does not say what it is has cells of a leaf all the same.
  private func looksRight(_ page: BTreePage, _ step: Step) -> Bool {
    guard page.cellCount > 0 else { return false }
    var right = 0
    for index in 0..<page.cellCount {
      if let key = page.rowID(index), isInside(key, step), types(page, index) != nil {
        right += 1
      }
    }
    return 2 * right > page.cellCount
  }

  private func types(_ page: BTreePage, _ index: Int) -> [Int]? {
    page.cell(index).flatMap {
      RecordHeader(page.bytes, from: $0.local.lowerBound, size: $0.payloadSize)?.types
    }
  }

  private func hasFittingRows(_ page: BTreePage) -> Bool {
    var seen = 0
    for index in 0..<page.cellCount {
      guard let types = types(page, index) else { continue }
      if fits(types) { return true }
      seen += 1
      if seen == 4 { return false }
    }
    return seen == 0
  }

  /// Leaves that were set aside and that nobody else wants after all.
  mutating func takeMisplaced(_ map: inout PageMap) {
    for var leaf in misplaced where map.owner(of: leaf.page) == PageMap.nobody {
      map.set(owner, of: leaf.page)
      leaf.doubts.insert(.damagedPage)
      leaves.append(
        Leaf(page: leaf.page, low: nil, high: nil, doubts: leaf.doubts))
      if let index = holes.firstIndex(where: { $0.target == leaf.page }) {
        holes[index].isOpen = false
      }
    }
    misplaced = []
  }
}
