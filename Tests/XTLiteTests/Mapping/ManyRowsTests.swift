import Foundation
import Testing

@testable import XTLite

/// Finds of all sizes: models are collected in chunks, and objects made ahead of their rows.
@Suite struct ManyRowsTests {
  static let counts = [0, 1, 15, 16, 17, 47, 48, 49, 63, 64, 65, 1_000, 5_000]

  @Test(arguments: counts)
  func find_ofAnyCount_givesAllRowsInOrder(count: Int) throws {
    let database = try XTDatabase.inMemory()
    let values = (0..<count).map { Numbered(number: $0) }
    try database.table(Numbered.self).insertList(values)
    #expect(try database.table(Numbered.self).findAll().map(\.number) == Array(0..<count))

    let objects = values.map { NumberedObject(number: $0.number) }
    try database.table(NumberedObject.self).insertList(objects)
    let found = try database.table(NumberedObject.self).findAll()
    #expect(found.map(\.number) == Array(0..<count))
    #expect(found.map(\.pkid) == (0..<count).map { Int64($0 + 1) })
    #expect(found.map(\.text) == (0..<count).map { "text of the row \($0)" })
  }

  @Test func smallFind_makesNoObjectMoreThanItHasRows() throws {
    let database = try XTDatabase.inMemory()
    let table = database.table(CountedObject.self)
    for _ in 0..<10 { try table.insert(CountedObject()) }
    _ = try table.findAll()
    let before = CountedObject.made.value
    let found = try table.findAll()
    #expect(CountedObject.made.value - before == 10)
    withExtendedLifetime(found) {}
  }

  // One after the other: they count the same objects.
  @Test(.serialized, arguments: [5, 17, 60, 900])
  func find_thatThrowsAtARow_leavesNoObject(row: Int) throws {
    let database = try XTDatabase.inMemory()
    let table = database.table(FragileObject.self)
    try table.insertList((0..<1_000).map { _ in FragileObject() })
    try database.execute("UPDATE FragileObject SET text = X'FF' WHERE pkid = \(row)")
    let before = FragileObject.living.value
    let error = #expect(throws: XTError.self) { try table.findAll() }
    #expect(error?.kind == .decoding)
    #expect(FragileObject.living.value == before)
    #expect(try table.find(where: "pkid < \(row)").count == row - 1)
    #expect(FragileObject.living.value == before)
  }
}

private struct Numbered: XTModel {
  var number = 0
}

private final class NumberedObject: XTModel {
  var number = 0
  var text = ""

  init() {}

  convenience init(number: Int) {
    self.init()
    self.number = number
    text = "text of the row \(number)"
  }
}

private final class Count: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func add(_ number: Int) { count.withLock { $0 += number } }
}

private final class CountedObject: XTModel {
  static let made = Count()

  var number = 0

  init() { Self.made.add(1) }
}

private final class FragileObject: XTModel {
  static let living = Count()

  var number = 0
  var text = "a text that does not fit in a word"

  init() { Self.living.add(1) }

  deinit { Self.living.add(-1) }
}
