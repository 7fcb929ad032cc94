import Foundation

/// Where a backup and its earlier ones are.
struct BackupPlaces {
  /// Where the new one goes.
  private let path: String
  private let keep: Int
  private let database: DatabaseFile

  private static let used = Mutex<Set<ExactText>>([])

  static func enter(_ path: String) -> Bool {
    used.withLock { $0.insert(ExactText(path)).inserted }
  }

  static func leave(_ path: String) {
    used.withLock { _ = $0.remove(ExactText(path)) }
  }

  /// - Parameter database: What is backed up.
  init(_ path: String, keep: Int, of database: DatabaseFile) {
    self.path = path
    self.keep = keep
    self.database = database
  }

  private func place(_ number: Int) -> String { number == 0 ? path : "\(path).\(number)" }

  private func isTaken(_ number: Int) -> Bool { FileIdentity(path: place(number)) != nil }

  /// Those that are moved, replaced or removed: up to the first gap.
  private var numbers: Range<Int> {
    guard keep > 1 else { return 0..<1 }
    var end = 1
    while isTaken(end) { end += 1 }
    return 0..<end
  }

  /// Sees that nothing goes on in the files that are there: one that is open, or has a log, is a
  /// database to somebody, and its log would be taken for the next file's that has its name.
  ///
  /// - Parameters:
  ///   - settings: How the database is opened.
  ///   - keys: Those by which an earlier backup may open.
  func settle(_ settings: ConnectionSettings, keys: [XTKey?], cipher: XTCipher) throws {
    for number in numbers {
      let place = place(number)
      try FilePath.refuseWhatIsNoFile(place)
      if let identity = FileIdentity(path: place), identity == database.identity {
        throw XTError(
          .open, "the database itself has the name of an earlier backup",
          hint: "give the backup another path", path: place)
      }
      if DatabaseRegistry.isOpen(place) {
        throw XTError(
          .locked, "an earlier backup is open as a database", hint: "close it first", path: place)
      }
      if DatabaseFile.companions(of: place).contains(where: { FileIdentity(path: $0) != nil }) {
        try putLogInto(place, settings, keys, cipher)
      }
    }
  }

  /// Has SQLite put a log into its file, or roll it back, and remove it.
  private func putLogInto(
    _ place: String, _ settings: ConnectionSettings, _ keys: [XTKey?], _ cipher: XTCipher
  ) throws {
    var settings = settings.withoutAdditions
    settings.path = place
    settings.isReadOnly = false
    settings.mayCreate = false
    settings.cipher = cipher
    settings.derivedKey = nil
    settings.keepsJournalMode = true
    for key in keys + [nil] where FileIdentity(path: place) != nil {
      settings.key = key
      guard let connection = try? Connection(settings) else { continue }
      defer { connection.close() }
      try connection.holdFileAlone()
      break
    }
    // What SQLite left of a journal, with nothing in it, is nobody's.
    guard let log = DatabaseFile.logs(of: place).first(where: Self.holdsSomething) else { return }
    throw XTError(
      .open, "there is a log or a journal beside an earlier backup, or without one: \(log)",
      hint: "it would be taken for the new backup's: remove it, or give another path", path: place)
  }

  private static func holdsSomething(_ log: String) -> Bool {
    guard FileStamp.size(of: log) > 0, let file = FileHandle(forReadingAtPath: log) else {
      return false
    }
    defer { try? file.close() }
    return (try? file.read(upToCount: 28))?.contains { $0 != 0 } ?? true
  }

  /// Makes room for a new backup at the path, where the latest stays until it is replaced.
  func rotate() throws {
    guard keep > 1, isTaken(0) else { return }
    let numbers = numbers
    for number in numbers where number >= keep { try FilePath.remove(place(number)) }
    for number in stride(from: min(numbers.count, keep - 1), to: 1, by: -1) {
      try FilePath.replace(place(number), with: place(number - 1))
    }
    try FilePath.remove(place(1))
    if !FilePath.link(path, as: place(1)) { try FilePath.replace(place(1), with: path) }
  }
}
