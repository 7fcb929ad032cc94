import Foundation
import Testing

@testable import XTLite

@Suite struct XTConfigurationTests {
  @Test func init_defaults_areTheDocumentedOnes() {
    let configuration = XTConfiguration()
    #expect(configuration.label == nil)
    #expect(!configuration.readOnly)
    #expect(configuration.synchronous == .normal)
    #expect(configuration.journalMode == .wal)
    #expect(configuration.busyTimeout == 10)
    #expect(configuration.foreignKeys)
    #expect(configuration.key == XTKey.initial)
    #expect(configuration.automaticColumns)
    #expect(configuration.automaticAdditions)
    #expect(!configuration.valuesInErrors)
    #expect(!configuration.debugLog)
  }

  @Test(arguments: [
    (0.5, 0.5), (0, 0), (-3, 0), (Double.nan, 0), (.infinity, 1e8), (1e300, 1e8),
  ])
  func waitLimit_anyBusyTimeout_isSafe(_ timeout: Double, _ limit: Double) {
    var configuration = XTConfiguration()
    configuration.busyTimeout = timeout
    #expect(configuration.waitLimit == limit)
  }

  @Test(arguments: [-1, .nan, 0, 1e-9, .infinity] as [Double])
  func busyTimeout_oddValues_openAndWork(_ timeout: Double) throws {
    var configuration = XTConfiguration()
    configuration.busyTimeout = timeout
    let database = try XTDatabase.inMemory(configuration: configuration)
    try database.transaction { try database.executeScript("CREATE TABLE t (a)") }
  }

  @Test func everySetting_reachesTheConnection() throws {
    let folder = try TemporaryFolder()
    var configuration = XTConfiguration()
    configuration.synchronous = .full
    configuration.journalMode = .truncate
    configuration.foreignKeys = false
    configuration.cacheSize = 1 << 20
    configuration.mappedSize = 1 << 24
    let database = try XTDatabase(path: folder.path("x.sqlite"), configuration: configuration)
    let values = try database.reading { connection in
      try ["synchronous", "journal_mode", "foreign_keys", "cache_size", "mmap_size"].map {
        try connection.firstValue("PRAGMA \($0)")
      }
    }
    #expect(values == [2, "truncate", 0, -1024, 16_777_216])
  }

  @Test(arguments: [
    XTConfiguration.JournalMode.wal, .delete, .truncate, .persist, .memory,
  ])
  func journalMode_each_opensAndCommits(_ mode: XTConfiguration.JournalMode) throws {
    let folder = try TemporaryFolder()
    var configuration = XTConfiguration()
    configuration.journalMode = mode
    let database = try XTDatabase(path: folder.path("x.sqlite"), configuration: configuration)
    try database.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let count = try database.read { try database.executeScript("SELECT 1") }
    #expect(count == 0)
  }

  @Test func key_shownAnyWay_isNotVisible() {
    var configuration = XTConfiguration()
    for key in [
      XTKey.passphrase("hush"), .bytes(Data("hush".utf8)),
      .rawKey(Data("hush".utf8), salt: Data("hush".utf8)),
    ] {
      configuration.key = key
      var dumped = ""
      dump(configuration, to: &dumped)
      for text in ["\(key)", String(reflecting: key), "\(configuration)", dumped] {
        #expect(!text.contains("hush"))
        #expect(!text.contains("4 bytes"))
      }
    }
  }

  @Test func key_rawOfWrongLength_throws() {
    #expect(throws: XTError.self) { try XTKey.rawKey(Data(count: 31)).engineBytes() }
    #expect(throws: XTError.self) {
      try XTKey.rawKey(Data(count: 32), salt: Data(count: 15)).engineBytes()
    }
  }
}
