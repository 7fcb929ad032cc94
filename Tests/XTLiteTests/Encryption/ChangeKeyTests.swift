import Foundation
import Testing

@testable import XTLite

private struct KeyedLetter: XTModel {
  var pkid: Int64?
  var text = ""
  var number = 0

  static var xt_keywords: XTKeywordMap { [\KeyedLetter.text: .unique] }

  init() {}
  init(_ text: String) { self.text = text }
}

#if SQLCipher
  /// A file with another key: all of it, or the one that was there.
  @Suite struct ChangeKeyTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
      folder = try TemporaryFolder()
      path = folder.path("letters.sqlite")
    }

    private func open(
      _ key: XTKey?, _ change: (inout XTConfiguration) -> Void = { _ in }
    ) throws -> XTDatabase {
      var configuration = XTConfiguration()
      configuration.key = key
      configuration.busyTimeout = 0.1
      change(&configuration)
      return try XTDatabase(path: path, configuration: configuration)
    }

    private func opens(_ key: XTKey?) -> Bool {
      var configuration = XTConfiguration()
      configuration.key = key
      return XTDatabase.canOpen(path: path, configuration: configuration)
    }

    /// Everything that a change has to keep.
    private func fill(_ database: XTDatabase) throws {
      try database.table(KeyedLetter.self).insertList((0..<300).map { KeyedLetter("letter \($0)") })
      try database.executeScript(
        """
        CREATE TABLE loose (a, b);
        INSERT INTO loose VALUES (1, 'one'), (2, zeroblob(9000)), (3, 'three');
        DELETE FROM loose WHERE a = 1;
        CREATE TABLE named (rowid TEXT, value);
        INSERT INTO named VALUES ('x', 1), ('y', 2);
        DELETE FROM named WHERE rowid = 'x';
        CREATE TABLE keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
        INSERT INTO keyed VALUES ('a', 1);
        CREATE VIRTUAL TABLE words USING fts4(body);
        INSERT INTO words VALUES ('kobe and lakers');
        CREATE VIEW texts AS SELECT text FROM KeyedLetter;
        CREATE TABLE log (a);
        CREATE TRIGGER noted AFTER DELETE ON loose BEGIN INSERT INTO log VALUES (old.a); END;
        CREATE INDEX by_number ON KeyedLetter (number);
        DELETE FROM KeyedLetter WHERE pkid = 300;
        PRAGMA user_version = 7;
        PRAGMA application_id = 1234;
        """)
    }

    private func expectAll(_ database: XTDatabase) throws {
      func value(_ sql: XTSQL) throws -> XTValue? { try database.anyFunc(sql: sql) }
      #expect(try database.checkIntegrity().isEmpty)
      #expect(try database.table(KeyedLetter.self).count() == 299)
      #expect(try value("SELECT group_concat(rowid || ':' || a) FROM loose") == "2:2,3:3")
      #expect(try value("SELECT _rowid_ || rowid FROM named") == "2y")
      #expect(try value("SELECT length(b) FROM loose WHERE rowid = 2") == 9_000)
      #expect(try value("SELECT v FROM keyed") == 1)
      #expect(try value("SELECT docid FROM words WHERE words MATCH 'lakers'") == 1)
      #expect(try value("SELECT count(*) FROM texts") == 299)
      #expect(try value("SELECT count(*) FROM log") == 0)
      #expect(try value("PRAGMA user_version") == 7)
      #expect(try value("PRAGMA application_id") == 1_234)
      var letter = KeyedLetter("last")
      #expect(try database.table(KeyedLetter.self).insert(&letter) > 300)
      try database.table(KeyedLetter.self).delete(letter)
    }

    private func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private static let keys: [XTKey?] = [
      nil, .passphrase("it's \"🏀\""), .bytes(Data([0, 1, 0])),
      .rawKey(Data(repeating: 7, count: 32)),
      .rawKey(Data(repeating: 8, count: 32), salt: Data(repeating: 9, count: 16)),
    ]

    @Test(arguments: 0..<5, 0..<5)
    func changeKey_fromEachToEach_keepsAllAndLocksTheOldKeyOut(_ from: Int, _ to: Int) throws {
      guard from != to else { return }
      let (old, new) = (Self.keys[from], Self.keys[to])
      let database = try open(old)
      try fill(database)
      let other = try open(old)
      let progress = Progress(totalUnitCount: 1)
      try database.changeKey(to: new, progress: progress)
      #expect(progress.completedUnitCount == progress.totalUnitCount)
      try expectAll(database)
      try expectAll(other)
      #expect(other.configuration.key == new)
      #expect(opens(new) && !opens(old))
      try database.close()
      try other.close()
      #expect(try files() == ["letters.sqlite"])
      let header = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(16)
      #expect((header == Data("SQLite format 3\0".utf8)) == (new == nil))
      try expectAll(open(new))
    }

    @Test func changeKey_async_changesItOrIsCancelled() async throws {
      let database = try open(.passphrase("k"))
      try fill(database)
      try await database.changeKey(to: .passphrase("new"))
      try expectAll(database)
      let task = Task { try await database.changeKey(to: nil) }
      task.cancel()
      let result = await task.result
      try expectAll(database)
      // It may have been done by then.
      if case .failure(let error) = result {
        #expect(error is CancellationError)
        #expect(database.configuration.key == .passphrase("new"))
      }
    }

    @Test func changeKey_sameKey_doesNothing() throws {
      let database = try open(.passphrase("k"))
      try fill(database)
      let before = FileIdentity(path: path)
      try database.changeKey(to: .passphrase("k"))
      #expect(FileIdentity(path: path) == before)
      try expectAll(database)
    }

    @Test func changeKey_otherCipher_isWrittenSo() throws {
      let database = try open(.passphrase("k"))
      try fill(database)
      try database.changeKey(
        to: .passphrase("k2"), cipher: XTCipher(pageSize: 4_096, iterations: 4_000))
      try expectAll(database)
      #expect(try database.reading { try $0.pragma("page_size")?.settingNumber } == 4_096)
      // Alike but for the key: by pages.
      try database.changeKey(to: .passphrase("k3"))
      try expectAll(database)
      #expect(try database.reading { try $0.pragma("page_size")?.settingNumber } == 4_096)
      try database.close()
      #expect(!opens(.passphrase("k3")))
      let again = try open(.passphrase("k3")) {
        $0.cipher = XTCipher(pageSize: 4_096, iterations: 4_000)
      }
      try expectAll(again)
    }

    @Test func changeKey_toPlainAndBack_keepsPageSizeAndVacuum() throws {
      let first = try Connection(ConnectionSettings(path: path, key: nil))
      try first.executeScript(
        "PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; PRAGMA auto_vacuum = 2; VACUUM;"
          + "CREATE TABLE t (a)")
      first.close()
      let database = try open(nil)
      try database.changeKey(to: .passphrase("k"))
      #expect(try database.anyFunc(sql: "PRAGMA auto_vacuum") == 2)
      try database.changeKey(to: nil)
      #expect(try database.anyFunc(sql: "PRAGMA auto_vacuum") == 2)
      #expect(try database.anyFunc(sql: "SELECT count(*) FROM t") == 0)
    }

    @Test func changeKey_trailingZeros_isNoOtherKeyAndSaysSo() throws {
      let database = try open(.bytes(Data([1])))
      try fill(database)
      let error = try #require(throws: XTError.self) {
        try database.changeKey(to: .bytes(Data([1, 0])))
      }
      #expect(error.kind == .encryption && error.message.contains("old key"))
      try expectAll(database)
      #expect(database.configuration.key == .bytes(Data([1])))
    }

    // MARK: Refused

    private func expectRefused(
      _ kind: XTError.Kind, _ database: XTDatabase, _ body: () throws -> Void
    ) throws {
      let error = try #require(throws: XTError.self) { try body() }
      #expect(error.kind == kind, "\(error)")
      #expect(error.isNoted)
      #expect(try files().allSatisfy { !$0.contains("newkey") })
      if database.path != ":memory:" { #expect(database.configuration.key == .passphrase("k")) }
      expectClean(database)
    }

    @Test func changeKey_readOnlyMemoryAndWrongKeys_areRefused() throws {
      let database = try open(.passphrase("k"))
      try fill(database)
      try expectRefused(.encryption, database) { try database.changeKey(to: .passphrase("")) }
      try expectRefused(.encryption, database) { try database.changeKey(to: .rawKey(Data())) }
      try database.read {
        try expectInside(database)
      }
      try database.reconfigure { _ in try expectInside(database) }
      #expect(database.configuration.key == .passphrase("k"))
      try database.close()
      let reading = try open(.passphrase("k")) { $0.readOnly = true }
      try expectRefused(.readOnly, reading) { try reading.changeKey(to: .passphrase("new")) }
      let memory = try XTDatabase.inMemory()
      try expectRefused(.open, memory) { try memory.changeKey(to: .passphrase("new")) }
      #expect(opens(.passphrase("k")))
    }

    private func expectInside(_ database: XTDatabase) throws {
      let error = try #require(throws: XTError.self) {
        try database.changeKey(to: .passphrase("new"))
      }
      #expect(error.kind == .locked)
    }

    @Test func changeKey_anotherConnectionHasTheFile_isRefused() throws {
      let database = try open(.passphrase("k"))
      try fill(database)
      let other = try Connection(database.configuration.connectionSettings(path: path))
      try expectRefused(.locked, database) { try database.changeKey(to: .passphrase("new")) }
      #expect(try other.firstValue("SELECT count(*) FROM KeyedLetter") == 299)
      other.close()
      try expectAll(database)
      try database.changeKey(to: .passphrase("new"))
      try expectAll(database)
    }

    @Test(arguments: [XTConfiguration.JournalMode.delete, .truncate, .persist, .memory])
    func changeKey_otherJournalModes_sameAndRefusedByLocks(
      _ mode: XTConfiguration.JournalMode
    ) throws {
      let database = try open(.passphrase("k")) { $0.journalMode = mode }
      try fill(database)
      let other = try Connection(database.configuration.connectionSettings(path: path))
      try other.executeScript("BEGIN; SELECT count(*) FROM KeyedLetter")
      try expectRefused(.locked, database) { try database.changeKey(to: .passphrase("new")) }
      other.close()
      try expectAll(database)
      try database.changeKey(to: .passphrase("new"))
      try expectAll(database)
      try database.close()
      #expect(opens(.passphrase("new")))
      #expect(try files().allSatisfy { !$0.contains("newkey") })
    }

    @Test func changeKey_cancelled_leavesTheFile() throws {
      for new: XTKey? in [nil, .passphrase("new")] {
        let database = try open(.passphrase("k"))
        try? fill(database)
        let progress = Progress(totalUnitCount: 1)
        progress.cancel()
        #expect(throws: CancellationError.self) {
          try database.changeKey(to: new, progress: progress)
        }
        try expectAll(database)
        #expect(database.configuration.key == .passphrase("k"))
        #expect(try files().allSatisfy { !$0.contains("newkey") })
        try database.close()
      }
    }

    @Test func changeKey_damagedFile_isRefusedAndLeftAsItIs() throws {
      let database = try open(.passphrase("k"))
      try fill(database)
      try database.close()
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let page = 1_024 * (bytes.count / 1_024 / 2)
      bytes.replaceSubrange(page..<(page + 64), with: Data(repeating: 0xA5, count: 64))
      try bytes.write(to: URL(fileURLWithPath: path))
      let again = try open(.passphrase("k"))
      for new: XTKey? in [.passphrase("new"), nil] {
        let error = try #require(throws: XTError.self) { try again.changeKey(to: new) }
        #expect([.corrupt, .notADatabase, .sqlite].contains(error.kind), "\(error)")
        #expect(try files().allSatisfy { !$0.contains("newkey") })
      }
      try again.close()
      #expect(opens(.passphrase("k")))
    }

    @Test func changeKey_leftoversOfADeadProcess_areRemoved() throws {
      let database = try open(.passphrase("k"))
      // No process has a number as high.
      let leftover = path + "-xt-newkey-99999999-1"
      for name in [leftover, leftover + "-journal"] {
        _ = FileManager.default.createFile(atPath: name, contents: Data([1]))
      }
      try database.changeKey(to: .passphrase("new"))
      #expect(try files().allSatisfy { !$0.contains("newkey") })
    }

    /// They have the schema, and the salt of the file that was there.
    @Test func changeKey_hintsOfTheOldFile_goOrAreMadeAnew() throws {
      let hints = path + "-hints"
      let database = try open(nil)
      try fill(database)
      try Data("of another time".utf8).write(to: URL(fileURLWithPath: hints))
      try database.changeKey(to: .passphrase("one"))
      #expect(!FileManager.default.fileExists(atPath: hints))

      try database.saveRepairHints()
      try database.changeKey(to: .passphrase("two"))
      let keeper = database.attachment(
        for: AttachmentKey(type: ObjectIdentifier(RepairHintsKeeper.self), name: nil)
      ) { RepairHintsKeeper() }
      keeper.waitUntilIdle()
      #expect(RepairHints.read(hints, key: .passphrase("one")) == nil)
      let found = try #require(RepairHints.read(hints, key: .passphrase("two")))
      #expect(found.salt == Array(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(16)))
      #expect(found.schema.contains { $0.name == "loose" })
    }

    @Test func changeKey_permissionsOfTheFile_stay() throws {
      let database = try open(.passphrase("k"))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      try database.changeKey(to: nil)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }
#endif

@Suite struct ChangeKeyWithoutEncryptionTests {
  @Test func changeKey_withoutEncryption_throwsAndSaysHowToGetIt() throws {
    guard !SQLiteLibrary.hasEncryption else { return }
    let test = try TestDatabase()
    let error = try #require(throws: XTError.self) {
      try test.database.changeKey(to: .passphrase("k"))
    }
    #expect(error.kind == .encryption)
    #expect(error.hint?.contains("SQLCipher") == true)
    try test.database.changeKey(to: nil)
  }
}
