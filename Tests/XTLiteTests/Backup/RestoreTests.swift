import Foundation
import Testing

@testable import XTLite

private struct Relic: XTModel {
  var pkid: Int64?
  var text = ""

  init() {}
  init(_ text: String) { self.text = text }
}

@Suite struct RestoreTests {
  private let folder: TemporaryFolder
  private let path: String
  private let backup: String
  private let database: XTDatabase
  private var relics: XTTable<Relic> { database.table(Relic.self) }

  /// A backup of one relic, and a database that has two others since.
  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("relics.sqlite")
    backup = folder.path("backup.sqlite")
    var configuration = XTConfiguration()
    configuration.busyTimeout = 0.1
    database = try XTDatabase(path: path, configuration: configuration)
    try relics.insertList([Relic("old")])
    try database.backup(to: backup)
    try relics.deleteAll()
    try relics.insertList([Relic("new"), Relic("newer")])
  }

  private func texts() throws -> [String] { try relics.findAll().map(\.text) }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }.sorted()
  }

  private func expectRefused(
    _ kinds: [XTError.Kind], from path: String? = nil, key: XTKey? = nil
  ) throws {
    let error = try #require(throws: XTError.self) {
      try database.restore(from: path ?? backup, key: key)
    }
    #expect(kinds.contains(error.kind), "\(error)")
    #expect(try texts() == ["new", "newer"])
    #expect(try names().allSatisfy { !$0.contains("-xt-") })
    expectClean(database)
  }

  @Test func restore_ofABackup_holdsWhatThatHolds() throws {
    let other = try XTDatabase(path: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: backup))
    let progress = Progress(totalUnitCount: 1)
    try database.restore(from: backup, progress: progress)
    #expect(progress.fractionCompleted == 1)
    #expect(try texts() == ["old"])
    #expect(try other.table(Relic.self).count() == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == before)
    #expect(try names() == ["backup.sqlite", "relics.sqlite"])
    #expect(try database.checkIntegrity().isEmpty)
    try relics.insertList([Relic("later")])
    try database.close()
    try other.close()
    let again = try XTDatabase(path: path)
    #expect(try again.table(Relic.self).count() == 2)
  }

  @Test func restore_async_holdsWhatTheBackupHolds() async throws {
    try await database.restore(from: backup)
    #expect(try texts() == ["old"])
  }

  @Test func restore_otherSchema_isSeen() throws {
    let other = try TestDatabase()
    try other.database.execute("CREATE TABLE Relic (pkid INTEGER PRIMARY KEY, text TEXT, more)")
    try other.database.execute("INSERT INTO Relic (text, more) VALUES ('strange', 1)")
    try other.database.backup(to: backup)
    try database.restore(from: backup)
    #expect(try texts() == ["strange"])
  }

  @Test func restore_notABackup_isRefused() throws {
    try expectRefused([.open], from: folder.path("missing.sqlite"))
    try expectRefused([.open], from: path)
    try expectRefused([.open], from: folder.path)
    let text = folder.path("text.txt")
    try Data("Dear diary, nothing happened today, as always.".utf8).write(
      to: URL(fileURLWithPath: text))
    try expectRefused([.notADatabase, .encryption], from: text)
    if SQLiteLibrary.hasEncryption {
      try expectRefused([.encryption], key: .passphrase("wrong"))
    }
  }

  @Test func restore_emptyFileOrNoFile_isRefused() throws {
    let empty = folder.path("empty.sqlite")
    try Data().write(to: URL(fileURLWithPath: empty))
    try expectRefused([.notADatabase], from: empty)
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    try expectRefused([.open], from: pipe)
    try expectRefused([.open], from: folder.path)
  }

  #if SQLCipher
    /// Of a backup that begins as a plain file nobody needs to hear of keys.
    @Test func restore_damagedPlainBackupOverAnEncryptedDatabase_saysWhatIsWrongWithIt() throws {
      let plain = try TestDatabase {
        $0.key = nil
        $0.journalMode = .delete
      }
      try plain.table(Relic.self).insertList((0..<500).map { Relic("relic \($0)") })
      try plain.database.close()
      let keyed = try TestDatabase { $0.key = .passphrase("k") }
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: plain.path)))
      let cases: [(Range<Int>, UInt8, XTError.Kind)] = [
        (18..<20, 3, .notADatabase), (100..<200, 0xFF, .corrupt), (4_096..<4_900, 0xFF, .corrupt),
      ]
      for (range, value, kind) in cases {
        var damaged = bytes
        for position in range { damaged[position] = value }
        try Data(damaged).write(to: URL(fileURLWithPath: plain.path))
        let error = try #require(throws: XTError.self) {
          try keyed.database.restore(from: plain.path)
        }
        #expect(error.kind == kind, "\(error)")
      }
    }
  #endif

  /// They tell of the file that was there.
  @Test func restore_hintsOfTheOldFile_goOrAreMadeAnew() throws {
    let hints = database.path + "-hints"
    try Data("of another time".utf8).write(to: URL(fileURLWithPath: hints))
    try database.restore(from: backup)
    #expect(!FileManager.default.fileExists(atPath: hints))
    try database.saveRepairHints()
    let keeper = database.attachment(
      for: AttachmentKey(type: ObjectIdentifier(RepairHintsKeeper.self), name: nil)
    ) { RepairHintsKeeper() }
    try database.execute("CREATE TABLE more (a)")
    keeper.waitUntilIdle()
    try database.restore(from: backup)
    keeper.waitUntilIdle()
    let found = try #require(RepairHints.read(hints, key: database.configuration.key))
    #expect(found.schema.contains { $0.name == "Relic" })
    #expect(!found.schema.contains { $0.name == "more" })
  }

  @Test func restore_damagedBackup_isRefused() throws {
    try relics.insertList((0..<3_000).map { Relic("relic \($0)") })
    try database.backup(to: backup)
    try relics.deleteAll()
    try relics.insertList([Relic("new"), Relic("newer")])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: backup))
    let middle = bytes.count / 2 / 4_096 * 4_096
    bytes.replaceSubrange(middle..<(middle + 300), with: Data(repeating: 0x5A, count: 300))
    try bytes.write(to: URL(fileURLWithPath: backup))
    try expectRefused([.corrupt, .notADatabase, .sqlite])
    try bytes.prefix(bytes.count / 2 / 4_096 * 4_096).write(to: URL(fileURLWithPath: backup))
    try expectRefused([.corrupt, .notADatabase, .sqlite])
  }

  @Test func restore_insideABlockOrCancelled_isRefused() throws {
    let error = try #require(throws: XTError.self) {
      try database.read { try database.restore(from: backup) }
    }
    #expect(error.kind == .locked)
    let progress = Progress(totalUnitCount: 1)
    progress.cancel()
    #expect(throws: CancellationError.self) {
      try database.restore(from: backup, progress: progress)
    }
    #expect(try texts() == ["new", "newer"])
    expectClean(database)
  }

  @Test func restore_anotherProgramHasTheFile_isRefused() throws {
    let other = try Connection(database.configuration.connectionSettings(path: path))
    try expectRefused([.locked])
    other.close()
    try database.restore(from: backup)
    #expect(try texts() == ["old"])
  }

  @Test func restore_databaseIsDamaged_isKeptAsideForGood() throws {
    #expect(throws: XTError.self) {
      try database.whileClosed { url in
        try Data(repeating: 0xEE, count: 5_000).write(to: url)
      }
    }
    try database.restore(from: backup)
    #expect(try texts() == ["old"])
    let aside = try names().filter { $0.contains("damaged") }
    #expect(aside.count == 1)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: folder.path(aside.first ?? "")))
        == Data(repeating: 0xEE, count: 5_000))
  }

  @Test func restore_fileWasRemoved_isThereAgain() throws {
    #expect(throws: XTError.self) {
      try database.whileClosed { url in try FileManager.default.removeItem(at: url) }
    }
    try database.restore(from: backup)
    #expect(try texts() == ["old"])
  }

  @Test func restore_newFileThatDoesNotOpen_leavesTheOldOne() throws {
    // A set-up that refuses what the backup holds, but not while the copy is verified.
    let seen = Mutex(0)
    try database.reconfigure {
      $0.add(
        XTSetUp("refusing") { connection in
          let isOld = try connection.value("SELECT 1 FROM Relic WHERE text = 'old'") != nil
          guard isOld,
            seen.withLock({
              $0 += 1; return $0
            }) > 1
          else { return }
          throw XTError(.open, "the old one is not wanted")
        })
    }
    let error = try #require(throws: XTError.self) { try database.restore(from: backup) }
    #expect(error.message.contains("not wanted"))
    #expect(try texts() == ["new", "newer"])
    #expect(try names() == ["backup.sqlite", "relics.sqlite"])
    expectClean(database)
  }

  @Test func restore_inMemoryOrReadOnly_isRefused() throws {
    let memory = try XTDatabase.inMemory()
    #expect(throws: XTError.self) { try memory.restore(from: backup) }
    try database.close()
    var configuration = XTConfiguration()
    configuration.readOnly = true
    let reading = try XTDatabase(path: path, configuration: configuration)
    let error = try #require(throws: XTError.self) { try reading.restore(from: backup) }
    #expect(error.kind == .readOnly)
  }
}
