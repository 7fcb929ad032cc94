import Foundation
import Testing

@testable import XTLite

/// Who has the writer's place may hold the readers back: so they are let go before that is given on.
@Suite struct HoldingBackTests {
  let isReaderFree = Mutex<Bool?>(nil)

  /// Stands in line for the writer's place of `core`, and notes then whether a reader can be had.
  private func stand(inLineOf core: DatabaseCore) {
    let waiter = Waiter(
      .write, limit: 60,
      wake: .job { [isReaderFree] outcome in
        let reader = core.readers.takeIfFree(.read)
        isReaderFree.withLock { $0 = reader != nil }
        if let reader { core.readers.give(reader) }
        if let place = try? outcome.get() { core.writers.give(place) }
      })
    core.writers.submit(waiter)
  }

  private func expectReadersAreFree(
    _ database: XTDatabase, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(isReaderFree.withLock { $0 } == true, sourceLocation: sourceLocation)
    expectClean(database, sourceLocation: sourceLocation)
  }

  @Test func whileClosed_ends_readersGoOnBeforeTheNextWriter() throws {
    let test = try TestDatabase()
    try test.database.whileClosed { _ in stand(inLineOf: test.database.core) }
    expectReadersAreFree(test.database)
  }

  @Test func whileClosed_fileCantBeOpened_readersGoOnBeforeTheNextWriter() throws {
    let test = try TestDatabase()
    #expect(throws: XTError.self) {
      try test.database.whileClosed { url in
        stand(inLineOf: test.database.core)
        try FileManager.default.removeItem(at: url)
      }
    }
    expectReadersAreFree(test.database)
  }

  @Test func moveFiles_isRefused_readersGoOnBeforeTheNextWriter() throws {
    let action = Mutex<(@Sendable () -> Void)?>(nil)
    let test = try TestDatabase {
      $0.busyTimeout = 0.1
      $0.statementLog = { sql in
        if sql.hasPrefix("PRAGMA journal_mode = DELETE") { action.withLock { $0 }?() }
      }
    }
    try test.database.execute("CREATE TABLE t (a)")
    let other = try test.reader()
    defer { other.close() }
    action.withLock { $0 = { [self, core = test.database.core] in stand(inLineOf: core) } }
    // The database holds the log, and that the database.
    defer { action.withLock { $0 = nil } }
    let error = #expect(throws: XTError.self) {
      try test.database.moveFiles(to: test.path + ".moved")
    }
    #expect(error?.kind == .locked)
    expectReadersAreFree(test.database)
  }
}
