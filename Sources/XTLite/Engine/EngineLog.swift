import Dispatch

/// SQLite's own log: what it finds worth telling to whoever runs the program, such as a file that
/// it recovered, an index that it made for one query, or an error with the place where it arose.
///
/// One for the whole process, and to be asked for before SQLite is first used there.
enum EngineLog {
  /// Gets a code of SQLite and a line of text.
  typealias Receiver = @Sendable (Int32, String) -> Void

  private static let receiver = Mutex<Receiver?>(nil)
  private static let isWanted = Flag()
  /// SQLite may hold locks of its own while it calls: nobody hears of it on that thread.
  private static let queue = DispatchQueue(label: "XTLite SQLite log")

  /// Whether SQLite took the request: not where the program used it before XTLite did.
  static let isAvailable: Bool =
    xt_config_log(
      { _, code, message in
        guard EngineLog.isWanted.isSet, let message else { return }
        EngineLog.forward(code, String(cString: message))
      }, nil) == SQLITE_OK

  /// To be called before a connection is opened.
  static func install() {
    _ = isAvailable
  }

  /// Calls `receiver` from now on, on a queue of its own, in order; nil ends that.
  static func setReceiver(_ receiver: Receiver?) {
    self.receiver.withLock { $0 = receiver }
    isWanted.set(receiver != nil)
  }

  private static func forward(_ code: Int32, _ message: String) {
    queue.async {
      receiver.withLock { $0 }?(code, message)
    }
  }
}
