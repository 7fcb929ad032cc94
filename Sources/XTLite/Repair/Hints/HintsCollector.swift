/// Looks through a sound database for what its repair hints are to hold.
enum HintsCollector {
  /// All of it. Others may write meanwhile: a page that is just changing hands may be noted for either
  /// table, which is why a salvage believes no hint that the page itself contradicts.
  static func collect(
    on connection: Connection, check: () throws -> Void
  ) throws -> RepairHints {
    var hints = RepairHints()
    hints.schema = try SchemaEntry.all(on: connection)
    let file = ConnectionFile(connection)
    let log = try? ReadOnlyFile(path: connection.path + "-wal")
    var known = PagedFile.Knowledge()
    if let key = try connection.settings.key?.engineBytes() {
      let cipher = connection.settings.cipher
      hints.salt = file.read(at: 0, count: CipherPages.saltSize)
      known.cipher = { file, log in
        try CipherSearch(key: key, settings: cipher, salt: nil).run(
          file, log: log, path: connection.path)
      }
    }
    let pages: PagedFile
    do {
      pages = try PagedFile(file, log: log, knowing: known, path: connection.path, check: check)
    } catch let error as XTError where error.kind == .encryption || error.kind == .notADatabase {
      // Encrypted in a way of its own, or not yet on the disk: the schema alone helps, too.
      return hints
    }
    hints.pageSize = pages.store.pageSize
    hints.reserved = pages.store.reserved
    hints.encoding = pages.encoding
    hints.runs = try runs(of: hints.schema, in: pages, check: check)
    return hints
  }

  private static func runs(
    of schema: [SchemaEntry], in file: PagedFile, check: () throws -> Void
  ) throws -> [RepairHints.Run] {
    var map = try PageMap(file) { _ in try check() }
    let tables = schema.filter { $0.isTable && $0.root > 0 }
    for (index, table) in tables.enumerated() {
      let owner = PageMap.Owner(truncatingIfNeeded: index)
      if TableText(table.sql ?? "")?.isWithoutRowID == true {
        var walk = IndexWalk()
        try walk.run(
          from: table.root, owner: owner, store: file.store, in: &map, fits: { _ in true },
          check: check)
      } else {
        var walk = TreeWalk(store: file.store, owner: owner) { _ in true }
        try walk.run(from: table.root, in: &map, check: check)
      }
    }
    var runs: [RepairHints.Run] = []
    var last = PageMap.nobody
    for page in 1..<(map.pageCount + 1) {
      // What lies between two pages of a table, such as the rest of its long rows, needs no new run.
      let owner = map.owner(of: page)
      guard owner >= 0 else { continue }
      if owner == last, let run = runs.last {
        runs[runs.count - 1].count = page - run.first + 1
      } else {
        runs.append(
          RepairHints.Run(first: page, count: 1, table: tables[Int(owner)].name))
      }
      last = owner
    }
    return runs
  }
}
