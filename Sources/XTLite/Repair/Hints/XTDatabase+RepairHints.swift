import Foundation

extension XTDatabase {
  /// Saves what helps most on the day on which the file is damaged, in a file beside it: the schema,
  /// where each table begins, and which pages are which table's. No row is in it.
  ///
  /// ```swift
  /// try database.saveRepairHints()  // now and then: once a week, or after much was written
  /// ```
  ///
  /// They are at ``path`` with `-hints` behind it, a small database that is encrypted where this one
  /// is. From then on, until the database is closed, the schema in it follows each change of tables;
  /// which pages are whose is as it was at the latest call. `salvage(_:to:key:options:progress:)`
  /// uses them, as far as the damaged file does not contradict. They go where `moveFiles` puts the
  /// file, and with it. Where another file takes its place, by `changeKey` or `restore`, they are
  /// saved anew, if they were saved since the database was opened; else removed, since they tell of
  /// the file that was there.
  ///
  /// It reads the whole file, beside readers and writers.
  ///
  /// - Parameter key: The hints' own key; nil for the database's.
  /// - Throws: ``XTError``: `open` in memory and where the folder can't be written, `diskFull`,
  ///   `encryption` where this build has none, `interrupted`, `locked`, `closed`.
  public func saveRepairHints(key: XTKey? = nil) throws {
    guard !core.file.isInMemory else {
      throw noted(XTError(.open, "a database in memory has no file to be repaired", path: path))
    }
    try key?.validate()
    let keeper = attachment(
      for: AttachmentKey(type: ObjectIdentifier(RepairHintsKeeper.self), name: nil)
    ) { RepairHintsKeeper() }
    try reading { connection in
      try keeper.save(on: connection, key: key ?? connection.settings.key)
    }
    core.keep(keeper, key: key)
  }
}

extension DatabaseCore {
  /// Lets the hints follow the schema, and the file, as long as it is open.
  fileprivate func keep(_ keeper: RepairHintsKeeper, key: XTKey?) {
    watchSchema { [weak self, weak keeper] in
      keeper?.schedule { [weak self, weak keeper] in
        guard let self, let keeper else { return }
        // The next call of saveRepairHints throws what is wrong.
        for _ in 0..<Self.tries {
          guard (try? self.follow(keeper, key)) == false else { return }
        }
      }
    }
  }

  private static let tries = 3

  /// On one of the pool's connections, so that who needs the file alone waits for it, but not long.
  ///
  /// - Returns: Whether it is done, and nobody was in the way.
  private func follow(_ keeper: RepairHintsKeeper, _ key: XTKey?) throws -> Bool {
    let connection = try readers.take(.readVerb, limit: waitLimit)
    defer { readers.give(connection) }
    do {
      try keeper.follow(connection, key: key ?? connection.settings.key) {
        if readers.isWanted {
          throw XTError(.interrupted, "somebody waits for the connection", path: connection.path)
        }
      }
      return true
    } catch let error as XTError where error.kind == .interrupted {
      return false
    }
  }
}

/// Writes one database's repair hints, one after the other.
final class RepairHintsKeeper: Sendable {
  private let queue = DispatchQueue(label: "XTLite repair hints")
  private let isScheduled = Mutex(false)
  private let writing = Lock()

  /// The file that the latest hints tell of.
  private let file = Mutex<FileIdentity?>(nil)

  func save(on connection: Connection, key: XTKey?) throws {
    try writing.withLock {
      try collect(on: connection, key) {
        if connection.isCancelled.isSet {
          throw XTError(.interrupted, "the task was cancelled", path: connection.path)
        }
      }
    }
  }

  private func collect(
    on connection: Connection, _ key: XTKey?, check: () throws -> Void
  ) throws {
    let identity = FileIdentity(path: connection.path)
    let hints = try HintsCollector.collect(on: connection, check: check)
    try hints.write(to: RepairHints.path(of: connection.path), key: key)
    file.withLock { $0 = identity }
  }

  /// Runs `body` soon, once for all calls until then.
  func schedule(_ body: @escaping @Sendable () -> Void) {
    let isFirst = isScheduled.withLock { isScheduled in
      defer { isScheduled = true }
      return !isScheduled
    }
    guard isFirst else { return }
    queue.async { [self] in
      isScheduled.withLock { $0 = false }
      body()
    }
  }

  /// Puts the schema as it is now into the hints that are there.
  fileprivate func follow(
    _ connection: Connection, key: XTKey?, check: () throws -> Void
  ) throws {
    try writing.withLock {
      if let file = file.withLock({ $0 }), file != FileIdentity(path: connection.path) {
        return try collect(on: connection, key, check: check)
      }
      let place = RepairHints.path(of: connection.path)
      // Somebody may have taken them away, and wants none.
      guard var hints = RepairHints.read(place, key: key) else { return }
      let schema = try SchemaEntry.all(on: connection)
      guard schema != hints.schema else { return }
      hints.update(schema)
      try hints.write(to: place, key: key)
    }
  }

  /// Waits until what was scheduled is done.
  func waitUntilIdle() {
    queue.sync {}
  }
}

extension RepairHints {
  /// Exchanges the schema. Pages of tables that begin elsewhere now are forgotten.
  fileprivate mutating func update(_ schema: [SchemaEntry]) {
    func roots(_ entries: [SchemaEntry]) -> [SQLiteName: Int] {
      Dictionary(
        entries.filter(\.isTable).map { (SQLiteName($0.name), $0.root) }, uniquingKeysWith: { $1 })
    }
    let (old, new) = (roots(self.schema), roots(schema))
    // A table that was renamed has its pages still.
    let names = Dictionary(
      schema.filter { $0.isTable && $0.root > 0 }.map { ($0.root, $0.name) },
      uniquingKeysWith: { $1 })
    runs = runs.compactMap { run in
      guard let root = old[SQLiteName(run.table)] else { return nil }
      if new[SQLiteName(run.table)] == root { return run }
      guard let name = names[root], old[SQLiteName(name)] == nil else { return nil }
      return Run(first: run.first, count: run.count, table: name)
    }
    self.schema = schema
  }
}
