import Foundation
import Testing

@testable import XTLite

extension SharedDatabaseTests {
  @Suite struct ConfigureTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    @Test func configure_again_replacesTheSharedDatabase() throws {
      let first = try XTDatabase.configure(path: folder.path("a.sqlite"))
      #expect(try XTDatabase.shared === first)
      #expect(try XTDatabase.current() === first)
      let second = try XTDatabase.configure(path: folder.path("b.sqlite"))
      #expect(try XTDatabase.shared === second)
      #expect(first.isOpen)
      try XTDatabase.configure(first)
      #expect(try XTDatabase.shared === first)
      try XTDatabase.configure(first)
    }

    @Test func configure_insideABlock_throwsAndChangesNothing() throws {
      let database = try XTDatabase.configure(path: folder.path("a.sqlite"))
      let other = try XTDatabase.inMemory()
      let inside = folder.path("b.sqlite")
      for block in [database, other] {
        try block.read {
          #expect(throws: XTError.self) { try XTDatabase.configure(path: inside) }
          #expect(throws: XTError.self) { try XTDatabase.configure(other) }
        }
      }
      #expect(try XTDatabase.shared === database)
      #expect(!FileManager.default.fileExists(atPath: inside))
    }

    @Test func configure_blockOfTheOldOneRuns_waitsForItsEnd() throws {
      let old = try XTDatabase.configure(path: folder.path("a.sqlite"))
      let started = DispatchSemaphore(value: 0)
      let ended = Flag()
      Thread {
        try? old.transaction {
          started.signal()
          Thread.sleep(forTimeInterval: 0.1)
          ended.set(true)
        }
      }.start()
      started.wait()
      try XTDatabase.configure(XTDatabase.inMemory())
      #expect(ended.isSet)
    }

    /// Asks for the shared database when a database that holds it goes.
    private final class Asker: Sendable {
      deinit { _ = try? XTDatabase.shared }
    }

    @Test func configure_twiceAtOnce_holdsEachOldOneBackAndLetsItGoFreely() throws {
      let first = try XTDatabase.configure(path: folder.path("a.sqlite"))
      let (started, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread {
        try? first.transaction {
          started.signal()
          mayEnd.wait()
        }
      }.start()
      started.wait()
      let done = Mutex(0)
      func replace(_ name: String) {
        let path = folder.path(name)
        Thread {
          let asker = Asker()
          var configuration = XTConfiguration()
          configuration.clock = { withExtendedLifetime(asker) { Date() } }
          _ = try? XTDatabase.configure(path: path, configuration: configuration)
          done.withLock { $0 += 1 }
        }.start()
      }
      replace("b.sqlite")
      #expect(eventually { first.core.writers.waiting == 1 })
      // Nobody but the shared place holds the second one when the third comes.
      Thread {
        try? first.transaction { #expect(eventually { done.withLock { $0 } == 1 }) }
      }.start()
      #expect(eventually { first.core.writers.waiting == 2 })
      replace("c.sqlite")
      #expect(eventually { first.core.writers.waiting == 3 })
      mayEnd.signal()
      try #require(eventually { done.withLock { $0 } == 2 })
      #expect(try XTDatabase.shared !== first)
      try XTDatabase.shared.read {}
    }

    @Test func configure_fails_keepsTheOldOne() throws {
      let database = try XTDatabase.configure(path: folder.path("a.sqlite"))
      #expect(throws: XTError.self) { try XTDatabase.configure(path: folder.path) }
      #expect(try XTDatabase.shared === database)
    }
  }
}
