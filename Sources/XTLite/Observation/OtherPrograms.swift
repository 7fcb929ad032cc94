import Foundation

/// Looks every so often whether another program has written to a database's file, as long as
/// somebody wants to know.
final class OtherPrograms: Sendable {
  private struct State {
    var interval = Double.infinity
    var task: Task<Void, Never>?
    /// The file and its log when they were looked at last.
    var stamps: Stamps?
    /// When they were seen to differ, in nanoseconds of uptime.
    var lastChange: UInt64?
    /// SQLite's count of the commits of others, with the connection that counts.
    var version: Version?
  }

  private struct Stamps: Equatable {
    let file: FileStamp?
    let log: FileStamp?
    /// When they were taken, in nanoseconds of uptime.
    let time: UInt64

    init(path: String) {
      time = Uptime.now
      file = FileStamp(path: path)
      log = FileStamp(path: path + "-wal")
    }

    static func == (left: Stamps, right: Stamps) -> Bool {
      left.file == right.file && left.log == right.log
    }
  }

  private struct Version: Equatable {
    let connection: Int
    let count: Int64?
  }

  /// How long a file's time may stay the same though it was written again, in nanoseconds.
  private static let slowestClock: UInt64 = 2_000_000_000

  private let state = Mutex(State())

  /// Somebody wants to know, and will read what is in the file after this call: changes after it
  /// are told of. `pick` gives a database to ask, or nil to end; `tell` is called for each change.
  func look(
    every interval: Double, at path: String, pick: @escaping @Sendable () -> XTDatabase?,
    tell: @escaping @Sendable () -> Void
  ) {
    state.withLock { state in
      if state.task == nil { (state.stamps, state.version) = (Stamps(path: path), nil) }
      guard state.task == nil || interval < state.interval else { return }
      state.task?.cancel()
      state.interval = interval
      state.task = Task.detached { [weak self] in
        while !Task.isCancelled {
          try? await Task.sleep(nanoseconds: interval.nanoseconds)
          guard !Task.isCancelled, let self, let database = pick() else { return }
          if await self.hasChanged(database) { tell() }
        }
      }
    }
  }

  /// Nobody wants to know any more.
  func end() {
    state.withLock { state in
      state.task?.cancel()
      state = State()
    }
  }

  private func hasChanged(_ database: XTDatabase) async -> Bool {
    let stamps = Stamps(path: database.path)
    let isSame = state.withLock { state in
      guard let last = state.stamps, last == stamps else { return false }
      // A clock that has not moved on since the file was written says nothing of the next write.
      if let changed = state.lastChange, stamps.time - changed < Self.slowestClock { return false }
      return true
    }
    if isSame { return false }
    let version = try? await database.onWorker(.writerVerb) { () -> Version? in
      guard let connection = AccessStack.current.connection(of: database.core) else { return nil }
      return Version(
        connection: connection.ownGeneration >> 32,
        count: try connection.firstValue("PRAGMA data_version")?.int64)
    }
    // The file is in use for long, or gone: the next look will tell.
    guard let version = version ?? nil else { return false }
    return state.withLock { state in
      // Before the first answer the file alone can tell.
      let isOthers = state.version.map { $0 != version } ?? (state.stamps != stamps)
      if state.stamps != stamps { state.lastChange = stamps.time }
      (state.stamps, state.version) = (stamps, version)
      return isOthers
    }
  }
}
