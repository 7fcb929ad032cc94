import Foundation
import Testing

@testable import XTLite

/// Calls that throw midway leave nothing behind: no statement, no connection, no memory, no file.
@Suite struct FlatTortureTests {
  /// In a process of its own: the memory and the files of one are counted.
  @Test func callsThatThrowMidway_leaveNothingBehind() async {
    await #expect(processExitsWith: .success) {
      let work = try FlatWork()
      let rounds = 10_000 / FlatCall.all.count + 1
      // Until the page caches and the pool of readers have what they keep.
      for _ in 0..<20 { try await work.round() }
      let before = try work.measure()
      for _ in 0..<rounds { try await work.round() }
      let after = try work.measure()
      #expect(after.connections == before.connections)
      #expect(after.kept == before.kept)
      #expect(after.statements == before.statements)
      #expect(after.files == before.files)
      #expect(after.rows == before.rows)
      // A connection may hold a page more or less at the moment.
      #expect(abs(after.memory - before.memory) <= 8192)
    }
  }

  @Test(arguments: FlatCall.all)
  func callThatThrowsMidway_preparesNothingAgain(call: FlatCall) async throws {
    let work = try FlatWork()
    for _ in 0..<3 { try await work.run(call) }
    var counts: [Int] = []
    for _ in 0..<21 {
      let before = work.preparations
      try await work.run(call)
      counts.append(work.preparations - before)
    }
    let usual = counts.sorted()[10]
    #expect(call.prepares == (usual > 0))
    // The checkpointer may open its connection in between, and a test that listens to all databases
    // makes this one look how large its tables are.
    #expect(counts.filter { $0 != usual }.count <= 5)
  }
}

/// A database and calls that fail in it.
private final class FlatWork {
  struct Figures {
    var connections: [Int] = []
    var kept = 0
    var statements = 0
    var memory = 0
    var files = 0
    var rows: [String] = []
  }

  let database: XTDatabase
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    database = try XTDatabase(path: folder.path("flat.sqlite"))
    try database.table(FlatRow.self).insertList((0..<50).map { FlatRow("\($0)", $0) })
    try database.table(FlatObject.self).insertList([FlatObject("kept")])
    try database.table(FlatRow.self, named: "Spoiled").insertList((0..<50).map { FlatRow("\($0)") })
    try database.execute("UPDATE Spoiled SET weight = 'heavy' WHERE pkid = 30")
    try Data("no database at all".utf8).write(to: URL(fileURLWithPath: folder.path("other")))
  }

  func round() async throws {
    for call in FlatCall.all { try await run(call) }
  }

  /// Runs a call, which must throw what it is expected to.
  func run(_ call: FlatCall) async throws {
    do {
      try await call.run(database, folder.path("other"))
    } catch is FlatCall.Midway {
      #expect(call.kind == nil, "\(call.name)")
      return
    } catch let error as XTError {
      #expect(error.kind == call.kind, "\(call.name): \(error)")
      return
    } catch is CancellationError {
      return
    }
    Issue.record("\(call.name) did not throw")
  }

  var preparations: Int {
    var count = 0
    database.core.forEachPool { pool in pool.forEachOpen { count += $0.counters[.prepared] } }
    return count
  }

  func measure() throws -> Figures {
    var figures = Figures()
    // First, for it prepares statements of its own.
    figures.rows = try database.read {
      let (rows, objects) = (database.table(FlatRow.self), database.table(FlatObject.self))
      return try rows.findAll().map { "\($0)" } + objects.findAll().map(\.name)
    }
    database.core.forEachPool { pool in
      figures.connections += [pool.counts.open, pool.counts.lent]
      pool.forEachIdle { connection in
        figures.kept += connection.cache.count
        var statement = sqlite3_next_stmt(connection.handle, nil)
        while let next = statement {
          figures.statements += 1
          statement = sqlite3_next_stmt(connection.handle, next)
        }
      }
    }
    var highest: Int32 = 0
    var memory: Int32 = 0
    sqlite3_status(SQLITE_STATUS_MEMORY_USED, &memory, &highest, 0)
    figures.memory = Int(memory)
    figures.files = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd/").count
    return figures
  }
}

/// A call that fails after it has done a part of its work.
struct FlatCall: CustomTestStringConvertible, Sendable {
  struct Midway: Error {}

  let name: String
  /// The kind of its error; nil for the caller's own.
  let kind: XTError.Kind?
  /// Whether it prepares statements each time: those of a text that never works.
  let prepares: Bool
  /// Takes the database, and the path of a file that is none.
  let run: @Sendable (XTDatabase, String) async throws -> Void

  var testDescription: String { name }

  private init(
    _ name: String, _ kind: XTError.Kind? = nil, prepares: Bool = false,
    _ run: @escaping @Sendable (XTDatabase, String) async throws -> Void
  ) {
    self.name = name
    self.kind = kind
    self.prepares = prepares
    self.run = run
  }

  static let all = writing + reading + blocks

  private static let taken = FlatRow("3")
  private static var mixed: [FlatRow] {
    [FlatRow("new"), FlatRow("other"), taken, FlatRow("last")]
  }

  private static let writing = [
    FlatCall("insertList, a name is taken", .constraint(.unique)) { database, _ in
      try database.table(FlatRow.self).insertList(mixed)
    },
    FlatCall("insertList, a number is none", .valueOutOfRange) { database, _ in
      var list = [FlatRow("new"), FlatRow("other")]
      list[1].share = .nan
      try database.table(FlatRow.self).insertList(list)
    },
    FlatCall("insertList of objects, a name is taken", .constraint(.unique)) { database, _ in
      try database.table(FlatObject.self).insertList([FlatObject("new"), FlatObject("kept")])
    },
    FlatCall("upsertList, a check fails", .constraint(.check)) { database, _ in
      var list = [FlatRow("3", 4), FlatRow("new"), FlatRow("4", -1)]
      try database.table(FlatRow.self).upsertList(&list, by: \.name)
    },
    FlatCall("insertOrReplaceList, a check fails", .constraint(.check)) { database, _ in
      try database.table(FlatRow.self).insertOrReplaceList([FlatRow("3", 4), FlatRow("4", -1)])
    },
    FlatCall("updateList, a check fails", .constraint(.check)) { database, _ in
      try database.table(FlatRow.self).updateList([FlatRow("3", 4), FlatRow("4", -1)])
    },
    FlatCall("update of no row", .rowNotFound) { database, _ in
      try database.table(FlatRow.self).update(FlatRow("never"))
    },
    FlatCall("updateAll, a check fails", .constraint(.check)) { database, _ in
      try database.table(FlatRow.self).updateAll(.add(\.weight, -20))
    },
    FlatCall("a script whose second statement fails", .schema, prepares: true) { database, _ in
      try database.transaction {
        _ = try database.execute("DELETE FROM FlatRow; DELETE FROM Nobody")
      }
    },
  ]

  private static let reading = [
    FlatCall("findAll, a value is of another type", .decoding) { database, _ in
      _ = try database.table(FlatRow.self, named: "Spoiled").findAll()
    },
    FlatCall("forEach, a value is of another type", .decoding) { database, _ in
      try database.table(FlatRow.self, named: "Spoiled").forEach { _ in }
    },
    FlatCall("forEach, its body throws") { database, _ in
      try database.table(FlatRow.self).forEach { if $0.weight == 20 { throw Midway() } }
    },
    // Two of one shape at a time: the inner one is prepared for the occasion.
    FlatCall("forEach in forEach, the inner body throws", prepares: true) { database, _ in
      let table = database.table(FlatRow.self)
      try table.forEach { outer in
        try table.forEach { if outer.weight == 2, $0.weight == 20 { throw Midway() } }
      }
    },
    FlatCall("find, a column is unknown", .unknownColumn, prepares: true) { database, _ in
      _ = try database.table(FlatRow.self).find(where: "nobody = 1")
    },
    FlatCall("find with SQL, a value is of another type", .decoding) { database, _ in
      _ = try database.table(FlatRow.self, named: "Spoiled").find(sql: "SELECT * FROM Spoiled")
    },
  ]

  private static let blocks = [
    FlatCall("transaction, its body throws") { database, _ in
      try database.transaction {
        try database.table(FlatRow.self).insertList([FlatRow("new")])
        throw Midway()
      }
    },
    FlatCall("savepoints, two bodies throw") { database, _ in
      try database.transaction {
        do {
          try database.savepoint {
            try database.table(FlatRow.self).deleteAll()
            throw Midway()
          }
        } catch is Midway {}
        try database.savepoint {
          try database.table(FlatObject.self).insert(FlatObject("new"))
          throw Midway()
        }
      }
    },
    FlatCall("read, its body throws in a loop") { database, _ in
      try database.read {
        try database.table(FlatRow.self).forEach { if $0.weight == 20 { throw Midway() } }
      }
    },
    FlatCall("a write in read", .readOnly) { database, _ in
      try database.read {
        _ = try database.table(FlatRow.self).count()
        try database.table(FlatRow.self).insertList([FlatRow("new")])
      }
    },
    FlatCall("async transaction, its body throws") { database, _ in
      try await database.transaction {
        try database.table(FlatRow.self).insertList([FlatRow("new")])
        throw Midway()
      }
    },
    FlatCall("async read, its body throws") { database, _ in
      try await database.read {
        try database.table(FlatRow.self).forEach { if $0.weight == 20 { throw Midway() } }
      }
    },
    FlatCall("inPlace, its body throws") { database, _ in
      try await database.inPlace {
        try database.table(FlatObject.self).insert(FlatObject("new"))
        throw Midway()
      }
    },
    FlatCall("a cancelled task") { database, _ in
      let task = Task {
        try await database.transaction {
          while true { try database.table(FlatRow.self).insertList([FlatRow("\(UUID())")]) }
        }
      }
      task.cancel()
      try await task.value
    },
    FlatCall("opening what is no database", XTKey.initial != nil ? .encryption : .notADatabase) {
      _, path in
      _ = try XTDatabase(path: path)
    },
  ]
}

struct FlatRow: XTModel {
  var pkid: Int64?
  var name = ""
  var weight = 0
  var share = 0.5

  static var xt_keywords: XTKeywordMap {
    [\FlatRow.name: .unique, \FlatRow.weight: "CHECK (weight >= 0)"]
  }

  init() {}

  init(_ name: String, _ weight: Int = 0) {
    self.name = name
    self.weight = weight
  }
}

final class FlatObject: XTModel {
  var name = ""

  static var xt_keywords: XTKeywordMap { [\FlatObject.name: .unique] }

  init() {}

  init(_ name: String) {
    self.name = name
  }
}
