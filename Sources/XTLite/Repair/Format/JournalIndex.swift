/// What a rollback journal (-journal) holds of its file: pages as they were before a transaction that
/// did not end.
struct JournalIndex: Sendable {
  /// Where each page's bytes begin in the journal.
  private(set) var pages: [UInt32: Int] = [:]
  /// Pages of the database before the transaction.
  private(set) var pageCount = 0
  let pageSize: Int

  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  private static let headerSize = 28

  /// The page size that a journal's header states; nil where there is none.
  static func pageSize(in file: ByteFile) -> Int? {
    guard let bytes = file.read(at: 0, count: headerSize), bytes.starts(with: magic),
      let size = bytes.uint32(at: 24), DatabaseHeader.isPageSize(size)
    else { return nil }
    return size
  }

  /// Reads the whole journal, up to the first record that was not written to its end.
  ///
  /// - Returns: nil where there is nothing to be rolled back.
  init?(_ file: ByteFile, pageSize: Int, check: () throws -> Void) rethrows {
    self.pageSize = pageSize
    var offset = 0
    while let header = file.read(at: offset, count: Self.headerSize),
      header.count == Self.headerSize, header.starts(with: Self.magic),
      header.uint32(at: 24) == pageSize, let records = header.uint32(at: 8),
      let nonce = header.uint32(at: 12), let count = header.uint32(at: 16),
      let sector = header.uint32(at: 20), sector >= 32, sector <= 65_536,
      sector & (sector - 1) == 0
    {
      if offset == 0 { pageCount = count }
      offset += sector
      var left = records == 0xFFFF_FFFF ? Int.max : records
      while left > 0 {
        try check()
        guard let record = file.read(at: offset, count: pageSize + 8),
          record.count == pageSize + 8, let number = record.uint32(at: 0), number > 0,
          record.uint32(at: pageSize + 4) == Self.checksum(record, nonce, pageSize)
        else { break }
        // The first copy is the oldest.
        let page = UInt32(truncatingIfNeeded: number)
        if pages[page] == nil { pages[page] = offset + 4 }
        offset += pageSize + 8
        left -= 1
      }
      guard left == 0 else { break }
      // The next header begins at a sector.
      offset = (offset + sector - 1) / sector * sector
    }
    if pages.isEmpty { return nil }
  }

  private static func checksum(_ record: [UInt8], _ nonce: Int, _ pageSize: Int) -> Int {
    var sum = UInt32(truncatingIfNeeded: nonce)
    for position in stride(from: pageSize - 200, to: 0, by: -200) {
      sum = sum &+ UInt32(record[4 + position])
    }
    return Int(sum)
  }
}
