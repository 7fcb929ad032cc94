import Foundation
import Testing

@testable import XTLite

private struct Streamed: XTModel {
  var pkid: Int64?
  var name = ""
  var number = 0
  var isEven = false

  init() {}

  init(_ number: Int) {
    name = "n\(number)"
    self.number = number
    isEven = number % 2 == 0
  }
}

private class StreamedObject: XTModel {
  static var xt_tableName: String { "Streamed" }
  var number = 0

  required init() {}
}

/// Counts how many of it were made.
private struct Counting: Decodable {
  static let made = Mutex(0)
  var number: Int
  var bytes: Data?

  private enum Keys: CodingKey { case number, bytes }

  init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: Keys.self)
    number = try row.decode(Int.self, forKey: .number)
    bytes = try row.decodeIfPresent(Data.self, forKey: .bytes)
    Self.made.withLock { $0 += 1 }
  }
}

@Suite struct StreamTests {
  private let test: TestDatabase
  private let table: XTTable<Streamed>
  private var database: XTDatabase { test.database }
  private static let count = 3_000

  init() throws {
    test = try TestDatabase()
    table = test.table(Streamed.self)
    try table.insertList((0..<Self.count).map(Streamed.init))
  }

  private var lent: Int { database.readers.counts.lent }
  private var kept: Int { database.core.streams.count }

  private func expectNothingIsKept(_ location: SourceLocation = #_sourceLocation) {
    #expect(lent == 0 && kept == 0, sourceLocation: location)
    database.readers.forEachIdle { connection in
      #expect(!connection.isInTransaction && !connection.isCancelled.isSet)
    }
  }

  /// Waits without a thread: the tasks that are waited for may need it.
  private func soon(_ condition: () -> Bool) async -> Bool {
    let end = Date(timeIntervalSinceNow: 900)
    while !condition(), Date() < end { try? await Task.sleep(nanoseconds: 5_000_000) }
    return condition()
  }

  // MARK: Rows

  @Test func stream_givesAllRowsInOrder() async throws {
    var numbers: [Int] = []
    for try await row in table.stream(orderBy: .desc(\.number)) { numbers.append(row.number) }
    #expect(numbers == (0..<Self.count).reversed())
    numbers = []
    for try await row in table.stream(
      where: \.number > 10 && \.isEven, orderBy: .asc(\.number), limit: 5, offset: 1)
    {
      numbers.append(row.number)
    }
    #expect(numbers == [14, 16, 18, 20, 22])
    numbers = []
    for try await row in table.stream(where: \.isEven) { numbers.append(row.number) }
    #expect(numbers.count == Self.count / 2)
    expectNothingIsKept()
  }

  @Test func streamOfSQL_givesRowsAndValues() async throws {
    let low = Self.count - 2
    var names: [String] = []
    for try await row in database.stream("SELECT name FROM Streamed WHERE number >= \(low)") {
      names.append(try row["name"])
    }
    #expect(names == ["n2998", "n2999"])
    struct Pair: Decodable, Equatable { var number: Int; var name: String }
    var pairs: [Pair] = []
    for try await pair in database.stream(
      "SELECT * FROM Streamed ORDER BY number LIMIT 2", as: Pair.self)
    {
      pairs.append(pair)
    }
    #expect(pairs == [Pair(number: 0, name: "n0"), Pair(number: 1, name: "n1")])
    var models = 0
    for try await model in database.stream("SELECT * FROM Streamed", as: Streamed.self) {
      #expect(model.number == models)
      models += 1
    }
    #expect(models == Self.count)
    expectNothingIsKept()
  }

  @Test func sharedVerb_streamsTheCurrentDatabase() async throws {
    let streams = try test.asCurrent {
      [
        Streamed.xt_stream(where: \.number < 3, orderBy: .asc(\.number)),
        Streamed.xt_stream(where: \.isEven, orderBy: .asc(\.number), limit: 2),
      ]
    }
    var numbers: [Int] = []
    for stream in streams {
      for try await row in stream { numbers.append(row.number) }
    }
    #expect(numbers == [0, 1, 2, 0, 2])
  }

  @MainActor @Test func objects_areReadOnAnActor() async throws {
    var objects: [StreamedObject] = []
    for try await object in test.table(StreamedObject.self).stream(where: \.number < 100) {
      objects.append(object)
    }
    #expect(objects.count == 100 && objects.compactMap(\.pkid).count == 100)
  }

  @Test func eachIteration_asksAnew() async throws {
    let stream = table.stream(where: \.number < 5)
    func count() async throws -> Int {
      var count = 0
      for try await _ in stream { count += 1 }
      return count
    }
    #expect(try await count() == 5)
    try table.delete(where: \.number == 0)
    #expect(try await count() == 4)
  }

  // MARK: Bounds

  @Test func rows_areReadWhenTheyAreAskedFor() async throws {
    Counting.made.withLock { $0 = 0 }
    var iterator = database.stream("SELECT number FROM Streamed", as: Counting.self)
      .makeAsyncIterator()
    #expect(Counting.made.withLock { $0 } == 0 && kept == 0)
    _ = try await iterator.next()
    #expect(Counting.made.withLock { $0 } == 16 && kept == 1 && lent == 1)
    for asked in 2...Self.count {
      #expect(try await iterator.next()?.number == asked - 1)
      #expect(Counting.made.withLock { $0 } <= asked + 511)
    }
    // Large rows come one by one.
    Counting.made.withLock { $0 = 0 }
    var large = database.stream(
      "SELECT number, zeroblob(300000) AS bytes FROM Streamed", as: Counting.self
    ).makeAsyncIterator()
    for asked in 1...5 {
      #expect(try await large.next()?.bytes?.count == 300_000)
      #expect(Counting.made.withLock { $0 } == asked)
    }
  }

  @Test func allRows_areOfOneSnapshot() async throws {
    var sum = 0
    for try await row in table.stream() {
      sum += row.number
      if row.number % 500 == 0 {
        try table.update(where: \.number > row.number, .set(\.name, to: "late"))
        try table.insertList([Streamed(1_000_000)])
        try await database.write { try table.delete(where: \.number == 1_000_000) }
      }
      #expect(row.name == "n\(row.number)")
    }
    #expect(sum == Self.count * (Self.count - 1) / 2)
    #expect(try table.count(where: \.name == "late") == Self.count - 1)
    expectNothingIsKept()
  }

  // MARK: Giving the reader back

  @Test func lastRow_givesTheReaderBackBeforeItIsAskedFor() async throws {
    var iterator = table.stream(limit: 10).makeAsyncIterator()
    _ = try await iterator.next()
    expectNothingIsKept()
    for _ in 1..<10 { #expect(try await iterator.next() != nil) }
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func break_givesTheReaderBackAtOnce() async throws {
    for try await _ in table.stream() {
      #expect(lent == 1 && kept == 1)
      break
    }
    expectNothingIsKept()
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      for try await _ in table.stream() { throw Stop() }
    }
    expectNothingIsKept()
    // Its log can be emptied again.
    try table.insertList([Streamed(-1)])
    #expect(try database.checkpoint(.truncate).isComplete)
  }

  @Test func tenThousandOpenedAndDropped_leaveNothing() async throws {
    let before = database.statistics.preparedStatements
    for _ in 0..<10_000 {
      var iterator = table.stream(where: \.number >= 0).makeAsyncIterator()
      #expect(try await iterator.next() != nil)
    }
    expectNothingIsKept()
    #expect(database.readers.counts.open <= database.configuration.maximumReaders)
    #expect(database.statistics.preparedStatements - before <= 50)
    var iterators: [XTStream<Streamed>.AsyncIterator] = []
    for _ in 0..<50 {
      var iterator = table.stream(limit: 100).makeAsyncIterator()
      _ = try await iterator.next()
      iterators.append(iterator)
    }
    #expect(kept == database.configuration.maximumReaders - 1)
    iterators = []
    expectNothingIsKept()
  }

  @Test func cancelledTask_stopsWithItsNextRow() async throws {
    let (table, database) = (table, database)
    let task = Task {
      var count = 0
      for try await _ in table.stream() {
        count += 1
        if count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await soon { database.readers.counts.lent == 0 })
    expectNothingIsKept()
  }

  @Test func cancelledTask_stopsTheStatementThatRuns() async throws {
    let (database, isOn) = (database, Flag())
    let task = Task {
      let endless: XTSQL = """
        WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
        SELECT x FROM c WHERE x < 20 OR x < 0
        """
      for try await _ in database.stream(endless) { isOn.set(true) }
    }
    #expect(await soon { isOn.isSet })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await soon { database.readers.counts.lent == 0 })
    expectNothingIsKept()
    #expect(try await database.rows("SELECT 1").count == 1)
  }

  @Test func abandonedIterator_keepsNoReaderForEver() async throws {
    database.core.streams.setPatience(0.3)
    var iterator = table.stream().makeAsyncIterator()
    _ = try await iterator.next()
    #expect(await soon { kept == 0 && lent == 0 })
    // What had been read is there, and then the reason.
    var count = 1
    let error = await #expect(throws: XTError.self) {
      while try await iterator.next() != nil { count += 1 }
    }
    #expect(error?.kind == .interrupted && error?.hint != nil && count == 16)
    #expect(try await iterator.next() == nil)
    expectNothingIsKept()
  }

  @Test func whoNeedsTheFileAlone_endsStreams() async throws {
    var iterator = table.stream().makeAsyncIterator()
    _ = try await iterator.next()
    try database.suspend()
    #expect(kept == 0)
    database.resume()
    let error = await #expect(throws: XTError.self) {
      while try await iterator.next() != nil {}
    }
    #expect(error?.kind == .interrupted && error?.message.contains("suspend") == true)
    var other = table.stream().makeAsyncIterator()
    _ = try await other.next()
    #expect(kept == 1)
    try database.close()
    await #expect(throws: XTError.self) { while try await other.next() != nil {} }
    var late = table.stream().makeAsyncIterator()
    let closed = await #expect(throws: XTError.self) { try await late.next() }
    #expect(closed?.kind == .closed)
  }

  // MARK: Many

  @Test func moreStreamsThanReaders_allGoOn() async throws {
    let (table, database) = (table, database)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<12 {
        group.addTask {
          var count = 0
          for try await row in table.stream() {
            count += 1
            if row.number % 1_000 == 0 {
              // One reader is left for others, and each stream may ask for another.
              #expect(try await database.rows("SELECT 1").count == 1)
              for try await inner in table.stream(where: \.number == row.number) {
                #expect(inner.number == row.number)
              }
            }
          }
          return count
        }
      }
      for try await count in group { #expect(count == Self.count) }
    }
    expectNothingIsKept()
  }

  @Test func sameStream_insideItself_hasAStatementOfItsOwn() async throws {
    var pairs = 0
    for try await outer in table.stream(where: \.number < 40, orderBy: .asc(\.number)) {
      for try await inner in table.stream(where: \.number < 40, orderBy: .asc(\.number)) {
        if inner.number == outer.number { pairs += 1 }
      }
    }
    #expect(pairs == 40)
  }

  // MARK: Errors

  @Test func errorOfARow_comesAfterTheRowsBeforeIt() async throws {
    try test.outside("UPDATE Streamed SET number = 'x' WHERE pkid = 601")
    var count = 0
    let error = await #expect(throws: XTError.self) {
      for try await _ in table.stream() { count += 1 }
    }
    #expect(count == 600 && error?.kind == .decoding && error?.column == "number")
    expectNothingIsKept()
  }

  @Test func brokenQueries_throwAtTheFirstRow() async throws {
    let streams: [(XTStream<Streamed>, XTError.Kind)] = [
      (table.stream(where: "nope = 1"), .unknownColumn),
      (table.stream(where: "\"nope\" = 'nope'"), .unknownColumn),
      (table.stream(where: "number = '\(1)'"), .sqlite),
      (table.stream(limit: -1), .valueOutOfRange),
      (database.stream("SELECT \"nope\" FROM Streamed", as: Streamed.self), .unknownColumn),
      (database.stream("SELECT * FROM nope", as: Streamed.self), .schema),
      (database.stream("SELEC", as: Streamed.self), .sqlite),
      (database.stream("", as: Streamed.self), .sqlite),
      (database.stream("SELECT 1; SELECT 2", as: Streamed.self), .sqlite),
    ]
    for (stream, kind) in streams {
      var iterator = stream.makeAsyncIterator()
      let error = await #expect(throws: XTError.self) { try await iterator.next() }
      #expect(error?.kind == kind, "\(String(describing: error))")
      #expect(try await iterator.next() == nil)
    }
    let nobody = Streamed.xt_stream()
    if (try? XTDatabase.shared) == nil {
      await #expect(throws: XTError.self) { for try await _ in nobody {} }
    }
    expectNothingIsKept()
  }

  @Test func missingTable_isEmpty() async throws {
    struct Absent: XTModel { var name = "" }
    for try await _ in test.table(Absent.self).stream(where: \.name == "x") {
      Issue.record("there is a row")
    }
    #expect(try !test.tables().contains("Absent"))
    expectNothingIsKept()
  }

  // MARK: Without a reader

  @Test func databasesWithoutReaders_readAtOnce() async throws {
    var configuration = XTConfiguration()
    configuration.journalMode = .delete
    let folder = try TemporaryFolder()
    for other in [
      try XTDatabase.inMemory(),
      try XTDatabase(path: folder.path("d.sqlite"), configuration: configuration),
    ] {
      let table = other.table(Streamed.self)
      try table.insertList((0..<100).map(Streamed.init))
      var count = 0
      for try await row in table.stream() {
        // The loop holds nothing that a write would wait for.
        try table.update(where: \.number == row.number, .set(\.name, to: "x"))
        count += 1
      }
      #expect(count == 100)
      #expect(try table.count(where: \.name == "x") == 100)
      var rows = 0
      for try await _ in other.stream("SELECT * FROM Streamed") { rows += 1 }
      #expect(rows == 100)
    }
  }

  @Test func transactionObject_streamsWhatItHasWritten() async throws {
    let transaction = try await database.begin()
    let inside = transaction.table(Streamed.self)
    try inside.deleteAll()
    try inside.insertList([Streamed(7)])
    var numbers: [Int] = []
    for try await row in inside.stream() {
      numbers.append(row.number)
      try inside.insertList([Streamed(8)])
    }
    #expect(numbers == [7])
    try transaction.rollback()
    #expect(try table.count() == Self.count)
  }

  @Test func whatOnlyTheWriterKnows_isStreamedToo() async throws {
    try await database.execute("CREATE TEMP TABLE own (a); INSERT INTO own VALUES (1), (2)")
    var values: [XTValue] = []
    for try await row in database.stream("SELECT a FROM own ORDER BY a") {
      values += row.values
    }
    for try await row in database.stream("PRAGMA user_version") { values += row.values }
    #expect(values == [1, 2, 0])
    expectNothingIsKept()
  }

  @Test func whatOnlyTheWriterKnows_takesNoPlaceOfAStream() async throws {
    try await database.execute("CREATE TEMP TABLE own (a); INSERT INTO own VALUES (1), (2)")
    let streams = database.core.streams
    try database.writing { connection in
      try connection.createFunction("places", arguments: 0, isDeterministic: false) { _ in
        .integer(Int64(streams.count))
      }
    }
    var values: [XTValue] = []
    for try await row in database.stream("SELECT places() FROM own") { values += row.values }
    #expect(values == [0, 0])
  }

  @Test func readOnlyDatabase_streams() async throws {
    let other = try XTDatabase(
      path: { () throws -> String in
        let copy = test.path + ".copy"
        try test.outside("PRAGMA wal_checkpoint(TRUNCATE)")
        try FileManager.default.copyItem(atPath: test.path, toPath: copy)
        return copy
      }(),
      configuration: {
        var configuration = XTConfiguration()
        configuration.readOnly = true
        return configuration
      }())
    var count = 0
    for try await _ in other.table(Streamed.self).stream() { count += 1 }
    #expect(count == Self.count)
  }
}
