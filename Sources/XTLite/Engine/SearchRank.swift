import Foundation

/// How well a row fits, for FTS4, which leaves that to others: the formula that FTS5 has.
enum SearchRank {
  /// The SQL function that every connection offers: `xt_search_rank(matchinfo(table, 'pcnalx'))`, with
  /// the columns' weights behind it where they are not all 1.
  static let functionName = "xt_search_rank"
  /// What it is to be told: how many phrases, columns and rows, the columns' average lengths, their
  /// lengths in the row, and the phrases' numbers.
  static let format = "pcnalx"

  static func rank(_ arguments: [ColumnValue]) -> XTValue {
    guard case .blob(let data)? = arguments.first?.value else { return .real(0) }
    let numbers = data.withUnsafeBytes { bytes in
      (0..<(bytes.count / 4)).map {
        Double(bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
      }
    }
    guard numbers.count >= 3, numbers[0] < 1e6, numbers[1] < 1e5 else { return .real(0) }
    let (phrases, columns) = (Int(numbers[0]), Int(numbers[1]))
    let rows = numbers[2]
    let lengths = 3 + columns
    let hits = lengths + columns
    guard numbers.count >= hits + 3 * phrases * columns else { return .real(0) }
    let weights = arguments.dropFirst().map(\.double)
    let average = max(numbers[3..<lengths].reduce(0, +), 1)
    let length = numbers[lengths..<hits].reduce(0, +)
    var score = 0.0
    for phrase in 0..<phrases {
      var frequency = 0.0
      var found = 0.0
      for column in 0..<columns {
        let place = hits + 3 * (phrase * columns + column)
        let weight = column < weights.count ? weights[column] : 1
        frequency += numbers[place] * weight
        found = max(found, numbers[place + 2])
      }
      let rarity = max(log((rows - found + 0.5) / (found + 0.5)), 1e-6)
      score +=
        rarity * (frequency * 2.2) / (frequency + 1.2 * (0.25 + 0.75 * length / average))
    }
    return .real(score.isFinite ? -score : 0)
  }
}
