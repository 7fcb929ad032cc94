import Foundation
import Testing

@testable import XTLite

@Suite struct AggregateTests {
  let test: TestDatabase
  let samples: XTTable<Sample>

  init() throws {
    test = try TestDatabase()
    samples = test.table(Sample.self)
  }

  private func insert(_ changes: ((inout Sample) -> Void)...) throws {
    try samples.insertList(changes.map { Sample("x", 0, $0) })
  }

  // MARK: Nothing

  @Test func noRows_giveNil() throws {
    for round in 0..<2 {
      #expect(try samples.max(of: \.order) == nil)
      #expect(try samples.min(of: \.score) == nil)
      #expect(try samples.sum(of: \.order) == nil)
      #expect(try samples.sum(of: \.score) == nil)
      #expect(try samples.sum(of: \.price) == nil)
      #expect(try samples.avg(of: \.price) == nil)
      #expect(try samples.avg(of: \.order) == nil)
      #expect(try samples.count() == 0)
      // The first round has no table, the second an empty one.
      if round == 0 { try samples.create() }
    }
  }

  @Test func rowsThatHoldNil_giveNil() throws {
    try insert({ _ in }, { _ in })
    #expect(try samples.max(of: \.score) == nil)
    #expect(try samples.min(of: \.nick) == nil)
    #expect(try samples.sum(of: \.score) == nil)
    #expect(try samples.sum(of: \.cost) == nil)
    #expect(try samples.avg(of: \.score) == nil)
    #expect(try samples.avg(of: \.cost) == nil)
    #expect(try samples.max(of: \.tint) == nil)
  }

  // MARK: Types

  @Test func maxAndMin_areOfThePropertysType() throws {
    let early = Date(timeIntervalSince1970: -1e9 + 0.25)
    let late = Date(timeIntervalSince1970: 4e9 + 0.125)
    let high = try #require(UUID(uuidString: "F0000000-0000-0000-0000-000000000000"))
    try insert(
      {
        $0 = Sample("b", -5)
        $0.small = 200
        $0.score = -1.5
        $0.price = 9
        $0.born = early
        $0.level = .middle
        $0.tint = .red
        $0.isMember = true
        $0.data = Data([2])
        $0.uid = high
      },
      {
        $0 = Sample("é", .max)
        $0.small = 255
        $0.score = .infinity
        $0.price = 10
        $0.cost = 0.5
        $0.born = late
        $0.seen = early
        $0.level = .high
        $0.nick = "n"
        $0.place = AskingPoint(x: 1, y: 2)
        $0.data = Data([1, 9])
      })
    let order: Int? = try samples.max(of: \.order)
    let small: UInt8? = try samples.max(of: \.small)
    let least: UInt8? = try samples.min(of: \.small)
    let score: Double? = try samples.max(of: \.score)
    let price: Decimal? = try samples.max(of: \.price)
    let cost: Decimal? = try samples.min(of: \.cost)
    let born: Date? = try samples.max(of: \.born)
    let seen: Date? = try samples.min(of: \.seen)
    let level: AskingLevel? = try samples.max(of: \.level)
    let tint: Tint? = try samples.max(of: \.tint)
    let member: Bool? = try samples.max(of: \.isMember)
    let name: String? = try samples.max(of: \.name)
    let nick: String? = try samples.max(of: \.nick)
    let place: AskingPoint? = try samples.max(of: \.place)
    let data: Data? = try samples.max(of: \.data)
    let uid: UUID? = try samples.max(of: \.uid)
    let pkid: Int64? = try samples.max(of: \.pkid)
    #expect(order == .max && small == 255 && least == 200 && score == .infinity)
    #expect(price == 10 && cost == 0.5 && born == late && seen == early)
    #expect(try samples.min(of: \.born) == early)
    #expect(try samples.min(of: \.price) == 9)
    #expect(level == .high && tint == .red && member == true && name == "é" && nick == "n")
    #expect(place == AskingPoint(x: 1, y: 2) && data == Data([2]) && uid == high && pkid == 2)
    #expect(try samples.min(of: \.order, where: \.order > 0) == .max)
    #expect(try samples.min(of: \.order, where: \.isMember) == -5)
    #expect(try samples.max(of: \.score, where: \.isMember) == -1.5)
    #expect(try samples.max(of: \.order, where: "1 = 0") == nil)
  }

  @Test func sums_haveTheTypesOfNumbers() throws {
    try insert(
      {
        $0.order = 40
        $0.small = 200
        $0.score = 0.5
        $0.isMember = true
      },
      {
        $0.order = 2
        $0.small = 255
        $0.score = 0.25
      })
    let order: Int64? = try samples.sum(of: \.order)
    let small: Int64? = try samples.sum(of: \.small)
    let score: Double? = try samples.sum(of: \.score)
    #expect(order == 42 && small == 455 && score == 0.75)
    #expect(try samples.sum(of: \.order, where: \.isMember) == 40)
    #expect(try samples.sum(of: \.order, where: \.score < 0.3) == 2)
    #expect(try samples.avg(of: \.order) == 21)
    #expect(try samples.avg(of: \.score, where: \.isMember) == 0.5)
    #expect(try samples.avg(of: \.isMember) == 0.5)
    #expect(try samples.avg(of: \.level) == 1)
  }

  @Test func decimals_areSummedUpExactly() throws {
    try samples.insertList((0..<1000).map { Sample("x", $0) { $0.price = 0.1 } })
    let sum: Decimal? = try samples.sum(of: \.price)
    #expect(sum == 100)
    #expect(try samples.avg(of: \.price) == 0.1)
    let hundred = try #require(Decimal(string: "12345678901234567890.123456789"))
    try insert({ $0.cost = hundred }, { $0.cost = -hundred }, { $0.cost = 0.001 })
    #expect(try samples.sum(of: \.cost) == 0.001)
    #expect(try samples.max(of: \.cost) == hundred)
    #expect(try samples.min(of: \.cost) == -hundred)
  }

  @Test func decimals_ofTooManyDigits_throw() throws {
    let large = try #require(Decimal(string: "9e120"))
    try insert({ $0.price = large }, { $0.price = 0.1 })
    let error = #expect(throws: XTError.self) { try samples.sum(of: \.price) }
    #expect(error?.kind == .valueOutOfRange && error?.column == "price")
  }

  // MARK: Overflow

  @Test func sumBeyond64Bits_throws() throws {
    try insert({ $0.order = .max }, { $0.order = 1 })
    let error = #expect(throws: XTError.self) { try samples.sum(of: \.order) }
    #expect(error?.kind == .valueOutOfRange)
    #expect(error?.column == "order" && error?.table == "Sample")
    try samples.update(where: nil, .set(\.order, to: .min))
    #expect(throws: XTError.self) { try samples.sum(of: \.order) }
    #expect(try samples.avg(of: \.order) == Double(Int64.min))
  }

  @Test func sumThatGoesBeyond64BitsAndBack_isExact() throws {
    try insert({ $0.order = .max }, { $0.order = 1 }, { $0.order = .max }, { $0.order = .min })
    #expect(try samples.sum(of: \.order) == .max)
    try insert({ $0.order = .min })
    #expect(try samples.sum(of: \.order) == -1)
  }

  @Test func sumOfBothInfinities_isNoNumberAndThrows() throws {
    try insert({ $0.score = .infinity })
    #expect(try samples.sum(of: \.score) == .infinity)
    try insert({ $0.score = -.infinity })
    let error = #expect(throws: XTError.self) { try samples.sum(of: \.score) }
    #expect(error?.kind == .valueOutOfRange && error?.column == "score")
    #expect(throws: XTError.self) { try samples.avg(of: \.score) }
    #expect(try samples.sum(of: \.score, where: \.score < 0) == -.infinity)
  }

  // MARK: Mistakes

  @Test func average_ofWhatIsNoNumber_throws() throws {
    let averages: [() throws -> Double?] = [
      { try samples.avg(of: \.name) }, { try samples.avg(of: \.place) },
      { try samples.avg(of: \.data) }, { try samples.avg(of: \.tint) },
    ]
    for average in averages {
      let error = #expect(throws: XTError.self) { try average() }
      #expect(error?.kind == .valueOutOfRange)
    }
  }

  @Test func aggregates_ofNoColumn_throwThoughThereIsNoTable() throws {
    let calls: [() throws -> Void] = [
      { _ = try samples.max(of: \.draft) }, { _ = try samples.min(of: \.name.count) },
      { _ = try samples.sum(of: \.tags.count) }, { _ = try samples.avg(of: \.place?.x) },
    ]
    for call in calls {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .unknownColumn)
    }
  }

  // MARK: SQL

  @Test func aggregates_askOneStatementEach() throws {
    try insert({ _ in })
    _ = try test.table(Sample.self).count()
    let statements = try test.statements {
      try test.asCurrent {
        _ = try Sample.xt_count()
        _ = try Sample.xt_countWhere(\.order > 1, scope: .all)
        _ = try Sample.xt_maxOf(\.price)
        _ = try Sample.xt_sumOf(\.order, where: \.isMember)
        _ = try Sample.xt_avgOf(\.order, scope: .deleted)
      }
    }
    #expect(
      statements == [
        "SELECT count(*) FROM `Sample` WHERE `xt_isDel` = 0",
        "SELECT count(*) FROM `Sample` WHERE `order` > ?",
        "SELECT max(`price` COLLATE xt_decimal) FROM `Sample` WHERE `xt_isDel` = 0",
        "SELECT sum(`order`) FROM `Sample` WHERE `isMember` AND `xt_isDel` = 0",
        "SELECT avg(`order`) FROM `Sample` WHERE `xt_isDel` <> 0",
      ])
  }
}
