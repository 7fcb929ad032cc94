import Foundation
import XTLite

// What observers cost who writes: processor time of the thread that commits, since what they do
// themselves runs on other threads.

private struct Written: XTModel {
  var pkid: Int64?
  var name = ""
  var age = 0
}

private struct Observed: XTModel {
  var pkid: Int64?
  var name = ""
}

/// Writes with observers of another table beside it, and with somebody who iterates over `changes`.
@MainActor private struct ObserverCost {
  let database: XTDatabase
  let commits: Int
  let rows: Int

  init(_ options: Options) throws {
    database = try XTDatabase(
      path: options.folder.appendingPathComponent("observers-\(UUID().uuidString).sqlite").path)
    commits = Int(2_000 * options.scale)
    rows = Int(50_000 * options.scale)
    try database.table(Written.self).create()
    try database.table(Observed.self).create()
  }

  /// Microseconds for one row and its commit.
  func commit() throws -> Double {
    let table = database.table(Written.self)
    return try microseconds(commits) {
      for index in 0..<commits {
        var row = Written()
        row.age = index
        try table.insert(&row)
      }
    }
  }

  /// Microseconds for each row of a list.
  func row() throws -> Double {
    let list = (0..<rows).map { _ in Written() }
    let table = database.table(Written.self)
    return try microseconds(rows) { try table.insertList(list) }
  }

  /// Runs `body` while so many observe another table.
  func observed(by count: Int, _ body: () throws -> Double) async throws -> Double {
    let table = database.table(Observed.self)
    let (firstValues, first) = AsyncStream.makeStream(of: Void.self)
    let tasks = (0..<count).map { _ in
      Task { for try await _ in table.observeCount() { first.yield() } }
    }
    var iterator = firstValues.makeAsyncIterator()
    for _ in 0..<count { await iterator.next() }
    let result = Result { try body() }
    for task in tasks { task.cancel() }
    for task in tasks { try await task.value }
    return try result.get()
  }

  /// Runs `body` while somebody iterates over all changes.
  func followed(_ body: () throws -> Double) async throws -> Double {
    let database = database
    let (begun, begin) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task { for try await _ in database.changes { begin.yield() } }
    var iterator = begun.makeAsyncIterator()
    // Only a commit tells that the iteration has begun.
    let pokes = Task {
      while !Task.isCancelled {
        var row = Observed()
        try database.table(Observed.self).insert(&row)
        try? await Task.sleep(nanoseconds: 1_000_000)
      }
    }
    await iterator.next()
    pokes.cancel()
    try await pokes.value
    let result = Result { try body() }
    task.cancel()
    _ = try? await task.value
    return try result.get()
  }

  private func microseconds(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
    let start = Self.threadTime()
    try body()
    return (Self.threadTime() - start) / Double(max(count, 1))
  }

  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}

/// Prints what one row with its commit, and each row of a list, costs beside observers.
@MainActor func printObserverCost(_ options: Options) async throws {
  let cost = try ObserverCost(options)
  _ = try cost.commit()
  var commits: [String: [Double]] = [:]
  var rows: [String: [Double]] = [:]
  for _ in 0..<options.repetitions {
    commits["none", default: []].append(try cost.commit())
    rows["none", default: []].append(try cost.row())
    for count in [1, 10_000] {
      commits["\(count)", default: []].append(
        try await cost.observed(by: count) { try cost.commit() })
    }
    rows["1", default: []].append(try await cost.observed(by: 1) { try cost.row() })
    commits["changes", default: []].append(try await cost.followed { try cost.commit() })
    rows["changes", default: []].append(try await cost.followed { try cost.row() })
  }
  for name in ["none", "1", "10000", "changes"] {
    let commit = commits[name].map { String(format: "%.2f µs", median($0)) } ?? ""
    let row = rows[name].map { String(format: "%.2f µs", median($0)) } ?? ""
    print("observers \(name): a row and its commit \(commit), each row of a list \(row)")
  }
  try cost.database.removeFiles()
}
