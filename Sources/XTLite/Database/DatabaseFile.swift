/// Where a database is, and which file was found there.
final class DatabaseFile: Sendable {
  /// For errors and logs.
  let label: String

  private struct State {
    /// Nil for a database in memory.
    var path: String?
    /// The file that was opened. Nil before that, and in memory.
    var identity: FileIdentity?
    /// Its log, as it was when the connection that writes was opened.
    var log: FileIdentity?
    /// Whether a file that is not there is made: at the first opening, and where it was removed on
    /// purpose. Otherwise somebody took it away, and an empty one in its place would hide that.
    var mayCreate = true
  }

  private let state: Mutex<State>

  init(path: String?, label: String) {
    self.label = label
    state = Mutex(State(path: path))
  }

  /// The absolute path with links resolved; ":memory:" for a database in memory.
  var path: String { state.withLock { $0.path } ?? ":memory:" }

  var isInMemory: Bool { state.withLock { $0.path } == nil }

  /// The file that is open.
  var identity: FileIdentity? { state.withLock { $0.identity } }

  var mayCreate: Bool { state.withLock { $0.mayCreate } }

  /// Whether this is the file at `path`, which has the identity `file`: the one that is open, or
  /// while none is, the one that will be opened next.
  func isSame(_ file: FileIdentity?, _ path: String) -> Bool {
    state.withLock { state in
      state.identity.map { $0 == file }
        ?? (state.path.map(ExactText.init) == ExactText(path))
    }
  }

  /// A connection was opened: where it is the first, its file is known from now on.
  func wasOpened(forWriting: Bool) {
    state.withLock { state in
      if forWriting { state.log = state.path.flatMap { FileIdentity(path: $0 + "-wal") } }
      if state.identity == nil { state.identity = state.path.flatMap { FileIdentity(path: $0) } }
      state.mayCreate = false
    }
  }

  /// All connections were closed: what is found at the path at the next opening is the file.
  func wasClosed(movedTo path: String? = nil, mayCreate: Bool = false) {
    state.withLock { state in
      if let path { state.path = path }
      state.identity = nil
      state.log = nil
      state.mayCreate = mayCreate
    }
  }

  /// Whether the file that was opened is still the one at the path.
  ///
  /// - Throws: `open` where it was removed, or another is in its place: what is written into it
  ///   would be lost.
  @inline(__always)
  func verify() throws {
    let (path, identity) = state.withLock { ($0.path, $0.identity) }
    guard let path, let identity else { return }
    if FileIdentity(path: path) != identity { throw goneError(path) }
  }

  /// Whether the log at the path is that of the file that was opened, while the file itself is not
  /// there any more. For who has the connection that writes.
  var hasStrayLog: Bool {
    let (path, log) = state.withLock { ($0.path, $0.log) }
    guard let path, let log, (try? verify()) == nil else { return false }
    return FileIdentity(path: path + "-wal") == log
  }

  /// What SQLite keeps beside a file.
  static func companions(of path: String) -> [String] {
    ["-wal", "-shm", "-journal"].map { path + $0 }
  }

  /// Those of them that hold a part of what the file says.
  static func logs(of path: String) -> [String] {
    ["-wal", "-journal"].map { path + $0 }
  }

  /// What rooms of this library keep beside a file, and tell about it: it goes where the file goes,
  /// and tells nothing of another one in its place.
  static func additions(to path: String) -> [String] {
    ["-hints"].map { path + $0 }
  }

  /// All that belongs to a file, beside the file itself.
  static func belongings(of path: String) -> [String] {
    companions(of: path) + additions(to: path)
  }

  /// For another file that is to take its place.
  func removeAdditions() throws {
    for file in Self.additions(to: path) { try FilePath.remove(file) }
  }

  /// All zeros in memory.
  var sizes: XTFileSizes { isInMemory ? XTFileSizes() : XTFileSizes(path: path) }

  // MARK: Errors

  @inline(never)
  private func goneError(_ path: String) -> XTError {
    let isThere = FileIdentity(path: path) != nil
    return XTError(
      .open,
      isThere
        ? "another file was put in the place of the open database \(label)"
        : "the file of the open database \(label) was removed",
      hint: "close the database before its file is moved or replaced, or use whileClosed { }; "
        + "close it now and open it again to go on with what is there",
      path: path)
  }

  func closedError() -> XTError {
    XTError(
      .closed, "the database \(label) was closed", hint: "open a new XTDatabase", path: path)
  }

  func lockedError(_ waiter: Waiter, holder: AccessKind) -> XTError {
    let seconds = String(Double(Int(waiter.limit * 1000)) / 1000)
    return XTError(
      .locked,
      "\(waiter.kind.name) waited \(seconds) s for \(label), which \(holder.name) holds",
      hint: holder.advice, path: path)
  }
}
