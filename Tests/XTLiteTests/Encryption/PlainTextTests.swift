import Foundation
import Testing

@testable import XTLite

#if SQLCipher
  private struct Confession: XTModel {
    var pkid: Int64?
    var needleproperty = ""

    init() {}
    init(_ text: String) { needleproperty = text }
  }

  /// Nothing that is written beside an encrypted file, or into it, can be read.
  @Suite struct PlainTextTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("secret.sqlite") }
    private let needles = ["needlevalue", "needleproperty", "SQLite format 3", "CREATE TABLE"]

    init() throws {
      folder = try TemporaryFolder()
    }

    private func open(
      _ mode: XTConfiguration.JournalMode, _ key: XTKey?
    ) throws -> XTDatabase {
      var configuration = XTConfiguration()
      configuration.key = key
      configuration.journalMode = mode
      // So little that pages go to the file and to the journal in the middle of a transaction.
      configuration.cacheSize = 4_096
      return try XTDatabase(path: path, configuration: configuration)
    }

    /// The needles that stand in a file, by its name.
    private func found() throws -> [String: [String]] {
      var found: [String: [String]] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
        found[name] = needles.filter { bytes.range(of: Data($0.utf8)) != nil }
      }
      return found
    }

    private func expectClean() throws {
      let found = try found()
      let isClean = found.values.allSatisfy(\.isEmpty)
      #expect(isClean, "\(found)")
    }

    private func write(_ database: XTDatabase) throws {
      let table = database.table(Confession.self)
      try table.insertList((0..<400).map { Confession("needlevalue \($0)") })
      try database.execute("CREATE INDEX needleindex ON Confession (needleproperty)")
      try database.transaction {
        try database.execute("UPDATE Confession SET needleproperty = needleproperty || 'x'")
        _ = try table.findAll(orderBy: .desc(\.needleproperty))
        try lookInside(database)
      }
      try database.execute("DELETE FROM Confession WHERE pkid % 2 = 0")
      try database.vacuum()
    }

    private func lookInside(_ database: XTDatabase) throws {
      try expectClean()
      let beside = database.configuration.journalMode == .wal ? "-wal" : "-journal"
      #expect(FileStamp.size(of: path + beside) > 4_096)
    }

    @Test(arguments: [XTConfiguration.JournalMode.wal, .delete, .truncate, .persist])
    func files_ofAnEncryptedDatabase_holdNoPlainText(_ mode: XTConfiguration.JournalMode) throws {
      let database = try open(mode, .passphrase("k"))
      try write(database)
      try expectClean()
      try database.backup(to: folder.path("backup.sqlite"))
      try database.changeKey(to: .passphrase("other"))
      try expectClean()
      try database.close()
      try expectClean()
      #expect(try found().count >= 2)
    }

    @Test func files_ofAPlainDatabase_holdIt() throws {
      let database = try open(.delete, nil)
      try database.table(Confession.self).insertList([Confession("needlevalue")])
      #expect(try found()["secret.sqlite"] == needles)
      try database.changeKey(to: .passphrase("k"))
      try expectClean()
    }
  }

  /// Files of the command line tool.
  @Suite struct CipherToolTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("x.sqlite") }

    init() throws {
      folder = try TemporaryFolder()
    }

    private var tool: String? {
      ["/usr/bin/sqlcipher", "/usr/local/bin/sqlcipher", "/opt/homebrew/bin/sqlcipher"].first(
        where: FileManager.default.isExecutableFile)
    }

    private func run(_ script: String) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: try #require(tool))
      process.arguments = ["-batch", path]
      let (input, output) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
      try input.fileHandleForWriting.close()
      let text = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return String(decoding: text, as: UTF8.self)
    }

    private static let raw = String(repeating: "0f", count: 32)

    /// A key, how the tool is given it, and the cipher's settings.
    private static let cases: [(XTKey, String, XTCipher)] = [
      (.passphrase("mamba"), "PRAGMA key = 'mamba';", XTCipher()),
      (.passphrase("it's \"🏀\""), "PRAGMA key = 'it''s \"🏀\"';", XTCipher()),
      (
        .rawKey(Data(repeating: 0x0F, count: 32)), "PRAGMA key = \"x'\(raw)'\";", XTCipher()
      ),
      (
        .passphrase("mamba"),
        "PRAGMA key = 'mamba'; PRAGMA cipher_page_size = 4096; PRAGMA kdf_iter = 5000;",
        XTCipher(pageSize: 4_096, iterations: 5_000)
      ),
    ]

    @Test(arguments: cases.indices)
    func files_ofTheTool_openHereAndTheOtherWay(_ index: Int) throws {
      guard tool != nil else { return }
      let (key, pragmas, cipher) = Self.cases[index]
      _ = try run(pragmas + "CREATE TABLE t (a); INSERT INTO t VALUES ('by the tool');")
      var configuration = XTConfiguration()
      configuration.key = key
      configuration.cipher = cipher
      let database = try XTDatabase(path: path, configuration: configuration)
      #expect(try database.anyFunc(sql: "SELECT a FROM t") == "by the tool")
      try database.execute("INSERT INTO t VALUES ('by XTLite')")
      #expect(try run(pragmas + "SELECT a FROM t;").contains("by the tool\nby XTLite"))
      try database.close()
      try FileManager.default.removeItem(atPath: path)
      let own = try XTDatabase(path: path, configuration: configuration)
      try own.execute("CREATE TABLE u (b)")
      try own.execute("INSERT INTO u VALUES ('new')")
      try own.close()
      #expect(try run(pragmas + "SELECT b FROM u;").contains("new"))
    }

    @Test func files_afterAChangeOfKey_openInTheTool() throws {
      guard tool != nil else { return }
      var configuration = XTConfiguration()
      configuration.key = nil
      let database = try XTDatabase(path: path, configuration: configuration)
      try database.execute("CREATE TABLE t (a)")
      try database.execute("INSERT INTO t VALUES ('kept')")
      try database.changeKey(to: .passphrase("mamba"))
      #expect(try run("PRAGMA key = 'mamba'; SELECT a FROM t;").contains("kept"))
      try database.changeKey(to: .passphrase("kobe"))
      #expect(try run("PRAGMA key = 'kobe'; SELECT a FROM t;").contains("kept"))
      let withOldKey = try run("PRAGMA key = 'mamba'; SELECT a FROM t;")
      #expect(!withOldKey.contains("kept"))
    }
  }
#endif
