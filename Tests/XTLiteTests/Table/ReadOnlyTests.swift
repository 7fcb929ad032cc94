import Foundation
import Testing

@testable import XTLite

/// A database that can only be read answers every question, and refuses every write.
@Suite struct ReadOnlyTests {
  let test: TestDatabase
  let samples: XTTable<Sample>

  init() throws {
    test = try TestDatabase(
      after: """
        CREATE TABLE Sample (pkid INTEGER PRIMARY KEY, name TEXT, `order` INTEGER);
        INSERT INTO Sample VALUES (1, 'a', 1), (2, 'b', 2)
        """
    ) { $0.readOnly = true }
    samples = test.table(Sample.self)
  }

  @Test func questions_areAnswered() throws {
    #expect(try samples.findAll(orderBy: .desc(\.order)).map(\.name) == ["b", "a"])
    #expect(try samples.find(pkid: 2)?.score == nil)
    #expect(try samples.find(pkids: [2, 1]).map(\.name) == ["b", "a"])
    #expect(try samples.find(where: "name = \("a")", limit: 1).count == 1)
    #expect(try samples.findFirst(where: \.level == .low)?.name == "a")
    #expect(try samples.has(where: \.order > 1))
    #expect(try samples.sum(of: \.order) == 3)
    #expect(try samples.max(of: \.price) == 0)
    let names: [String] = try samples.select(\.name)
    #expect(names == ["a", "b"])
    #expect(try samples.anyFunc(sql: "SELECT count(*) FROM Sample") == 2)
    var seen = 0
    try samples.forEach { _ in seen += 1 }
    #expect(seen == 2)
    #expect(try test.table(SampleObject.self, named: "Nowhere").count() == 0)
  }

  @Test func writes_areRefused() throws {
    let columns = try test.columns(of: "Sample")
    let calls: [() throws -> Void] = [
      { try samples.insertList([Sample("c")]) }, { try samples.deleteAll() },
      { try samples.update(where: nil, .set(\.name, to: "x")) }, { try samples.create() },
      { try samples.anyFunc(sql: "DELETE FROM Sample") },
      { _ = try samples.find(sql: "DELETE FROM Sample") },
      { try test.database.execute("DELETE FROM Sample") },
      { try samples.forEach { try samples.delete($0) } },
    ]
    for call in calls {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .readOnly && error?.hint != nil)
    }
    #expect(try test.seen("SELECT count(*) FROM Sample") == ["2"])
    #expect(try test.columns(of: "Sample") == columns)
  }
}
