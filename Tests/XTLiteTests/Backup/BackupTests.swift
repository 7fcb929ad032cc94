import Foundation
import Testing

@testable import XTLite

private struct Deed: XTModel {
  var pkid: Int64?
  var text = ""
  var blob = Data()

  init() {}
  init(_ number: Int) {
    text = "deed \(number)"
    blob = Data(repeating: UInt8(number % 256), count: 2_000)
  }
}

@Suite struct BackupTests {
  private let folder: TemporaryFolder
  private let test: TestDatabase
  private var database: XTDatabase { test.database }
  private var target: String { folder.path("backups/people.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    test = try TestDatabase()
    try test.table(Deed.self).insertList((0..<400).map { Deed($0) })
  }

  /// The count of what a backup holds, which is sound and one file.
  private func count(_ path: String, _ change: (inout XTConfiguration) -> Void = { _ in }) throws
    -> Int
  {
    var configuration = XTConfiguration()
    configuration.readOnly = true
    change(&configuration)
    let backup = try XTDatabase(path: path, configuration: configuration)
    defer { try? backup.close() }
    #expect(try backup.checkIntegrity().isEmpty)
    return try backup.table(Deed.self).count()
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("backups")).sorted()
  }

  @Test func backup_toAFileOrAFolder_isWholeAndOneFile() throws {
    let progress = Progress(totalUnitCount: 1)
    try database.backup(to: target, progress: progress)
    #expect(progress.fractionCompleted == 1)
    #expect(try names() == ["people.sqlite"])
    #expect(try count(target) == 400)
    try database.backup(to: folder.path("backups"))
    #expect(try names() == ["people.sqlite", "test.sqlite"])
    #expect(try count(folder.path("backups/test.sqlite")) == 400)
    expectClean(database)
  }

  @Test func backup_kept_rotates() throws {
    for number in 1...5 {
      try database.backup(to: target, keep: 3)
      #expect(try names().count == min(number, 3))
      try test.table(Deed.self).insertList([Deed(number)])
    }
    #expect(try names() == ["people.sqlite", "people.sqlite.1", "people.sqlite.2"])
    #expect(try count(target) == 404)
    #expect(try count(target + ".1") == 403)
    #expect(try count(target + ".2") == 402)
    try database.backup(to: target)
    #expect(try count(target) == 405)
    #expect(try count(target + ".1") == 403)
  }

  @Test func backup_whileOthersWrite_isOneMoment() throws {
    let isDone = Flag()
    let written = Mutex(0)
    let deeds = test.table(Deed.self)
    let writing = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var number = 0
      while !isDone.isSet {
        _ = try? deeds.insertList([Deed(number), Deed(number + 1)])
        number += 2
        written.withLock { $0 = number }
      }
      writing.signal()
    }
    for _ in 0..<3 {
      let before = written.withLock { $0 }
      try database.backup(to: target)
      let count = try count(target)
      #expect(count >= 400 + before && count % 2 == 0)
    }
    isDone.set(true)
    writing.wait()
    #expect(written.withLock { $0 } > 0)
  }

  @Test func backup_inAWAL_letsWritersGoOn() throws {
    let deeds = test.table(Deed.self)
    try deeds.insertList((0..<1_600).map { Deed($0) })
    var hasWritten = false
    let copy = DatabaseCopy(
      of: database.core.current.settings, to: folder.path("copy.sqlite"),
      key: database.configuration.key, cipher: XTCipher())
    _ = FileManager.default.createFile(atPath: folder.path("copy.sqlite"), contents: nil)
    try database.reading { connection in
      try connection.inSnapshot {
        try copy.copyPages(from: connection) { _ in
          if hasWritten { return }
          hasWritten = true
          try elsewhere { _ = try deeds.insertList([Deed(1)]) }
        }
      }
    }
    #expect(hasWritten)
    #expect(try count(folder.path("copy.sqlite")) == 2_000)
    #expect(try deeds.count() == 2_001)
  }

  @Test(arguments: [XTConfiguration.JournalMode.delete, .truncate, .persist, .memory])
  func backup_otherJournalModes_whileOthersWrite(_ mode: XTConfiguration.JournalMode) throws {
    let other = try TestDatabase { $0.journalMode = mode }
    let deeds = other.table(Deed.self)
    try deeds.insertList((0..<800).map { Deed($0) })
    let path = other.path
    let settings = try other.database.configuration.connectionSettings(path: path)
    let neighbour = try Connection(settings)
    var steps = 0
    let copy = DatabaseCopy(
      of: other.database.core.current.settings, to: folder.path("copy.sqlite"),
      key: settings.key, cipher: XTCipher())
    _ = FileManager.default.createFile(atPath: folder.path("copy.sqlite"), contents: nil)
    try copy.copyPages(
      lending: { step in try other.database.reading { try step($0) } },
      { _ in
        steps += 1
        // Somebody else's writing has it begin anew, its own connection's does not.
        if steps < 40 { try neighbour.run("UPDATE Deed SET text = 'x' WHERE pkid = \(steps)") }
        if steps < 40 { _ = try deeds.insertList([Deed(steps)]) }
      })
    #expect(steps > 3)
    // After some beginnings it is done in one.
    #expect(steps < 40)
    try copy.verify(holding: nil) { _ in }
    #expect(try count(folder.path("copy.sqlite")) == deeds.count() - 1 || steps < 40)
    try other.database.backup(to: target)
    #expect(try count(target) == deeds.count())
    expectClean(other.database)
  }

  @Test func backup_ofADatabaseInMemory_isAFile() throws {
    let memory = try XTDatabase.inMemory()
    try memory.table(Deed.self).insertList((0..<10).map { Deed($0) })
    try memory.backup(to: target)
    #expect(try count(target) == 10)
  }

  @Test func backup_readOnly_isMade() throws {
    try database.close()
    var configuration = XTConfiguration()
    configuration.readOnly = true
    let reading = try XTDatabase(path: test.path, configuration: configuration)
    try reading.backup(to: target)
    #expect(try count(target) == 400)
  }

  @Test func backup_async_isMadeAndCancelled() async throws {
    try await database.backup(to: target)
    #expect(try count(target) == 400)
    let progress = Progress(totalUnitCount: 1)
    progress.cancel()
    try test.table(Deed.self).insertList([Deed(1)])
    await #expect(throws: CancellationError.self) {
      try await database.backup(to: target, keep: 3, progress: progress)
    }
    #expect(try names() == ["people.sqlite"])
    #expect(try count(target) == 400)
    expectClean(database)
  }

  @Test func backup_refused_leavesWhatIsThere() throws {
    try database.backup(to: target)
    let inside = try #require(throws: XTError.self) {
      try database.transaction { try database.backup(to: target) }
    }
    #expect(inside.kind == .locked && inside.message.contains("transaction"))
    let itself = try #require(throws: XTError.self) { try database.backup(to: test.path) }
    #expect(itself.kind == .open)
    let place = try #require(throws: XTError.self) { try database.backup(to: target + "/x.sqlite") }
    #expect(place.kind == .open)
    try database.read { try database.backup(to: target) }
    #expect(try names() == ["people.sqlite"])
    #expect(try count(target) == 400)
    expectClean(database)
    try database.close()
    #expect(throws: XTError.self) { try database.backup(to: target) }
  }

  @Test func backup_fewerKept_removesTheRest() throws {
    for _ in 1...5 { try database.backup(to: target, keep: 5) }
    try Data("mine".utf8).write(to: URL(fileURLWithPath: target + ".9"))
    try database.backup(to: target, keep: 2)
    #expect(try names() == ["people.sqlite", "people.sqlite.1", "people.sqlite.9"])
  }

  @Test func backup_whereSomethingElseIs_leavesThat() throws {
    try database.backup(to: target)
    let folder = target + ".1"
    try FileManager.default.createDirectory(
      atPath: folder + "/with/files", withIntermediateDirectories: true)
    #expect(mkfifo(target + "-pipe", 0o600) == 0)
    for (path, keep) in [(target, 2), (target + "-pipe", 1), ("/dev/null", 1)] {
      let error = try #require(throws: XTError.self) {
        try database.backup(to: path, keep: keep)
      }
      #expect(error.kind == .open && error.message.contains("no file"), "\(error)")
    }
    #expect(FileManager.default.fileExists(atPath: folder + "/with/files"))
    #expect(try names() == ["people.sqlite", "people.sqlite-pipe", "people.sqlite.1"])
  }

  @Test func backup_databaseHasTheNameOfAnEarlierOne_isRefused() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("backups"), withIntermediateDirectories: true)
    try database.moveFiles(to: target + ".1")
    try database.backup(to: target)
    let error = try #require(throws: XTError.self) { try database.backup(to: target, keep: 3) }
    #expect(error.kind == .open && error.message.contains("the database itself"))
    #expect(try database.table(Deed.self).count() == 400)
  }

  /// A log beside the earlier backup would be put into the new one.
  @Test func backup_overOneThatIsUsed_isRefusedOrTakesItsLogAway() throws {
    try database.backup(to: target)
    let used = try XTDatabase(path: target, configuration: database.configuration)
    try used.table(Deed.self).insertList([Deed(1)])
    let error = try #require(throws: XTError.self) { try database.backup(to: target, keep: 2) }
    #expect(error.kind == .locked)
    #expect(try used.table(Deed.self).count() == 401)
    // As a program leaves it that was killed.
    let copy = folder.path("copy")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: target + suffix, toPath: copy + suffix)
    }
    try used.close()
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: target + suffix)
      try FileManager.default.copyItem(atPath: copy + suffix, toPath: target + suffix)
    }
    try test.table(Deed.self).insertList([Deed(1), Deed(2), Deed(3)])
    try database.backup(to: target, keep: 2)
    #expect(try names() == ["people.sqlite", "people.sqlite.1"])
    #expect(try count(target) == 403)
    #expect(try count(target + ".1") == 401)
    // A log that no file goes with.
    try FileManager.default.removeItem(atPath: target)
    try FileManager.default.copyItem(atPath: copy + "-wal", toPath: target + "-wal")
    let stray = try #require(throws: XTError.self) { try database.backup(to: target) }
    #expect(stray.kind == .open && stray.message.contains("-wal"))
  }

  @Test func backup_ofADatabaseWithoutAnything_isRestored() throws {
    let empty = try TestDatabase { $0.journalMode = .delete }
    try empty.database.backup(to: target)
    try empty.table(Deed.self).insertList([Deed(1)])
    try empty.database.restore(from: target)
    #expect(try empty.tables() == [])
  }

  @Test func backup_ofADamagedDatabase_isNoneAndTheEarlierStays() throws {
    let plain = try TestDatabase { $0.key = nil }
    try plain.table(Deed.self).insertList((0..<400).map { Deed($0) })
    try plain.database.backup(to: target)
    try plain.database.whileClosed { url in
      var bytes = try Data(contentsOf: url)
      let middle = bytes.count / 2 / 4_096 * 4_096
      bytes.replaceSubrange(middle..<(middle + 200), with: Data(repeating: 0xFF, count: 200))
      try bytes.write(to: url)
    }
    let error = try #require(throws: XTError.self) {
      try plain.database.backup(to: target, keep: 2)
    }
    #expect(error.kind == .corrupt)
    #expect(try names() == ["people.sqlite"])
    #expect(try count(target) { $0.key = nil } == 400)
  }

  #if SQLCipher
    @Test(
      arguments: [nil, XTKey.passphrase("own")] as [XTKey?], [nil, XTKey.passphrase("backup")])
    func backup_withAKeyOfItsOwn_opensWithThatAlone(_ own: XTKey?, _ key: XTKey?) throws {
      let keyed = try TestDatabase { $0.key = own }
      try keyed.table(Deed.self).insertList((0..<100).map { Deed($0) })
      try keyed.database.backup(to: target, key: key)
      let expected = key ?? own
      #expect(try count(target) { $0.key = expected } == 100)
      for wrong: XTKey? in [nil, .passphrase("own"), .passphrase("backup")] where wrong != expected
      {
        #expect(throws: XTError.self) { try count(target) { $0.key = wrong } }
      }
      try keyed.table(Deed.self).deleteAll()
      try keyed.database.restore(from: target, key: key)
      #expect(try keyed.table(Deed.self).count() == 100)
      #expect(keyed.database.configuration.key == own)
      #expect(try names() == ["people.sqlite"])
    }

    @Test func restore_plainBackup_needsNoKey() throws {
      let plain = try TestDatabase { $0.key = nil }
      try plain.table(Deed.self).insertList((0..<50).map { Deed($0) })
      try plain.database.backup(to: target)
      let keyed = try TestDatabase { $0.key = .passphrase("own") }
      try keyed.database.restore(from: target)
      #expect(try keyed.table(Deed.self).count() == 50)
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: keyed.path)).prefix(6) != Data("SQLite".utf8))
    }
  #endif
}
