import Foundation

@testable import XTLite

extension TestDatabase {
  /// One with a table, few readers, and time enough for all that wait.
  static func ofAsyncForms() throws -> TestDatabase {
    let test = try TestDatabase {
      $0.busyTimeout = 600
      $0.maximumReaders = 2
    }
    try test.database.executeScript("CREATE TABLE t (a)")
    return test
  }
}

/// The forms of a call that can be awaited.
enum AsyncForm: Int, CaseIterable, Sendable {
  case read, write, transaction, savepoint, inPlace, begin, execute

  static let writing = allCases.filter { $0 != .read }
  /// Those whose task can be cancelled while their block runs.
  static let cancellable: [AsyncForm] = [.read, .write, .transaction, .savepoint, .inPlace]

  func run(
    _ database: XTDatabase, isolation: isolated (any Actor)? = #isolation, _ sql: XTSQL
  ) async throws {
    if self == .execute {
      try await database.execute(sql)
    } else {
      try await run(database) { _ = try database.anyFunc(sql: sql) }
    }
  }

  /// Runs `body` in it; in place on `isolation`.
  func run(
    _ database: XTDatabase, isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable () throws -> Void
  ) async throws {
    switch self {
    case .read: try await database.read { try body() }
    case .write: try await database.write { try body() }
    case .transaction: try await database.transaction { try body() }
    case .savepoint: try await database.savepoint { try body() }
    case .inPlace: try await database.inPlace(body)
    case .begin, .execute:
      let transaction = try await database.begin()
      try transaction.asCurrent(body)
      try transaction.commit()
    }
  }
}

/// Holds the writer in a thread of its own until `release`.
final class WriterHolder: Sendable {
  private let end = DispatchSemaphore(value: 0)

  init(_ database: XTDatabase) {
    let isHeld = DispatchSemaphore(value: 0)
    Thread { [end] in
      try? database.write {
        isHeld.signal()
        end.wait()
      }
    }.start()
    isHeld.wait()
  }

  func release() { end.signal() }
}
