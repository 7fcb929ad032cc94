import Foundation
import Testing

@testable import XTLite

private struct Filled: XTModel {
  var pkid: Int64?
  var flag = false
  var number = 0
  var small: UInt8 = 0
  var text: String?
  var date = Date(timeIntervalSince1970: 0)
  var price = Decimal()
  var part: Float = 0
  var list: [Int] = []
  var data = Data()
}

private final class FilledObject: XTModel {
  var name = ""
  var number = 0

  nonisolated(unsafe) static var alive = 0

  init() { Self.alive += 1 }
  deinit { Self.alive -= 1 }
}

/// What rows become, whatever asked for them: each value at its place in memory, and nothing left
/// behind where one can't be read.
@Suite(.serialized) struct RowFillerTests {
  let test: TestDatabase
  private let filled: XTTable<Filled>
  private let objects: XTTable<FilledObject>

  init() throws {
    test = try TestDatabase()
    filled = test.table(Filled.self)
    objects = test.table(FilledObject.self)
    try filled.insertList([
      Filled(
        flag: true, number: -7, small: 255, text: "a text that is longer than sixteen bytes",
        date: Date(timeIntervalSince1970: 1.5), price: Decimal(string: "1.10") ?? 0, part: 0.5,
        list: [1, 2], data: Data([1])),
      Filled(number: 8),
    ])
  }

  @Test func values_ofAnySizeAndAlignment_areThoseOfTheModel() throws {
    let models = try filled.findAll()
    typealias Values = (Bool, Int, UInt8, String?, Date, Decimal, Float, [Int])
    func check(_ rows: [Values]) {
      #expect(rows.count == 2)
      for (row, model) in zip(rows, models) {
        #expect(row.0 == model.flag && row.1 == model.number && row.2 == model.small)
        #expect(row.3 == model.text && row.4 == model.date && row.5 == model.price)
        #expect(row.6 == model.part && row.7 == model.list)
      }
    }
    check(
      try filled.select(
        \.flag, \.number, \.small, \.text, \.date, \.price, \.part, \.list))
    check(
      try filled.select(
        Filled.xt.flag, Filled.xt.number, Filled.xt.small, Filled.xt.text, Filled.xt.date,
        Filled.xt.price, Filled.xt.part, Filled.xt.list))
    check(
      try test.database.select(
        "SELECT flag, number, small, text, date, price, part, list FROM Filled", as: Bool.self,
        Int.self, UInt8.self, String?.self, Date.self, Decimal.self, Float.self, [Int].self))
    let query = filled.query().columns(Filled.xt.small, Filled.xt.data, Filled.xt.flag)
    let (small, data, flag) = try #require(try query.first())
    #expect((small, data, flag) == (255, Data([1]), true))
    var smalls: [UInt8] = []
    try query.forEach { smalls.append($0.0) }
    #expect(smalls == [255, 0])
    let values: [UInt8] = try filled.select(\.small)
    #expect(values == [255, 0])
  }

  @Test func valuesAsTheyAre_areReadFromAnyQuery() throws {
    let name = XTTableName("Filled")
    let rows = try test.database.query(name).columns(
      name.column("text", as: XTValue.self), name.column("number", as: Int.self),
      name.column("text", as: XTValue?.self)
    ).all()
    #expect(rows.map(\.0) == [.text("a text that is longer than sixteen bytes"), .null])
    #expect(rows.map(\.1) == [-7, 8])
    #expect(rows.map(\.2) == [.text("a text that is longer than sixteen bytes"), nil])
  }

  @Test func models_besideValues_areReadWhole() throws {
    let rows = try filled.query().columns(Filled.xt.small, Filled.xt.all, Filled.xt.text).all()
    let smalls: [UInt8] = rows.map(\.0)
    #expect(smalls == [255, 0])
    #expect(rows.map(\.1.number) == [-7, 8])
    #expect(rows.map(\.1.list) == [[1, 2], []])
    #expect(rows.map(\.2) == rows.map(\.1.text))
    let other = Filled.xt.as("other")
    let pairs = try filled.query()
      .leftJoin(other, on: other.number == Filled.xt.number + 15).all()
    #expect(pairs.map(\.0.number) == [-7, 8])
    #expect(pairs.map { $0.1?.number } == [8, nil])
    let three = try filled.query().leftJoin(other, on: other.number == Filled.xt.number + 15)
      .columns(other.all.optional, Filled.xt.flag, other.text).all()
    #expect(three.map { $0.0?.number } == [8, nil])
    #expect(three.map(\.1) == [true, false])
  }

  @Test func whatWasReadBeforeAMistake_isLetGo() throws {
    try objects.insertList([FilledObject(), FilledObject(), FilledObject()])
    let before = FilledObject.alive
    try test.database.execute("UPDATE FilledObject SET number = 'x' WHERE pkid = 3")
    let mine = FilledObject.xt
    let other = mine.as("other")
    let twice = objects.query().join(other, on: mine.pkid < other.pkid)
    for _ in 0..<2 {
      let error = #expect(throws: XTError.self) { try twice.all() }
      #expect(error?.kind == .decoding && error?.column == "number")
      #expect(throws: XTError.self) { try twice.orderBy(.desc(other.pkid)).first() }
      let third = #expect(throws: XTError.self) { try objects.select(\.name, \.number) }
      #expect(third?.table == "FilledObject" && third?.column == "number")
      #expect(throws: XTError.self) { try objects.query().columns(mine.number, mine.all).all() }
    }
    #expect(FilledObject.alive == before)
  }

  @Test func NULL_isExplainedByHowItWasAskedFor() throws {
    try test.database.execute(
      "CREATE TABLE Nulls (name TEXT, number INTEGER); INSERT INTO Nulls VALUES (NULL, NULL)")
    let name = XTTableName("Nulls")
    let expression = #expect(throws: XTError.self) {
      try test.database.query(name).columns(
        name.column("number", as: Int?.self), name.column("name", as: String.self)
      ).all()
    }
    #expect(expression?.column == "name" && expression?.hint?.contains(".optional") == true)
    let type = #expect(throws: XTError.self) {
      try test.database.select("SELECT number, name FROM Nulls", as: Int?.self, String.self)
    }
    #expect(type?.column == "name" && type?.hint == "read it as String?")
  }

  // MARK: Containers

  @Test func brokenContainer_isToldOfByColumnAndType() throws {
    try test.database.execute("UPDATE Filled SET list = '[1,'")
    let database = test.database
    let calls: [(table: String?, () throws -> Void)] = [
      ("Filled", { _ = try filled.findAll() }),
      ("Filled", { _ = try filled.select(\.number, \.list) }),
      ("Filled", { _ = try filled.query().columns(Filled.xt.number, Filled.xt.list).all() }),
      (nil, { _ = try database.select("SELECT list FROM Filled", as: [Int].self) }),
      (nil, { _ = try database.firstRow("SELECT list FROM Filled")?["list"] as [Int]? }),
      (nil, { _ = try database.rows("SELECT list FROM Filled", as: Listed.self) }),
    ]
    for (table, call) in calls {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .decoding && error?.column == "list" && error?.table == table)
      #expect(error?.message.hasPrefix(Self.broken) == true, "\(error?.message ?? "")")
    }
    let rows = #expect(throws: XTError.self) {
      try database.rows("SELECT list FROM Filled", as: [Int].self)
    }
    #expect(rows?.kind == .decoding && rows?.column == "list")
    #expect(rows?.message.hasPrefix(Self.broken) == true, "\(rows?.message ?? "")")
  }

  private static let broken = "'[1,' is no Swift.Array<Swift.Int>: "

  private struct Listed: Decodable {
    var list: [Int]
  }
}
