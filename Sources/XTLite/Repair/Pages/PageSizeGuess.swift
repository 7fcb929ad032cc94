/// How large the pages of a file are, found in the pages themselves.
struct PageSizeGuess: Sendable {
  let pageSize: Int
  /// Bytes at the end of each page that no cell is in.
  let reserved: Int
  /// Pages looked at that agree.
  let agreeing: Int

  /// - Parameter sizes: The sizes to try.
  /// - Returns: nil where no page of a b-tree with cells is found.
  static func best(_ file: ByteFile, sizes: [Int] = DatabaseHeader.pageSizes) -> PageSizeGuess? {
    sizes.compactMap { guess(file, pageSize: $0) }.max { $0.agreeing < $1.agreeing }
  }

  private static let samples = 200

  private static func guess(_ file: ByteFile, pageSize: Int) -> PageSizeGuess? {
    let pages = file.size / pageSize
    guard pages > 0 else { return nil }
    let step = max(pages / samples, 1)
    var tally: [Int: Int] = [:]
    for index in stride(from: 0, to: pages, by: step) {
      guard let bytes = file.read(at: index * pageSize, count: pageSize),
        bytes.count == pageSize,
        let page = BTreePage(bytes, number: index + 1, usable: pageSize), page.cellCount > 0,
        // The cell that was written first ends where the page does.
        let end = page.contentEnd, end >= pageSize - 255, end <= pageSize,
        BTreePage(bytes, number: index + 1, usable: end)?.isSound == true
      else { continue }
      tally[pageSize - end, default: 0] += 1
    }
    guard let (reserved, agreeing) = tally.max(by: { $0.value < $1.value }) else { return nil }
    return PageSizeGuess(pageSize: pageSize, reserved: reserved, agreeing: agreeing)
  }
}
