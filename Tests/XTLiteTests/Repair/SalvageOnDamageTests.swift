import Foundation
import Testing
import TortureWork

@testable import XTLite

private struct OpenedNote: XTModel {
  var pkid: Int64?
  var text = ""
}

@Suite(.enabled(if: !TestKey.isSet)) struct SalvageOnDamageTests {
  /// A file of notes, one of whose leaves is damaged.
  private func damaged(_ folder: TemporaryFolder) throws -> String {
    let path = folder.path("notes.sqlite")
    let database = try XTDatabase(path: path)
    try database.table(OpenedNote.self).insertList(
      (1...2_000).map { OpenedNote(text: "note number \($0)") })
    try database.close()
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let last = bytes.count - 4096
    for position in last..<(last + 300) { bytes[position] = 0xEE }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func opening_salvagesADamagedFileAndGoesOn() throws {
    let folder = try TemporaryFolder()
    let path = try damaged(folder)
    let reports = Mutex<[XTSalvageReport]>([])
    var configuration = XTConfiguration()
    configuration.salvageOnDamage { report in reports.withLock { $0.append(report) } }
    let database = try XTDatabase(path: path, configuration: configuration)
    let report = try #require(reports.withLock { $0.first })
    let count = try database.table(OpenedNote.self).count()
    let notes = report.tables.first { $0.name == "OpenedNote" }
    #expect(count > 1_000 && count < 2_000 && count == notes?.rows)
    #expect(database.damage?.setAside == report.path && report.newPath == database.path)
    #expect(FileManager.default.fileExists(atPath: report.path))
    #expect(try database.checkIntegrity() == [])
    try database.close()
    // The file is sound now.
    try XTDatabase(path: path, configuration: configuration).close()
    #expect(reports.withLock { $0.count } == 1)
  }

  /// The pages behind it tell that it was a database.
  @Test func opening_ofAFileWhoseFirstPageIsGarbage_salvagesIt() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("notes.sqlite")
    let database = try XTDatabase(path: path)
    try database.table(OpenedNote.self).insertList(
      (1...2_000).map { OpenedNote(text: "note number \($0)") })
    try database.saveRepairHints()
    try database.close()
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for position in 0..<4096 { bytes[position] = UInt8(position * 31 % 251) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    var configuration = XTConfiguration()
    configuration.openingCheck = .quick
    configuration.onDamage = .setAside
    let error = try #require(throws: XTError.self) {
      try XTDatabase(path: path, configuration: configuration)
    }
    #expect(error.kind == .notADatabase)
    configuration.salvageOnDamage()
    let again = try XTDatabase(path: path, configuration: configuration)
    #expect(try again.table(OpenedNote.self).count() == 2_000)
    #expect(try Data(contentsOf: URL(fileURLWithPath: again.damage?.setAside ?? "")) == Data(bytes))
    try again.close()
    // Something else is left alone.
    try Data((0..<20_000).map { UInt8($0 % 241) }).write(to: URL(fileURLWithPath: path))
    #expect(throws: XTError.self) { try XTDatabase(path: path, configuration: configuration) }
    #expect(FileStamp.size(of: path) == 20_000)
  }

  #if SQLCipher
    /// Without its first 16 bytes no key opens it. The hints know them.
    @Test func opening_ofAnEncryptedFileThatHasLostItsSalt_salvagesItByItsHints() throws {
      let folder = try TemporaryFolder()
      let path = folder.path("notes.sqlite")
      var configuration = XTConfiguration()
      configuration.key = .passphrase("k")
      let database = try XTDatabase(path: path, configuration: configuration)
      try database.table(OpenedNote.self).insertList(
        (1...2_000).map { OpenedNote(text: "note number \($0)") })
      try database.saveRepairHints()
      try database.close()
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      for position in 0..<16 { bytes[position] ^= 0x55 }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let error = try #require(throws: XTError.self) {
        try XTDatabase(path: path, configuration: configuration)
      }
      #expect(error.kind == .encryption)
      configuration.salvageOnDamage()
      let again = try XTDatabase(path: path, configuration: configuration)
      #expect(try again.table(OpenedNote.self).count() == 2_000)
      try again.close()
      // A wrong key is one, whatever the hints say.
      configuration.key = .passphrase("wrong")
      let wrong = try #require(throws: XTError.self) {
        try XTDatabase(path: path, configuration: configuration)
      }
      #expect(wrong.kind == .encryption)
      configuration.key = .passphrase("k")
      #expect(try XTDatabase(path: path, configuration: configuration).damage == nil)
    }
  #endif

  @Test func opening_whoseSalvageFails_leavesTheDamagedFileInItsPlace() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("notes.sqlite")
    // It begins as a database, and no page of one is in it.
    let bytes = Data("SQLite format 3\0".utf8) + Data(repeating: 0xEE, count: 500)
    try bytes.write(to: URL(fileURLWithPath: path))
    var configuration = XTConfiguration()
    configuration.salvageOnDamage()
    #expect(throws: XTError.self) { try XTDatabase(path: path, configuration: configuration) }
    #expect(FileManager.default.contents(atPath: path) == bytes)
  }
}
