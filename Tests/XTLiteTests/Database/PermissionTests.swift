import Foundation
import Testing

@testable import XTLite

@Suite(.enabled(if: WithoutRoot.isPossible)) struct PermissionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func setPermissions(_ bits: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: bits], ofItemAtPath: path)
  }

  func failure(_ path: String, readOnly: Bool = false) throws -> XTError {
    var configuration = XTConfiguration()
    configuration.readOnly = readOnly
    return try #require(throws: XTError.self) {
      _ = try XTDatabase(path: path, configuration: configuration)
    }
  }

  func makeDatabase(_ journalMode: XTConfiguration.JournalMode = .delete) throws -> String {
    let path = folder.path("x.sqlite")
    var configuration = XTConfiguration()
    configuration.journalMode = journalMode
    let database = try XTDatabase(path: path, configuration: configuration)
    try database.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    try database.close()
    return path
  }

  @Test func init_noPermissionToRead_saysSo() throws {
    try WithoutRoot.run("PermissionTests/init_noPermissionToRead_saysSo") {
      let path = try makeDatabase()
      try setPermissions(0, of: path)
      for readOnly in [true, false] {
        let error = try failure(path, readOnly: readOnly)
        #expect(error.kind == .open)
        #expect(error.message == "there is no permission to read the file")
        #expect(error.path == (try FilePath.resolved(path)))
      }
    }
  }

  @Test func init_noPermissionToWrite_throwsReadOnlyAndOpensForReading() throws {
    try WithoutRoot.run(
      "PermissionTests/init_noPermissionToWrite_throwsReadOnlyAndOpensForReading"
    ) {
      let path = try makeDatabase()
      try setPermissions(0o444, of: path)
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let error = try failure(path)
      #expect(error.kind == .readOnly)
      #expect(error.hint?.contains("readOnly") == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      var configuration = XTConfiguration()
      configuration.readOnly = true
      let database = try XTDatabase(path: path, configuration: configuration)
      #expect(try database.reading { try $0.firstValue("SELECT a FROM t") } == 1)
    }
  }

  @Test func init_folderWithoutPermission_saysSo() throws {
    try WithoutRoot.run("PermissionTests/init_folderWithoutPermission_saysSo") {
      let inner = folder.path("inner")
      try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
      try setPermissions(0o500, of: inner)
      defer { try? setPermissions(0o700, of: inner) }
      let new = try failure(inner + "/x.sqlite")
      #expect(new.kind == .open)
      #expect(new.message.contains("no permission"))
      let deep = try failure(inner + "/a/b/x.sqlite")
      #expect(deep.kind == .open)
      #expect(deep.message.contains("could not be made"))
      try setPermissions(0, of: inner)
      #expect(try failure(inner + "/x.sqlite").kind == .open)
      #expect(try failure(inner + "/x.sqlite", readOnly: true).kind == .open)
    }
  }

  @Test func init_existingFileInAFolderThatCannotBeWritten_saysSo() throws {
    try WithoutRoot.run(
      "PermissionTests/init_existingFileInAFolderThatCannotBeWritten_saysSo"
    ) {
      let path = try makeDatabase()
      try setPermissions(0o500, of: folder.path)
      defer { try? setPermissions(0o700, of: folder.path) }
      let error = try failure(path)
      #expect(error.kind == .open)
      #expect(error.message.contains("folder"))
    }
  }
}
