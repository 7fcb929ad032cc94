import Foundation
import Testing

@testable import XTLite

extension FaultScenario {
  /// The steps of a program that does more than to write rows.
  func useEngine(_ database: XTDatabase) async throws {
    try await useTransactions(database)
    try await useFile(database)
  }

  private func useTransactions(_ database: XTDatabase) async throws {
    let crates = database.table(FaultCrate.self)

    try attempt("begin and commit") {
      let transaction = try database.begin()
      let crates = transaction.table(FaultCrate.self)
      try crates.insertList([FaultCrate("begun", 10, note: Self.longText)])
      do {
        try transaction.savepoint {
          try crates.deleteAll()
          throw Undone()
        }
      } catch is Undone {}
      try transaction.commit()
    } then: {
      $0["begun"] = "10"
    }

    try attempt("begin and drop") {
      let transaction = try database.begin()
      try transaction.table(FaultCrate.self).deleteAll()
    }

    try await attemptAsync("async begin") {
      let transaction = try await database.begin()
      try transaction.table(FaultCrate.self).update(where: \.name == "begun", .add(\.weight, 1))
      try transaction.commit()
    } then: {
      $0["begun"] = $0["begun"].map { _ in "11" }
    }

    try attempt("retries") {
      _ = try database.transaction(retries: 1) {
        try crates.insertList([FaultCrate("retried", 12)])
      }
    } then: {
      $0["retried"] = "12"
    }

    try attempt("hooks") {
      let ran = Mutex<[String]>([])
      do {
        try database.transaction {
          database.afterCommit { ran.withLock { $0.append("committed") } }
          database.afterRollback { ran.withLock { $0.append("rolled back") } }
          try crates.insertList([FaultCrate("hooked", 13)])
        }
        try #require(ran.withLock { $0 } == ["committed"])
      } catch let error as XTError {
        #expect(ran.withLock { $0 != ["committed"] }, "a hook tells of what was not committed")
        throw error
      }
    } then: {
      $0["hooked"] = "13"
    }

    try await attemptAsync("async read") {
      try expectCommitted(try await database.read { try crates.findAll() })
    }
  }

  private func useFile(_ database: XTDatabase) async throws {
    try attempt("checkpoint by hand") {
      try database.checkpoint(.truncate)
    }

    try attempt("upgrade") {
      try database.upgrade(FaultCask.self, add: [\FaultCask.size], version: 2)
    }

    try attempt("while closed") {
      try database.whileClosed { url in
        try #require(FileManager.default.fileExists(atPath: url.path))
      }
    }

    try attempt("suspend and resume") {
      try database.suspend()
      database.resume()
    }

    try attempt("check of the file") {
      let before = disk.hits
      let problems = try database.checkIntegrity()
      // A page that can't be read is what the check is there to tell.
      let isTold = disk.hits > before && problems.contains { $0.contains("\(fault.code)") }
      #expect(problems.isEmpty || isTold, "\(problems)")
    }

    try attempt("insert at the very end") {
      try database.table(FaultCrate.self).insertList([FaultCrate("at the very end", 14)])
    } then: {
      $0["at the very end"] = "14"
    }
  }
}
