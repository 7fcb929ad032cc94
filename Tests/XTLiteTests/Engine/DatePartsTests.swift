import Foundation
import Testing

@testable import XTLite

private struct DatedRow: XTModel {
  var pkid: Int64?
  var date = Date(timeIntervalSince1970: 0)

  static var xt_tableName: String { "Dated" }
}

/// Parts of dates go by the Gregorian calendar in all years, as SQLite's own functions do.
@Suite struct DatePartsTests {
  private typealias D = DatedRow
  let sut: TestDatabase
  private var rows: XTTable<DatedRow> { sut.table(DatedRow.self) }

  init() throws { sut = try TestDatabase() }

  private static let texts = [
    "0001-01-01 00:00:00", "0001-12-31 23:59:59", "0004-02-29 12:00:00", "1500-02-28 01:02:03",
    "1500-03-01 00:00:00", "1582-10-04 10:00:00", "1582-10-10 10:00:00", "1582-10-15 00:00:00",
    "1600-02-29 23:00:00", "1900-03-01 00:00:00", "1969-12-31 23:59:59", "1970-01-01 00:00:00",
    "2000-02-29 08:00:00", "2026-11-30 17:00:00", "9999-12-31 23:59:59",
  ]

  @Test(arguments: texts)
  func parts_areThoseOfSQLite(text: String) throws {
    let seconds = try sut.seen("SELECT strftime('%s', '\(text)')")[0]
    for fraction in [0, 0.25] {
      try rows.deleteAll()
      try rows.insertList([
        DatedRow(date: Date(timeIntervalSince1970: try #require(Double(seconds)) + fraction))
      ])
      let date = D.xt.date
      let parts = try #require(
        try rows.query().columns(
          date.dayText(), date.year(), date.month(), date.day(), date.weekday(), date.hour(),
          date.minute(), date.second()
        ).first())
      let day = text.prefix(10)
      #expect(parts.0 == day)
      let numbers = text.split { "- :".contains($0) }.compactMap { Int($0) }
      #expect([parts.1, parts.2, parts.3, parts.5, parts.6, parts.7] == numbers)
      #expect(try sut.seen("SELECT strftime('%w', '\(text)') + 1") == ["\(parts.4)"])
      // Older libraries know no seconds since 1970 beyond the year 5352.
      if SQLiteLibrary.versionNumber < 3_020_000, parts.1 > 5_000 { continue }
      #expect(try rows.query().columns(date.strftime("%Y-%m-%d")).first() == .some(String(day)))
    }
  }

  @Test func parts_inAZone_areThoseOfItsOwnDay() throws {
    let shanghai = try #require(TimeZone(identifier: "Asia/Shanghai"))
    let newYork = try #require(TimeZone(identifier: "America/New_York"))
    try rows.insertList([DatedRow(date: Date(timeIntervalSince1970: 1_785_600_000))])
    // 2026-08-01 16:00 in UTC.
    let date = D.xt.date
    let parts = try #require(
      try rows.query().columns(
        date.dayText(in: shanghai), date.hour(in: shanghai), date.dayText(in: newYork),
        date.hour(in: newYork)
      ).first())
    #expect(parts.0 == "2026-08-02" && parts.1 == 0)
    #expect(parts.2 == "2026-08-01" && parts.3 == 12)
  }

  @Test func whatIsBeyondTheCalendar_isNull() throws {
    try sut.table(DatedRow.self).create()
    for seconds in ["1e300", "-1e300", "253402300800", "-99999999999999", "'x'", "9e999"] {
      #expect(
        try sut.database.anyFunc(
          sql: XTSQL(unsafe: "SELECT xt_date(\(seconds), 'Asia/Shanghai')")) == .null)
    }
  }
}
