extension Salvage {
  /// Leaves of one table that nothing else is known of.
  private struct Group {
    var leaves: [Int]
    var columns: Int
    /// Of each column, what its values are: see `signature`.
    var kinds: [UInt8]
    var rows: NumberRanges
  }

  /// Rows of tables that neither the schema nor anything else tells of: each tree into a table of its
  /// own, and leaves without a tree by what they look like.
  func keepUnknown() throws {
    guard options.keepsUnknownTables else { return }
    for isInterior in [true, false] {
      var groups: [Group] = []
      for root in try unknownRoots() where (map[root] == .tableInterior) == isInterior {
        try progress.check()
        if isInterior {
          try keepTree(root)
        } else {
          group(root, into: &groups)
        }
      }
      for group in groups {
        _ = try keep(
          group.leaves.map { TreeWalk.Leaf(page: $0, low: nil, high: nil, doubts: leafDoubts) },
          columns: group.columns, number: group.leaves[0])
      }
    }
    try keepUnknownIndexTrees()
  }

  /// Trees of tables WITHOUT ROWID.
  private func keepUnknownIndexTrees() throws {
    for tree in try orphanIndexTrees() where !isIndex(tree) {
      let columns = tree.flatMap { types(on: $0, atMost: .max) }.map(\.count).max() ?? 0
      guard let table = try makeUnknown(columns: columns, number: tree[0]) else { continue }
      for page in tree { try readIndexPage(page, of: table, leafDoubts) }
    }
  }

  private var leafDoubts: Doubts { map.isFreelistIncomplete ? .maybeDeleted : [] }

  private func unknownRoots() throws -> [Int] {
    var children: Set<Int> = []
    var roots: [Int] = []
    for number in 1..<(map.pageCount + 1)
    where map.owner(of: number) == PageMap.nobody && !map.isClaimed(number) {
      try progress.check()
      if map[number] == .tableLeaf { roots.append(number) }
      guard map[number] == .tableInterior, let page = file.store.tree(number) else { continue }
      roots.append(number)
      for index in 0..<page.cellCount { children.insert(page.child(index) ?? 0) }
      children.insert(page.rightChild)
    }
    return roots.filter { !children.contains($0) }
  }

  private func keepTree(_ root: Int) throws {
    let owner = PageMap.Owner(truncatingIfNeeded: tables.count)
    var walk = TreeWalk(store: file.store, owner: owner) { _ in true }
    try walk.run(from: root, in: &map) { try progress.check() }
    var columns = 0
    for leaf in walk.leaves {
      for types in types(on: leaf.page, atMost: .max) { columns = max(columns, types.count) }
    }
    var leaves = walk.leaves
    for index in leaves.indices { leaves[index].doubts.formUnion(leafDoubts) }
    try keep(leaves, columns: columns, number: root)?.holes = walk.holes
  }

  private func group(_ number: Int, into groups: inout [Group]) {
    let types = types(on: number, atMost: .max)
    guard let page = file.store.tree(number), let first = page.rowID(0),
      let last = page.rowID(page.cellCount - 1), first <= last, !types.isEmpty
    else { return }
    let columns = types.map(\.count).max() ?? 0
    let kinds = Self.signature(types, columns: columns)
    let index = groups.firstIndex { group in
      group.columns == columns && Self.agree(group.kinds, kinds)
        && !group.rows.overlaps(first...last)
    }
    guard let index else {
      // Beyond that many it is no database whose leaves are compared with each other.
      guard groups.count < 1_000 else { return note("page \(number): rows of no known table") }
      groups.append(
        Group(leaves: [number], columns: columns, kinds: kinds, rows: NumberRanges()))
      groups[groups.count - 1].rows.add(first...last)
      return
    }
    groups[index].leaves.append(number)
    groups[index].rows.add(first...last)
    groups[index].kinds = zip(groups[index].kinds, kinds).map { $0 == 0 ? $1 : $0 }
  }

  private func types(on number: Int, atMost count: Int) -> [[Int]] {
    guard let page = file.store.tree(number), page.kind != .tableInterior else { return [] }
    return (0..<min(page.cellCount, count)).compactMap { index in
      page.cell(index).flatMap {
        RecordHeader(page.bytes, from: $0.local.lowerBound, size: $0.payloadSize)?.types
      }
    }
  }

  /// For each column: 0 where all is NULL, 1 for numbers, 2 for texts, 3 for blobs, 4 for a mix.
  private static func signature(_ rows: [[Int]], columns: Int) -> [UInt8] {
    var kinds = [UInt8](repeating: 0, count: columns)
    for types in rows {
      for (column, type) in types.enumerated() where type != 0 {
        let kind: UInt8 = type < 12 ? 1 : type % 2 == 1 ? 2 : 3
        kinds[column] = kinds[column] == 0 || kinds[column] == kind ? kind : 4
      }
    }
    return kinds
  }

  private static func agree(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    zip(one, other).allSatisfy { $0 == $1 || $0 == 0 || $1 == 0 || $0 == 4 || $1 == 4 }
  }

  /// Makes a table for rows that have none, and reads them into it.
  private func keep(
    _ leaves: [TreeWalk.Leaf], columns: Int, number: Int
  ) throws -> TableState? {
    guard !leaves.isEmpty, let table = try makeUnknown(columns: columns, number: number) else {
      return nil
    }
    for leaf in leaves { map.set(table.owner, of: leaf.page) }
    for leaf in leaves { try readLeaf(leaf, of: table) }
    return table
  }

  private func makeUnknown(columns: Int, number: Int) throws -> TableState? {
    guard columns > 0, columns < 1_990, tables.count < 5_000 else {
      note("page \(number): rows of \(columns) columns that no table was made for")
      return nil
    }
    let name = "salvaged_\(number)"
    let list = (0..<columns).map { ", c\($0)" }.joined()
    let entry = SchemaEntry(
      type: "table", name: name, table: name, root: number,
      sql: "CREATE TABLE \(name) (id INTEGER PRIMARY KEY\(list))")
    do {
      try writer.create(entry)
    } catch let error as XTError where error.isOfStatement {
      note("the table \(name) can't be made: \(error.message)")
      return nil
    }
    return addUnknown(entry, columns: columns)
  }

  private func addUnknown(_ entry: SchemaEntry, columns: Int) -> TableState {
    let layout = TableLayout(
      name: entry.name,
      columns: (0..<columns).map {
        TableLayout.Column(
          name: "c\($0)", affinity: .blob, isNotNull: false, hasDefault: false, isRowID: false,
          isUntyped: true)
      },
      isWithoutRowID: false, rowIDName: "id", keyColumns: 1)
    let state = TableState(
      entry, layout, owner: PageMap.Owner(truncatingIfNeeded: tables.count),
      index: report.tables.count,
      walk: TreeWalk(store: file.store, owner: PageMap.nobody) { _ in true })
    report.tables.append(XTSalvageReport.Table(name: entry.name, isKnown: false))
    tables.append(state)
    return state
  }
}
