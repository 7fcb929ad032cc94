/// Pages of trees without row numbers that nothing leads to. Those of an index look like those of a
/// table WITHOUT ROWID.
extension Salvage {
  /// Gives them to the tables WITHOUT ROWID that miss pages.
  func placeIndexOrphans() throws {
    // What the file's indexes lead to is no table's. Where they miss nothing, nothing else is theirs.
    var mayBeOfIndex = !isSchemaComplete || map.isFreelistIncomplete
    for entry in schema where entry.type == "index" {
      guard entry.root > 0 else {
        mayBeOfIndex = true
        continue
      }
      var walk = IndexWalk()
      try walk.run(
        from: entry.root, owner: PageMap.index, store: file.store, in: &map,
        fits: { _ in true }, check: { try progress.check() })
      if !walk.missing.isEmpty { mayBeOfIndex = true }
    }
    for tree in try orphanIndexTrees() {
      let samples = tree.prefix(10).flatMap { sampleTypes(on: $0) }
      let candidates = tables.filter { table in
        table.layout.isWithoutRowID && table.missesPages && !samples.isEmpty
          && samples.allSatisfy { table.layout.fit(of: $0) != nil }
      }
      guard !candidates.isEmpty else { continue }
      let told = tableByHints(tree[0])
      let known = candidates.first { $0 === told }
      guard let table = known ?? best(of: candidates, for: samples),
        known != nil || !mayBeOfIndex || !isIndex(tree)
      else { continue }
      var doubts: Doubts = known == nil && candidates.count > 1 ? .guessedTable : []
      if map.isFreelistIncomplete { doubts.insert(.maybeDeleted) }
      for page in tree {
        map.set(table.owner, of: page)
        try readIndexPage(page, of: table, doubts)
      }
    }
  }

  private func best(of candidates: [TableState], for samples: [[Int]]) -> TableState? {
    candidates.max { $0.likelihood(of: samples) < $1.likelihood(of: samples) }
  }

  private func sampleTypes(on number: Int) -> [[Int]] {
    guard let page = file.store.tree(number) else { return [] }
    return (0..<min(page.cellCount, 20)).compactMap { index in
      page.cell(index).flatMap {
        RecordHeader(page.bytes, from: $0.local.lowerBound, size: $0.payloadSize)?.types
      }
    }
  }

  /// The pages of each tree, or part of one, from its uppermost page on.
  func orphanIndexTrees() throws -> [[Int]] {
    var children: Set<Int> = []
    var roots: [Int] = []
    for number in 2..<max(map.pageCount + 1, 2) where isFree(number) {
      try progress.check()
      guard map[number] == .indexLeaf || map[number] == .indexInterior,
        let page = file.store.tree(number), page.cellCount > 0
      else { continue }
      roots.append(number)
      guard page.kind == .indexInterior else { continue }
      for index in 0..<page.cellCount { children.insert(page.child(index) ?? 0) }
      children.insert(page.rightChild)
    }
    return try roots.filter { !children.contains($0) }.map { root in
      var walk = IndexWalk()
      try walk.run(
        from: root, owner: PageMap.index, store: file.store, in: &map, fits: { _ in true },
        check: { try progress.check() })
      return walk.pages
    }.filter { !$0.isEmpty }
  }

  /// Whether each entry ends in a number that no other has: the number of a table's row.
  func isIndex(_ tree: [Int]) -> Bool {
    var numbers: Set<Int64> = []
    for number in tree {
      guard let page = file.store.tree(number) else { continue }
      for index in 0..<page.cellCount {
        guard let cell = page.cell(index) else { continue }
        // Of a long entry the last value is elsewhere, and one of them is not what decides.
        guard cell.overflow == 0 else { continue }
        guard let record = Record(Array(page.bytes[cell.local])) else { continue }
        guard let last = record.integer(record.values.count - 1), record.values.count > 1,
          numbers.count >= 200_000 || numbers.insert(last).inserted
        else { return false }
      }
    }
    return !numbers.isEmpty
  }
}
