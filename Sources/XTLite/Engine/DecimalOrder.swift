import Foundation

/// The order of decimal numbers that are kept as text, which as text would have 10 before 9.
enum DecimalOrder {
  /// The collation that every connection offers; in queries only, never in a table.
  static let collationName = "xt_decimal"

  /// Texts that are no decimal numbers come after all that are, by their bytes.
  static func compare(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> ComparisonResult {
    if let left = PlainDecimal(left), let right = PlainDecimal(right) {
      return left.compare(with: right)
    }
    switch (decimal(left), decimal(right)) {
    case (let left?, let right?): return order(left, right)
    case (_?, nil): return .orderedAscending
    case (nil, _?): return .orderedDescending
    case (nil, nil): return compareBytes(left[...], right[...])
    }
  }

  private static func decimal(_ bytes: UnsafeBufferPointer<UInt8>) -> Decimal? {
    DecimalText.parse(String(decoding: bytes, as: UTF8.self))
  }

  fileprivate static func order<Value: Comparable>(
    _ left: Value, _ right: Value
  ) -> ComparisonResult {
    left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
  }

  /// The shorter comes first where it is the beginning of the longer.
  fileprivate static func compareBytes(
    _ left: Slice<UnsafeBufferPointer<UInt8>>, _ right: Slice<UnsafeBufferPointer<UInt8>>
  ) -> ComparisonResult {
    for (left, right) in zip(left, right) where left != right { return order(left, right) }
    return order(left.count, right.count)
  }
}

/// Digits with a sign and a point, as storage writes them: compared without making numbers.
private struct PlainDecimal {
  private var isNegative = false
  /// Without leading zeros.
  private let whole: Slice<UnsafeBufferPointer<UInt8>>
  /// Without trailing zeros.
  private let fraction: Slice<UnsafeBufferPointer<UInt8>>

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var rest = bytes[...]
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest = rest.dropFirst()
    }
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let whole = rest.prefix(while: isDigit)
    var fraction = rest.dropFirst(whole.count)
    if fraction.first == UInt8(ascii: ".") { fraction = fraction.dropFirst() }
    guard fraction.allSatisfy(isDigit), !(whole.isEmpty && fraction.isEmpty) else { return nil }
    while fraction.last == UInt8(ascii: "0") { fraction = fraction.dropLast() }
    self.whole = whole.drop { $0 == UInt8(ascii: "0") }
    self.fraction = fraction
    // There is one zero.
    if self.whole.isEmpty, fraction.isEmpty { isNegative = false }
  }

  func compare(with other: PlainDecimal) -> ComparisonResult {
    if isNegative != other.isNegative { return isNegative ? .orderedAscending : .orderedDescending }
    return isNegative ? other.compareSize(with: self) : compareSize(with: other)
  }

  private func compareSize(with other: PlainDecimal) -> ComparisonResult {
    guard whole.count == other.whole.count else {
      return DecimalOrder.order(whole.count, other.whole.count)
    }
    let order = DecimalOrder.compareBytes(whole, other.whole)
    return order == .orderedSame ? DecimalOrder.compareBytes(fraction, other.fraction) : order
  }
}
