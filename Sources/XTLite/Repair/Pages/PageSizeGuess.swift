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
        bytes.count == pageSize, let reserved = reserved(on: bytes, number: index + 1)
      else { continue }
      tally[reserved, default: 0] += 1
    }
    guard let (reserved, agreeing) = tally.max(by: { $0.value < $1.value }) else { return nil }
    return PageSizeGuess(pageSize: pageSize, reserved: reserved, agreeing: agreeing)
  }

  /// Bytes at a page's end that none of its cells is in; nil for what can be no page of a tree.
  static func reserved(on bytes: [UInt8], number: Int) -> Int? {
    guard let page = BTreePage(bytes, number: number, usable: bytes.count), page.cellCount > 0,
      // The cell that was written first ends where the page does.
      let end = page.contentEnd, end >= bytes.count - 255, end <= bytes.count,
      BTreePage(bytes, number: number, usable: end)?.isSound == true
    else { return nil }
    return bytes.count - end
  }
}
