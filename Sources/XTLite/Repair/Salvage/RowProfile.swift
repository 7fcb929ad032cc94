import Foundation

/// What the rows of a table look like: how often each column has which kind of value, and of what
/// length. By it a leaf that nothing points to finds its table.
struct RowProfile: Sendable {
  private static let classes = 14
  private var counts: [[Double]] = []
  private(set) var rows = 0

  mutating func add(_ types: [Int]) {
    while counts.count < types.count {
      counts.append(Array(repeating: 0, count: Self.classes))
    }
    for (column, type) in types.enumerated() { counts[column][Self.bucket(type)] += 1 }
    rows += 1
  }

  /// How likely such a row is here: a logarithm, the higher the likelier.
  func likelihood(of types: [Int]) -> Double {
    var sum = 0.0
    for (column, type) in types.enumerated() {
      let seen = column < counts.count ? counts[column][Self.bucket(type)] : 0
      sum += log((seen + 0.2) / (Double(rows) + 0.2 * Double(Self.classes)))
    }
    // Rows of another length are rare: columns are added to a table once in a while.
    if types.count != counts.count { sum -= 6 * Double(abs(types.count - counts.count)) }
    return sum
  }

  private static func bucket(_ type: Int) -> Int {
    switch type {
    case 0: return 0
    case 8, 9: return 1
    case 1, 2: return 2
    case 3, 4: return 3
    case 5, 6: return 4
    case 7: return 5
    default:
      let length = (type - 12) / 2
      let size = length == 0 ? 0 : length < 12 ? 1 : length < 64 ? 2 : 3
      return (type % 2 == 1 ? 6 : 10) + size
    }
  }
}
