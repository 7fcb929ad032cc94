import Foundation
import Testing

@testable import XTLite

@Suite struct IntegrityTests {
  static let pageSize = 4096

  /// A file with a table of several pages, an index over it and a page that is free. In it the
  /// pages are: 1 the schema, then those whose roots are asked for.
  final class Damaged {
    let folder: TemporaryFolder
    let path: String
    let roots: [String: Int]

    init(rows: Int = 500) throws {
      folder = try TemporaryFolder()
      path = folder.path("x.sqlite")
      // Damage is done to bytes that mean something.
      var settings = ConnectionSettings(path: path, key: nil)
      settings.journalMode = "delete"
      let connection = try Connection(settings)
      defer { connection.close() }
      try connection.executeScript(
        """
        PRAGMA page_size = 4096;
        CREATE TABLE Sample (pkid INTEGER PRIMARY KEY, name TEXT, `order` INTEGER);
        CREATE TABLE gone (a);
        INSERT INTO gone VALUES (zeroblob(20000));
        CREATE INDEX by_name ON Sample (name);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
          INSERT INTO Sample SELECT i, printf('name number %06d', i), i FROM n;
        DROP TABLE gone
        """)
      var roots: [String: Int] = [:]
      for row in try connection.rows("SELECT name, rootpage FROM sqlite_master") {
        roots[row[0].string ?? ""] = Int(row[1].int64 ?? 0)
      }
      self.roots = roots
    }

    /// Where the page of a table or an index begins.
    func start(_ name: String) -> Int { ((roots[name] ?? 1) - 1) * pageSize }

    func flip(_ offsets: Range<Int>, with mask: UInt8 = 0xFF) throws {
      var data = try Data(contentsOf: URL(fileURLWithPath: path))
      for offset in offsets where offset < data.count { data[offset] ^= mask }
      try data.write(to: URL(fileURLWithPath: path))
    }

    /// The index has the last ten rows only, and says that it has all.
    func makeIndexDisagree() throws {
      let connection = try Connection(ConnectionSettings(path: path, key: nil))
      defer { connection.close() }
      try connection.executeScript(
        """
        DROP INDEX by_name;
        CREATE INDEX by_name ON Sample (name) WHERE pkid > 490;
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = replace(sql, ' WHERE pkid > 490', '')
          WHERE name = 'by_name'
        """)
    }

    func truncate(to size: Int) throws {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      try data.prefix(size).write(to: URL(fileURLWithPath: path))
    }

    func open(readOnly: Bool = false) throws -> XTDatabase {
      var configuration = XTConfiguration()
      configuration.key = nil
      configuration.readOnly = readOnly
      return try XTDatabase(path: path, configuration: configuration)
    }

    /// What a check tells, or the error of a file that can't be opened.
    func report(quick: Bool = false) throws -> [String] {
      let resolved = try FilePath.resolved(path)
      do {
        return try open().checkIntegrity(quick: quick)
      } catch let error as XTError
        where [.corrupt, .notADatabase].contains(error.kind) && error.path == resolved
      {
        return [error.message]
      }
    }
  }

  // MARK: Sound files

  @Test(arguments: [true, false]) func check_soundFile_findsNothing(_ quick: Bool) throws {
    let sound = try Damaged()
    #expect(try sound.open(readOnly: true).checkIntegrity(quick: quick) == [])
    #expect(try sound.open().checkIntegrity(quick: quick) == [])
    #expect(try XTDatabase.inMemory().checkIntegrity(quick: quick) == [])
  }

  @Test func check_runsOnAReader_andSeesOneSnapshot() throws {
    let test = try TestDatabase()
    try test.database.transaction {
      // The writer is taken: a check of another thread needs it not.
      let problems = Mutex<[String]?>(nil)
      let thread = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let found = try? test.database.checkIntegrity()
        problems.withLock { $0 = found }
        thread.signal()
      }
      thread.wait()
      #expect(problems.withLock { $0 } == [])
    }
  }

  // MARK: Damage

  @Test func check_indexPageDamaged_isTold() throws {
    let damaged = try Damaged()
    try damaged.flip(damaged.start("by_name") + 8..<damaged.start("by_name") + 40)
    #expect(try !damaged.report().isEmpty)
  }

  @Test func check_tablePageDamaged_isTold() throws {
    for quick in [true, false] {
      let damaged = try Damaged()
      try damaged.flip(damaged.start("Sample")..<damaged.start("Sample") + 20)
      #expect(try !damaged.report(quick: quick).isEmpty)
    }
  }

  @Test func check_indexThatDisagreesWithItsTable_isToldUnlessQuick() throws {
    let damaged = try Damaged()
    try damaged.makeIndexDisagree()
    let full = try damaged.report()
    #expect(!full.isEmpty)
    #expect(full.allSatisfy { !$0.contains("\n") && !$0.hasPrefix("***") })
    #expect(try damaged.report(quick: true) == [])
  }

  @Test func check_limit_boundsWhatIsTold() throws {
    let damaged = try Damaged()
    try damaged.makeIndexDisagree()
    let database = try damaged.open()
    #expect(try database.checkIntegrity(limit: 3).count == 3)
    #expect(try database.checkIntegrity(limit: 0).count == 1)
    #expect(try database.checkIntegrity(limit: Int.max).count == 491)
  }

  @Test(arguments: [0, 1, 10, 99, 100, 4095, 4096, 4097, 8192, 12_288])
  func check_truncatedFile_isReportedUnlessNothingIsLeft(_ size: Int) throws {
    let damaged = try Damaged()
    try damaged.truncate(to: size)
    // An empty file is an empty database to SQLite, and so is one of a single S.
    #expect(try damaged.report().isEmpty == (size <= 1))
  }

  @Test func check_schemaDamaged_isReported() throws {
    let damaged = try Damaged()
    let text = Data("CREATE INDEX".utf8)
    let data = try Data(contentsOf: URL(fileURLWithPath: damaged.path))
    let place = try #require(data.range(of: text))
    try damaged.flip(place.lowerBound..<place.upperBound)
    let report = try damaged.report()
    #expect(!report.isEmpty)
    let error = #expect(throws: XTError.self) { try damaged.open() }
    #expect(error?.kind == .corrupt && error?.hint != nil)
  }

  /// Any byte, any damage: a report, or an error of the two kinds, from the check and from verbs.
  @Test func anyDamage_neverTraps() throws {
    var generator = Seeded(state: 7)
    let original = try Damaged(rows: 200)
    let sound = try Data(contentsOf: URL(fileURLWithPath: original.path))
    let folder = try TemporaryFolder()
    var reports = 0
    for round in 0..<300 {
      var data = sound
      switch round % 3 {
      case 0:
        data[Int.random(in: 0..<100, using: &generator)] ^= .random(in: 1...255, using: &generator)
      case 1:
        for _ in 0..<8 {
          data[Int.random(in: 0..<data.count, using: &generator)] ^= .random(
            in: 1...255, using: &generator)
        }
      default:
        // The heads of pages.
        let page = Int.random(in: 0..<data.count / Self.pageSize, using: &generator)
        for _ in 0..<3 {
          data[page * Self.pageSize + .random(in: 0..<64, using: &generator)] ^= .random(
            in: 1...255, using: &generator)
        }
      }
      let path = folder.path("\(round).sqlite")
      try data.write(to: URL(fileURLWithPath: path))
      do {
        let database = try XTDatabase(path: path)
        if try !database.checkIntegrity().isEmpty { reports += 1 }
        let samples = database.table(Sample.self)
        _ = try? samples.findAll()
        _ = try? samples.find(where: "name = 'name number 000100'")
        _ = try? samples.insertList([Sample("new")])
        _ = try? samples.deleteAll()
      } catch let error as XTError {
        reports += 1
        // Damage may also look like something that this version of SQLite can't do, or like a file
        // of another mode.
        #expect(error.path != nil, "\(error)")
      }
    }
    #expect(reports > 100)
  }

  // MARK: The kinds of error

  @Test func verbs_onADamagedTable_throwCorruptWithThePath() throws {
    let damaged = try Damaged()
    try damaged.flip(damaged.start("Sample")..<damaged.start("Sample") + 1)
    let database = try damaged.open()
    let samples = database.table(DamagedModel.self, named: "Sample")
    let calls: [(String, () throws -> Void)] = [
      ("findAll", { _ = try samples.findAll() }),
      ("find", { _ = try samples.find(pkid: 3) }),
      ("find(sql:)", { _ = try samples.find(sql: "SELECT * FROM Sample") }),
      ("select", { _ = try samples.select(\.order) as [Int] }),
      ("sum", { _ = try samples.sum(of: \.order) }),
      ("max", { _ = try samples.max(of: \.order) }),
      ("has", { _ = try samples.has(where: \.order > 1) }),
      ("forEach", { try samples.forEach { _ in } }),
      ("insertList", { try samples.insertList([DamagedModel()]) }),
      ("update", { try samples.update(where: nil, .set(\.order, to: 1)) }),
      ("delete", { try samples.delete(where: \.order > 1) }),
      ("execute", { try database.execute("DELETE FROM Sample WHERE pkid = 1") }),
      ("anyFunc", { try database.anyFunc(sql: "SELECT `order` FROM Sample") }),
      ("in a transaction", { try database.transaction { _ = try samples.findAll() } }),
      ("in a read", { try database.read { _ = try samples.findAll() } }),
    ]
    for (name, call) in calls {
      let error = #expect(throws: XTError.self, "\(name)") { try call() }
      #expect(error?.kind == .corrupt, "\(name): \(error as Any)")
      #expect(error?.path == database.path, "\(name)")
      #expect(error?.hint?.contains("checkIntegrity") == true, "\(name)")
    }
  }

  @Test func open_headerDamaged_isNotADatabase() throws {
    let damaged = try Damaged()
    try damaged.flip(0..<16)
    for readOnly in [true, false] {
      let error = try #require(throws: XTError.self) { try damaged.open(readOnly: readOnly) }
      #expect(error.kind == .notADatabase)
      #expect(error.path == (try FilePath.resolved(damaged.path)))
      #expect(error.message == "the file is no database, or it is encrypted")
    }
  }

  @Test func verbs_fileThatBecameNoDatabaseWhileOpen_throwNotADatabase() throws {
    let damaged = try Damaged()
    let database = try damaged.open()
    let samples = database.table(Sample.self)
    #expect(try samples.count() == 500)
    let reopening = #expect(throws: XTError.self) {
      try database.whileClosed { _ in try damaged.flip(0..<16) }
    }
    #expect(reopening?.kind == .notADatabase)
    let later = #expect(throws: XTError.self) { try samples.count() }
    #expect(later?.kind == .notADatabase && later?.path == database.path)
  }

  // MARK: Progress and its end

  @Test func progress_risesFromZeroToOne() throws {
    let damaged = try Damaged(rows: 20_000)
    let database = try damaged.open()
    var told: [Double] = []
    _ = try database.checkIntegrity { told.append($0) }
    #expect(told.first == 0 && told.last == 1)
    #expect(told == told.sorted())
    #expect(told.count > 20)
  }

  @Test func progress_throws_endsTheCheckWithThatError() throws {
    struct Enough: Error {}
    let damaged = try Damaged(rows: 20_000)
    let database = try damaged.open()
    var calls = 0
    #expect(throws: Enough.self) {
      try database.checkIntegrity { fraction in
        calls += 1
        if fraction > 0.3 { throw Enough() }
      }
    }
    #expect(calls > 1)
    // Nothing of it is left behind.
    #expect(try database.table(Sample.self).count() == 20_000)
    #expect(try database.checkIntegrity() == [])
  }

  @Test func progress_callsTheSameDatabase_getsAnErrorAndTheCheckGoesOn() throws {
    let damaged = try Damaged(rows: 20_000)
    let database = try damaged.open()
    let samples = database.table(Sample.self)
    var refused = 0
    let problems = try database.checkIntegrity { fraction in
      guard fraction > 0, fraction < 1 else { return }
      for call: () throws -> Void in [
        { _ = try samples.findFirst() }, { try database.read { _ = try samples.count() } },
        { _ = try database.anyFunc(sql: "SELECT \(fraction)") },
      ] {
        do {
          try call()
        } catch let error as XTError where error.kind == .locked {
          refused += 1
        }
      }
    }
    #expect(problems == [])
    #expect(refused > 30)
  }

  @Test func cancelledTask_endsTheCheck() async throws {
    let damaged = try Damaged(rows: 20_000)
    let database = try damaged.open()
    let task = Mutex<Task<[String], any Error>?>(nil)
    let check = Task {
      try await database.checkIntegrity { fraction in
        if fraction > 0.3 { task.withLock { $0?.cancel() } }
      }
    }
    task.withLock { $0 = check }
    // Where the check was over before the line above, it is started again.
    let result = await check.result
    if case .success = result {
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: CancellationError.self) { try await database.checkIntegrity() }
    } else {
      #expect(throws: CancellationError.self) { try result.get() }
    }
    #expect(try database.table(Sample.self).count() == 20_000)
  }

  @Test func interrupt_endsTheCheck() throws {
    let damaged = try Damaged(rows: 20_000)
    let database = try damaged.open()
    let error = #expect(throws: XTError.self) {
      try database.checkIntegrity { fraction in
        if fraction > 0.3 { database.interrupt() }
      }
    }
    #expect(error?.kind == .interrupted)
    #expect(try database.checkIntegrity() == [])
  }
}

private struct DamagedModel: XTModel {
  var pkid: Int64?
  var name = ""
  var order = 0
}

private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 33)
  }
}
