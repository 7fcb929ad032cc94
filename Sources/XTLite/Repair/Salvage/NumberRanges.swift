/// Ranges of row numbers that are apart from each other.
struct NumberRanges {
  /// Ascending.
  private(set) var ranges: [ClosedRange<Int64>] = []

  func overlaps(_ rows: ClosedRange<Int64>) -> Bool {
    let index = first(endingAt: rows.lowerBound)
    return index < ranges.count && ranges[index].lowerBound <= rows.upperBound
  }

  /// Adds a range; one that overlaps another is left out.
  mutating func add(_ rows: ClosedRange<Int64>) {
    guard !overlaps(rows) else { return }
    ranges.insert(rows, at: first(endingAt: rows.lowerBound))
  }

  private func first(endingAt number: Int64) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
