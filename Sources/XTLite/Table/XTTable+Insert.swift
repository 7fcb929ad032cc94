import Foundation

extension XTTable {
  /// Adds a row for the model and tells it its pkid and both times.
  ///
  /// ```swift
  /// var kobe = Person(name: "mamba", age: 24)
  /// try people.insert(&kobe)         // kobe.pkid is set
  /// ```
  ///
  /// - Returns: the row's pkid: the model's own where it is set, else the next one.
  /// - Throws: `constraint` where the row would break one, also for a pkid that is taken;
  ///   `valueOutOfRange` for a value that can't be stored.
  @discardableResult
  public func insert(_ model: inout Model) throws -> Int64 {
    try insertOne(&model, .fail, only: nil).pkid
  }

  /// Adds a row with just these properties; the file's defaults fill the other columns.
  ///
  /// - Returns: the row's pkid.
  /// - Throws: as ``insert(_:)``.
  @discardableResult
  public func insert(_ model: inout Model, only properties: PartialKeyPath<Model>...) throws -> Int64 {
    try insertOne(&model, .fail, only: properties).pkid
  }

  /// Adds a row for the model unless a constraint is in the way.
  ///
  /// - Returns: whether a row was added; only then are pkid and times written back.
  @discardableResult
  public func insertOrIgnore(_ model: inout Model) throws -> Bool {
    try insertOne(&model, .ignore, only: nil).isAdded
  }

  /// Adds rows for all models, in one transaction, and tells each its pkid and times.
  ///
  /// - Returns: how many rows were added.
  /// - Throws: as ``insert(_:)``; the table is then as it was, and no model was touched.
  @discardableResult
  public func insertList(_ models: inout [Model]) throws -> Int {
    try insertAll(&models, .fail, only: nil)
  }

  /// Adds rows for all models of a sequence, in one transaction. Values are not written back to,
  /// objects are.
  ///
  /// - Returns: how many rows were added.
  /// - Throws: as ``insertList(_:)-(inout)``.
  @discardableResult
  public func insertList(_ models: some Sequence<Model>) throws -> Int {
    try insertAll(models, .fail, only: nil)
  }

  /// Adds rows for all models with just these properties.
  @discardableResult
  public func insertList(
    _ models: some Sequence<Model>, only properties: PartialKeyPath<Model>...
  ) throws -> Int {
    try insertList(models, only: properties)
  }

  /// Adds rows for those models that no constraint is in the way of.
  ///
  /// - Returns: how many rows were added.
  @discardableResult
  public func insertOrIgnoreList(_ models: inout [Model]) throws -> Int {
    try insertAll(&models, .ignore, only: nil)
  }

  /// The same for any sequence; values are not written back to.
  @discardableResult
  public func insertOrIgnoreList(_ models: some Sequence<Model>) throws -> Int {
    try insertAll(models, .ignore, only: nil)
  }
}

extension XTTable where Model: AnyObject {
  /// Adds a row for the object and tells it its pkid and both times.
  ///
  /// - Returns: the row's pkid.
  /// - Throws: `constraint` where the row would break one; `valueOutOfRange` for a value that can't
  ///   be stored.
  @discardableResult
  public func insert(_ object: Model) throws -> Int64 {
    var object = object
    return try insert(&object)
  }

  /// Adds a row with just these properties; the file's defaults fill the other columns.
  @discardableResult
  public func insert(_ object: Model, only properties: PartialKeyPath<Model>...) throws -> Int64 {
    var object = object
    return try insertOne(&object, .fail, only: properties).pkid
  }

  /// Adds a row for the object unless a constraint is in the way.
  @discardableResult
  public func insertOrIgnore(_ object: Model) throws -> Bool {
    var object = object
    return try insertOrIgnore(&object)
  }
}

// MARK: - One

extension XTTable {
  func insertOne(
    _ model: inout Model, _ conflict: StatementBuilder.Conflict, only: [AnyKeyPath]?
  ) throws -> (pkid: Int64, isAdded: Bool) {
    let plan = try plan(for: model)
    return try withMemory(&model) { memory in
      try writing(plan) { connection, rows in
        let insertion = try only.map { rows.insertion(only: try plan.declaredColumns($0)) }
        return try insert(memory, conflict, insertion ?? rows.insertion, plan, rows, connection)
      }
    }
  }

  /// Inserts and writes back; in a transaction where the model's pkid might not hold the number.
  @inline(__always)
  func insert(
    _ memory: ModelMemory, _ conflict: StatementBuilder.Conflict, _ insertion: Insertion,
    _ plan: TablePlan, _ rows: RowPlan, _ connection: Connection
  ) throws -> (pkid: Int64, isAdded: Bool) {
    let time = database.currentTime()
    func insert() throws -> (pkid: Int64, isAdded: Bool) {
      try connection.withStatement(insertion.statement(conflict)) { statement in
        let buffer = BindingBuffer(capacity: 1024)
        let given = try plan.rowID(of: memory)
        try insertion.run(statement, memory.base, rowID: given, time: time, through: buffer)
        guard conflict != .ignore || connection.changes > 0 else { return (given ?? 0, false) }
        let pkid = connection.lastInsertRowID
        if let undo = connection.isInTransaction ? memory.restoring(plan.mapping) : nil {
          connection.onRollback(undo)
        }
        try memory.writeBack(pkid: pkid, createTime: time, updateTime: time, plan, rows)
        return (pkid, true)
      }
    }
    if plan.mapping.rowID.type.integerRange == Int64.min...Int64.max { return try insert() }
    return try connection.inTransaction(insert)
  }

  @inline(__always)
  func withMemory<Result>(
    _ model: inout Model, _ body: (ModelMemory) throws -> Result
  ) throws -> Result {
    let object = Model.self is AnyClass ? model as AnyObject : nil
    return try withMutableModelMemory(&model) { base, _ in
      try body(ModelMemory(base: UnsafeRawPointer(base), object: object))
    }
  }

  @inline(__always)
  func withMemory<Result>(
    of model: Model, _ body: (ModelMemory) throws -> Result
  ) throws -> Result {
    let object = Model.self is AnyClass ? model as AnyObject : nil
    return try withModelMemory(model) { base in
      try body(ModelMemory(base: base, object: object))
    }
  }
}

// MARK: - Many

extension XTTable {
  func insertList(_ models: some Sequence<Model>, only properties: [PartialKeyPath<Model>]) throws -> Int {
    try insertAll(models, .fail, only: properties)
  }

  fileprivate func insertAll(
    _ models: inout [Model], _ conflict: StatementBuilder.Conflict, only: [AnyKeyPath]?
  ) throws -> Int {
    var written = try writeAll(models, conflict, only: only)
    if Model.self is AnyClass { return written.count }
    // Only now that all rows are there; and all models are told, or none.
    let plan = try plan()
    let rows = try database.reading { try plan.rowsForReading($0) }
    try models.withUnsafeMutableBufferPointer { buffer in
      written.rowIDs.reverse()
      for index in buffer.indices {
        guard let pkid = written.rowIDs.popLast(), let pkid else { continue }
        try withMemory(&buffer[index]) { memory in
          try memory.writeBack(
            pkid: pkid, createTime: written.time, updateTime: written.time, plan, rows)
        }
      }
    }
    return written.count
  }

  fileprivate func insertAll(
    _ models: some Sequence<Model>, _ conflict: StatementBuilder.Conflict, only: [AnyKeyPath]?
  ) throws -> Int {
    try writeAll(models, conflict, only: only, keepsRowIDs: false).count
  }

  private struct Written {
    var count = 0
    /// For each model its pkid; nil where no row was added.
    var rowIDs: [Int64?] = []
    var time = 0.0
  }

  private func writeAll(
    _ models: some Sequence<Model>, _ conflict: StatementBuilder.Conflict, only: [AnyKeyPath]?,
    keepsRowIDs: Bool = true
  ) throws -> Written {
    let time = database.currentTime()
    if Model.self is AnyClass {
      return Written(count: try writeObjects(models, conflict, only: only, time))
    }
    let plan = try plan()
    return try transacting(plan) { connection, rows in
      let insertion = try only.map { rows.insertion(only: try plan.declaredColumns($0)) }
        ?? rows.insertion
      return try connection.withStatement(insertion.statement(conflict)) { statement in
        var written = Written(time: time)
        let buffer = BindingBuffer()
        for model in models {
          try withMemory(of: model) { memory in
            try insertion.run(
              statement, memory.base, rowID: try plan.rowID(of: memory), time: time, through: buffer)
          }
          let isAdded = conflict != .ignore || connection.changes > 0
          if isAdded { written.count += 1 }
          if isAdded { try plan.checkRange(connection.lastInsertRowID) }
          if keepsRowIDs { written.rowIDs.append(isAdded ? connection.lastInsertRowID : nil) }
        }
        return written
      }
    }
  }

  /// Objects of a list may be of several classes, each with a table of its own.
  private func writeObjects(
    _ objects: some Sequence<Model>, _ conflict: StatementBuilder.Conflict, only: [AnyKeyPath]?,
    _ time: Double
  ) throws -> Int {
    try database.writing { connection in
      var added: [(memory: ModelMemory, pkid: Int64, plan: TablePlan, rows: RowPlan)] = []
      try connection.inTransaction {
        var run: ListRun?
        defer { run.map { connection.finish($0.statement) } }
        for object in objects {
          let memory = ModelMemory(base: objectMemory(object as AnyObject), object: object as AnyObject)
          let type = ObjectIdentifier(Swift.type(of: object as AnyObject))
          if run?.type != type {
            run.map { connection.finish($0.statement) }
            run = nil
            let plan = try plan(for: object)
            let rows = try plan.rowsForTransaction(connection)
            let insertion = try only.map { rows.insertion(only: try plan.declaredColumns($0)) }
              ?? rows.insertion
            run = ListRun(
              type: type, plan: plan, rows: rows, insertion: insertion,
              statement: try connection.statement(insertion.statement(conflict)))
          }
          guard let run else { continue }
          try run.insertion.run(
            run.statement, memory.base, rowID: try run.plan.rowID(of: memory), time: time,
            through: run.buffer)
          guard conflict != .ignore || connection.changes > 0 else { continue }
          added.append((memory, connection.lastInsertRowID, run.plan, run.rows))
        }
      }
      for (memory, pkid, plan, rows) in added {
        if connection.isInTransaction, let undo = memory.restoring(plan.mapping) {
          connection.onRollback(undo)
        }
        try memory.writeBack(pkid: pkid, createTime: time, updateTime: time, plan, rows)
      }
      return added.count
    }
  }

  private struct ListRun {
    let type: ObjectIdentifier
    let plan: TablePlan
    let rows: RowPlan
    let insertion: Insertion
    let statement: Statement
    let buffer = BindingBuffer()
  }
}
