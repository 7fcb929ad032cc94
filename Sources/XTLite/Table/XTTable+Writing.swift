// How a verb comes to a writer for each model, and its models to what they are to know.
extension XTTable {
  /// One model's verb. What `body` returns is told to the model.
  ///
  /// - Parameter isAtomic: whether the verb takes a transaction: where it needs more than one
  ///   statement, or must be able to take the first back.
  @inline(__always)
  func write(
    _ model: inout Model, _ verb: WritingVerb, isAtomic: Bool,
    _ body: (TableWriter, ModelMemory) throws -> WrittenRow?
  ) throws -> WrittenRow? {
    try withMemory(&model) { memory in
      let plan = try plan(for: memory)
      let (writer, row) = try withWriter(
        plan, verb, isAtomic: isAtomic || plan.numberMayNotFit
      ) { try body($0, memory) }
      if let row, memory.object == nil { try memory.tell(row, writer) }
      return row
    }
  }

  /// One model's verb of one statement, that tells a value nothing.
  @inline(__always)
  func write<Result>(
    _ model: Model, _ verb: WritingVerb, _ body: (TableWriter, ModelMemory) throws -> Result
  ) throws -> Result {
    try withMemory(of: model) { memory in
      try withWriter(try plan(for: memory), verb, isAtomic: false) { try body($0, memory) }.1
    }
  }

  /// All models' verb, in one transaction and one after another. What `body` returns is told to the
  /// models once all of it is there.
  ///
  /// - Returns: what `body` returned for each.
  func writeEach(
    _ models: inout [Model], _ verb: WritingVerb,
    _ body: (TableWriter, ModelMemory) throws -> WrittenRow?
  ) throws -> [WrittenRow?] {
    var written: [WrittenRow?] = []
    written.reserveCapacity(models.count)
    var last: TableWriter?
    try writeEach(models, verb) { writer, memory in
      written.append(try body(writer, memory))
      last = writer
    }
    guard !(Model.self is AnyClass), let writer = last else { return written }
    try models.withUnsafeMutableBufferPointer { models in
      for index in models.indices {
        guard let row = written[index] else { continue }
        try withMemory(&models[index]) { try $0.tell(row, writer) }
      }
    }
    return written
  }

  /// The same for any sequence, of which nothing is kept: values are not told anything.
  func writeEach(
    _ models: some Sequence<Model>, _ verb: WritingVerb,
    _ body: (TableWriter, ModelMemory) throws -> Void
  ) throws {
    // What is wrong with the type is wrong with an empty list too.
    _ = try plan()
    try database.writing { connection in
      var writers = Writers(table: self, connection: connection, verb: verb)
      do {
        try connection.inTransaction {
          defer { writers.finish() }
          try forEachMemory(of: models) { try body(try writers.writer(for: $0), $0) }
        }
      } catch {
        throw writers.explained(error)
      }
      try writers.tellObjects()
    }
  }

  /// Runs `body` on each model where it stands, or on a copy where it stands nowhere yet.
  @inline(__always)
  private func forEachMemory(
    of models: some Sequence<Model>, _ body: (ModelMemory) throws -> Void
  ) throws {
    let isObject = Model.self is AnyClass
    let isDone: Void? = try models.withContiguousStorageIfAvailable { models in
      guard var place = UnsafeRawPointer(models.baseAddress) else { return }
      for _ in 0..<models.count {
        try body(ModelMemory(at: place, isObject: isObject))
        place += MemoryLayout<Model>.stride
      }
    }
    guard isDone == nil else { return }
    for model in models { try withMemory(of: model, body) }
  }

  /// - Returns: the writer that did it, and what `body` returned.
  @inline(__always)
  private func withWriter<Result>(
    _ plan: TablePlan, _ verb: WritingVerb, isAtomic: Bool, _ body: (TableWriter) throws -> Result
  ) throws -> (TableWriter, Result) {
    func run(_ connection: Connection, _ rows: RowPlan) throws -> (TableWriter, Result) {
      let writer = try TableWriter(plan, rows, connection, verb, isList: false)
      return (writer, try writer.whileHolding { try body(writer) })
    }
    func runAtomically(_ connection: Connection) throws -> (TableWriter, Result) {
      do {
        return try connection.inTransaction { try plan.writingInTransaction(connection, run) }
      } catch {
        // What was written may fail as late as when it is committed.
        throw plan.explained(error, connection)
      }
    }
    return try database.writing { connection in
      let (writer, result) =
        try isAtomic ? runAtomically(connection) : plan.writing(connection, run)
      try writer.tellObjects()
      return (writer, result)
    }
  }
}

/// The writers of a list verb: objects of several classes each go to their own table.
private struct Writers<Model: XTModel> {
  let table: XTTable<Model>
  let connection: Connection
  let verb: WritingVerb
  private var current: TableWriter?
  private var currentType: ObjectIdentifier?
  private var all: [ObjectIdentifier: TableWriter] = [:]

  init(table: XTTable<Model>, connection: Connection, verb: WritingVerb) {
    self.table = table
    self.connection = connection
    self.verb = verb
  }

  @inline(__always)
  mutating func writer(for memory: ModelMemory) throws -> TableWriter {
    if let current {
      guard let object = memory.object else { return current }
      if currentType == ObjectIdentifier(Swift.type(of: object)) { return current }
    }
    return try another(for: memory)
  }

  @inline(never)
  private mutating func another(for memory: ModelMemory) throws -> TableWriter {
    let type = ObjectIdentifier(memory.object.map { Swift.type(of: $0) } ?? Model.self)
    currentType = type
    if let known = all[type] {
      current = known
      return known
    }
    let plan = try table.plan(for: memory)
    let writer = try TableWriter(
      plan, plan.rowsForTransaction(connection), connection, verb, isList: true)
    all[type] = writer
    current = writer
    return writer
  }

  func finish() {
    for writer in all.values { writer.finish() }
  }

  func explained(_ error: any Error) -> any Error {
    all.values.reduce(error) { $1.plan.explained($0, connection) }
  }

  func tellObjects() throws {
    for writer in all.values { try writer.tellObjects() }
  }
}

extension XTTable {
  func verb(_ name: String, only: [AnyKeyPath]? = nil, by: [AnyKeyPath] = []) -> WritingVerb {
    WritingVerb(name: name, time: database.currentTime(), only: only, by: by)
  }
}
