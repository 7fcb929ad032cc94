/// What a connection is set to, and how that is changed.
extension Connection {
  /// Whether the connection can be changed to what is wanted; a new one has to be opened where not.
  func canApply(_ wanted: ConnectionSettings) -> Bool {
    settings.generation >= wanted.oldestChangeable
  }

  /// Makes the connection what is wanted: runs only what differs. What can't be changed on an open
  /// connection (path, key, journal mode …) stays as it is.
  ///
  /// For who has the connection, outside of any transaction. Where it throws, what was done by then
  /// is remembered, and the next call goes on from there.
  func apply(_ wanted: ConnectionSettings) throws {
    settings.busyTimeout = wanted.busyTimeout
    settings.valuesInErrors = wanted.valuesInErrors
    settings.statementLog = wanted.statementLog
    installHooks()
    if wanted.foreignKeys != settings.foreignKeys { try setForeignKeys(wanted.foreignKeys) }
    if wanted.synchronous != settings.synchronous { try setSynchronous(wanted.synchronous) }
    if wanted.cacheSize != settings.cacheSize { try setCacheSize(wanted.cacheSize) }
    if wanted.mappedSize != settings.mappedSize { try setMappedSize(wanted.mappedSize) }
    try applyFunctions(wanted.functions)
    try applyCollations(wanted.collations)
    try applyTokenizers(wanted.tokenizers)
    try applySetUps(wanted.setUps)
    settings.generation = wanted.generation
    generation = settings.isTakenAsItIs ? -1 : wanted.generation
  }

  func setForeignKeys(_ areEnforced: Bool) throws {
    try pragma("foreign_keys = \(areEnforced ? 1 : 0)")
    settings.foreignKeys = areEnforced
  }

  func setSynchronous(_ word: String) throws {
    try pragma("synchronous = \(word)")
    settings.synchronous = word
  }

  func setCacheSize(_ size: Int?) throws {
    if originalCacheSize == nil {
      originalCacheSize = try pragma("cache_size")?.int64.map { Int($0) }
    }
    guard let number = size ?? originalCacheSize else { return }
    try pragma("cache_size = \(number)")
    settings.cacheSize = size
  }

  func setMappedSize(_ size: Int?) throws {
    // A negative number is SQLite's own setting.
    try pragma("mmap_size = \(size ?? -1)")
    settings.mappedSize = size
  }

  // MARK: Functions and collations

  private func applyFunctions(_ wanted: [XTFunction]) throws {
    for old in settings.functions where !wanted.contains(where: old.isReplaced) {
      try removeFunction(old.name, arguments: old.arguments)
      settings.functions.removeAll { $0.stamp === old.stamp }
    }
    for new in wanted where !settings.functions.contains(where: { $0.stamp === new.stamp }) {
      try createFunction(new)
      settings.functions.removeAll { $0.isReplaced(by: new) }
      settings.functions.append(new)
    }
  }

  private func createFunction(_ function: XTFunction) throws {
    switch function.body {
    case .scalar(let isDeterministic, let body):
      try createFunction(
        function.name, arguments: function.arguments, isDeterministic: isDeterministic
      ) { values in try body(values.map(\.value)) }
    case .aggregate(let start):
      try createAggregate(function.name, arguments: function.arguments, start)
    }
  }

  private func applyCollations(_ wanted: [XTCollation]) throws {
    for old in settings.collations where !wanted.contains(where: old.isReplaced) {
      try removeCollation(old.name)
      settings.collations.removeAll { $0.stamp === old.stamp }
    }
    for new in wanted where !settings.collations.contains(where: { $0.stamp === new.stamp }) {
      try createCollation(new.name, new.compare)
      settings.collations.removeAll { $0.isReplaced(by: new) }
      settings.collations.append(new)
    }
  }

  /// One that goes or is replaced needs a connection that is opened anew.
  private func applyTokenizers(_ wanted: [NamedTokenizer]) throws {
    for new in wanted where !settings.tokenizers.contains(where: { $0.stamp === new.stamp }) {
      try createTokenizer(new)
      settings.tokenizers.removeAll { $0.isReplaced(by: new) }
      settings.tokenizers.append(new)
    }
  }

  // MARK: Set-ups

  private func applySetUps(_ wanted: [XTSetUp]) throws {
    var done: [XTSetUp] = []
    for setUp in wanted {
      if !settings.setUps.contains(where: { $0.stamp === setUp.stamp }) {
        try run(setUp)
        settings.setUps.append(setUp)
      }
      done.append(setUp)
    }
    settings.setUps = done
  }

  private func run(_ setUp: XTSetUp) throws {
    do {
      try setUp.body(XTConnection(self))
    } catch {
      _ = rollBackLeftover()
      var failure = error as? XTError ?? XTError(.open, XTError.text(of: error), path: path)
      failure.message = "the set-up \(setUp.name) failed: \(failure.message)"
      throw failure
    }
    if rollBackLeftover() != nil {
      throw XTError(
        .open, "the set-up \(setUp.name) left a transaction open, which was rolled back",
        hint: "end it with COMMIT", path: path)
    }
  }
}
