/// A write-ahead log that is beside a file and not of it, as one that was left there when the file was
/// exchanged: SQLite would put it into the file.
struct ForeignLog {
  private let file: any ByteFile
  private let pageSize: Int
  private let usable: Int
  private let cipher: (any PageCipher)?

  init(_ file: any ByteFile, pageSize: Int, usable: Int, _ found: PagedFile.FoundCipher?) {
    self.file = file
    self.pageSize = pageSize
    self.usable = usable
    cipher = found?.cipher
  }

  private static let samples = 50

  /// Whether none of its pages is encrypted as the file's are, or its schema has nothing of what is in
  /// the file's own.
  func isForeign(_ log: LogIndex, _ logFile: any ByteFile) -> Bool {
    guard log.pageCount != nil else { return false }
    if cipher != nil {
      let frames = log.frames.sorted { $0.key < $1.key }
      let step = max(frames.count / Self.samples, 1)
      let opens = stride(from: 0, to: frames.count, by: step).contains { index in
        plain(logFile, at: frames[index].value.offset, Int(frames[index].key)) != nil
      }
      if !opens { return true }
    }
    guard let first = log.frames[1], let new = names(logFile, at: first.offset),
      let old = names(file, at: 0)
    else { return false }
    return !new.isEmpty && !old.isEmpty && new.isDisjoint(with: old)
  }

  private func plain(_ file: any ByteFile, at offset: Int, _ page: Int) -> [UInt8]? {
    guard let bytes = file.read(at: offset, count: pageSize), bytes.count == pageSize else {
      return nil
    }
    return cipher.map { $0.decrypt(bytes, page: page) } ?? bytes
  }

  /// The names in a schema of one page; nil where it can't be read, or is larger.
  private func names(_ file: any ByteFile, at offset: Int) -> Set<[UInt8]>? {
    guard
      let page = plain(file, at: offset, 1).flatMap({ BTreePage($0, number: 1, usable: usable) }),
      page.kind == .tableLeaf, page.isSound
    else { return nil }
    var names: Set<[UInt8]> = []
    for index in 0..<page.cellCount {
      guard let cell = page.cell(index) else { return nil }
      // Of a long row the name is in its first part.
      let bytes = page.bytes
      guard let header = RecordHeader(bytes, from: cell.local.lowerBound, size: cell.payloadSize),
        header.types.count == 5, header.types[1] >= 13
      else { return nil }
      let start =
        cell.local.lowerBound + header.bodyStart + RecordHeader.length(of: header.types[0])
      let end = start + RecordHeader.length(of: header.types[1])
      guard end <= cell.local.upperBound else { return nil }
      names.insert(Array(bytes[start..<end]))
    }
    return names
  }
}
