extension XTDatabase {
  private static let configured = Mutex<XTDatabase?>(nil)

  /// The database that the `xt_` verbs use outside of other databases' blocks.
  ///
  /// - Throws: ``XTError`` `notConfigured` before ``configure(path:configuration:)``.
  public static var shared: XTDatabase {
    get throws {
      if let database = configured.withLock({ $0 }) { return database }
      throw notConfigured()
    }
  }

  /// Opens the file at `path` and makes it the shared database; call it once, at launch.
  ///
  /// Called again it replaces the shared database once that one's blocks have ended.
  ///
  /// ```swift
  /// try XTDatabase.configure(path: "people.sqlite")
  /// ```
  ///
  /// - Returns: The database, which is also ``shared``.
  /// - Throws: ``XTError`` that says why the file can't be opened; `locked` inside a block, and
  ///   where a block of the old one still ran at the busy limit.
  @discardableResult
  public static func configure(
    path: String, configuration: XTConfiguration = XTConfiguration()
  ) throws -> XTDatabase {
    try refuseInsideBlock()
    return try configure(XTDatabase(path: path, configuration: configuration))
  }

  /// Makes `database` the shared one; otherwise as ``configure(path:configuration:)``.
  @discardableResult
  public static func configure(_ database: XTDatabase) throws -> XTDatabase {
    try refuseInsideBlock()
    guard database.isOpen else { throw database.noted(database.closedError()) }
    if let begun = database.begun { throw database.noted(begun.sharingRefusal()) }
    // Where another thread came first meanwhile, that one's is the one to wait for.
    while try !replace(configured.withLock { $0 }, with: database) {}
    return database
  }

  /// - Parameter old: The shared database; kept by the caller, so that it does not go while the lock
  ///   is held: what it closes then may ask for the shared one.
  /// - Returns: False where the shared one is another now.
  private static func replace(_ old: XTDatabase?, with database: XTDatabase) throws -> Bool {
    func swap() -> Bool {
      configured.withLock { shared in
        guard shared === old else { return false }
        shared = database
        return true
      }
    }
    guard let old, old !== database, old.isOpen else { return swap() }
    let place = try old.noting { try old.core.holdBack(.opening) }
    defer { old.core.letGo(place) }
    return swap()
  }

  /// The database of the innermost block that runs on this thread, else the shared one.
  @inline(__always)
  static func current() throws -> XTDatabase {
    if let database = AccessStack.current.database { return database }
    return try shared
  }

  static func refuseInsideBlock() throws {
    guard AccessStack.current.isEmpty else {
      throw XTError(
        .locked, "configure() inside a block", hint: "configure before the block, or after it")
    }
  }

  @inline(never)
  private static func notConfigured() -> XTError {
    XTError(
      .notConfigured, "there is no shared database yet",
      hint: "call XTDatabase.configure(path:) once, at launch, or use a database of your own "
        + "with database.table(…) or database.asCurrent { }")
  }
}
