extension Salvage {
  /// A part of a tree that nothing leads to, as far as it takes to find its table.
  private struct Orphan {
    let root: Int
    let isInterior: Bool
    /// The types of some of its rows.
    let samples: [[Int]]
    /// Its first and last row's numbers.
    let rows: ClosedRange<Int64>
  }

  private struct Match {
    let table: TableState
    let isSure: Bool
  }

  /// Gives parts of trees that nothing leads to, to the tables that miss such parts.
  func placeOrphans() throws {
    for table in tables { table.holesChanged() }
    if tables.contains(where: { !$0.layout.isWithoutRowID && $0.hasOpenHoles }) {
      // Larger parts first: what is below them is theirs.
      let roots = try orphanRoots()
      for isInterior in [true, false] {
        var rest: [Orphan] = []
        for root in roots where (map[root] == .tableInterior) == isInterior {
          try progress.check()
          guard isFree(root), let orphan = orphan(root) else { continue }
          // What the file itself or the hints say comes before what only looks say.
          if !(try place(orphan, byLooks: false)) { rest.append(orphan) }
        }
        for orphan in rest { _ = try place(orphan, byLooks: true) }
      }
    }
    if tables.contains(where: { $0.layout.isWithoutRowID && $0.missesPages }) {
      try placeIndexOrphans()
    }
    countAbandoned()
  }

  func isFree(_ page: Int) -> Bool {
    map.owner(of: page) == PageMap.nobody && !map.isClaimed(page)
  }

  /// Pages of tables that no other such page leads to.
  private func orphanRoots() throws -> [Int] {
    var children: Set<Int> = []
    var orphans: [Int] = []
    for number in 1..<(map.pageCount + 1) where isFree(number) {
      try progress.check()
      switch map[number] {
      case .tableLeaf: orphans.append(number)
      case .tableInterior:
        orphans.append(number)
        guard let page = file.store.tree(number) else { continue }
        for index in 0..<page.cellCount { children.insert(page.child(index) ?? 0) }
        children.insert(page.rightChild)
      default: break
      }
    }
    return orphans.filter { !children.contains($0) }
  }

  private func orphan(_ root: Int) -> Orphan? {
    guard let page = file.store.tree(root) else { return nil }
    var leaves: [BTreePage] = []
    if page.kind == .tableLeaf {
      leaves = [page]
    } else {
      let step = max(page.cellCount / 6, 1)
      for index in stride(from: 0, to: page.cellCount, by: step) {
        if let leaf = leaf(below: page.child(index) ?? 0, last: false) { leaves.append(leaf) }
      }
      if let leaf = leaf(below: page.rightChild, last: true) { leaves.append(leaf) }
    }
    var samples: [[Int]] = []
    var ends: [Int64] = []
    for leaf in leaves {
      let step = max(leaf.cellCount / 8, 1)
      for index in stride(from: 0, to: leaf.cellCount, by: step) {
        guard let cell = leaf.cell(index),
          let header = RecordHeader(
            leaf.bytes, from: cell.local.lowerBound, size: cell.payloadSize)
        else { continue }
        samples.append(header.types)
        ends += [cell.rowID, leaf.rowID(leaf.cellCount - 1)].compactMap { $0 }
      }
    }
    guard let first = ends.min(), let last = ends.max(), !samples.isEmpty else { return nil }
    return Orphan(
      root: root, isInterior: page.kind == .tableInterior, samples: samples, rows: first...last)
  }

  /// The leaf at one end of what is below a page.
  private func leaf(below number: Int, last: Bool) -> BTreePage? {
    var number = number
    for _ in 0..<20 {
      guard map.owner(of: number) == PageMap.nobody, let page = file.store.tree(number) else {
        return nil
      }
      if page.kind == .tableLeaf { return page }
      guard page.kind == .tableInterior else { return nil }
      number = last || page.cellCount == 0 ? page.rightChild : page.child(0) ?? 0
    }
    return nil
  }

  /// - Parameter byLooks: Whether to go by nothing but what the rows look like.
  /// - Returns: Whether it has a table now.
  private func place(_ orphan: Orphan, byLooks: Bool) throws -> Bool {
    guard isFree(orphan.root), let match = match(orphan, byLooks: byLooks) else { return false }
    let table = match.table
    var doubts: Doubts = match.isSure ? [] : .guessedTable
    if map.isFreelistIncomplete { doubts.insert(.maybeDeleted) }
    if table.given.overlaps(orphan.rows) { doubts.insert(.contested) }
    table.given.add(orphan.rows)
    var walk = TreeWalk(store: file.store, owner: table.owner) { types in
      table.layout.fit(of: types) != nil
    }
    try walk.run(from: orphan.root, in: &map) { try progress.check() }
    walk.takeMisplaced(&map)
    // What is missing below it is looked for in its turn.
    table.holes += walk.holes
    table.holesChanged()
    for var leaf in walk.leaves {
      leaf.doubts.formUnion(doubts)
      try readLeaf(leaf, of: table)
    }
    return true
  }

  private func match(_ orphan: Orphan, byLooks: Bool) -> Match? {
    let candidates = tables.filter { table in
      !table.layout.isWithoutRowID && table.hasRoom(for: orphan.rows)
        && orphan.samples.count { table.layout.fit(of: $0) == nil } * 8 <= orphan.samples.count
    }
    guard !candidates.isEmpty else { return nil }
    if !byLooks {
      let told = tableByPointerMap(orphan.root) ?? tableByHints(orphan.root)
      return told.flatMap { told in
        candidates.contains { $0 === told } ? Match(table: told, isSure: true) : nil
      }
    }
    let ranked =
      candidates
      .map { table in (table: table, score: table.likelihood(of: orphan.samples)) }
      .sorted { $0.score > $1.score }
    guard let best = ranked.first(where: { !$0.table.given.overlaps(orphan.rows) }) ?? ranked.first
    else { return nil }
    // A row has to look clearly more like one table's than like any other's.
    let isSure = !ranked.contains { $0.table !== best.table && $0.score > best.score - 1.5 }
    return Match(table: best.table, isSure: isSure)
  }

  /// The table of the page's parent, as a file with auto_vacuum knows it, or of the parent's parent.
  private func tableByPointerMap(_ page: Int) -> TableState? {
    guard let pointerMap = file.pointerMap else { return nil }
    var page = page
    for _ in 0..<20 {
      guard let map = file.store.page(pointerMap.map(of: page)),
        let entry = pointerMap.entry(of: page, in: map), entry.kind == .node
      else { return nil }
      let owner = self.map.owner(of: entry.parent)
      if owner >= 0 { return tables[Int(owner)] }
      let missing = tables.first { table in
        table.entry.root == entry.parent || table.targets.contains(entry.parent)
      }
      if let missing { return missing }
      page = entry.parent
    }
    return nil
  }

  func tableByHints(_ page: Int) -> TableState? {
    guard let name = hints?.table(ofPage: page).map(SQLiteName.init) else { return nil }
    return tables.first { SQLiteName($0.layout.name) == name }
  }

  /// Leaves that no tree misses: what is on them was deleted, or is of a table that is lost whole.
  private func countAbandoned() {
    guard isSchemaComplete else { return }
    for number in 1..<(map.pageCount + 1) where map[number] == .tableLeaf && isFree(number) {
      report.abandonedPages += 1
    }
  }
}

extension Salvage.TableState {
  var hasOpenHoles: Bool { !openHoles.isEmpty }

  func hasRoom(for rows: ClosedRange<Int64>) -> Bool {
    openHoles.contains { hole in
      (hole.low.map { rows.lowerBound > $0 } ?? true)
        && (hole.high.map { rows.upperBound <= $0 } ?? true)
    }
  }

  /// Brings up to date what is kept about the holes.
  func holesChanged() {
    targets = Set(holes.lazy.filter { $0.target > 0 }.map(\.target))
    openHoles = layout.name == Salvage.sequenceTable ? [] : holes.filter(\.isOpen)
    // Each part is compared with each hole: a file that is made of holes is one hole.
    if openHoles.count > 2_000 {
      openHoles = [TreeWalk.Hole(low: nil, high: nil, depth: 0, target: 0, isOpen: true)]
    }
  }

  /// The mean likelihood of some rows.
  func likelihood(of samples: [[Int]]) -> Double {
    let sum = samples.reduce(0) { sum, types in
      sum
        + (profile.rows >= 20
          ? profile.likelihood(of: types) : layout.likelihood(of: types))
    }
    return sum / Double(max(samples.count, 1))
  }
}
