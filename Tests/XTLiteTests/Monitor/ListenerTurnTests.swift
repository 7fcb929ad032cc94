import Foundation
import Testing

@testable import XTLite

/// Where the thread of a call has something in hand, though no connection of that call.
@Suite struct ListenerTurnTests {
  /// Another database, of which a listener hears that uses the first one.
  private final class Other: Sendable {
    let test: TestDatabase
    private let results = Mutex<[String]>([])
    private let listening = Mutex<XTListening?>(nil)

    init() throws {
      test = try TestDatabase()
      try test.database.execute("CREATE TABLE t (a)")
    }

    /// Has `body` run as soon as the listener is called.
    func listen(_ body: @escaping @Sendable () throws -> Void) {
      let token = XTMonitor.listen(to: test.database, for: .errors) { [results] _ in
        let result = Result(catching: body)
        results.withLock { $0.append((try? result.get()) != nil ? "free" : "\(result)") }
      }
      listening.withLock { $0 = token }
    }

    /// Does what the listener hears of.
    func fail() {
      _ = try? test.database.execute("SELECT nope")
    }

    /// What the listener found.
    var found: [String] { results.withLock { $0 } }
  }

  private let other: Other
  private let test: TestDatabase
  private var database: XTDatabase { test.database }

  init() throws {
    other = try Other()
    test = try TestDatabase { $0.busyTimeout = 0.2 }
    try test.database.execute("CREATE TABLE t (a)")
  }

  @Test func whileClosed_callOfAnotherDatabase_isToldAfterwards() throws {
    let (database, other) = (database, other)
    other.listen { try database.execute("INSERT INTO t VALUES (1)") }
    try database.whileClosed { _ in
      other.fail()
      #expect(other.found.isEmpty)
    }
    #expect(other.found == ["free"])
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try database.whileClosed { _ in
        other.fail()
        throw Failure()
      }
    }
    #expect(other.found == ["free", "free"])
    other.fail()
    #expect(other.found.count == 3)
    #expect(try test.seen("SELECT count(*) FROM t") == ["3"])
  }

  @Test(arguments: [false, true])
  func setUp_callOfAnotherDatabase_isToldWhenTheFileIsOpen(fails: Bool) throws {
    let folder = try TemporaryFolder()
    let other = other
    var configuration = XTConfiguration()
    configuration.busyTimeout = 0.2
    configuration.maximumReaders = 1
    configuration.add(
      XTSetUp("other") { _ in
        other.fail()
        #expect(other.found.isEmpty)
        // An error that was told of by the other one.
        if fails { try other.test.database.execute("SELECT nope") }
      })
    let path = folder.path("x.sqlite")
    other.listen { _ = try XTDatabase(path: path) }
    if fails {
      #expect(throws: XTError.self) { try XTDatabase(path: path, configuration: configuration) }
      #expect(Set(other.found) == ["free"])
    } else {
      let database = try XTDatabase(path: path, configuration: configuration)
      #expect(Set(other.found) == ["free"])
      withExtendedLifetime(database) {}
    }
  }

  @Test func setUp_ofAConnectionThatIsOpenedLater_isToldWhenItWasUsed() throws {
    let (other, isOn) = (other, Flag())
    let test = try TestDatabase {
      $0.busyTimeout = 0.2
      $0.maximumReaders = 1
      $0.add(XTSetUp("other") { _ in if isOn.isSet { other.fail() } })
    }
    let database = test.database
    try database.execute("CREATE TABLE t (a)")
    isOn.set(true)
    other.listen {
      isOn.set(false)
      try database.read { _ = try database.anyFunc(sql: "SELECT count(*) FROM t") }
      try database.execute("INSERT INTO t VALUES (1)")
    }
    database.purge()
    try database.read {}
    #expect(other.found == ["free"])
    // A set-up that comes while the connection is open.
    isOn.set(true)
    try database.reconfigure { $0.add(XTSetUp("later") { _ in other.fail() }) }
    try database.write {}
    #expect(other.found.first == "free" && Set(other.found) == ["free"])
  }

  @Test func setUp_thatFailsForAConnectionOpenedLater_isToldAllTheSame() throws {
    let (other, isOn) = (other, Flag())
    let test = try TestDatabase {
      $0.busyTimeout = 0.2
      $0.maximumReaders = 1
      $0.add(
        XTSetUp("other") { _ in
          if isOn.isSet { try other.test.database.execute("SELECT nope") }
        })
    }
    let database = test.database
    try database.execute("CREATE TABLE t (a)")
    isOn.set(true)
    other.listen {
      isOn.set(false)
      try database.read { _ = try database.anyFunc(sql: "SELECT count(*) FROM t") }
    }
    database.purge()
    #expect(throws: XTError.self) { try database.read {} }
    #expect(other.found == ["free"])
  }

  @Test func reconfigure_callOfAnotherDatabase_isToldAfterwards() throws {
    let (database, other) = (database, other)
    other.listen { try database.reconfigure { $0.longHold = 3 } }
    try database.reconfigure {
      $0.longHold = 2
      other.fail()
      #expect(other.found.isEmpty)
    }
    #expect(other.found == ["free"])
    #expect(database.configuration.longHold == 3)
  }
}
