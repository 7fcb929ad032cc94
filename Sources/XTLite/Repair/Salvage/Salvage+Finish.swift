extension Salvage {
  /// What is made when all rows are there, and the sums.
  func finish() throws {
    try progress.check()
    let made = Set(try SchemaEntry.all(on: writer.connection).map { SQLiteName($0.name) })
    let later = schema.filter {
      $0.sql != nil && !$0.isInternal && !made.contains(SQLiteName($0.name))
    }
    for type in ["index", "table", "view", "trigger"] {
      for entry in later where entry.type == type && (type != "table" || entry.isVirtual) {
        try progress.check()
        do {
          try writer.create(entry)
        } catch let error as XTError where error.isOfStatement {
          note("the \(type) \(entry.name) can't be made: \(error.message)")
        }
      }
    }
    try setSequences()
    countLosses()
    try writer.commit()
    progress.end()
  }

  private func setSequences() throws {
    guard
      try writer.connection.firstValue(
        "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'") != nil
    else { return }
    for table in tables where table.entry.sql?.uppercased().contains("AUTOINCREMENT") == true {
      guard let number = sequences[table.layout.name] else { continue }
      try writer.raiseSequence(of: table.layout.name, to: number)
    }
  }

  private func countLosses() {
    var lost = file.store.unreadable
    for table in tables {
      for hole in table.holes where hole.target > 0 {
        if map[hole.target] == .other || map[hole.target] == .unreadable {
          lost.insert(hole.target)
        }
        if !hole.isOpen || !table.isFilled(hole) { report.tables[table.index].lostPages += 1 }
      }
      if table.leafCount > 0 {
        let found = report.tables[table.index]
        report.rowsPerPage[table.layout.name] =
          Double(found.rows + found.doubtfulRows + found.rowsLeftOut) / Double(table.leafCount)
      }
    }
    report.unreadablePages = lost.count + file.missingPages
    if let log = file.store.log, log.damagedFrames > 0 || log.hasUnknownFrames {
      note(
        "the write-ahead log is damaged: some rows may be as they were before the latest changes")
    }
    if file.store.log?.endsInDoubt == true {
      note("the write-ahead log ends in a transaction that is not whole: rows are as before it")
    }
    // None of the program's.
    report.tables.removeAll { $0.name == Self.sequenceTable }
  }
}

extension Salvage.TableState {
  /// Whether something was found for a place whose own page is lost.
  fileprivate func isFilled(_ hole: TreeWalk.Hole) -> Bool {
    given.ranges.contains { rows in
      (hole.low.map { rows.lowerBound > $0 } ?? true)
        && (hole.high.map { rows.upperBound <= $0 } ?? true)
    }
  }
}
