import Foundation
import Testing

@testable import XTLite

private struct Shard: XTModel {
  var pkid: Int64?
  var text = ""

  init() {}
  init(_ text: String) { self.text = text }
}

@Suite struct OpeningCheckTests {
  private let folder: TemporaryFolder
  private let path: String

  /// A plain file of 500 rows and an index.
  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("shards.sqlite")
    var configuration = XTConfiguration()
    configuration.key = nil
    let database = try XTDatabase(path: path, configuration: configuration)
    try database.table(Shard.self).insertList((0..<500).map { Shard("shard number \($0)") })
    try database.execute("CREATE INDEX by_text ON Shard (text)")
    try database.close()
  }

  private func open(_ change: (inout XTConfiguration) -> Void = { _ in }) throws -> XTDatabase {
    var configuration = XTConfiguration()
    configuration.key = nil
    configuration.busyTimeout = 0.1
    configuration.openingCheck = .full
    configuration.onDamage = .setAside
    change(&configuration)
    return try XTDatabase(path: path, configuration: configuration)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }.sorted()
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  private func write(_ value: UInt8, _ range: Range<Int>) throws {
    var bytes = try bytes()
    bytes.replaceSubrange(range, with: Data(repeating: value, count: range.count))
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  @Test func open_soundFile_isOpened() throws {
    let database = try open()
    #expect(database.damage == nil)
    #expect(try database.table(Shard.self).count() == 500)
    try database.close()
    let fresh = try XTDatabase(path: folder.path("fresh.sqlite"))
    #expect(fresh.damage == nil)
  }

  @Test func open_damagedFile_isSetAsideAndTold() throws {
    try write(0xFF, 8_192..<8_400)
    let before = try bytes()
    let told = Mutex<[String]>([])
    let heard = Mutex<[String]>([])
    let listening = XTMonitor.listen { event in
      if case .damaged(let error, _) = event { heard.withLock { $0.append(error.message) } }
    }
    defer { listening.cancel() }
    let database = try open {
      $0.damageFound = { damage in told.withLock { $0.append(damage.setAside) } }
    }
    let damage = try #require(database.damage)
    #expect(!damage.problems.isEmpty)
    #expect(damage.path == database.path)
    #expect(damage.setAside.hasPrefix(database.path + ".damaged-"))
    #expect(told.withLock { $0 } == [damage.setAside])
    #expect(heard.withLock { $0 }.contains { $0.contains(damage.setAside) })
    #expect(try Data(contentsOf: URL(fileURLWithPath: damage.setAside)) == before)
    #expect(try database.table(Shard.self).count() == 0)
    try database.table(Shard.self).insertList([Shard("new")])
    // A second value on it is told nothing.
    let other = try open {
      $0.damageFound = { damage in told.withLock { $0.append(damage.setAside) } }
    }
    #expect(other.damage != nil)
    #expect(told.withLock { $0.count } == 1)
    try database.close()
    try other.close()
    #expect(try names().count == 2)
    #expect(try open().table(Shard.self).count() == 1)
  }

  @Test func open_damagedTwice_keepsBoth() throws {
    for number in 1...3 {
      try Data("SQLite format 3\0 and nothing of the kind".utf8 + Data(count: 5_000))
        .write(to: URL(fileURLWithPath: path))
      let database = try open()
      #expect(database.damage != nil)
      try database.close()
      #expect(try names().filter { $0.contains("damaged") }.count == number)
    }
  }

  @Test func open_headerOfZeros_isDamage() throws {
    try write(0, 0..<100)
    let database = try open()
    #expect(database.damage != nil)
  }

  @Test func open_logOfADamagedFile_isSetAsideWithIt() throws {
    let database = try open { $0.openingCheck = .none }
    try database.table(Shard.self).insertList([Shard("in the log")])
    let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    let copy = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: path, toPath: copy.path("shards.sqlite"))
    try database.close()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: copy.path("shards.sqlite"), toPath: path)
    try write(0, 0..<100)
    try log.write(to: URL(fileURLWithPath: path + "-wal"))
    let again = try open()
    let damage = try #require(again.damage)
    // An older library can't leave it: what it says is in the file then.
    guard SQLiteLibrary.versionNumber >= 3_016_000 else { return }
    #expect(try Data(contentsOf: URL(fileURLWithPath: damage.setAside + "-wal")) == log)
    #expect(try again.table(Shard.self).count() == 0)
  }

  @Test func open_damagedFileThatIsToStay_throwsCorrupt() throws {
    try write(0xFF, 8_192..<8_400)
    let before = try bytes()
    for change: (inout XTConfiguration) -> Void in [
      { $0.onDamage = .fail }, { $0.readOnly = true },
    ] {
      let error = try #require(throws: XTError.self) { try open(change) }
      #expect(error.kind == .corrupt)
      #expect(error.hint?.contains("setAside") == true)
      #expect(try bytes() == before)
      #expect(try names() == ["shards.sqlite"])
    }
    // Not looked for, it is opened.
    #expect(try open { $0.openingCheck = .none }.damage == nil)
  }

  @Test func open_whatIsNoDatabase_stays() throws {
    try Data(
      "Dear diary, nothing happened today, as always. The weather was fine, and so was I. It was long."
        .utf8
    ).write(to: URL(fileURLWithPath: path))
    let error = try #require(throws: XTError.self) { try open() }
    #expect(error.kind == .notADatabase)
    #expect(try names() == ["shards.sqlite"])
  }

  @Test func open_indexThatDisagrees_isFoundByTheFullCheckOnly() throws {
    let other = try Connection(ConnectionSettings(path: path, key: nil))
    try other.executeScript(
      """
      DROP INDEX by_text; CREATE INDEX by_text ON Shard (text) WHERE pkid > 400;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, ' WHERE pkid > 400', '') WHERE name = 'by_text'
      """)
    other.close()
    let quick = try open { $0.openingCheck = .quick }
    #expect(quick.damage == nil)
    try quick.close()
    #expect(try open().damage != nil)
  }

  @Test func open_refillThatFails_leavesTheFileAndNothingElse() throws {
    try write(0xFF, 8_192..<8_400)
    let before = try bytes()
    #expect(throws: CancellationError.self) {
      try open { $0.refill = { _, _, _ in throw CancellationError() } }
    }
    #expect(try bytes() == before && names() == ["shards.sqlite"])
  }

  @Test func open_refill_fillsTheNewFile() throws {
    try write(0xFF, 8_192..<8_400)
    let before = try bytes()
    // What was known of the damaged file is no knowledge of the new one.
    try Data("hints".utf8).write(to: URL(fileURLWithPath: path + "-hints"))
    let database = try open {
      $0.refill = { damage, newPath, configuration in
        // Until the new one is whole the damaged one is where it was.
        #expect(try bytes() == before && FileIdentity(path: damage.setAside) != nil)
        let other = try Connection(configuration.connectionSettings(path: newPath))
        try other.executeScript("PRAGMA journal_mode = DELETE")
        try other.executeScript("CREATE TABLE Shard (pkid INTEGER PRIMARY KEY, text TEXT)")
        try other.executeScript("INSERT INTO Shard (text) VALUES ('salvaged')")
        other.close()
      }
    }
    #expect(try database.table(Shard.self).findAll().map(\.text) == ["salvaged"])
    let aside = try #require(database.damage?.setAside)
    #expect(!FileManager.default.fileExists(atPath: path + "-hints"))
    #expect(FileManager.default.contents(atPath: aside + "-hints") == Data("hints".utf8))
    try database.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == before)
    #expect(try names().allSatisfy { !$0.contains("-xt-") })
  }

  #if SQLCipher
    @Test func open_wrongKey_isNoDamage() throws {
      let database = try open()
      try database.changeKey(to: .passphrase("right"))
      try database.close()
      for key: XTKey? in [.passphrase("wrong"), nil] {
        #expect(throws: XTError.self) { try open { $0.key = key } }
        #expect(try names() == ["shards.sqlite"])
      }
    }

    @Test func open_damagedPageOfAnEncryptedFile_isSetAside() throws {
      let database = try open()
      try database.changeKey(to: .passphrase("k"))
      try database.close()
      try write(0xFF, 20_480..<20_700)
      let again = try open { $0.key = .passphrase("k") }
      #expect(again.damage != nil)
      #expect(try again.table(Shard.self).count() == 0)
    }

    @Test(arguments: [
      XTKey.passphrase("k"), .bytes(Data([0, 1, 0])), .rawKey(Data(repeating: 9, count: 32)),
      .rawKey(Data(repeating: 9, count: 32), salt: Data(repeating: 3, count: 16)),
    ])
    func open_damagedFirstPageOfAnEncryptedFile_isDamageAndNoWrongKey(_ key: XTKey) throws {
      let database = try open()
      try database.changeKey(to: key)
      try database.close()
      try write(0xFF, 200..<300)
      for wrong: XTKey? in [.passphrase("wrong"), nil] {
        let error = try #require(throws: XTError.self) { try open { $0.key = wrong } }
        #expect(error.kind == (wrong == nil ? .notADatabase : .encryption))
        #expect(try names() == ["shards.sqlite"])
      }
      let error = try #require(throws: XTError.self) {
        try open {
          $0.key = key
          $0.onDamage = .fail
        }
      }
      #expect(error.kind == .corrupt && error.message.contains("the key is right"))
      let again = try open { $0.key = key }
      #expect(again.damage != nil)
      #expect(try again.table(Shard.self).count() == 0)
    }

    @Test func open_damagedFirstPageOfAnotherCipher_isDamage() throws {
      let database = try open()
      let cipher = XTCipher(pageSize: 2_048, iterations: 5_000)
      try database.changeKey(to: .passphrase("k"), cipher: cipher)
      try database.close()
      try write(0xFF, 200..<300)
      let again = try open {
        $0.key = .passphrase("k")
        $0.cipher = cipher
      }
      #expect(again.damage != nil)
    }
  #endif
}
