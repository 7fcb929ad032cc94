import Foundation
import Testing

@testable import XTLite

@Suite struct PackedValuesTests {
  private let values: [XTValue] = [
    .null, .integer(0), .integer(.max), .integer(.min), .integer(9_007_199_254_740_993),
    .real(0.1), .real(-0.0), .real(.infinity), .real(.leastNonzeroMagnitude),
    .real(.greatestFiniteMagnitude),
    .text(""), .text("a\0b"), .text("\u{1F468}\u{200D}\u{1F469}"), .text("'\"`"), .text("12"),
    .blob(Data()), .blob(Data([0, 1, 0xFF])), .blob(Data("12".utf8)), .null,
  ]

  private func connection() throws -> Connection { try Connection(ConnectionSettings()) }

  @Test func list_givesEachValueAsItIs() throws {
    let rows = try connection().rows(
      "SELECT value, typeof(value) FROM xt_list(?)", [try PackedValues.pack(values)])
    #expect(rows.map { $0[0] } == values)
    #expect(
      rows.map { $0[1].string }
        == values.map { value in
          switch value {
          case .null: "null"
          case .integer: "integer"
          case .real: "real"
          case .text: "text"
          case .blob: "blob"
          }
        })
  }

  @Test func item_isTheValueAtItsPlace() throws {
    let sut = try connection()
    let packed = try PackedValues.pack(values)
    for (index, value) in values.enumerated() {
      #expect(try sut.firstValue("SELECT xt_item(?, \(index))", [packed]) == value)
    }
    for index in [-1, values.count] {
      #expect(throws: XTError.self) {
        try sut.firstValue("SELECT xt_item(?, \(index))", [packed])
      }
    }
  }

  @Test func emptyList_hasNoRows() throws {
    let packed = try PackedValues.pack([])
    #expect(try connection().rows("SELECT value FROM xt_list(?)", [packed]).isEmpty)
  }

  @Test func twoLists_inOneStatement_areApart() throws {
    let rows = try connection().rows(
      "SELECT a.value, b.value FROM xt_list(?) AS a, xt_list(?) AS b ORDER BY 1, 2",
      [try PackedValues.pack([1, 2]), try PackedValues.pack(["x", "y"])])
    #expect(rows == [[1, "x"], [1, "y"], [2, "x"], [2, "y"]])
  }

  @Test func bytesThatAreNoList_areAnErrorAndNoCrash() throws {
    let sut = try connection()
    guard case .blob(let good) = try PackedValues.pack(values) else { return }
    for value in [.null, 1, "text", .blob(Data()), .blob(Data(repeating: 7, count: 100))]
      as [XTValue]
    {
      #expect(throws: XTError.self) { try sut.rows("SELECT value FROM xt_list(?)", [value]) }
      #expect(throws: XTError.self) { try sut.rows("SELECT xt_item(?, 0)", [value]) }
    }
    #expect(try sut.rows("SELECT value FROM xt_list").isEmpty)
    // Cut off, and changed, at every place.
    for count in 0..<good.count {
      _ = try? sut.rows("SELECT value FROM xt_list(?)", [.blob(good.prefix(count))])
      var bad = good
      bad[count] = bad[count] &+ 0x9D
      _ = try? sut.rows("SELECT value FROM xt_list(?)", [.blob(bad)])
      _ = try? sut.rows("SELECT xt_item(?, 12)", [.blob(bad)])
    }
    #expect(try sut.firstValue("SELECT count(*) FROM xt_list(?)", [.blob(good)]) == 19)
  }

  @Test func notANumber_isRefused() {
    let error = #expect(throws: XTError.self) { try PackedValues.pack([1, .real(.nan)]) }
    #expect(error?.kind == .valueOutOfRange)
  }

  @Test func noTableOfItsKind_canBePutIntoAFile() throws {
    #expect(throws: XTError.self) {
      try connection().run("CREATE VIRTUAL TABLE t USING xt_list")
    }
  }

  // MARK: Statements with more values than parameters

  private func limited() throws -> Connection {
    let sut = try connection()
    sqlite3_limit(sut.handle, SQLITE_LIMIT_VARIABLE_NUMBER, 10)
    return sut
  }

  @Test func statementOfManyValues_bindsThemAsOne() throws {
    let sut = try limited()
    let list = Array(repeating: "?", count: values.count).joined(separator: ", ")
    #expect(try sut.rows("SELECT \(list) -- ?", values) == [values])
    let statement = try sut.statement("SELECT \(list) -- ?")
    defer { sut.finish(statement) }
    #expect(statement.isPacked && statement.parameterCount == values.count)
    #expect(throws: XTError.self) { try statement.bind([1]) }
  }

  @Test func statementOfManyValues_isKept() throws {
    let sut = try limited()
    let sql = "SELECT " + Array(repeating: "?", count: 12).joined(separator: " + ")
    for number in 1...3 as ClosedRange<Int64> {
      let sum = try sut.firstValue(sql, Array(repeating: .integer(number), count: 12))
      #expect(sum == .integer(12 * number))
    }
    #expect(sut.cache.count == 1)
  }

  @Test func manyValuesWithNumbers_areRefusedAsTheyAre() throws {
    let sut = try limited()
    let error = #expect(throws: XTError.self) { try sut.rows("SELECT ?11, ?1", []) }
    #expect(error?.sql == "SELECT ?11, ?1")
  }

  @Test func scriptThatEndsWithManyValues_runs() throws {
    let sut = try limited()
    try sut.run("CREATE TABLE t (a)")
    let row = Array(repeating: "(?)", count: 12).joined(separator: ", ")
    let numbers = (1...12).map { XTValue.integer($0) }
    #expect(try sut.executeScript("INSERT INTO t VALUES \(row);", numbers) == 12)
    #expect(
      try sut.executeScript("DELETE FROM t; INSERT INTO t VALUES \(row)", numbers) == 24)
    #expect(try sut.firstValue("SELECT group_concat(a) FROM t") == "1,2,3,4,5,6,7,8,9,10,11,12")
    #expect(throws: XTError.self) {
      try sut.executeScript("INSERT INTO t VALUES \(row); SELECT 1", numbers)
    }
  }

  @Test func index_servesListAndItem() throws {
    let sut = try limited()
    try sut.executeScript("CREATE TABLE t (a, b TEXT); CREATE INDEX i ON t (b)")
    let packed = try PackedValues.pack(["x", "y"])
    let list = try sut.rows(
      "EXPLAIN QUERY PLAN SELECT * FROM t WHERE b IN (SELECT value FROM xt_list(?))", [packed])
    #expect(list.contains { $0.last?.string?.contains("INDEX i (b=?)") == true })
    let item = try sut.rows(
      "EXPLAIN QUERY PLAN SELECT * FROM t WHERE b = xt_item(?1, 1)", [packed])
    #expect(item.contains { $0.last?.string?.contains("INDEX i (b=?)") == true })
  }
}
