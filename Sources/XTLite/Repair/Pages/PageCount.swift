/// What a file's pages say of how many there are.
enum PageCount {
  /// Whether pages that count lead to trees on pages that do not: the header is wrong about them.
  static func isTooLow(
    _ count: Int, in store: PageStore, check: () throws -> Void
  ) rethrows -> Bool {
    func isBeyond(_ page: Int) -> Bool {
      page > count && page <= store.pageCount && store.tree(page)?.isSound == true
    }
    for number in 1..<(max(count, 1) + 1) {
      try check()
      guard let page = store.tree(number) else { continue }
      if !page.kind.isLeaf {
        if isBeyond(page.rightChild) { return true }
        for index in 0..<page.cellCount where isBeyond(page.child(index) ?? 0) { return true }
      } else if page.kind == .tableLeaf, number == 1, roots(on: page).contains(where: isBeyond) {
        return true
      }
    }
    return false
  }

  /// The numbers that stand where the schema's rows have those of roots.
  private static func roots(on page: BTreePage) -> [Int] {
    (0..<page.cellCount).compactMap { index in
      guard let cell = page.cell(index),
        let header = RecordHeader(page.bytes, from: cell.local.lowerBound, size: cell.payloadSize),
        header.types.count == 5, (1...6).contains(header.types[3])
      else { return nil }
      let start = header.types[..<3].reduce(cell.local.lowerBound + header.bodyStart) {
        $0 + RecordHeader.length(of: $1)
      }
      let length = RecordHeader.length(of: header.types[3])
      return page.bytes.integer(at: start, length: length).flatMap { Int(exactly: $0) }
    }
  }
}
