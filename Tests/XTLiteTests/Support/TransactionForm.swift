import Foundation

@testable import XTLite

/// The ways to have a transaction. In each of them the calls of the database on the body's thread
/// are part of it.
enum TransactionForm: String, CaseIterable, Sendable {
  case transaction, savepoint, inWrite, asyncTransaction, asyncSavepoint, inPlace
  case begin, beginAsync

  /// Whether a block ends it, rather than a call.
  var isBlock: Bool { self != .begin && self != .beginAsync }

  /// Those that a task's cancellation reaches.
  static let cancellable: [Self] = [.asyncTransaction, .asyncSavepoint, .inPlace]

  /// Commits where `body` returns, and rolls back where it throws.
  @discardableResult
  func run<T: Sendable>(
    _ database: XTDatabase, _ body: @escaping @Sendable () throws -> T
  ) async throws -> T {
    switch self {
    case .transaction: try inThread { try database.transaction(body) }
    case .savepoint: try inThread { try database.savepoint(body) }
    case .inWrite: try inThread { try database.write { try database.transaction(body) } }
    case .asyncTransaction: try await database.transaction { try body() }
    case .asyncSavepoint: try await database.savepoint { try body() }
    case .inPlace: try await OneThreadActor().inPlace(database, body)
    case .begin: try inThread { try end(database.begin(), body) }
    case .beginAsync: try end(await database.begin(), body)
    }
  }

  private func inThread<T>(_ body: () throws -> T) throws -> T { try body() }

  private func end<T>(_ transaction: XTTransaction, _ body: () throws -> T) throws -> T {
    let result: T
    do {
      result = try transaction.asCurrent(body)
    } catch {
      try transaction.rollback()
      throw error
    }
    try transaction.commit()
    return result
  }
}
