import Foundation
import Testing

@testable import XTLite

private func compare(_ left: String, _ right: String) -> ComparisonResult {
  Array(left.utf8).withUnsafeBufferPointer { left in
    Array(right.utf8).withUnsafeBufferPointer { DecimalOrder.compare(left, $0) }
  }
}

@Suite struct DecimalOrderTests {
  @Test func numbers_areInTheirOrder() {
    let ordered = [
      "-1e30", "-100", "-10.5", "-10", "-9", "-0.02", "-0.01", "0", "0.001", "0.01", "0.1", "1",
      "1.05", "1.5", "9", "10", "99.9", "100", "12345678901234567890.01",
      "12345678901234567890.02", "1e30", "", "-", "a", "b", "ba",
    ]
    for (left, leftText) in ordered.enumerated() {
      for (right, rightText) in ordered.enumerated() {
        let expected: ComparisonResult =
          left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
        #expect(compare(leftText, rightText) == expected, "\(leftText) \(rightText)")
      }
    }
  }

  @Test(arguments: [
    ("1.50", "1.5"), ("001", "1"), ("-0", "0"), ("0.0", "-0.00"), (".5", "0.5"), ("5.", "5"),
    ("+1", "1"), ("1e1", "10"),
  ])
  func equalNumbers_writtenDifferently_areTheSame(left: String, right: String) {
    #expect(compare(left, right) == .orderedSame)
    #expect(compare(right, left) == .orderedSame)
  }

  @Test func randomNumbers_areOrderedAsDecimalOrdersThem() {
    var generator = SystemRandomNumberGenerator()
    func number() -> Decimal {
      let digits = Int.random(in: -999_999...999_999, using: &generator)
      return Decimal(digits) / pow(10, Int.random(in: 0...6, using: &generator))
    }
    for _ in 0..<2_000 {
      let (left, right) = (number(), number())
      let expected: ComparisonResult =
        left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
      #expect(compare("\(left)", "\(right)") == expected, "\(left) \(right)")
    }
  }
}
