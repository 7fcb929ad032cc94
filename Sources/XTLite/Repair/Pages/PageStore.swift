/// The pages of a database as they would be read: the newest committed copy in the log, the older one
/// in the journal of a transaction that did not end, else the file's.
final class PageStore {
  let pageSize: Int
  /// Bytes at a page's end that the b-trees leave alone.
  let reserved: Int
  /// Pages that the database has, or the bytes that are there of it.
  let pageCount: Int
  let log: LogIndex?
  private let file: any ByteFile
  private let logFile: (any ByteFile)?
  private let journal: JournalIndex?
  private let journalFile: (any ByteFile)?
  private let cipher: (any PageCipher)?
  private var kept: [Int: [UInt8]] = [:]
  /// Pages that should be there and could not be read.
  private(set) var unreadable: Set<Int> = []

  var usable: Int { pageSize - reserved }

  init(
    file: any ByteFile, log: (file: any ByteFile, index: LogIndex)?,
    journal: (file: any ByteFile, index: JournalIndex)?, pageSize: Int, reserved: Int,
    pageCount: Int, cipher: (any PageCipher)?
  ) {
    self.file = file
    logFile = log?.file
    self.log = log?.index
    journalFile = journal?.file
    self.journal = journal?.index
    self.pageSize = pageSize
    self.reserved = reserved
    self.pageCount = pageCount
    self.cipher = cipher
  }

  /// A page's bytes, all of them; nil where they are not to be had.
  func page(_ number: Int) -> [UInt8]? {
    guard number >= 1, number <= pageCount else { return nil }
    if let page = kept[number] { return page }
    guard !unreadable.contains(number) else { return nil }
    guard let page = read(number) else {
      unreadable.insert(number)
      return nil
    }
    // Trees are gone down again and again from the same pages.
    if kept.count >= 64 { kept.removeAll(keepingCapacity: true) }
    kept[number] = page
    return page
  }

  private func read(_ number: Int) -> [UInt8]? {
    let bytes: [UInt8]?
    if let frame = log?.frames[UInt32(truncatingIfNeeded: number)], let logFile {
      bytes = logFile.read(at: frame.offset, count: pageSize)
    } else if let offset = journal?.pages[UInt32(truncatingIfNeeded: number)], let journalFile {
      bytes = journalFile.read(at: offset, count: pageSize)
    } else {
      bytes = file.read(at: (number - 1) * pageSize, count: pageSize)
    }
    guard let bytes, bytes.count == pageSize else { return nil }
    guard let cipher else { return bytes }
    return cipher.decrypt(bytes, page: number)
  }

  /// Whether the page's bytes come from a frame of the log that is damaged.
  func isUnproved(_ number: Int) -> Bool {
    log?.frames[UInt32(truncatingIfNeeded: number)].map { !$0.isProved } ?? false
  }

  func tree(_ number: Int, assuming kind: BTreePage.Kind? = nil) -> BTreePage? {
    page(number).flatMap { BTreePage($0, number: number, usable: usable, assuming: kind) }
  }
}

/// What makes a page's plain bytes of those in the file.
protocol PageCipher {
  /// - Returns: nil where the bytes are not those that were written.
  func decrypt(_ bytes: [UInt8], page: Int) -> [UInt8]?
}
