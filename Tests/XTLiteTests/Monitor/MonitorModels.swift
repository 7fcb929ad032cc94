import Foundation

@testable import XTLite

struct Monitored: XTModel {
  var pkid: Int64?
  var name = ""
  var age = 0

  static var xt_keywords: XTKeywordMap { [\Monitored.name: .unique] }
}

/// What a listener hears, in order.
final class Ears: Sendable {
  private let heard = Mutex<[XTEvent]>([])
  private let listening = Mutex<XTListening?>(nil)

  init() {}

  /// Listens to a database until it is gone.
  convenience init(
    _ test: TestDatabase, _ topics: XTMonitor.Topics = .all, withValues: Bool = false
  ) {
    self.init()
    listen(to: test.database, topics, withValues: withValues)
  }

  func listen(
    to database: XTDatabase?, _ topics: XTMonitor.Topics = .all, withValues: Bool = false
  ) {
    let token = XTMonitor.listen(to: database, for: topics, withValues: withValues) {
      [heard] event in
      heard.withLock { $0.append(event) }
    }
    listening.withLock { $0 = token }
  }

  func cancel() {
    let token = listening.withLock { $0 }
    token?.cancel()
  }

  /// What was heard since the last call.
  func take() -> [XTEvent] {
    heard.withLock { heard in
      defer { heard = [] }
      return heard
    }
  }
}

extension [XTEvent] {
  var statements: [XTEvent.Statement] {
    compactMap { if case .statement(let statement, _) = $0 { statement } else { nil } }
  }

  var errors: [XTError] {
    compactMap { if case .error(let error, _) = $0 { error } else { nil } }
  }

  var performances: [XTPerformance] {
    compactMap { if case .performance(let performance, _) = $0 { performance } else { nil } }
  }

  var warnings: [XTWarning] {
    compactMap { if case .warning(let warning, _) = $0 { warning } else { nil } }
  }

  /// "error", "statement" …
  var names: [String] {
    map { event in
      switch event {
      case .error: "error"
      case .statement: "statement"
      case .slowStatement: "slow"
      case .performance: "performance"
      case .opened: "opened"
      case .busyWait: "busy"
      case .warning: "warning"
      case .sqliteLog: "log"
      case .damaged: "damaged"
      }
    }
  }
}
