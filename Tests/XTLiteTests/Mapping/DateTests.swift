import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  @Suite struct DateTests {
    /// Instants from long before 1970 to long after, with fractions down to the clock's own.
    private static let dates: [Date] = {
      var generator = SplitMix(state: 42)
      var dates = [
        Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -0.001),
        Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 1e-9),
        .distantPast, .distantFuture, Date(),
      ]
      while dates.count < 1_000 {
        let seconds = Double.random(in: -5e9...5e9, using: &generator)
        let fraction = Double.random(in: 0..<1, using: &generator)
        dates.append(Date(timeIntervalSinceReferenceDate: (seconds.rounded() + fraction) / 1.5))
      }
      return dates
    }()

    /// 0.12 µs, up to 2038; later, what a Double of seconds since 1970 is exact to.
    private func expectNear(
      _ read: Date, _ written: Date, _ location: SourceLocation = #_sourceLocation
    ) {
      let exactness = max(0.12e-6, written.timeIntervalSince1970.ulp / 2)
      #expect(abs(read.timeIntervalSince(written)) <= exactness, sourceLocation: location)
    }

    @Test func thousandDates_savedTwice_leaveTheSameBytes() throws {
      let file = try TestDatabase()
      let table = file.table(One<Date>.self)
      let read = try file.roundTrip(Self.dates)
      for (read, written) in zip(read, Self.dates) { expectNear(read, written) }
      let first = try file.seen("SELECT hex(`value`), `value` FROM `One_Date`")
      let again = try file.seen("SELECT quote(`value`) FROM `One_Date`")
      try table.updateList(table.findAll())
      #expect(try file.seen("SELECT hex(`value`), `value` FROM `One_Date`") == first)
      #expect(try file.seen("SELECT quote(`value`) FROM `One_Date`") == again)
      // The very bits, not only their text.
      let values = try table.select(\.value).map(\.timeIntervalSince1970.bitPattern)
      #expect(values == read.map(\.timeIntervalSince1970.bitPattern))
      #expect(try file.seen("SELECT DISTINCT typeof(`value`) FROM `One_Date`") == ["real"])
    }

    @Test func dates_areSecondsSince1970() throws {
      let file = try TestDatabase()
      try file.roundTrip([
        Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -1.5),
        Date(timeIntervalSince1970: 1_580_926_214.25),
      ])
      #expect(try file.stored(Date.self) == ["real|0.0", "real|-1.5", "real|1580926214.25"])
      #expect(
        try file.seen("SELECT datetime(`value`, 'unixepoch') FROM `One_Date`")
          == ["1970-01-01 00:00:00", "1969-12-31 23:59:58", "2020-02-05 18:10:14"])
    }

    @Test func now_comesBackEqual() throws {
      let dates = (0..<100).map { _ in XTDatabase.now() }
      #expect(try TestDatabase().roundTrip(dates) == dates)
    }

    @Test func date_isFoundByItself() throws {
      let file = try TestDatabase()
      let dates = Self.dates[4..<60]
      try file.roundTrip(Array(dates))
      let table = file.table(One<Date>.self)
      for date in dates {
        #expect(try table.count(where: \.value == date) == 1)
        #expect(try table.count(where: (\One<Date>.value).in([date])) == 1)
        #expect(try table.count(where: "value = \(date)") == 1)
      }
    }

    @Test(arguments: [
      ("2020-02-05", 1_580_860_800), ("2020-02-05 18:10", 1_580_926_200),
      ("2020-02-05 18:10:14", 1_580_926_214), ("2020-02-05T18:10:14", 1_580_926_214),
      ("2020-02-05T18:10:14Z", 1_580_926_214), ("2020-02-05 18:10:14.250", 1_580_926_214.25),
      ("2020-02-05T18:10:14.250Z", 1_580_926_214.25), ("2020-02-05 18:10:14.5Z", 1_580_926_214.5),
      ("2020-02-05T18:10:14+08:00", 1_580_897_414),
      ("2020-02-05 18:10:14.250-05:30", 1_580_946_014.25),
      ("2020-02-29 00:00:00", 1_582_934_400), ("1969-12-31 23:59:59", -1),
      ("0001-01-01", -62_135_596_800), ("9999-12-31 23:59:59", 253_402_300_799),
      ("2000-02-29", 951_782_400), ("1970-01-01 00:00:00.123456789012345678", 0.123456789012345),
    ])
    func text_inADocumentedFormat_isThatInstant(_ text: String, _ seconds: Double) throws {
      let file = try TestDatabase()
      let expected = Date(timeIntervalSince1970: seconds)
      #expect(try file.read("'\(text)'", as: Date.self) == expected)
      #expect(try file.read("'\(text)'", as: Date?.self) == expected)
    }

    @Test func text_isReadAsSQLiteReadsIt() throws {
      let file = try TestDatabase()
      for text in ["2020-02-05", "2020-02-05 18:10:14.250", "1600-03-01T00:00", "2024-12-31 23:59"]
      {
        let seen = try file.seen("SELECT (julianday('\(text)') - 2440587.5) * 86400.0")
        let read = try #require(try file.read("'\(text)'", as: Date.self))
        #expect(abs(read.timeIntervalSince1970 - (Double(seen[0]) ?? .nan)) < 0.001)
      }
    }

    @Test(arguments: [
      "", " ", "garbage", "2020", "2020-02", "2020-2-5", "2020-02-30", "2019-02-29", "1900-02-29",
      "2020-13-01", "2020-00-10", "2020-01-00", "2020-02-05 ", " 2020-02-05", "2020-02-05 24:00:00",
      "2020-02-05 18:60", "2020-02-05 18:10:60", "2020-02-05 18", "2020-02-05 18:10:14.",
      "2020-02-05 18:10:14 UTC", "2020-02-05 18:10:14+0800", "2020-02-05T", "05.02.2020", "now",
      "2020-02-05 18:10:14Zx", "２０２０-02-05", "2020-02-05\0", "-2020-02-05", "20200205T181014Z",
    ])
    func text_inAnyOtherForm_throwsWithColumnAndValue(_ text: String) throws {
      let file = try TestDatabase()
      // A column with no affinity, or SQLite would make a number of some of them.
      try file.outside(
        """
        CREATE TABLE `One_Date` (`pkid` INTEGER PRIMARY KEY, `value`);
        INSERT INTO `One_Date` (`value`) VALUES (\(XTValue.text(text).sqlLiteral));
        CREATE TABLE `One_Optional_Date` (`pkid` INTEGER PRIMARY KEY, `value`);
        INSERT INTO `One_Optional_Date` (`value`) VALUES (\(XTValue.text(text).sqlLiteral));
        """)
      let error = mappingError { try file.table(One<Date>.self).findAll() }
      #expect(error?.kind == .decoding)
      #expect(error?.column == "value")
      #expect(error?.message.contains(XTValue.text(text).sqlLiteral) == true)
      #expect(mappingError { try file.table(One<Date?>.self).findAll() }?.kind == .decoding)
    }

    @Test func blobInADateColumn_throws() throws {
      let file = try TestDatabase()
      #expect(mappingError { try file.read("X'00'", as: Date.self) }?.kind == .decoding)
    }

    @Test func infiniteDates_comeBack() throws {
      let dates = [Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: -.infinity)]
      #expect(try TestDatabase().roundTrip(dates) == dates)
    }

    @Test func dates_insideJSON_areSecondsSince1970() throws {
      let file = try TestDatabase()
      let dates = Array(Self.dates.prefix(100))
      let read = try file.roundTrip([dates])[0]
      for (read, written) in zip(read, dates) { expectNear(read, written) }
      let table = file.table(One<[Date]>.self)
      let first = try file.stored([Date].self)
      try table.updateList(table.findAll())
      #expect(try file.stored([Date].self) == first)
      try file.roundTrip([["d": Date(timeIntervalSince1970: -1.5)]])
      #expect(try file.stored([String: Date].self) == [#"text|'{"d":-1.5}'"#])
    }

    @Test func dates_underAnotherTimeZone_areTheSameInstants() async {
      // In a process of its own: the zone is the whole process's.
      await #expect(processExitsWith: .success) {
        func enter(_ zone: String) {
          setenv("TZ", zone, 1)
          tzset()
          NSTimeZone.resetSystemTimeZone()
        }
        let file = try TestDatabase()
        // Around New York's changes to and from summer time, and Shanghai's of 1986.
        let instants = [1_583_650_800, 1_583_650_799.5, 1_604_210_400, 1_604_210_399, 515_527_200]
          .map(Date.init(timeIntervalSince1970:))
        enter("Asia/Shanghai")
        try #require(TimeZone.current.secondsFromGMT(for: instants[0]) == 8 * 3_600)
        try file.roundTrip(instants)
        try file.roundTrip([instants])
        try file.outside(
          "INSERT INTO `One_Date` (`value`) VALUES ('2020-03-08 07:00:00'), ('2020-03-08T02:30:00Z')"
        )
        enter("America/New_York")
        try #require(TimeZone.current.secondsFromGMT(for: instants[0]) == -4 * 3_600)
        let table = file.table(One<Date>.self)
        let texts = [1_583_650_800.0, 1_583_634_600].map(Date.init(timeIntervalSince1970:))
        #expect(try table.findAll(orderBy: .asc(\.pkid)).map(\.value) == instants + texts)
        #expect(try table.count(where: \.value == instants[0]) == 1)
        #expect(try file.table(One<[Date]>.self).findAll().map(\.value) == [instants])
        let before = try file.seen(
          "SELECT hex(`value`) FROM `One_Date` WHERE typeof(`value`) = 'real'")
        try table.updateList(table.find(where: "typeof(value) = 'real'"))
        #expect(
          try file.seen("SELECT hex(`value`) FROM `One_Date` WHERE typeof(`value`) = 'real'")
            == before)
      }
    }
  }
}

/// Random numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
