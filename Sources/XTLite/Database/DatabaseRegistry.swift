/// The open files of this process, so that all values on one file share one core.
enum DatabaseRegistry {
  private struct Entry {
    let core: DatabaseCore
    var users: Int
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    /// One per path that is being opened: opening may wait for a disk or another process, and
    /// only those who want the same file wait with it.
    var gates: [ExactText: (gate: Gate, users: Int)] = [:]
  }

  private static let state = Mutex(State())

  /// The file's core, opened where it is not open; counts one more user of it. A nil path is a new
  /// database in memory.
  static func open(path: String?, configuration: XTConfiguration) throws -> DatabaseCore {
    guard let path else {
      let core = try DatabaseCore(path: nil, configuration: configuration)
      add(core)
      return core
    }
    let resolved = try FilePath.resolved(path)
    let gate = enter(ExactText(resolved))
    defer { leave(ExactText(resolved)) }
    return try gate.withLock(orThrow: openingInside(resolved)) {
      if let core = try join(resolved, configuration) { return core }
      if !configuration.readOnly { try FilePath.makeFolder(of: resolved) }
      // Those whose file was replaced: it is not the one that is there now.
      for core in cores where core.file.path == resolved { try core.giveUpPath() }
      let damage = try OpeningCheck.run(path: resolved, configuration)
      let core = try DatabaseCore(path: resolved, configuration: configuration, damage: damage)
      return try add(core, resolved, configuration)
    }
  }

  private static func openingInside(_ path: String) -> XTError {
    XTError(
      .locked, "a database is opened inside of its own opening",
      hint: "a set-up uses the connection that it is given", path: path)
  }

  /// Counts one user less. True where that was the last: the caller closes the core.
  static func release(_ core: DatabaseCore) -> Bool {
    state.withLock { state in
      guard let entry = state.entries[core.identity] else { return true }
      guard entry.users == 1 else {
        state.entries[core.identity]?.users -= 1
        return false
      }
      state.entries[core.identity] = nil
      return true
    }
  }

  private static func join(
    _ path: String, _ configuration: XTConfiguration
  ) throws -> DatabaseCore? {
    let file = FileIdentity(path: path)
    return try state.withLock { state in
      // Asked each time: a file that was removed leaves its number to another.
      guard let entry = state.entries.values.first(where: { $0.core.file.isSame(file, path) })
      else { return nil }
      if let setting = entry.core.configuration.conflict(with: configuration) {
        throw XTError(
          .open, "the file is open already, with another \(setting)",
          hint: "use the same \(setting), or close the other database first", path: path)
      }
      state.entries[entry.core.identity]?.users += 1
      return entry.core
    }
  }

  private static func add(
    _ core: DatabaseCore, _ path: String, _ configuration: XTConfiguration
  ) throws -> DatabaseCore {
    // Another path to the same file may have been opened meanwhile.
    if let other = try join(path, configuration) {
      core.close()
      return other
    }
    add(core)
    return core
  }

  private static func add(_ core: DatabaseCore) {
    state.withLock { $0.entries[core.identity] = Entry(core: core, users: 1) }
    MemoryPressure.watch()
  }

  /// Those that are open.
  /// Whether the file at a resolved path is open.
  static func isOpen(_ path: String) -> Bool {
    guard let file = FileIdentity(path: path) else { return false }
    return cores.contains { $0.file.isSame(file, path) }
  }

  static var cores: [DatabaseCore] { state.withLock { $0.entries.values.map(\.core) } }

  private static func enter(_ path: ExactText) -> Gate {
    state.withLock { state in
      let gate = state.gates[path]?.gate ?? Gate()
      state.gates[path, default: (gate, 0)].users += 1
      return gate
    }
  }

  private static func leave(_ path: ExactText) {
    state.withLock { state in
      state.gates[path]?.users -= 1
      if state.gates[path]?.users == 0 { state.gates[path] = nil }
    }
  }
}
