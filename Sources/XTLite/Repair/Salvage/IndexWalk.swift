/// The way down through the tree of an index, or of a table WITHOUT ROWID, whose rows are on all of
/// its pages.
struct IndexWalk {
  private(set) var pages: [Int] = []
  /// Pages that are not to be had.
  private(set) var missing: [Int] = []
  /// Whether something that was on them may be elsewhere in the file.
  private(set) var isOpen = false
  private var leafDepth: Int?

  mutating func run(
    from root: Int, owner: PageMap.Owner, store: PageStore, in map: inout PageMap,
    fits: ([Int]) -> Bool, check: () throws -> Void
  ) rethrows {
    var steps = [(page: root, depth: 0)]
    var lost: [(page: Int, depth: Int)] = []
    while let step = steps.popLast() {
      try check()
      guard step.depth < 40, map.owner(of: step.page) == PageMap.nobody,
        map[step.page] == .indexLeaf || map[step.page] == .indexInterior,
        let page = store.tree(step.page), hasFittingRows(page, fits)
      else {
        lost.append(step)
        continue
      }
      map.set(owner, of: step.page)
      pages.append(step.page)
      if page.kind == .indexLeaf {
        leafDepth = leafDepth ?? step.depth
        continue
      }
      for index in 0..<page.cellCount {
        steps.append((page.child(index) ?? 0, step.depth + 1))
      }
      steps.append((page.rightChild, step.depth + 1))
    }
    for step in lost {
      missing.append(step.page)
      let isLeaf = leafDepth.map { step.depth >= $0 } ?? false
      let isDamaged = map[step.page] == .other || map[step.page] == .unreadable
      if !(isLeaf && isDamaged) { isOpen = true }
    }
  }

  private func hasFittingRows(_ page: BTreePage, _ fits: ([Int]) -> Bool) -> Bool {
    var seen = 0
    for index in 0..<page.cellCount {
      guard let cell = page.cell(index),
        let header = RecordHeader(page.bytes, from: cell.local.lowerBound, size: cell.payloadSize)
      else { continue }
      if fits(header.types) { return true }
      seen += 1
      if seen == 4 { return false }
    }
    return seen == 0
  }
}
