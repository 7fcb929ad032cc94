import Foundation

extension JSONReader {
  @inline(__always)
  mutating func integer<Number: FixedWidthInteger>(
    _ type: Number.Type
  ) throws(GaveUp) -> Number {
    skipBlanks()
    return try integerAtOnce(type)
  }

  /// Digits only: what has a fraction or an exponent and is whole nevertheless is given up.
  @inline(__always)
  mutating func integerAtOnce<Number: FixedWidthInteger>(
    _ type: Number.Type
  ) throws(GaveUp) -> Number {
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative { advance(to: position + 1) }
    let first = position
    var magnitude: UInt64 = 0
    while let digit {
      let (tens, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, isTooLargeByOne) = tens.addingReportingOverflow(digit)
      guard !isTooLarge, !isTooLargeByOne else { throw GaveUp() }
      magnitude = sum
      advance(to: position + 1)
    }
    guard position > first, position == first + 1 || bytes[first] != UInt8(ascii: "0") else {
      throw GaveUp()
    }
    guard isNegative else {
      guard let number = Number(exactly: magnitude) else { throw GaveUp() }
      return number
    }
    guard magnitude <= Int64.min.magnitude, magnitude > 0,
      let number = Number(exactly: Int64(bitPattern: 0 &- magnitude))
    else { throw GaveUp() }
    return number
  }

  /// The digit at the position.
  @inline(__always)
  private var digit: UInt64? {
    let digit = byte &- UInt8(ascii: "0")
    return digit < 10 ? UInt64(digit) : nil
  }

  mutating func double() throws(GaveUp) -> Double {
    let number = try decimal()
    if let double = number.exactDouble { return double }
    return try checked(Double(number.text), number)
  }

  mutating func float() throws(GaveUp) -> Float {
    let number = try decimal()
    return try checked(Float(number.text), number)
  }

  /// What is too large or too small for the type is an error, which Foundation words.
  private func checked<Number: BinaryFloatingPoint>(
    _ number: Number?, _ decimal: DecimalNumber
  ) throws(GaveUp) -> Number {
    guard let number, number.isFinite, number != 0 || decimal.isZero else { throw GaveUp() }
    return number
  }

  /// Takes apart a number as JSON's grammar has it.
  private mutating func decimal() throws(GaveUp) -> DecimalNumber {
    skipBlanks()
    let start = position
    var number = DecimalNumber()
    if byte == UInt8(ascii: "-") {
      number.isNegative = true
      advance(to: position + 1)
    }
    let first = position
    try digits { number.append($0) }
    guard position == first + 1 || bytes[first] != UInt8(ascii: "0") else { throw GaveUp() }
    if byte == UInt8(ascii: ".") {
      advance(to: position + 1)
      let fraction = position
      try digits { number.append($0) }
      number.exponent = fraction - position
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      // Zero with an exponent is no number to Foundation.
      guard bytes[first] != UInt8(ascii: "0") || !number.isZero else { throw GaveUp() }
      number.exponent += try exponent()
    }
    number.bytes = bytes[start..<position]
    return number
  }

  private mutating func exponent() throws(GaveUp) -> Int {
    advance(to: position + 1)
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative || byte == UInt8(ascii: "+") { advance(to: position + 1) }
    var exponent = 0
    // Far beyond of what any number has, and far from the end of Int.
    try digits { exponent = min(exponent * 10 + Int($0), 100_000) }
    return isNegative ? -exponent : exponent
  }

  /// One digit or more.
  @inline(__always)
  private mutating func digits(_ body: (UInt64) -> Void) throws(GaveUp) {
    guard digit != nil else { throw GaveUp() }
    while let digit {
      body(digit)
      advance(to: position + 1)
    }
  }
}

/// A number in the text: its digits as one integer, and by which power of ten that is multiplied.
private struct DecimalNumber {
  var isNegative = false
  var exponent = 0
  var bytes: Slice<UnsafeBufferPointer<UInt8>> = UnsafeBufferPointer(start: nil, count: 0)[...]
  private var digits: UInt64 = 0
  /// Digits after the first that is not 0.
  private var count = 0

  var isZero: Bool { count == 0 }
  var text: String { String(decoding: bytes, as: UTF8.self) }

  @inline(__always)
  mutating func append(_ digit: UInt64) {
    guard digit != 0 || count > 0 else { return }
    count += 1
    if count <= 15 { digits = digits * 10 + digit }
  }

  /// The number where one correctly rounded operation gives it: both operands are exact then.
  var exactDouble: Double? {
    guard count <= 15, abs(exponent) < Self.powers.count else { return nil }
    let power = Self.powers[abs(exponent)]
    let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
    return isNegative ? -magnitude : magnitude
  }

  /// The powers of ten that a Double holds exactly.
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
