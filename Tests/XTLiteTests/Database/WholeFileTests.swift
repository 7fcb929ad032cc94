import Foundation
import Testing

@testable import XTLite

private struct Page: XTModel {
  var pkid: Int64?
  var name = ""

  init() {}
  init(_ name: String) { self.name = name }
}

/// `whileClosed { }` gives a file that is whole without what lies beside it.
@Suite struct WholeFileTests {
  let folder: TemporaryFolder
  let path: String
  let copy: String

  /// A file whose only row is in the log, as a killed program leaves it.
  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("left.sqlite")
    copy = folder.path("copy.sqlite")
    let first = folder.path("first.sqlite")
    let database = try XTDatabase(path: first)
    try database.table(Page.self).insertList([Page("in the log")])
    for name in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: first + name, toPath: path + name)
    }
  }

  private func names(in path: String) throws -> [String] {
    let other = try Connection(ConnectionSettings(path: path))
    defer { other.close() }
    return try other.rows("SELECT name FROM Page").map { $0[0].description }
  }

  private func exists(_ suffix: String) -> Bool {
    FileManager.default.fileExists(atPath: path + suffix)
  }

  @Test(arguments: [false, true])
  func whileClosed_logOfAKilledProgram_isInTheFile(_ isReadBefore: Bool) throws {
    let database = try XTDatabase(path: path)
    if isReadBefore { #expect(try database.table(Page.self).count() == 1) }
    try database.whileClosed { url in
      #expect(!exists("-wal") && !exists("-shm"))
      try FileManager.default.copyItem(atPath: url.path, toPath: copy)
    }
    #expect(try names(in: copy) == ["in the log"])
  }

  @Test func whileClosed_fileReplaced_logOfTheOldOneIsNotPutIntoIt() throws {
    let other = try XTDatabase(path: copy)
    try other.table(Page.self).insertList([Page("new"), Page("newer")])
    try other.close()
    let database = try XTDatabase(path: path)
    try database.whileClosed { url in
      try FileManager.default.removeItem(at: url)
      try FileManager.default.moveItem(atPath: copy, toPath: url.path)
    }
    #expect(try database.table(Page.self).findAll().map(\.name) == ["new", "newer"])
    #expect(try names(in: path) == ["new", "newer"])
  }

  @Test func whileClosed_anotherProgramReadsAnOlderState_throwsLockedAndGoesOn() throws {
    var configuration = XTConfiguration()
    configuration.busyTimeout = 0.05
    let database = try XTDatabase(path: path, configuration: configuration)
    let pages = database.table(Page.self)
    var settings = ConnectionSettings(path: path)
    settings.isReader = true
    let reader = try Connection(settings)
    try reader.executeScript("BEGIN; SELECT count(*) FROM Page")
    try pages.insertList([Page("later")])
    var hasRun = false
    let error = #expect(throws: XTError.self) { try database.whileClosed { _ in hasRun = true } }
    #expect(error?.kind == .locked && error?.message.contains("reader") == true)
    #expect(error?.path == path)
    #expect(!hasRun)
    #expect(try pages.count() == 2)
    try pages.insertList([Page("last")])
    try reader.run("COMMIT")
    // It may have the file open, as long as it leaves the log alone.
    try database.whileClosed { try FileManager.default.copyItem(atPath: $0.path, toPath: copy) }
    #expect(try names(in: copy) == ["in the log", "later", "last"])
  }

  @Test func whileClosed_readOnly_leavesTheLogToTheOthers() throws {
    var configuration = XTConfiguration()
    configuration.readOnly = true
    let database = try XTDatabase(path: path, configuration: configuration)
    try database.whileClosed { _ in #expect(exists("-wal")) }
    #expect(try database.table(Page.self).count() == 1)
  }

  // MARK: A file in the place of the open one

  /// Puts another file in the place of the open one, behind the database's back.
  private func replaceFile() throws {
    let other = try XTDatabase(path: copy)
    try other.table(Page.self).insertList([Page("foreign")])
    try other.close()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: copy, toPath: path)
  }

  @Test func fileReplaced_newReader_isRefusedAtItsFirstUse() throws {
    let database = try XTDatabase(path: path)
    try database.table(Page.self).insertList([Page("ours")])
    #expect(database.purge() > 0)
    try replaceFile()
    let error = #expect(throws: XTError.self) { try database.table(Page.self).findAll() }
    #expect(error?.kind == .open && error?.message.contains("another file") == true)
  }

  @Test func fileReplaced_newWriter_doesNotPutTheLogIntoIt() throws {
    let database = try XTDatabase(path: path)
    // A reader alone has it open.
    #expect(try database.table(Page.self).count() == 1)
    try replaceFile()
    let error = #expect(throws: XTError.self) {
      try database.table(Page.self).insertList([Page("ours")])
    }
    #expect(error?.kind == .open)
    for name in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + name) }
    #expect(try names(in: path) == ["foreign"])
  }
}
