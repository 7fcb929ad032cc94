import Foundation
import Testing
import TortureWork

@testable import XTLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if SQLCipher
  /// As the plain files of `SalvageTortureTests`, encrypted: each page has a checksum there, so that
  /// nothing wrong comes back unseen.
  @Suite(.enabled(if: !TestKey.isSet)) struct CipherSalvageTortureTests {
    private static let passphrase = "Sésame 'ouvre\" toi"
    private static let damages: [Damage] = [
      .pages(percent: 1), .pages(percent: 5), .pages(percent: 20), .truncatedHalf,
      .garbageAppended, .bits(percent: 5), .zeroedHeader, .lostSchemaPage,
    ]

    @Test func rows_on_sound_pages_come_back_and_nothing_wrong_does() throws {
      let key = XTKey.passphrase(Self.passphrase)
      let file = try SalvageFile(rows: Torture.part(of: 200_000), key: key)
      try file.saveHints { $0.key = .passphrase(Self.passphrase) }
      let log = try file.opened(key: key).store.log
      for (index, damage) in Self.damages.enumerated() {
        for hints in [true, false] {
          let name = "case\(index)\(hints)"
          let path = try file.copy(name, hints: hints)
          var damaged = try damage.apply(
            to: path, log: log, pageSize: file.pageSize, seed: UInt64(index) + 11)
          let losesSalt = index >= 6
          // What is left of the first page fails its checksum.
          if losesSalt { damaged.insert(1) }
          let newPath = file.folder.path(name + "-new.sqlite")
          let salvage = {
            try XTRepair.salvage(path, to: newPath, key: .passphrase(Self.passphrase))
          }
          if losesSalt, !hints {
            // Without the salt no passphrase opens anything.
            #expect { try salvage() } throws: { ($0 as? XTError)?.kind == .encryption }
            continue
          }
          let report = try salvage()
          let measure = try SalvageMeasure(report, of: file, damaged: damaged, key: key)
          print("encrypted, \(damage), \(hints ? "with" : "without") hints: \(measure)")
          #expect(measure.share >= (hints ? 0.995 : 0.99), "\(damage), hints: \(hints)")
          // A last transaction whose end is lost is left out, and that is told.
          let isTold = report.problems.contains { $0.contains("not whole") }
          #expect(measure.unreported == 0 || isTold, "\(damage), hints: \(hints)")
        }
      }
    }

    @Test func keys_of_each_form_and_settings_open_the_pages() throws {
      let folder = try TemporaryFolder()
      let raw = Data((0..<32).map { UInt8($0 * 7) })
      let salt = Data((0..<16).map { UInt8(200 - $0) })
      let keys: [(XTKey, XTCipher)] = [
        (.passphrase("x"), XTCipher()), (.bytes(Data([0, 1, 0, 255])), XTCipher()),
        (.rawKey(raw), XTCipher()), (.rawKey(raw, salt: salt), XTCipher()),
        (.passphrase("x"), XTCipher(iterations: 5_000)),
        (.passphrase("x"), XTCipher(pageSize: 4_096)),
        (.passphrase("x"), XTCipher(compatibility: 2)),
        (.passphrase("x"), XTCipher(compatibility: 1)),
      ]
      for (index, (key, cipher)) in keys.enumerated() {
        let path = folder.path("\(index).sqlite")
        var settings = ConnectionSettings(path: path)
        settings.journalMode = "delete"
        settings.key = key
        settings.cipher = cipher
        let connection = try Connection(settings)
        try connection.executeScript(
          "CREATE TABLE t (a); INSERT INTO t VALUES ('here'), (zeroblob(9000))")
        connection.close()
        var options = XTSalvageOptions()
        options.cipher = cipher
        // What can be found out is.
        if cipher.compatibility != 1 { options.cipher.compatibility = nil }
        options.cipher.pageSize = nil
        options.writesPlainFile = true
        let newPath = folder.path("\(index)-new.sqlite")
        let report = try XTRepair.salvage(path, to: newPath, key: key, options: options)
        #expect(report.rows == 2 && report.score == 1, "\(index)")
        #expect { try XTRepair.salvage(path, to: newPath + "2", key: .passphrase("no")) } throws: {
          ($0 as? XTError)?.kind == .encryption
        }
        var plain = ConnectionSettings(path: newPath)
        plain.key = nil
        let saved = try Connection(plain)
        #expect(try saved.firstValue("SELECT a FROM t") == "here")
        saved.close()
      }
    }
  }
#endif

#if !canImport(Darwin)
  /// Files of SQLCipher 4, which not every system has: made here from plain ones.
  @Suite(.enabled(if: !TestKey.isSet)) struct SQLCipher4SalvageTests {
    /// Of the bytes at a page's end version 4 needs 80; its trees leave more alone where it has made a
    /// file for an earlier version.
    @Test(arguments: [80, 96])
    func damaged_page_of_a_version_4_file_costs_that_page_only(reserved: Int) throws {
      let library = try #require(CipherLibraries.found)
      let folder = try TemporaryFolder()
      let plain = folder.path("plain.sqlite")
      let connection = try Connection(Self.settings(plain, reserving: reserved))
      try connection.executeScript(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
        WITH RECURSIVE c (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 3000)
          INSERT INTO t SELECT i, 'text ' || i FROM c;
        """)
      connection.close()
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: plain)))
      // With bytes left alone on each page a plain file is read as well.
      let first = try XTRepair.salvage(plain, to: folder.path("first.sqlite"))
      #expect(first.rows == 3_000 && first.score == 1)

      let salt = (0..<16).map { UInt8($0 * 3) }
      let key = try #require(
        library.derive(
          XTKey.passphrase("four").engineBytes(), salt: salt, iterations: 256_000, .sha512))
      let second = try #require(
        library.derive(key, salt: salt.map { $0 ^ 0x3A }, iterations: 2, .sha512))
      for page in 1...(bytes.count / 4096) {
        let range = ((page - 1) * 4096)..<(page * 4096)
        bytes.replaceSubrange(
          range,
          with: try Self.encrypt(
            Array(bytes[range]), page: page, salt: salt, key: key, second: second, library))
      }
      bytes[4096 * 5 + 100] ^= 1
      // The header is gone in one of the two.
      if reserved == 96 { bytes[100] ^= 1 }
      let path = folder.path("four.sqlite")
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      var options = XTSalvageOptions()
      options.writesPlainFile = true
      let report = try XTRepair.salvage(
        path, to: folder.path("saved.sqlite"), key: .passphrase("four"), options: options)
      #expect(report.unreadablePages == (reserved == 96 ? 2 : 1))
      #expect(report.rows > 2_500 && report.rows < 3_000)
      #expect(report.tables.first?.isKnown == (reserved == 80))
      let saved = try Connection(ConnectionSettings(path: report.newPath))
      defer { saved.close() }
      let (table, text) = reserved == 96 ? (report.tables[0].name, "c1") : ("t", "a")
      let right = try saved.firstValue(
        "SELECT count(*) FROM \(table) WHERE \(text) = 'text ' || id")?.int64
      #expect(right == Int64(report.rows))
    }

    /// A file whose pages end in bytes that SQLite leaves alone.
    private static func settings(_ path: String, reserving count: Int) throws -> ConnectionSettings
    {
      var settings = ConnectionSettings(path: path)
      settings.journalMode = "delete"
      let connection = try Connection(settings)
      try connection.executeScript(
        "PRAGMA page_size = 4096; CREATE TABLE x (a); DROP TABLE x; VACUUM")
      connection.close()
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(4096))
      bytes[20] = UInt8(count)
      bytes[105] = UInt8((4096 - count) >> 8)
      bytes[106] = UInt8((4096 - count) & 255)
      // One page, and none that is free.
      for position in 28..<40 { bytes[position] = 0 }
      bytes[31] = 1
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      return settings
    }

    private static func encrypt(
      _ page: [UInt8], page number: Int, salt: [UInt8], key: SecretBytes, second: SecretBytes,
      _ library: any CipherLibrary
    ) throws -> [UInt8] {
      let start = number == 1 ? 16 : 0
      let iv = (0..<16).map { UInt8(($0 * 31 + number) & 255) }
      let secret = try #require(
        aes(Array(page[start..<4016]), key: key.withBytes { Array($0) }, iv: iv))
      let count = withUnsafeBytes(of: UInt32(number).littleEndian) { Array($0) }
      let sum = try #require(library.hmac(secret + iv + count, key: second, .sha512))
      return (number == 1 ? salt : []) + secret + iv + sum
    }

    /// OpenSSL encrypts; the library only ever decrypts.
    private static func aes(_ bytes: [UInt8], key: [UInt8], iv: [UInt8]) -> [UInt8]? {
      typealias New = @convention(c) () -> OpaquePointer?
      typealias Free = @convention(c) (OpaquePointer?) -> Void
      typealias Begin =
        @convention(c) (
          OpaquePointer?, OpaquePointer?, OpaquePointer?, UnsafePointer<UInt8>?,
          UnsafePointer<UInt8>?
        ) -> Int32
      typealias Update =
        @convention(c) (
          OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?,
          UnsafePointer<UInt8>?, Int32
        ) -> Int32
      let names: [String] = ["libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"]
      var handle: UnsafeMutableRawPointer?
      for name in names where handle == nil { handle = dlopen(name, RTLD_NOW) }
      func symbol<T>(_ name: String, _ type: T.Type) -> T? {
        handle.flatMap { dlsym($0, name) }.map { unsafeBitCast($0, to: type) }
      }
      guard let new = symbol("EVP_CIPHER_CTX_new", New.self),
        let free = symbol("EVP_CIPHER_CTX_free", Free.self),
        let cipher = symbol("EVP_aes_256_cbc", New.self),
        let begin = symbol("EVP_EncryptInit_ex", Begin.self),
        let update = symbol("EVP_EncryptUpdate", Update.self), let context = new()
      else { return nil }
      defer { free(context) }
      var result = [UInt8](repeating: 0, count: bytes.count + 16)
      var count: Int32 = 0
      guard begin(context, cipher(), nil, key, iv) == 1,
        update(context, &result, &count, bytes, Int32(bytes.count)) == 1,
        Int(count) == bytes.count
      else { return nil }
      return Array(result.prefix(bytes.count))
    }
  }
#endif
