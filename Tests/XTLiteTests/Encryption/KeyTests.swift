import Foundation
import TestProcess
import Testing

@testable import XTLite

/// Keys: which open a file, what is told of them, and where they are left.
@Suite struct KeyTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("x.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func configuration(
    _ key: XTKey?, _ change: (inout XTConfiguration) -> Void = { _ in }
  ) -> XTConfiguration {
    var configuration = XTConfiguration()
    configuration.key = key
    change(&configuration)
    return configuration
  }

  private func failure(_ configuration: XTConfiguration) throws -> XTError {
    try #require(throws: XTError.self) {
      try XTDatabase(path: path, configuration: configuration)
    }
  }

  /// The files of the folder, byte for byte.
  private func bytes() throws -> [String: Data] {
    var bytes: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      bytes[name] = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
    }
    return bytes
  }

  @Test func key_withoutEncryption_throwsAndSaysHowToGetIt() throws {
    guard !SQLiteLibrary.hasEncryption else { return }
    let error = try failure(configuration(.passphrase("k")))
    #expect(error.kind == .encryption)
    #expect(error.hint?.contains("traits: [\"SQLCipher\"]") == true)
    #expect(try bytes().isEmpty)
  }

  @Test func key_empty_throws() throws {
    for key: XTKey in [.passphrase(""), .bytes(Data())] {
      let error = try failure(configuration(key))
      #expect(error.kind == .encryption)
      #expect(error.message == "the key is empty")
      #expect(try bytes().isEmpty)
    }
  }

  @Test func rawKey_ofAnotherLength_throws() throws {
    for (key, salt) in [(31, nil), (33, nil), (32, 15), (32, 0)] as [(Int, Int?)] {
      let error = try failure(
        configuration(
          .rawKey(Data(repeating: 1, count: key), salt: salt.map { Data(repeating: 2, count: $0) }))
      )
      #expect(error.kind == .encryption)
    }
  }

  @Test func cipher_valuesThatCannotBe_throw() throws {
    let ciphers = [
      XTCipher(pageSize: 1_000), XTCipher(pageSize: 256), XTCipher(iterations: 0),
      XTCipher(compatibility: 0), XTCipher(compatibility: 5),
    ]
    for cipher in ciphers {
      let error = try failure(configuration(.passphrase("k")) { $0.cipher = cipher })
      #expect(error.kind == .encryption)
    }
  }

  #if SQLCipher
    private static let raw = XTKey.rawKey(Data((0..<32).map { 255 - $0 }))

    /// Makes the file, with a row in its log that is not in the file yet.
    private func makeFile(_ key: XTKey?) throws {
      let database = try XTDatabase(path: path, configuration: configuration(key))
      try database.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES ('row')")
      try database.close()
    }

    @Test func key_wrongEmptyOrMissing_isOneErrorAndTheFileStays() throws {
      try makeFile(.passphrase("right"))
      let before = try bytes()
      for key: XTKey in [.passphrase("wrong"), .bytes(Data([0])), Self.raw] {
        let error = try failure(configuration(key))
        #expect(error.kind == .encryption)
        #expect(error.message == "the key does not open the file")
        #expect(try bytes() == before)
      }
      let error = try failure(configuration(nil))
      #expect(error.kind == .notADatabase)
      #expect(error.message.contains("encrypted"))
      #expect(error.hint?.contains("XTConfiguration.key") == true)
      #expect(try bytes() == before)
    }

    @Test func key_wrongOverALog_losesNothing() throws {
      let source = try TemporaryFolder()
      let database = try XTDatabase(
        path: source.path("x.sqlite"), configuration: configuration(.passphrase("right")))
      try database.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES ('row')")
      for name in ["x.sqlite", "x.sqlite-wal"] {
        try FileManager.default.copyItem(atPath: source.path(name), toPath: folder.path(name))
      }
      try database.close()
      _ = try failure(configuration(.passphrase("wrong")))
      _ = try failure(configuration(nil))
      let again = try XTDatabase(path: path, configuration: configuration(.passphrase("right")))
      #expect(try again.anyFunc(sql: "SELECT a FROM t") == "row")
    }

    @Test func key_onAPlainFile_saysSo() throws {
      try makeFile(nil)
      let before = try bytes()
      let error = try failure(configuration(.passphrase("k")))
      #expect(error.kind == .encryption)
      #expect(error.message == "a key was given, but the file is not encrypted")
      #expect(try bytes() == before)
    }

    @Test(arguments: ["it's", "\"", "🏀 über", "a\0b", "\0", "'; DROP TABLE t; --", " ", "x'00'"])
    func passphrase_ofAnyCharacters_opensTheFileAlone(_ text: String) throws {
      try makeFile(.passphrase(text))
      #expect(try failure(configuration(.passphrase(text + "1"))).kind == .encryption)
      let again = try XTDatabase(path: path, configuration: configuration(.bytes(Data(text.utf8))))
      #expect(try again.anyFunc(sql: "SELECT a FROM t") == "row")
    }

    @Test(arguments: ["x", "X"])
    func passphrase_ofARawKeysForm_isThatKey(_ letter: String) throws {
      let digits = String(repeating: "0fA9", count: 16)
      let raw = XTKey.rawKey(
        Data((0..<32).map { $0 % 2 == 0 ? 0x0F : 0xA9 }))
      try makeFile(.passphrase("\(letter)'\(digits)'"))
      try XTDatabase(path: path, configuration: configuration(raw)).close()
      // Of another length it is a text like any other.
      try FileManager.default.removeItem(atPath: path)
      try makeFile(.passphrase("\(letter)'\(digits)0'"))
      #expect(try failure(configuration(raw)).kind == .encryption)
    }

    @Test func passphrase_composedOtherwise_isAnotherKey() throws {
      try makeFile(.passphrase("\u{E9}"))
      #expect(try failure(configuration(.passphrase("e\u{301}"))).kind == .encryption)
    }

    // MARK: Deriving

    @Test func connections_ofOneFile_shareWhatWasDerived() throws {
      for _ in 0..<2 {
        let database = try XTDatabase(path: path, configuration: configuration(.passphrase("k")))
        try database.executeScript("CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (1)")
        for result in try database.withEachConnection({ try $0.firstValue("SELECT a FROM t") }) {
          #expect(try result.get() == 1)
        }
        let derived = try #require(database.core.current.settings.derivedKey)
        #expect(derived.isKnown)
        #expect(derived.derivations == 1)
        try database.reconfigure { $0.busyTimeout = 3 }
        #expect(database.core.current.settings.derivedKey === derived)
        try database.close()
      }
    }

    @Test func derivation_thatDoesNotFit_leavesItToTheEngine() throws {
      try makeFile(.passphrase("k"))
      let settings = try configuration(.passphrase("k")).connectionSettings(path: path)
      let derived = try #require(settings.derivedKey)
      let wrong = try XTKey.passphrase("other").engineBytes()
      let connection = try Connection.open(settings)
      let salt = try #require(connection.header(of: CipherPages.saltSize))
      connection.close()
      var poisoned = settings
      let other = DerivedKey()
      poisoned.derivedKey = other
      _ = other.bytes(of: wrong, salt: salt) { .init(hash: .sha1, iterations: 2) }
      #expect(other.isKnown)
      let again = try Connection.open(poisoned)
      #expect(try again.firstValue("SELECT a FROM t") == "row")
      #expect(!other.isKnown)
      #expect(derived.isKnown)
    }

    @Test func cipher_settings_openTheFileAlone() throws {
      let cipher = XTCipher(pageSize: 8_192, iterations: 1_000)
      let database = try XTDatabase(
        path: path, configuration: configuration(.passphrase("k")) { $0.cipher = cipher })
      try database.executeScript("CREATE TABLE t (a)")
      #expect(try database.reading { try $0.pragma("page_size")?.settingNumber } == 8_192)
      let open = try failure(configuration(.passphrase("k")))
      #expect(open.message.contains("another cipher"))
      try database.close()
      #expect(try failure(configuration(.passphrase("k"))).kind == .encryption)
      let again = try XTDatabase(
        path: path, configuration: configuration(.passphrase("k")) { $0.cipher = cipher })
      #expect(try again.anyFunc(sql: "SELECT count(*) FROM t") == 0)
    }

    @Test(arguments: [1, 2, 3])
    func cipher_ofAnEarlierVersion_opensItsFiles(_ version: Int) throws {
      let old = configuration(.passphrase("k")) { $0.cipher.compatibility = version }
      let database = try XTDatabase(path: path, configuration: old)
      try database.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      for result in try database.withEachConnection({ try $0.firstValue("SELECT a FROM t") }) {
        #expect(try result.get() == 1)
      }
      #expect(database.core.current.settings.derivedKey?.isKnown == true)
      try database.close()
      let again = try XTDatabase(path: path, configuration: old)
      #expect(try again.anyFunc(sql: "SELECT a FROM t") == 1)
    }

    @Test func cipher_ofALaterVersion_throws() throws {
      guard try Connection(ConnectionSettings()).cipherVersion() < 4 else { return }
      let error = try failure(configuration(.passphrase("k")) { $0.cipher.compatibility = 4 })
      #expect(error.kind == .encryption)
      #expect(error.hint?.contains("link SQLCipher 4") == true)
    }

    // MARK: Where a key is left

    @Test func key_isInNoErrorLogOrStatement() throws {
      let secret = "needle-\(UUID().uuidString)"
      let log = Mutex("")
      @Sendable func note(_ text: some Any) {
        log.withLock { $0 += "\(text)\n" + String(reflecting: text) + "\n" }
      }
      let listening = XTMonitor.listen { note($0) }
      defer { listening.cancel() }
      for key: XTKey in [.passphrase(secret), .bytes(Data(secret.utf8))] {
        let settings = configuration(key) {
          $0.statementLog = { note($0) }
          $0.valuesInErrors = true
        }
        let database = try XTDatabase(path: path, configuration: settings)
        try database.executeScript("CREATE TABLE IF NOT EXISTS t (a)")
        for result in try database.withEachConnection({ try $0.firstValue("SELECT a FROM t") }) {
          note(result)
        }
        let wrong = configuration(.passphrase(secret + "!")) { $0.valuesInErrors = true }
        note(try failure(wrong))
        try database.close()
        note(try failure(wrong))
        note(database.configuration)
        var dumped = ""
        dump(database.configuration, to: &dumped)
        note(dumped)
      }
      let text = log.withLock { $0 }
      #expect(text.contains("CREATE TABLE"))
      #expect(!text.contains(secret))
      #expect(!text.contains(hexadecimal(Data(secret.utf8))))
    }

    #if os(Linux)
      /// In a process of its own, whose memory is all looked at.
      @Test func key_isErasedFromMemoryAfterUse() async {
        await #expect(processExitsWith: .success) {
          let folder = try TemporaryFolder()
          // In digits the key is nobody's but the library's and the engine's.
          let digits = (0..<64).map { _ in UInt8.random(in: 0..<16) }
          // Memory that was given back is written over at its beginning.
          let inverted = digits.suffix(40).map { ~($0 < 10 ? $0 + 48 : $0 + 87) }
          var configuration = XTConfiguration()
          configuration.key = .rawKey(
            Data((0..<32).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }))
          var bytes = try configuration.key?.engineBytes()
          let isThere = xtlite_tests_memory_holds(inverted, 40)
          // With nothing in between that could take the memory, and write over it.
          bytes = nil
          let isLeft = xtlite_tests_memory_holds(inverted, 40)
          #expect(isThere == 1 && isLeft == 0 && bytes == nil)
          let database = try XTDatabase(
            path: folder.path("x.sqlite"), configuration: configuration)
          try database.executeScript("CREATE TABLE t (a)")
          for result in try database.withEachConnection({ try $0.firstValue("SELECT a FROM t") }) {
            _ = try result.get()
          }
          // The engine keeps it as long as the file is open; from version 4 on so that nobody reads it.
          let version = try database.reading { try $0.cipherVersion() }
          #expect(xtlite_tests_memory_holds(inverted, 40) == (version < 4 ? 1 : 0))
          try database.changeKey(to: .passphrase("other"))
          #expect(xtlite_tests_memory_holds(inverted, 40) == 0)
          try database.close()
          #expect(xtlite_tests_memory_holds(inverted, 40) == 0)
        }
      }
    #endif
  #endif
}
