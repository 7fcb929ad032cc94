/// A new file with all that a database holds, which is verified before anybody relies on it.
struct DatabaseCopy {
  private let source: ConnectionSettings
  /// How the new file is opened.
  private let target: ConnectionSettings

  /// - Parameters:
  ///   - source: How the database is opened that is copied.
  ///   - path: Where the new file is; there, and empty.
  init(of source: ConnectionSettings, to path: String, key: XTKey?, cipher: XTCipher) {
    self.source = source
    var target = source
    target.path = path
    target.key = key
    target.cipher = cipher
    target.derivedKey = key?.isDerived == true ? DerivedKey() : nil
    target.isReadOnly = false
    target.isReader = false
    target.mayCreate = false
    target.journalMode = "delete"
    target.synchronous = "full"
    target.statementLog = nil
    self.target = target
  }

  /// Whether pages can be copied as they are: both are plain, or encrypted in the same way.
  var isByPages: Bool {
    (source.key == nil) == (target.key == nil)
      && (source.key == nil || source.cipher == target.cipher)
  }

  // MARK: Copying

  /// Pages that one step copies: some megabytes at most.
  private static let stepSize = 256

  /// Copies what `connection` sees, which others don't change meanwhile: in a read transaction, or
  /// with the file alone.
  func copyPages(
    from connection: Connection, _ progress: (Double) throws -> Void
  ) throws {
    let new = try open()
    defer { new.close() }
    let copy = try PageCopy(from: connection, to: new)
    defer { copy.finish() }
    while try !copy.step(pages: Self.stepSize) {
      try progress(1 - Double(copy.remaining) / Double(max(copy.total, 1)))
    }
    if let error = copy.finish() { throw error }
  }

  /// How often a copy begins anew, because others write, before it makes them wait.
  private static let mostRestarts = 3

  /// Copies while others write: `lend` gives the connection for one step at a time.
  func copyPages(
    lending lend: ((Connection) throws -> Bool) throws -> Bool,
    _ progress: (Double) throws -> Void
  ) throws {
    let new = try open()
    defer { new.close() }
    var copy: PageCopy?
    defer { copy?.finish() }
    var restarts = 0
    var isDone = false
    while !isDone {
      isDone = try lend { connection in
        if copy?.isFinished != false {
          // The connection was closed meanwhile, and another one was opened.
          if copy != nil { restarts += 1 }
          copy = try PageCopy(from: connection, to: new)
        }
        guard let copy else { return false }
        let hasPatience = restarts + copy.restarts < Self.mostRestarts
        return try copy.step(pages: hasPatience ? Self.stepSize : -1)
      }
      if let copy { try progress(1 - Double(copy.remaining) / Double(max(copy.total, 1))) }
    }
    if let error = copy?.finish() { throw error }
  }

  /// Writes everything anew, encrypted as the new file is to be. Returns what it must hold then.
  ///
  /// - Parameter connection: May write, and is in no transaction.
  func export(
    from connection: Connection, _ progress: (Double) throws -> Void
  ) throws -> DatabaseFacts {
    try connection.export(to: target, progress) { try DatabaseFacts(of: connection) }
  }

  private func open() throws -> Connection {
    var settings = target.withoutAdditions
    // The file is nothing before it is whole.
    settings.journalMode = "memory"
    return try Connection(settings)
  }

  // MARK: Verifying

  /// Opens the new file with its key and looks for damage, and for what is missing.
  ///
  /// - Parameter facts: What it has to hold, where that is known.
  /// - Throws: `corrupt` where something is wrong with it.
  func verify(holding facts: DatabaseFacts?, _ progress: (Double) throws -> Void) throws {
    let connection = try Connection(target)
    defer { connection.close() }
    // One without anything in it would be a file of no bytes, which nobody can tell from a lost one.
    if connection.header(of: 1)?.isEmpty == true {
      try connection.prepare("PRAGMA user_version = 0", kept: false).run()
    }
    guard connection.hasPlainHeader == (target.key == nil) else {
      throw XTError(
        .encryption, "the new file is \(target.key == nil ? "" : "not ")encrypted",
        path: target.path)
    }
    if let problem = try connection.problems(isQuick: false, limit: 1, progress: progress).first {
      throw XTError(.corrupt, "the copy is damaged: \(problem)", path: source.path)
    }
    if let facts, let name = facts.difference(from: try DatabaseFacts(of: connection)) {
      throw XTError(.corrupt, "the copy differs from the database in \(name)", path: source.path)
    }
  }

  /// Sees that the key of the source does not open the new file.
  func refuseOldKey() throws {
    var old = target.withoutAdditions
    old.key = source.key
    old.cipher = source.cipher
    old.derivedKey = nil
    old.isReadOnly = true
    do {
      try Connection(old).close()
    } catch let error as XTError where [.encryption, .notADatabase].contains(error.kind) {
      return
    }
    throw XTError(
      .encryption, "the old key opens the new file too",
      hint: "take a key that differs in more than zero bytes at its end", path: source.path)
  }
}
