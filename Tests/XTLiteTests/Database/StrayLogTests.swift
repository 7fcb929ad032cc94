import Foundation
import Testing

@testable import XTLite

private struct Leaf: XTModel {
  var pkid: Int64?
  var name = ""

  init() {}
  init(_ name: String) { self.name = name }
}

/// A log must get into no other file than its own, and all of it must be in a copy.
@Suite struct StrayLogTests {
  let test: TestDatabase
  var database: XTDatabase { test.database }
  private var leaves: XTTable<Leaf> { test.table(Leaf.self) }

  init() throws {
    test = try TestDatabase { $0.busyTimeout = 0.2 }
    try leaves.insertList([Leaf("a"), Leaf("b")])
  }

  /// Puts a database with one row in the place of the one that is open, and leaves the log there.
  private func replaceFile() throws {
    let other = try XTDatabase(path: test.path + ".other")
    try other.table(Leaf.self).insertList([Leaf("z")])
    try other.close()
    #expect(rename(test.path + ".other", test.path) == 0)
    #expect(FileStamp.size(of: test.path + "-wal") > 0)
  }

  private func expectTheOtherFile(
    _ opened: XTDatabase, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let names = try opened.table(Leaf.self).findAll().map(\.name)
    #expect(names == ["z"], sourceLocation: sourceLocation)
    #expect(try opened.checkIntegrity() == [], sourceLocation: sourceLocation)
  }

  @Test func close_fileWasReplaced_leavesNoLogForTheNewOne() throws {
    try replaceFile()
    #expect(throws: XTError.self) { try leaves.insertList([Leaf("lost")]) }
    try database.close()
    try expectTheOtherFile(XTDatabase(path: test.path))
  }

  @Test func deinit_fileWasReplaced_leavesNoLogForTheNewOne() throws {
    let path = test.path + ".second"
    var second: XTDatabase? = try XTDatabase(path: path)
    try second?.table(Leaf.self).insertList([Leaf("a")])
    let other = try XTDatabase(path: test.path + ".other")
    try other.table(Leaf.self).insertList([Leaf("z")])
    try other.close()
    #expect(rename(test.path + ".other", path) == 0)
    second = nil
    try expectTheOtherFile(XTDatabase(path: path))
  }

  @Test func open_fileWasReplacedAndTheOldOneIsStillOpen_readsTheNewOne() throws {
    try replaceFile()
    let second = try XTDatabase(path: test.path)
    try expectTheOtherFile(second)
    try second.table(Leaf.self).insertList([Leaf("y")])
    // The old one has left the log to it, and reads nothing that is not its own.
    for _ in 0..<2 {
      for call in [{ try leaves.count() }, { try leaves.insertList([Leaf("lost")]) }] {
        let error = #expect(throws: XTError.self) { try call() }
        #expect(error?.kind == .open)
      }
    }
    try database.close()
    #expect(try second.table(Leaf.self).count() == 2)
    try second.close()
    #expect(try XTDatabase(path: test.path).table(Leaf.self).count() == 2)
  }

  @Test func open_fileWasReplacedAndTheOldOneIsBeingRead_throwsAndTakesNothingFromIt() throws {
    _ = try leaves.count()
    try database.read {
      _ = try leaves.count()
      try elsewhere { [self] in
        try replaceFile()
        let error = #expect(throws: XTError.self) { try XTDatabase(path: test.path) }
        #expect(error?.kind == .locked)
        #expect(error?.path == test.path)
      }
    }
    try database.close()
    try expectTheOtherFile(XTDatabase(path: test.path))
  }

  @Test func read_fileWasReplaced_aReaderThatIsOpenedThenIsRefused() throws {
    try replaceFile()
    database.purge()
    let error = #expect(throws: XTError.self) { try leaves.count() }
    #expect(error?.kind == .open)
    #expect(error?.message.contains("another file") == true)
  }

  @Test func suspend_fileWasReplaced_theNewOneIsTheDatabaseAfterwards() throws {
    try replaceFile()
    try database.suspend()
    database.resume()
    try expectTheOtherFile(database)
  }

  /// A file that was moved away keeps what was committed.
  @Test func close_fileWasMovedAway_itsLogIsInIt() throws {
    let aside = test.path + ".aside"
    #expect(rename(test.path, aside) == 0)
    try replaceFile()
    try database.close()
    #expect(try XTDatabase(path: aside).table(Leaf.self).count() == 2)
    try expectTheOtherFile(XTDatabase(path: test.path))
  }

  @Test func whileClosed_anotherProgramHasTheFileOpen_aCopyIsWhole() throws {
    let other = try test.reader()
    defer { other.close() }
    #expect(try other.rows("SELECT count(*) FROM Leaf") == [[.integer(2)]])
    let copy = test.path + ".copy"
    try database.whileClosed { try FileManager.default.copyItem(atPath: $0.path, toPath: copy) }
    #expect(try XTDatabase(path: copy).table(Leaf.self).count() == 2)
    try leaves.insertList([Leaf("c")])
    #expect(try other.rows("SELECT count(*) FROM Leaf") == [[.integer(3)]])
  }

  @Test func whileClosed_anotherProgramReadsAnOlderState_throwsLockedAndGoesOn() throws {
    let other = try test.reader()
    defer { other.close() }
    try other.executeScript("BEGIN; SELECT * FROM Leaf")
    try leaves.insertList([Leaf("c")])
    let error = #expect(throws: XTError.self) {
      try database.whileClosed { _ in Issue.record("ran") }
    }
    #expect(error?.kind == .locked)
    #expect(error?.path == test.path)
    try leaves.insertList([Leaf("d")])
    expectClean(database)
    try other.executeScript("COMMIT")
    try database.whileClosed { _ in }
    #expect(try leaves.count() == 4)
  }
}
