import Foundation
import XTLite

/// Runs the bodies at the same time, each on a thread of its own, and waits for all of them.
///
/// - Returns: the sum of what they return.
/// - Throws: the error of the first of them that failed.
func onThreads(_ bodies: [@Sendable () throws -> Int]) throws -> Int {
  let group = DispatchGroup()
  let results = Results(count: bodies.count)
  for (index, body) in bodies.enumerated() {
    group.enter()
    let thread = Thread {
      results.set(Result { try body() }, at: index)
      group.leave()
    }
    thread.stackSize = 4 << 20
    thread.start()
  }
  group.wait()
  return try results.all.reduce(0) { try $0 &+ $1.get() }
}

// @unchecked: all of it is reached with the lock held.
private final class Results: @unchecked Sendable {
  private let lock = NSLock()
  private var results: [Result<Int, any Error>]

  init(count: Int) {
    results = Array(repeating: .success(0), count: count)
  }

  func set(_ result: Result<Int, any Error>, at index: Int) {
    lock.withLock { results[index] = result }
  }

  var all: [Result<Int, any Error>] { lock.withLock { results } }
}

/// One thread's own connection to the raw side's file.
// @unchecked: used by the one thread that it was made for, and by the setting up before that.
struct RawThread: @unchecked Sendable {
  let database: RawDatabase

  init(path: String) throws {
    database = try RawDatabase(path: path)
  }

  /// Finds one row after the other, each by itself. Returns the sum of their checksums.
  func find<Model: BenchItem>(_ type: Model.Type, _ pkids: [Int64]) throws -> Int {
    let statement = try database.statement(SQL.byPkid(type))
    var sum = 0
    for pkid in pkids {
      sqlite3_bind_int64(statement, 1, pkid)
      let code = sqlite3_step(statement)
      if code == SQLITE_ROW {
        sum &+= try Model(row: statement).checksum
      } else {
        try database.check(code)
      }
      sqlite3_reset(statement)
    }
    return sum
  }

  /// Inserts one model after the other, each a transaction of its own. Returns how many.
  func insert(_ items: [Item]) throws -> Int {
    let statement = try database.statement(SQL.insert(Item.self))
    for var item in items {
      let now = Date().timeIntervalSince1970
      sqlite3_bind_null(statement, 1)
      sqlite3_bind_double(statement, 10, now)
      sqlite3_bind_double(statement, 11, now)
      try item.bound(statement, 2) { try database.check(sqlite3_step(statement)) }
      sqlite3_reset(statement)
      item.pkid = sqlite3_last_insert_rowid(database.handle)
    }
    return items.count
  }

  /// Puts what is left in the log into the file: one side does it as it goes, the other one behind
  /// the threads' backs, and it is to count for both.
  ///
  /// - Returns: how many rows have a higher number than `pkid`.
  func end(after pkid: Int) throws -> Int {
    try database.run("PRAGMA wal_checkpoint(PASSIVE)")
    return try database.number("SELECT count(*) FROM Item WHERE pkid > \(pkid) AND xt_isDel = 0")
  }
}

extension XTTable where Model == Item {
  /// As the raw side's.
  func find(_ pkids: [Int64]) throws -> Int {
    var sum = 0
    for pkid in pkids { sum &+= try find(pkid: pkid)?.checksum ?? 0 }
    return sum
  }

  /// As the raw side's.
  func insertEach(_ items: [Item]) throws -> Int {
    for var item in items { try insert(&item) }
    return items.count
  }

  /// As the raw side's.
  func end(after pkid: Int) throws -> Int {
    try database.checkpoint()
    return try count(where: "pkid > \(pkid)")
  }
}
