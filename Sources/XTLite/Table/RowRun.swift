/// A statement that runs, and what is made of its rows.
struct RowRun<Element> {
  let statement: Statement
  private let connection: Connection
  private let maker: RowMaker<Element>
  private var filler: RowFiller?
  private(set) var hasBegun = false
  private var hasEnded = false

  init(_ statement: Statement, on connection: Connection, _ maker: RowMaker<Element>) {
    self.statement = statement
    self.connection = connection
    self.maker = maker
  }

  /// What is made of the next row; nil when there is none, however often it is asked for.
  @inline(__always)
  mutating func next() throws -> Element? {
    guard try step() else { return nil }
    return try filler?.row(Element.self, from: statement)
  }

  /// What is made of all rows from the next one on.
  mutating func all() throws -> [Element] {
    var rows = RowMemory<Element>()
    while try step(), let filler {
      try filler.fill(UnsafeMutableRawPointer(rows.place()), from: statement)
      rows.keep()
    }
    return rows.takeAll()
  }

  private mutating func step() throws -> Bool {
    // SQLite would begin anew.
    if hasEnded { return false }
    hasEnded = try !statement.step()
    // Not before the first step, which may find that a table has other columns now.
    if filler == nil, statement.columnCount > 0 {
      filler = try maker.begin(connection, statement)
    }
    if !hasEnded { hasBegun = true }
    return !hasEnded
  }

  /// A statement that writes has done so only at its end.
  mutating func finish() throws {
    if !statement.isReadOnly { while try step() {} }
  }
}
