/// A database file that is read page by page, with what is known of it as a whole.
struct PagedFile {
  let store: PageStore
  /// What the first page says; only what is believed of it.
  let header: DatabaseHeader
  let isHeaderSound: Bool
  let encoding: TextEncoding
  let pointerMap: PointerMap?
  /// Pages that the database should have beyond those that are there.
  let missingPages: Int
  /// Whether the log beside the file was left out, since it is another file's.
  let isLogForeign: Bool

  /// What is known from elsewhere where the file does not tell.
  struct Knowledge {
    var pageSize: Int?
    var reserved: Int?
    var encoding: TextEncoding?
    /// Given the file and its log, finds the cipher that its pages are in.
    var cipher: ((any ByteFile, (any ByteFile)?) throws -> FoundCipher)?
  }

  struct FoundCipher {
    let cipher: any PageCipher
    let pageSize: Int
    let reserved: Int
  }

  /// - Throws: `notADatabase` where no page of one is in it; what the cipher throws.
  init(
    _ file: any ByteFile, log logFile: (any ByteFile)?,
    journal journalFile: (any ByteFile)? = nil, knowing known: Knowledge, path: String,
    check: () throws -> Void
  ) throws {
    let found = try known.cipher?(file, logFile)
    var header = DatabaseHeader(file.read(at: 0, count: DatabaseHeader.size) ?? [])
    if let found {
      let first = file.read(at: 0, count: found.pageSize)
      header = DatabaseHeader(first.flatMap { found.cipher.decrypt($0, page: 1) } ?? [])
    }
    let sizes = try Self.sizes(file, logFile, header, known, found, path: path)
    var log = try logFile.flatMap { try LogIndex($0, pageSize: sizes.page, check: check) }
    let own = ForeignLog(file, pageSize: sizes.page, usable: sizes.page - sizes.reserved, found)
    if let logFile, let index = log, own.isForeign(index, logFile) {
      log = nil
      isLogForeign = true
    } else {
      let logged = logFile.flatMap(LogIndex.pageSize)
      isLogForeign = logged != nil && logged != sizes.page
    }
    // One that is longer than its header and was not emptied: the transaction was in the file.
    let journal =
      try log?.pageCount == nil
      ? journalFile.flatMap { try JournalIndex($0, pageSize: sizes.page, check: check) } : nil
    let first =
      log?.frames[1].flatMap { logFile?.read(at: $0.offset, count: sizes.page) }
      ?? journal?.pages[1].flatMap { journalFile?.read(at: $0, count: sizes.page) }
    if let bytes = first {
      let newer = DatabaseHeader(found.map { $0.cipher.decrypt(bytes, page: 1) ?? [] } ?? bytes)
      if newer.isPlausible { header = newer }
    }
    // What a frame or a header states is no reason to make room for it. A log has nearly all pages
    // that the file lacks.
    let inFile = file.size / sizes.page
    let inLog = log?.frames.keys.max().map(Int.init(truncatingIfNeeded:)) ?? 0
    let present = max(inFile, min(inLog, 2 * (inFile + (log?.frames.count ?? 0)) + 1_000))
    let isHeaderSound =
      header.isPlausible && header.pageSize == sizes.page && header.reserved == sizes.reserved
    var stated = log?.pageCount ?? journal?.pageCount ?? (isHeaderSound ? header.pageCount : nil)
    func store(_ pageCount: Int) -> PageStore {
      PageStore(
        file: file, log: log.flatMap { log in logFile.map { ($0, log) } },
        journal: journal.flatMap { journal in journalFile.map { ($0, journal) } },
        pageSize: sizes.page, reserved: sizes.reserved, pageCount: pageCount, cipher: found?.cipher)
    }
    if let count = stated, count < present, log?.pageCount == nil, journal == nil,
      try PageCount.isTooLow(count, in: store(present), check: check)
    {
      stated = nil
    }
    // So much can't have been cut off.
    if let count = stated, count > 1_000_000, count / 1_000 > present { stated = nil }
    let count = min(stated ?? present, present)
    missingPages = min(max((stated ?? present) - present, 0), Int(Int32.max))
    self.store = store(count)
    self.header = header
    self.isHeaderSound = isHeaderSound
    encoding =
      EncodingGuess.fromSchema(self.store) ?? (isHeaderSound ? header.encoding : nil) ?? known
      .encoding
      ?? EncodingGuess.fromTexts(self.store) ?? .utf8
    pointerMap = Self.pointerMap(in: self.store, header, isHeaderSound: isHeaderSound)
    guard count > 0 else { throw Self.noDatabase(path) }
  }

  private static func noDatabase(_ path: String) -> XTError {
    XTError(
      .notADatabase, "no page of a database is in the file",
      hint: "an encrypted file needs its key; a file that is damaged from end to end, a backup",
      path: path)
  }

  private static func sizes(
    _ file: ByteFile, _ logFile: ByteFile?, _ header: DatabaseHeader, _ known: Knowledge,
    _ found: FoundCipher?, path: String
  ) throws -> (page: Int, reserved: Int) {
    if let found {
      // The trees may leave more alone than the cipher needs: SQLCipher 4 does so in files of earlier
      // versions.
      if header.isPlausible, header.pageSize == found.pageSize, header.reserved >= found.reserved {
        return (found.pageSize, header.reserved)
      }
      let guess = PageSizeGuess.best(DecryptedFile(file, found), sizes: [found.pageSize])
      return (found.pageSize, max(guess?.reserved ?? known.reserved ?? 0, found.reserved))
    }
    let logged = logFile.flatMap(LogIndex.pageSize)
    if header.isPlausible, let pageSize = header.pageSize, logged == nil || logged == pageSize {
      // One bit of damage in the header would move every cell.
      let guess = PageSizeGuess.best(file, sizes: [pageSize])
      let agreeing = guess?.agreeing ?? 0
      if agreeing < 3, logged == nil, let other = PageSizeGuess.best(file),
        other.agreeing >= 3, other.agreeing > 2 * agreeing
      {
        return (other.pageSize, other.reserved)
      }
      if let guess, agreeing >= 3, guess.reserved != header.reserved {
        return (pageSize, guess.reserved)
      }
      return (pageSize, header.reserved)
    }
    if let logged, header.isPlausible, let pageSize = header.pageSize {
      // One of them is another file's, or wrong: the pages tell.
      let guesses = [pageSize, logged].map { PageSizeGuess.best(file, sizes: [$0])?.agreeing ?? 0 }
      if guesses[0] > guesses[1] { return (pageSize, header.reserved) }
    }
    if let logged {
      return (logged, PageSizeGuess.best(file, sizes: [logged])?.reserved ?? known.reserved ?? 0)
    }
    if let guess = PageSizeGuess.best(file, sizes: DatabaseHeader.pageSizes),
      guess.agreeing >= 2 || known.pageSize == nil
    {
      return (guess.pageSize, guess.reserved)
    }
    guard let pageSize = known.pageSize ?? header.pageSize else { throw noDatabase(path) }
    return (pageSize, known.reserved ?? 0)
  }

  private static func pointerMap(
    in store: PageStore, _ header: DatabaseHeader, isHeaderSound: Bool
  ) -> PointerMap? {
    if isHeaderSound, !header.hasPointerMaps { return nil }
    guard store.pageCount > 2, let page = store.page(2) else {
      return header.hasPointerMaps && isHeaderSound
        ? PointerMap(usable: store.usable, pageSize: store.pageSize) : nil
    }
    // The map itself may be what is damaged, and then it is no page of a tree either.
    let isMap =
      PointerMap.isMap(page, usable: store.usable, pageCount: store.pageCount)
      || (isHeaderSound && store.tree(2) == nil)
    return isMap ? PointerMap(usable: store.usable, pageSize: store.pageSize) : nil
  }
}
