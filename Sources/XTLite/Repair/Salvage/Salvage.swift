/// The saving of one file: what is known so far, and the steps in their order.
///
/// Rows that the trees lead to come first. Leaves that nothing leads to come after them, and only
/// where a tree has a place for them: a leaf that no tree misses holds rows that were deleted.
final class Salvage {
  let file: PagedFile
  let writer: SalvageWriter
  let hints: RepairHints?
  let options: XTSalvageOptions
  let progress: SalvageProgress
  var map: PageMap
  var report: XTSalvageReport
  let payloads: PayloadReader

  var schema: [SchemaEntry] = []
  /// Whether every table of the file is in `schema`.
  var isSchemaComplete = true
  var tables: [TableState] = []
  /// Numbers that AUTOINCREMENT tables had reached, to be set at the end.
  var sequences: [String: Int64] = [:]

  /// One table's part in it.
  final class TableState {
    let entry: SchemaEntry
    let layout: TableLayout
    let owner: PageMap.Owner
    var walk: TreeWalk
    var holes: [TreeWalk.Hole] = []
    /// For one WITHOUT ROWID, or whose rows are in such a tree: whether it misses pages.
    var missesPages = false
    var profile = RowProfile()
    /// Those that something may be found for, and where the pages of all should be.
    var openHoles: [TreeWalk.Hole] = []
    var targets: Set<Int> = []
    /// Row numbers of the parts of trees that were given to it.
    var given = NumberRanges()
    /// Its place in the report.
    let index: Int
    var leafCount = 0

    init(
      _ entry: SchemaEntry, _ layout: TableLayout, owner: PageMap.Owner, index: Int, walk: TreeWalk
    ) {
      self.entry = entry
      self.layout = layout
      self.owner = owner
      self.index = index
      self.walk = walk
    }
  }

  init(
    _ file: PagedFile, writer: SalvageWriter, hints: RepairHints?, options: XTSalvageOptions,
    progress: SalvageProgress, report: XTSalvageReport
  ) throws {
    self.file = file
    self.writer = writer
    self.hints = hints
    self.options = options
    self.progress = progress
    self.report = report
    payloads = PayloadReader(store: file.store)
    progress.begin(pages: file.store.pageCount)
    map = try PageMap(file) { _ in try progress.pageDone() }
    self.report.pages = file.store.pageCount + file.missingPages
    self.report.hasHints = hints != nil
  }

  func run() throws -> XTSalvageReport {
    if file.isLogForeign {
      note("the write-ahead log beside the file is another file's: it was left out")
    }
    try findSchema()
    try makeTables()
    try readTrees()
    try placeOrphans()
    if !isSchemaComplete { try keepUnknown() }
    try finish()
    return report
  }

  func note(_ problem: String) {
    if report.problems.count < 1_000 { report.problems.append(problem) }
  }

  // MARK: Rows

  /// Reads a leaf's rows into the new file.
  func readLeaf(_ leaf: TreeWalk.Leaf, of table: TableState) throws {
    try progress.pageDone()
    let kind: BTreePage.Kind? = file.store.tree(leaf.page) == nil ? .tableLeaf : nil
    guard let page = file.store.tree(leaf.page, assuming: kind) else { return }
    table.leafCount += 1
    let doubts = leaf.doubts.union(self.doubts(of: page))
    var last: Int64?
    for index in 0..<page.cellCount {
      guard let cell = page.cell(index), let rowID = cell.rowID else {
        leaveOut(table)
        continue
      }
      var doubts = doubts
      let isInside =
        (leaf.low.map { rowID > $0 } ?? true) && (leaf.high.map { rowID <= $0 } ?? true)
      if !isInside || (last.map { rowID <= $0 } ?? false) { doubts.insert(.damagedPage) }
      last = rowID
      try readRow(cell, rowID: rowID, on: page, of: table, doubts)
    }
  }

  /// Reads the rows of a page of a tree without row numbers.
  func readIndexPage(_ number: Int, of table: TableState, _ doubts: Doubts = []) throws {
    try progress.pageDone()
    guard let page = file.store.tree(number) else { return }
    table.leafCount += 1
    let doubts = doubts.union(self.doubts(of: page))
    for index in 0..<page.cellCount {
      guard let cell = page.cell(index) else {
        leaveOut(table)
        continue
      }
      try readRow(cell, rowID: nil, on: page, of: table, doubts)
    }
  }

  private func doubts(of page: BTreePage) -> Doubts {
    var doubts: Doubts = []
    if !page.isSound {
      doubts.insert(.damagedPage)
      report.damagedPages += 1
    }
    if file.store.isUnproved(page.number) { doubts.insert(.unprovedLog) }
    return doubts
  }

  private func readRow(
    _ cell: BTreePage.Cell, rowID: Int64?, on page: BTreePage, of table: TableState,
    _ doubts: Doubts
  ) throws {
    guard case .whole(let payload, let more) = payloads.payload(of: cell, on: page, &map),
      let record = Record(payload), record.values.count <= table.layout.columns.count
    else { return leaveOut(table) }
    var doubts = doubts.union(more)
    if isOdd(record, in: table.layout) { doubts.insert(.oddValue) }
    if table.layout.name == Self.sequenceTable { return keepSequence(record, doubts) }
    switch try writer.insert(record, rowID: rowID, into: table.layout, file.encoding) {
    case .refused: return leaveOut(table)
    case .writtenAgainstCheck: doubts.insert(.oddValue)
    case .written: break
    }
    if table.profile.rows < 5_000 { table.profile.add(record.types) }
    count(rowID, doubts, of: table)
  }

  private func isOdd(_ record: Record, in layout: TableLayout) -> Bool {
    for (index, value) in record.values.enumerated() {
      if layout.isOdd(value, at: index) { return true }
      if case .text(let range) = value,
        !file.encoding.isText(record.payload, range)
      {
        return true
      }
    }
    return false
  }

  private func leaveOut(_ table: TableState) {
    report.tables[table.index].rowsLeftOut += 1
  }

  private func count(_ rowID: Int64?, _ doubts: Doubts, of table: TableState) {
    guard !doubts.isEmpty else {
      report.tables[table.index].rows += 1
      return
    }
    report.tables[table.index].doubtfulRows += 1
    for doubt in doubts.reasons { report.doubts[doubt, default: 0] += 1 }
    if report.doubtfulRows.count < XTSalvageReport.mostRows {
      report.doubtfulRows.append(
        XTSalvageReport.Row(table: table.layout.name, rowID: rowID, doubts: doubts.reasons))
    }
  }

  static let sequenceTable = "sqlite_sequence"

  private func keepSequence(_ record: Record, _ doubts: Doubts) {
    // A number out of the blue would leave the table no numbers to give.
    guard doubts.isEmpty, let name = record.text(0, file.encoding),
      let number = record.integer(1)
    else { return }
    sequences[name] = max(sequences[name] ?? 0, number)
  }
}

extension TextEncoding {
  /// Whether bytes are a text of this encoding.
  func isText(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    if self == .utf8 {
      let isPlain = bytes.withUnsafeBufferPointer { buffer in
        UnsafeBufferPointer(rebasing: buffer[range]).allSatisfy { $0 < 0x80 }
      }
      if isPlain { return true }
    }
    return decode(bytes[range]).isWhole
  }
}
