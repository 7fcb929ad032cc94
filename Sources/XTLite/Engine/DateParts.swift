import Foundation

/// The SQL functions of dates in a time zone: `xt_year(date, zone)` and its like, of seconds since
/// 1970 and a zone's identifier.
enum DateParts: String, CaseIterable {
  case year, month, day, weekday, hour, minute, second, date

  var functionName: String { "xt_\(rawValue)" }

  static func register(on connection: Connection) throws {
    let zones = TimeZones()
    for part in allCases {
      try connection.createFunction(part.functionName, arguments: 2) { values in
        guard values.count == 2 else { return .null }
        return try part.value(of: values[0].value, in: values[1], zones)
      }
    }
  }

  /// NULL of NULL, and of what is no date of the years 0 to 9999, which are those of SQLite's own
  /// functions.
  private func value(
    of value: XTValue, in zone: ColumnValue, _ zones: TimeZones
  ) throws -> XTValue {
    guard let seconds = value.double, Self.range.contains(seconds), zone.storageClass == .text
    else { return .null }
    let offset = try zones.zone(zone).secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
    let local = Int64(seconds.rounded(.down)) + Int64(offset)
    let (days, second) = (Self.floored(local, 86_400), Self.remainder(local, 86_400))
    guard Self.days.contains(days) else { return .null }
    switch self {
    case .year: return .integer(GregorianDay(days).year)
    case .month: return .integer(GregorianDay(days).month)
    case .day: return .integer(GregorianDay(days).day)
    // The first of January 1970 was a Thursday.
    case .weekday: return .integer(Self.remainder(days + 4, 7) + 1)
    case .hour: return .integer(second / 3600)
    case .minute: return .integer(second / 60 % 60)
    case .second: return .integer(second % 60)
    case .date:
      let day = GregorianDay(days)
      return .text(
        "\(Self.digits(day.year, 4))-\(Self.digits(day.month, 2))-\(Self.digits(day.day, 2))")
    }
  }

  private static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: Swift.max(0, count - text.count)) + text
  }

  /// From the first second of the year 0 to the last one of 9999, with a day for time zones.
  private static let range = -62_167_305_600.0..<253_402_387_200.0
  /// Days since 1970.
  private static let days = Int64(-719_528)...2_932_896

  fileprivate static func floored(_ number: Int64, _ divisor: Int64) -> Int64 {
    (number - remainder(number, divisor)) / divisor
  }

  private static func remainder(_ number: Int64, _ divisor: Int64) -> Int64 {
    let rest = number % divisor
    return rest < 0 ? rest + divisor : rest
  }
}

/// The time zones that one connection has met.
// @unchecked: SQLite calls the functions in steps of their connection alone, and those one after the
// other.
private final class TimeZones: @unchecked Sendable {
  /// The one of the row before: a statement asks for the same one in each row.
  private var last: (name: [UInt8], zone: TimeZone)?
  private var known: [String: TimeZone] = [:]

  func zone(_ value: ColumnValue) throws -> TimeZone {
    let bytes = value.utf8
    if let last, last.name.elementsEqual(bytes) { return last.zone }
    let name = String(decoding: bytes, as: UTF8.self)
    guard let zone = known[name] ?? TimeZone(identifier: name) else {
      throw XTError(.sqlite, "\(name) is no time zone that this system knows")
    }
    known[name] = zone
    last = (Array(bytes), zone)
    return zone
  }
}

/// A day of the Gregorian calendar, which is reckoned back beyond its beginning as ISO 8601 and SQLite
/// have it. Foundation's calendar is the Julian one before October 1582.
private struct GregorianDay {
  let year: Int64
  let month: Int64
  let day: Int64

  /// - Parameter days: since 1970.
  init(_ days: Int64) {
    // Years that begin with March have their leap day at the end; 400 of them are 146,097 days.
    let sinceMarch = days + 719_468
    let era = DateParts.floored(sinceMarch, 146_097)
    let dayOfEra = sinceMarch - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}
