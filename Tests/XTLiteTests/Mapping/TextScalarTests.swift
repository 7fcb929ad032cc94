import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// UUID, URL and Decimal: scalars that stand in the file as text.
  @Suite struct TextScalarTests {
    // MARK: UUID

    @Test func uuid_isUpperCaseTextEverywhere() throws {
      let file = try TestDatabase()
      let uuid = try #require(UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"))
      #expect(try file.roundTrip([uuid]) == [uuid])
      #expect(try file.stored(UUID.self) == ["text|'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"])
      #expect(try file.roundTrip([uuid, nil] as [UUID?]) == [uuid, nil])
      let table = file.table(One<UUID>.self)
      #expect(try table.count(where: \.value == uuid) == 1)
      #expect(try table.count(where: (\One<UUID>.value).in([UUID(), uuid])) == 1)
      #expect(try table.count(where: "value = \(uuid) AND value IN (\(list: [uuid]))") == 1)
      try table.updateAll(.set(\.value, to: uuid))
      #expect(try file.stored(UUID.self) == ["text|'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"])
      var other = One(uuid)
      #expect(try table.upsert(&other, by: \.value) == .updated(pkids: [1]))
      try file.roundTrip([[uuid]])
      #expect(try file.stored([UUID].self) == [#"text|'["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]'"#])
    }

    @Test func uuid_writtenInLowerCaseByAnother_reads() throws {
      let file = try TestDatabase()
      let read = try file.read("'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'", as: UUID.self)
      #expect(read?.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    }

    @Test(arguments: [
      "''", "'garbage'", "'E621E1F8-C36C-495A-93FC-0C247A3E6E5'",
      "'E621E1F8C36C495A93FC0C247A3E6E5F'",
      "'E621E1F8-C36C-495A-93FC-0C247A3E6E5FF'", "'{E621E1F8-C36C-495A-93FC-0C247A3E6E5F}'",
      "'G621E1F8-C36C-495A-93FC-0C247A3E6E5F'", "X'00112233445566778899AABBCCDDEEFF'", "5",
      "'E621E1F8-C36C-495A-93FC-0C247A3E6E5F' || char(0) || 'x'",
    ])
    func uuid_fromAnythingElse_throws(_ expression: String) throws {
      let file = try TestDatabase()
      let error = mappingError { try file.read(expression, as: UUID.self) }
      #expect(error?.kind == .decoding)
      #expect(error?.column == "value")
      #expect(mappingError { try file.read(expression, as: UUID?.self) }?.kind == .decoding)
    }

    // MARK: URL

    @Test func url_isItsText() throws {
      let file = try TestDatabase()
      let urls = try [
        "https://example.org/a%20b?c=d&e=%C3%BC#f", "file:///tmp/%E8%A1%A8", "mailto:a@b.c", "x:",
        "relative/path", "?q", "#f", "http://[::1]:8080/", "http://user:pass@h/",
      ].map { try #require(URL(string: $0)) }
      #expect(try file.roundTrip(urls) == urls)
      #expect(try file.stored(URL.self) == urls.map { "text|'\($0.absoluteString)'" })
      #expect(try file.roundTrip(urls.map(Optional.some) + [nil]) == urls + [nil])
      for url in urls { #expect(try file.table(One<URL>.self).count(where: \.value == url) == 1) }
    }

    @Test func url_relativeToAnother_comesBackWhole() throws {
      let base = try #require(URL(string: "http://host/a/"))
      let relative = try #require(URL(string: "b", relativeTo: base))
      #expect(try TestDatabase().roundTrip([relative])[0].absoluteString == "http://host/a/b")
    }

    @Test(arguments: ["''", "'http://[bad'", "X'68'", "5.5e300"])
    func url_fromWhatIsNone_throws(_ expression: String) throws {
      let file = try TestDatabase()
      try file.outside(
        "CREATE TABLE `One_URL` (`pkid` INTEGER PRIMARY KEY, `value`);"
          + "INSERT INTO `One_URL` (`value`) VALUES (\(expression))")
      let error = mappingError { try file.table(One<URL>.self).findAll() }
      #expect(error?.kind == .decoding)
      #expect(error?.column == "value")
    }

    // MARK: Decimal

    private func decimal(_ text: String) throws -> Decimal {
      try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
    }

    @Test(arguments: [
      ("0", "0"), ("-0", "0"), ("0.00", "0"), ("1.10", "1.1"), ("1.000", "1"), ("100", "100"),
      ("-2.50", "-2.5"), ("0.1", "0.1"), ("1e2", "100"), ("1.5e-3", "0.0015"), ("1200e-2", "12"),
      ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
      ("-0.00000000000000000000000000000000000001", "-0.00000000000000000000000000000000000001"),
      ("123456789012345678.90123456789012345678", "123456789012345678.90123456789012345678"),
    ])
    func decimal_hasOneText(_ given: String, _ canonical: String) throws {
      let file = try TestDatabase()
      let number = try decimal(given)
      #expect(try file.roundTrip([number]) == [number])
      #expect(try file.stored(Decimal.self) == ["text|'\(canonical)'"])
      #expect(try file.table(One<Decimal>.self).count(where: \.value == decimal(canonical)) == 1)
    }

    @Test func decimal_ofEveryExponent_isExact() throws {
      var numbers: [Decimal] = [
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .pi,
      ]
      for exponent in stride(from: -127, through: 127, by: 1) {
        numbers.append(Decimal(sign: .plus, exponent: exponent, significand: 1))
        numbers.append(Decimal(sign: .minus, exponent: exponent, significand: 12_345_678_901))
      }
      let file = try TestDatabase()
      #expect(try file.roundTrip(numbers) == numbers)
      #expect(try file.roundTrip(numbers.map(Optional.some) + [nil]) == numbers + [nil])
      #expect(try file.roundTrip([numbers]) == [numbers])
    }

    @Test func decimal_thatIsUnique_collidesInAnySpelling() throws {
      let file = try TestDatabase()
      let table = file.table(Priced.self)
      var first = Priced(price: try decimal("1.10"))
      try table.insert(&first)
      var second = Priced(price: try decimal("1.1"))
      #expect(mappingError { try table.insert(&second) }?.kind == .constraint(.unique))
      #expect(try table.upsert(&second, by: \.price) == .updated(pkids: [1]))
    }

    @Test func decimals_sortAndCompareAsNumbers() throws {
      let file = try TestDatabase()
      let texts = ["-100", "-9.5", "-0.01", "0", "0.1", "0.11", "1.5", "9", "10", "100", "1e30"]
      let numbers = try texts.map(decimal)
      try file.roundTrip(Array(numbers.shuffled()))
      let table = file.table(One<Decimal>.self)
      #expect(try table.findAll(orderBy: .asc(\.value)).map(\.value) == numbers)
      #expect(try table.findAll(orderBy: .desc(\.value)).map(\.value) == numbers.reversed())
      for (index, number) in numbers.enumerated() {
        #expect(try table.count(where: \.value < number) == index)
        #expect(try table.count(where: \.value >= number) == numbers.count - index)
      }
      #expect(try table.max(of: \.value) == numbers.last)
      #expect(try table.min(of: \.value) == numbers.first)
      // The collation is in no table and no index, so that every other program can use the file.
      #expect(
        try file.seen("SELECT count(*) FROM sqlite_master WHERE sql LIKE '%xt_decimal%'") == ["0"])
    }

    @Test(arguments: [
      "''", "'.'", "'-'", "'1e'", "'abc'", "'1,5'", "'1 '", "' 1'", "'--1'", "'1.2.3'", "'NaN'",
      "'inf'",
      "'0x10'", "'١'", "X'31'", "9e999",
      // More digits, or another exponent, than a Decimal has: never rounded silently.
      "'1234567890123456789012345678901234567890.5'", "'1e400'", "'1e-400'",
      "'1e99999999999999999999'",
      "'0.12345678901234567890123456789012345678901'",
    ])
    func decimal_fromWhatItCannotHold_throws(_ expression: String) throws {
      let file = try TestDatabase()
      let error = mappingError { try file.read(expression, as: Decimal.self) }
      #expect(error?.kind == .decoding)
      #expect(error?.column == "value")
      #expect(mappingError { try file.read(expression, as: Decimal?.self) }?.kind == .decoding)
    }

    @Test(arguments: [
      ("'+5'", "5"), ("'.5'", "0.5"), ("'5.'", "5"), ("'007'", "7"), ("'1E+2'", "100"),
      ("'0000000000000000000000000000000000000000000000001.5000'", "1.5"),
      (
        "'100000000000000000000000000000000000000000000'",
        "100000000000000000000000000000000000000000000"
      ),
    ])
    func decimal_inAnotherSpelling_readsExactly(_ expression: String, _ expected: String) throws {
      #expect(try TestDatabase().read(expression, as: Decimal.self) == decimal(expected))
    }
  }
}

private struct Priced: XTModel {
  var pkid: Int64?
  var price = Decimal()

  init() {}
  init(price: Decimal) { self.price = price }

  static var xt_keywords: XTKeywordMap { [\Priced.price: .unique] }
}
