import Foundation

/// The SQL functions of dates in a time zone: `xt_year(date, zone)` and its like, of seconds since
/// 1970 and a zone's identifier.
enum DateParts: String, CaseIterable {
  case year, month, day, weekday, hour, minute, second, date

  var functionName: String { "xt_\(rawValue)" }

  static func register(on connection: Connection) throws {
    for part in allCases {
      try connection.createFunction(part.functionName, arguments: 2) { values in
        guard values.count == 2 else { return .null }
        return try part.value(of: values[0].value, in: values[1].value)
      }
    }
  }

  /// NULL of NULL, and of what is no date.
  private func value(of value: XTValue, in zone: XTValue) throws -> XTValue {
    guard let date = Self.date(value), case .text(let zone) = zone else { return .null }
    let calendar = try Self.calendar(zone)
    func component(_ component: Calendar.Component) -> XTValue {
      .integer(Int64(calendar.component(component, from: date)))
    }
    switch self {
    case .year: return component(.year)
    case .month: return component(.month)
    case .day: return component(.day)
    case .weekday: return component(.weekday)
    case .hour: return component(.hour)
    case .minute: return component(.minute)
    case .second: return component(.second)
    case .date:
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      return .text(
        "\(Self.digits(parts.year, 4))-\(Self.digits(parts.month, 2))-\(Self.digits(parts.day, 2))")
    }
  }

  private static func digits(_ number: Int?, _ count: Int) -> String {
    let text = String(number ?? 0)
    return String(repeating: "0", count: Swift.max(0, count - text.count)) + text
  }

  /// Beyond these years Foundation's calendar has no answer.
  private static let range = -62_135_769_600.0...253_402_300_799.999

  private static func date(_ value: XTValue) -> Date? {
    guard let seconds = value.double, range.contains(seconds) else { return nil }
    return Date(timeIntervalSince1970: seconds)
  }

  private static let calendars = Mutex<[String: Calendar]>([:])

  private static func calendar(_ zone: String) throws -> Calendar {
    if let known = calendars.withLock({ $0[zone] }) { return known }
    guard let timeZone = TimeZone(identifier: zone) else {
      throw XTError(.sqlite, "\(zone) is no time zone that this system knows")
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    calendars.withLock { $0[zone] = calendar }
    return calendar
  }
}
