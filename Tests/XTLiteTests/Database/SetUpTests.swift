import Foundation
import Testing

@testable import XTLite

@Suite struct SetUpTests {
  @Test func setUp_runsOnWriterAndReadersBeforeTheirFirstUse() throws {
    let kinds = Mutex<[Bool]>([])
    let test = try TestDatabase {
      $0.add(
        XTSetUp("temp") { connection in
          kinds.withLock { [isReader = connection.isReader] in $0.append(isReader) }
          try connection.execute("CREATE TEMP TABLE IF NOT EXISTS own (a)")
        })
    }
    let results = try test.database.withEachConnection {
      try $0.firstValue("SELECT count(*) FROM own")
    }
    for result in results { #expect(try result.get() == 0) }
    #expect(kinds.withLock { $0.sorted { !$0 && $1 } } == [false, true, true])
  }

  @Test func setUp_addedReplacedAndRemovedWhileOpen_runsBeforeTheNextUse() throws {
    let test = try TestDatabase()
    let ran = Mutex<[String]>([])
    func setUp(_ mark: String) -> XTSetUp {
      XTSetUp("it") { _ in ran.withLock { $0.append(mark) } }
    }
    try test.database.transaction {}
    try test.database.reconfigure { $0.add(setUp("first")) }
    #expect(ran.withLock { $0 } == [])
    try test.database.transaction {}
    try test.database.transaction {}
    #expect(ran.withLock { $0 } == ["first"])
    try test.database.reconfigure { $0.add(setUp("second")) }
    try test.database.transaction {}
    #expect(ran.withLock { $0 } == ["first", "second"])
    try test.database.reconfigure { $0.removeSetUp("it") }
    try test.database.transaction {}
    try test.database.whileClosed { _ in }
    try test.database.transaction {}
    #expect(ran.withLock { $0 } == ["first", "second"])
  }

  @Test func setUp_throws_failsTheCallUntilItIsRemoved() throws {
    let test = try TestDatabase()
    try test.database.reconfigure { $0.add(XTSetUp("wrong") { try $0.execute("SELEC 1") }) }
    for _ in 0..<2 {
      let error = #expect(throws: XTError.self) { try test.database.transaction {} }
      #expect(error?.message.hasPrefix("the set-up wrong failed") == true)
    }
    try test.database.reconfigure { $0.removeSetUp("wrong") }
    try test.database.transaction {}
    #expect(test.database.core.writers.counts.lent == 0)
  }

  @Test func setUp_throwsAtTheOpening_isTheOpeningsError() throws {
    let folder = try TemporaryFolder()
    var configuration = XTConfiguration()
    configuration.add(XTSetUp("wrong") { try $0.execute("SELECT nope") })
    for _ in 0..<2 {
      let error = #expect(throws: XTError.self) {
        try XTDatabase(path: folder.path("x.sqlite"), configuration: configuration)
      }
      #expect(error?.kind == .unknownColumn)
    }
    configuration.removeSetUp("wrong")
    _ = try XTDatabase(path: folder.path("x.sqlite"), configuration: configuration)
  }

  @Test func setUp_writesOnAReader_throwsReadOnly() throws {
    let test = try TestDatabase {
      $0.add(
        XTSetUp("table") { connection in
          if !connection.isReader {
            try connection.execute("CREATE TABLE IF NOT EXISTS made (a)")
          } else {
            do {
              try connection.execute("CREATE TABLE other (a)")
              Issue.record("a reader wrote")
            } catch let error as XTError where error.kind == .readOnly {}
          }
        })
    }
    try test.database.read {}
    try test.database.transaction {}
    #expect(try test.tables() == ["made"])
  }

  @Test func setUp_opensAFileWhoseSetUpOpensThisOne_oneOfThemThrows() throws {
    let folder = try TemporaryFolder()
    let paths = [folder.path("a.sqlite"), folder.path("b.sqlite")]
    let isInside = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    let (errors, isOver) = (Mutex<[XTError]>([]), DispatchSemaphore(value: 0))
    for index in 0..<2 {
      var configuration = XTConfiguration()
      configuration.add(
        XTSetUp("other") { _ in
          isInside[index].signal()
          isInside[1 - index].wait()
          isInside[1 - index].signal()
          _ = try XTDatabase(path: paths[1 - index])
        })
      Thread { [configuration] in
        do {
          _ = try XTDatabase(path: paths[index], configuration: configuration)
        } catch {
          errors.withLock { $0.append(error as? XTError ?? XTError(.sqlite, "\(error)")) }
        }
        isOver.signal()
      }.start()
    }
    for _ in 0..<2 { #expect(isOver.wait(timeout: .now() + 900) == .success) }
    // The set-up of the other one was let go on.
    #expect(errors.withLock { $0.map(\.kind) } == [.locked])
  }

  @Test func setUp_opensTheSameFile_throwsInsteadOfHanging() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.sqlite")
    var configuration = XTConfiguration()
    configuration.add(XTSetUp("again") { _ in _ = try XTDatabase(path: path) })
    let error = #expect(throws: XTError.self) {
      try XTDatabase(path: path, configuration: configuration)
    }
    #expect(error?.kind == .locked)
    #expect(error?.message.contains("inside of its own opening") == true)
  }
}
