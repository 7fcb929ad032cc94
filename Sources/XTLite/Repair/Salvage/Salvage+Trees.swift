extension Salvage {
  /// Reads what the tables' trees lead to.
  func readTrees() throws {
    for table in tables where !table.layout.isWithoutRowID {
      if table.entry.root > 0 {
        try table.walk.run(from: table.entry.root, in: &map) { try progress.check() }
        table.holes = table.walk.holes
      } else {
        table.holes = [TreeWalk.Hole(low: nil, high: nil, depth: 0, target: 0, isOpen: true)]
      }
    }
    let contested = Set(tables.flatMap { $0.walk.contested })
    for table in tables where !table.layout.isWithoutRowID {
      table.walk.takeMisplaced(&map)
      table.holes = table.holes.isEmpty || table.entry.root == 0 ? table.holes : table.walk.holes
      for var leaf in table.walk.leaves {
        if contested.contains(leaf.page) { leaf.doubts.insert(.contested) }
        try readLeaf(leaf, of: table)
      }
    }
    for table in tables where table.layout.isWithoutRowID {
      try readIndexTree(table)
    }
  }

  private func readIndexTree(_ table: TableState) throws {
    guard table.entry.root > 0 else {
      table.missesPages = true
      return
    }
    var walk = IndexWalk()
    try walk.run(
      from: table.entry.root, owner: table.owner, store: file.store, in: &map,
      fits: { table.layout.fit(of: $0) != nil }, check: { try progress.check() })
    table.missesPages = walk.isOpen
    report.tables[table.index].lostPages += walk.missing.count
    for page in walk.pages { try readIndexPage(page, of: table) }
  }
}
