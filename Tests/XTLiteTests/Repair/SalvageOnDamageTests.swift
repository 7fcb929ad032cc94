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
