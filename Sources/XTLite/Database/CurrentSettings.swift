/// What the connections of one file are set to at this moment.
///
/// Every change of it is a generation of its own, which a connection compares with its own before
/// each use.
final class CurrentSettings: Sendable {
  private struct State {
    var configuration: XTConfiguration
    /// For a connection to the file, but for its path and what it is for.
    var settings: ConnectionSettings
  }

  private let state: Mutex<State>
  private let clock = ChangeClock()
  private let gate = Gate()
  private let isInMemory: Bool

  /// - Throws: What is wrong with the configuration.
  init(_ configuration: XTConfiguration, path: String?) throws {
    state = Mutex(
      State(
        configuration: configuration, settings: try configuration.connectionSettings(path: path)))
    isInMemory = path == nil
  }

  /// The generation, for connections to compare.
  @inline(__always)
  var generation: Int { clock.time }

  var configuration: XTConfiguration { state.withLock { $0.configuration } }

  var settings: ConnectionSettings { state.withLock { $0.settings } }

  /// Seconds that a call waits for others.
  var waitLimit: Double { state.withLock { $0.settings.busyTimeout } }

  /// Changes the configuration, one change after the other, and gives the new one to `use`.
  ///
  /// - Throws: What `body` throws; ``XTError`` for a value that can't be or can't be changed.
  ///   Nothing is changed then.
  func change(
    _ body: (inout XTConfiguration) throws -> Void, use: (XTConfiguration) -> Void
  ) throws {
    let refusal = XTError(
      .locked, "reconfigure { } inside of itself", hint: "make the change in the outer one")
    try gate.withLock(orThrow: refusal) {
      let (old, current) = state.withLock { ($0.configuration, $0.settings) }
      var configuration = old
      try body(&configuration)
      if let name = old.fixedSetting(changedIn: configuration) {
        throw XTError(
          .open, "\(name) can't be changed while the database is open",
          hint: name == "key" || name == "cipher"
            ? "changeKey(to:) changes the file's \(name)"
            : "close it and open it with another \(name)", path: current.path)
      }
      var settings = try configuration.connectionSettings(path: current.path)
      settings.generation = current.generation &+ 1
      settings.oldestChangeable = current.oldestChangeable
      settings.derivedKey = current.derivedKey
      if let name = try SQLFunctions.nameThatComesBack(from: current, to: settings) {
        if isInMemory {
          throw XTError(
            .sqlite, "SQLite's own \(name) can't come back in a database in memory",
            hint: "it comes back where a connection is opened anew, which loses what is in memory")
        }
        settings.oldestChangeable = settings.generation
      }
      // Tables that are searched have got the tokenizers that they use.
      let goneTokenizer = current.tokenizers.first { old in
        !settings.tokenizers.contains { $0.stamp === old.stamp }
      }
      if let goneTokenizer {
        if isInMemory {
          throw XTError(
            .sqlite, "the tokenizer \(goneTokenizer.name) can't go or change in memory",
            hint: "that takes a connection that is opened anew, which loses what is in memory")
        }
        settings.oldestChangeable = settings.generation
      }
      state.withLock { $0 = State(configuration: configuration, settings: settings) }
      clock.advance()
      use(configuration)
    }
  }

  /// Gives the file another key by `exchange`, and knows it from then on. For who has closed all of
  /// the file's connections.
  ///
  /// - Throws: What `exchange` throws; nothing is changed then.
  func changeKey(
    to key: XTKey?, _ cipher: XTCipher, by exchange: () throws -> Void
  ) throws {
    let refusal = XTError(
      .locked, "the key is changed inside of reconfigure { }", hint: "call changeKey() after it")
    try gate.withLock(orThrow: refusal) {
      try exchange()
      state.withLock { state in
        state.configuration.key = key
        state.configuration.cipher = cipher
        state.settings.key = key
        state.settings.cipher = cipher
        state.settings.derivedKey = key?.isDerived == true ? DerivedKey() : nil
      }
    }
  }
}
