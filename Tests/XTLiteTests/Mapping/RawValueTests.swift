import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Enums and option sets by their raw values, and types that say themselves what a column holds.
  @Suite struct RawValueTests {
    @Test func enums_areTheirRawValues() throws {
      let file = try TestDatabase()
      #expect(try file.roundTrip([Suit.spades, .hearts]) == [.spades, .hearts])
      #expect(try file.stored(Suit.self) == ["text|'♠'", "text|'hearts'"])
      #expect(try file.roundTrip([Level.low, .high, .odd]) == [.low, .high, .odd])
      #expect(
        try file.stored(Level.self) == ["integer|1", "integer|-5", "integer|9223372036854775807"])
      #expect(try file.roundTrip([Rate.half, .double]) == [.half, .double])
      #expect(try file.stored(Rate.self) == ["real|0.5", "real|2.0"])
      #expect(try file.roundTrip([Suit?.some(.hearts), nil]) == [.hearts, nil])
      #expect(try file.stored(Suit?.self) == ["text|'hearts'", "null|NULL"])
    }

    @Test func enum_neitherCodableNorEquatable_isStoredAndCompared() throws {
      let file = try TestDatabase()
      try file.roundTrip([Suit.spades, .hearts, .spades])
      let table = file.table(One<Suit>.self)
      #expect(try table.count(where: \.value == .spades) == 2)
      #expect(try table.count(where: (\One<Suit>.value).in([.hearts])) == 1)
      #expect(try table.count(where: "value = \(Suit.spades)") == 2)
      try table.updateAll(.set(\.value, to: .hearts))
      #expect(try table.select(\.value).map(\.rawValue) == ["hearts", "hearts", "hearts"])
    }

    @Test func otherRawValues_areStoredAsThose() throws {
      let file = try TestDatabase()
      #expect(try file.roundTrip([Flags([.a, .c]), []]) == [[.a, .c], []])
      #expect(try file.stored(Flags.self) == ["integer|5", "integer|0"])
      #expect(try file.roundTrip([Flags?.some([.a]), nil]) == [[.a], nil])
      let id = Tagged<UUID>(
        rawValue: try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")))
      #expect(try file.roundTrip([id]) == [id])
      #expect(try file.stored(Tagged<UUID>.self) == ["text|'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"])
      let date = Tagged<Date>(rawValue: Date(timeIntervalSince1970: 5))
      #expect(try file.roundTrip([date]) == [date])
      #expect(try file.stored(Tagged<Date>.self) == ["real|5.0"])
      let data = Tagged<Data>(rawValue: Data())
      #expect(try file.roundTrip([data]) == [data])
      #expect(try file.stored(Tagged<Data>.self) == ["blob|X''"])
      let amount = Tagged<Decimal>(rawValue: 1.5)
      #expect(try file.roundTrip([amount]) == [amount])
      #expect(try file.stored(Tagged<Decimal>.self) == ["text|'1.5'"])
    }

    @Test func rawDecimals_sortAsNumbers() throws {
      let file = try TestDatabase()
      let amounts = [9, 10, -1, 100].map { Tagged<Decimal>(rawValue: $0) }
      try file.roundTrip(amounts)
      let sorted = try file.table(One<Tagged<Decimal>>.self).findAll(orderBy: .asc(\.value))
      #expect(sorted.map(\.value.rawValue) == [-1, 9, 10, 100])
    }

    @Test(arguments: ["'diamonds'", "''", "'HEARTS'", "5"])
    func unknownRawValue_throws_andSurvivesASaveOfAnotherProperty(_ expression: String) throws {
      let file = try TestDatabase()
      let table = file.table(Card.self)
      var card = Card(suit: .hearts, note: "old")
      try table.insert(&card)
      try file.outside("UPDATE `Card` SET `suit` = \(expression)")
      let before = try file.seen("SELECT quote(`suit`) FROM `Card`")
      let error = mappingError { try table.findAll() }
      #expect(error?.kind == .decoding)
      #expect(error?.column == "suit")
      #expect(error?.table == "Card")
      #expect(error?.message.contains("Suit") == true)
      #expect(error?.hint?.contains("raw value") == true)
      card.note = "new"
      try table.update(card, only: \.note)
      #expect(try file.seen("SELECT quote(`suit`), `note` FROM `Card`") == [before[0] + "|new"])
      // Without the property it reads, and saves, well.
      let partial = try #require(try table.findAll(only: \.pkid, \.note).first)
      #expect(partial.note == "new")
      try table.update(partial, only: \.note)
      #expect(try file.seen("SELECT quote(`suit`) FROM `Card`") == before)
    }

    @Test func unknownRawValue_inAnOptional_throwsAndIsNeverNil() throws {
      let file = try TestDatabase()
      #expect(mappingError { try file.read("'diamonds'", as: Suit?.self) }?.kind == .decoding)
      #expect(mappingError { try file.read("77", as: Level?.self) }?.kind == .decoding)
      #expect(mappingError { try file.read("'1'", as: Suit.self) }?.column == "value")
      #expect(mappingError { try file.read("0.25", as: Rate?.self) }?.kind == .decoding)
      // A raw value that is out of its own range.
      #expect(mappingError { try file.read("300", as: Flags.self) }?.kind == .valueOutOfRange)
    }

    // MARK: Own types

    @Test func ownTypes_areWhatTheySay() throws {
      let file = try TestDatabase()
      #expect(
        try file.roundTrip([Money(cents: 5), Money(cents: -1)]) == [
          Money(cents: 5), Money(cents: -1),
        ])
      #expect(try file.stored(Money.self) == ["integer|5", "integer|-1"])
      #expect(try file.roundTrip([Money?.some(Money(cents: 5)), nil]) == [Money(cents: 5), nil])
      let boxed = try file.roundTrip([Boxed(7)])
      #expect(boxed.map(\.number) == [7])
      #expect(try file.stored(Boxed.self) == ["blob|X'07'"])
      #expect(try file.definition(in: "One_Boxed")?.hasPrefix("BLOB|1|") == true)
      #expect(try file.table(One<Money>.self).count(where: \.value == Money(cents: 5)) == 1)
    }

    @Test func ownType_thatRefusesAValue_failsTheWriteWithItsError() throws {
      let file = try TestDatabase()
      let table = file.table(One<Money>.self)
      #expect(throws: Money.TooMuch.self) {
        try table.insertList([One(Money(cents: 1)), One(Money(cents: 1_000_000))])
      }
      #expect(try table.count() == 0)
      #expect(throws: Money.TooMuch.self) {
        try table.find(where: \.value == Money(cents: 1_000_000))
      }
    }

    @Test func ownType_thatRefusesAStoredValue_throwsDecodingWithItsWords() throws {
      let file = try TestDatabase()
      let error = mappingError { try file.read("'text'", as: Money.self) }
      #expect(error?.kind == .decoding)
      #expect(error?.column == "value")
      #expect(error?.message.contains("NotMoney") == true)
      #expect(mappingError { try file.read("'text'", as: Money?.self) }?.kind == .decoding)
    }

    @Test func ownType_whoseDefaultCannotBeStored_isAColumnWithoutDefault() throws {
      let file = try TestDatabase()
      let table = file.table(One<Never5>.self)
      #expect(throws: (any Error).self) { try table.insertList([One(Never5(number: 5))]) }
      try table.insertList([One(Never5(number: 6))])
      #expect(try table.findAll().map(\.value.number) == [6])
      #expect(try file.definition(in: "One_Never5") == "INTEGER|0|NULL|0")
    }

    @Test func ownType_thatGivesNullOrNaN_isRefusedOnWrite() throws {
      let file = try TestDatabase()
      let table = file.table(One<Loose>.self)
      try table.create()
      for bad: XTValue in [.null, .real(.nan)] {
        let error = mappingError {
          try table.insertList([One(Loose(value: 1)), One(Loose(value: bad))])
        }
        #expect(error?.kind == .valueOutOfRange)
        #expect(error?.column == "value")
        #expect(try table.count() == 0)
      }
      let optional = file.table(One<Loose?>.self)
      try optional.insertList([One<Loose?>(Loose(value: "x")), One(nil)])
      #expect(try file.stored(Loose?.self) == ["text|'x'", "null|NULL"])
    }
  }
}

private enum Suit: String, Defaulted {
  case spades = "♠"
  case hearts
  init() { self = .spades }
}

private enum Level: Int, Defaulted {
  case low = 1
  case high = -5
  case odd = 9_223_372_036_854_775_807
  init() { self = .low }
}

private enum Rate: Double, Defaulted {
  case half = 0.5
  case double = 2
  init() { self = .half }
}

private struct Flags: OptionSet, Defaulted {
  var rawValue: UInt8 = 0
  static let a = Flags(rawValue: 1)
  static let c = Flags(rawValue: 4)
}

private struct Tagged<RawValue: Defaulted & Equatable & Sendable>: RawRepresentable, Equatable,
  Defaulted
{
  var rawValue = RawValue()
}

private struct Card: XTModel {
  var pkid: Int64?
  var suit = Suit.spades
  var note = ""

  init() {}
  init(suit: Suit, note: String) {
    self.suit = suit
    self.note = note
  }

  static var xt_tableName: String { "Card" }
}

private struct Money: XTColumnValue, Equatable, Defaulted {
  struct TooMuch: Error {}
  struct NotMoney: Error {}

  var cents: Int64 = 0

  init() {}
  init(cents: Int64) { self.cents = cents }

  static var xt_storageClass: XTStorageClass { .integer }

  var xt_columnValue: XTValue {
    get throws {
      guard cents < 1_000_000 else { throw TooMuch() }
      return .integer(cents)
    }
  }

  init(xt_columnValue value: XTValue) throws {
    guard case .integer(let cents) = value else { throw NotMoney() }
    self.cents = cents
  }
}

private final class Boxed: XTColumnValue, Defaulted {
  let number: UInt8

  init() { number = 0 }
  init(_ number: UInt8) { self.number = number }

  static var xt_storageClass: XTStorageClass { .blob }
  var xt_columnValue: XTValue { .blob(Data([number])) }

  init(xt_columnValue value: XTValue) throws { number = value.data?.first ?? 0 }
}

private struct Never5: XTColumnValue, Defaulted {
  struct Five: Error {}

  var number: Int64 = 5

  init() {}
  init(number: Int64) { self.number = number }

  static var xt_storageClass: XTStorageClass { .integer }
  var xt_columnValue: XTValue {
    get throws {
      guard number != 5 else { throw Five() }
      return .integer(number)
    }
  }
  init(xt_columnValue value: XTValue) throws { number = value.int64 ?? 0 }
}

private struct Loose: XTColumnValue, Defaulted {
  var value: XTValue = 0

  init() {}
  init(value: XTValue) { self.value = value }

  static var xt_storageClass: XTStorageClass { .blob }
  var xt_columnValue: XTValue { value }
  init(xt_columnValue value: XTValue) throws { self.value = value }
}
