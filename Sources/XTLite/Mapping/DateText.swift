import Foundation

/// Dates that other programs wrote as text, in the forms that SQLite's own date functions write:
/// `2020-02-05`, `2020-02-05 18:10`, `2020-02-05 18:10:14`, `2020-02-05T18:10:14.250Z`, with an
/// offset such as `+08:00` where there is one, else in UTC.
enum DateText {
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
    var reader = Reader(text: text)
    guard let year = reader.number(digits: 4), reader.skip("-"),
      let month = reader.number(digits: 2), reader.skip("-"),
      let day = reader.number(digits: 2), (1...12).contains(month),
      (1...daysOf(month: month, year: year)).contains(day)
    else { return nil }
    var seconds = Double(daysSince1970(year: year, month: month, day: day)) * 86_400
    if reader.isAtEnd { return Date(timeIntervalSince1970: seconds) }
    guard reader.skip(" ") || reader.skip("T"), let hour = reader.number(digits: 2), hour < 24,
      reader.skip(":"), let minute = reader.number(digits: 2), minute < 60
    else { return nil }
    seconds += Double(hour * 3_600 + minute * 60)
    if reader.skip(":") {
      guard let second = reader.number(digits: 2), second < 60 else { return nil }
      seconds += Double(second)
      if reader.skip(".") {
        guard let fraction = reader.fraction() else { return nil }
        seconds += fraction
      }
    }
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    return Date(timeIntervalSince1970: seconds - Double(offset))
  }

  private static func daysOf(month: Int, year: Int) -> Int {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days of the proleptic Gregorian calendar; years begin in March so that leap days come last.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private struct Reader {
    let text: UnsafeBufferPointer<UInt8>
    var position = 0

    var isAtEnd: Bool { position == text.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    mutating func digit() -> Int? {
      guard position < text.count, (48...57).contains(text[position]) else { return nil }
      position += 1
      return Int(text[position - 1]) - 48
    }

    mutating func number(digits: Int) -> Int? {
      var number = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        number = number * 10 + digit
      }
      return number
    }

    mutating func fraction() -> Double? {
      var digits = 0.0
      var scale = 1.0
      var count = 0
      while let digit = digit() {
        count += 1
        guard count <= 15 else { continue }
        digits = digits * 10 + Double(digit)
        scale *= 10
      }
      return count == 0 ? nil : digits / scale
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int? {
      if isAtEnd || skip("Z") { return 0 }
      let sign: Int
      if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
      guard let hours = number(digits: 2), hours < 24, skip(":"),
        let minutes = number(digits: 2), minutes < 60
      else { return nil }
      return sign * (hours * 3_600 + minutes * 60)
    }
  }
}
