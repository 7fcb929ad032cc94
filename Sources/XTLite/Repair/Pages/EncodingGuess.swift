/// How a file keeps its texts, where its header can't be asked.
enum EncodingGuess {
  /// As the schema's own rows tell it: each begins with one of four words.
  static func fromSchema(_ store: PageStore) -> TextEncoding? {
    guard let first = store.tree(1) else { return nil }
    if first.kind == .tableLeaf { return fromSchema(first) }
    guard first.kind == .tableInterior else { return nil }
    for index in 0..<min(first.cellCount, 50) {
      if let child = first.child(index).flatMap({ store.tree($0) }), child.kind == .tableLeaf,
        let encoding = fromSchema(child)
      {
        return encoding
      }
    }
    return nil
  }

  private static func fromSchema(_ page: BTreePage) -> TextEncoding? {
    for index in 0..<page.cellCount {
      guard let cell = page.cell(index),
        let header = RecordHeader(
          page.bytes, from: cell.local.lowerBound, size: cell.payloadSize),
        header.types.count == 5, header.types[0] >= 13
      else { continue }
      let start = cell.local.lowerBound + header.bodyStart
      let end = start + RecordHeader.length(of: header.types[0])
      guard end <= cell.local.upperBound else { continue }
      for encoding in [TextEncoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
        let (text, isWhole) = encoding.decode(page.bytes[start..<end])
        if isWhole, ["table", "index", "view", "trigger"].contains(text) { return encoding }
      }
    }
    return nil
  }

  /// As the texts of some rows look: in UTF-16 most scripts have a high byte that is always the
  /// same, and it is 0 where the text is Latin.
  static func fromTexts(_ store: PageStore) -> TextEncoding? {
    var (even, odd, pairs) = (0, 0, 0)
    for number in stride(from: 1, to: store.pageCount + 1, by: max(store.pageCount / 200, 1)) {
      guard let page = store.tree(number), page.kind == .tableLeaf else { continue }
      for index in 0..<min(page.cellCount, 5) {
        guard let cell = page.cell(index),
          let header = RecordHeader(
            page.bytes, from: cell.local.lowerBound, size: cell.payloadSize)
        else { continue }
        var position = cell.local.lowerBound + header.bodyStart
        for type in header.types {
          let length = RecordHeader.length(of: type)
          if type >= 13, type % 2 == 1, position + length <= cell.local.upperBound {
            for pair in stride(from: position, to: position + length - 1, by: 2) {
              pairs += 1
              if page.bytes[pair] == 0 { even += 1 }
              if page.bytes[pair + 1] == 0 { odd += 1 }
            }
          }
          position += length
        }
      }
    }
    guard pairs >= 20 else { return nil }
    if odd > pairs / 3, odd > 2 * even { return .utf16LittleEndian }
    if even > pairs / 3, even > 2 * odd { return .utf16BigEndian }
    return .utf8
  }
}
