import Foundation
import Testing
import TortureWork

@testable import XTLite

/// A process that is killed while it puts another file in the place of a database's.
@Suite struct ExchangeTortureTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("database.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  #if SQLCipher
    private static let first = String(repeating: "a1", count: 32)
    private static let second = String(repeating: "b2", count: 32)

    @Test func changeKey_killedAtAnyTime_leavesOneWholeFile() throws {
      try changeKey(from: Self.first, to: Self.second)
    }

    @Test func changeKey_ofAPlainFileKilledAtAnyTime_leavesOneWholeFile() throws {
      // Half of them on the way back.
      try changeKey(from: "-", to: Self.second, kills: 200)
    }

    private func changeKey(from old: String, to new: String, kills: Int = 100) throws {
      try ExchangeWork.makeFile(path: path, key: TestKey.named(old), text: "text")
      var (old, new) = (old, new)
      var changed = 0
      try killing(kills, ["key", path, old, new]) {
        let isNew = opens(new)
        // One of them, and not both.
        #expect(isNew != opens(old))
        let text = try text(key: isNew ? new : old)
        #expect(text == "text")
        if isNew {
          changed += 1
          (old, new) = (new, old)
        }
        return ["key", path, old, new]
      }
      // The next one leaves nothing of what the killed ones left.
      try ExchangeWork.changeKey(path: path, from: TestKey.named(old), to: TestKey.named(new))
      #expect(try leftovers() == [])
      if Torture.isFull { print("\(changed) changes were done") }
    }

    private func opens(_ key: String) -> Bool {
      // For writing: a journal that a process left is rolled back, by whoever comes first.
      guard let database = try? ExchangeWork.open(path: path, key: TestKey.named(key)) else {
        return false
      }
      return (try? database.close()) != nil
    }

    private func text(key: String) throws -> String? {
      try text(TestKey.named(key))
    }
  #endif

  @Test func restore_killedAtAnyTime_leavesOneWholeFile() throws {
    try ExchangeWork.makeFile(path: path, key: XTKey.initial, text: "even")
    let backups = ["odd", "even"].map { folder.path($0) }
    for (backup, name) in zip(backups, ["odd", "even"]) {
      try ExchangeWork.makeFile(path: backup, key: XTKey.initial, text: name)
    }
    try killing(100, ["restore", path, backups[0]]) {
      let text = try text(XTKey.initial)
      #expect(text == "odd" || text == "even")
      return ["restore", path, text == "odd" ? backups[1] : backups[0]]
    }
    try ExchangeWork.restore(path: path, from: backups[0])
    #expect(try text(XTKey.initial) == "odd")
    #expect(try leftovers() == [])
  }

  @Test func salvageOnDamage_killedAtAnyTime_leavesTheOldFileOrTheNewOne() throws {
    try ExchangeWork.makeFile(path: path, key: XTKey.initial, text: "text")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let page = bytes.count / 2 / 4_096 * 4_096
    bytes.replaceSubrange(page..<(page + 200), with: Data(repeating: 0xEE, count: 200))
    func damage() throws {
      try bytes.write(to: URL(fileURLWithPath: path))
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where name.contains(".damaged-") || name.hasSuffix("-wal") || name.hasSuffix("-shm") {
        try FileManager.default.removeItem(atPath: folder.path(name))
      }
    }
    try damage()
    var salvaged = 0
    try killing(100, ["salvage", path]) {
      if try Data(contentsOf: URL(fileURLWithPath: path)) != bytes {
        let database = try ExchangeWork.open(path: path, key: XTKey.initial)
        #expect(try database.checkIntegrity() == [])
        #expect(try database.table(Exchanged.self).count() > ExchangeWork.rows / 2)
        try database.close()
        salvaged += 1
        try damage()
      }
      return ["salvage", path]
    }
    try ExchangeWork.openSalvaging(path: path)
    #expect(try leftovers() == [])
    if Torture.isFull { print("\(salvaged) files were salvaged") }
  }

  /// Kills as many processes as a test is for, each at a random time of its work.
  ///
  /// - Parameters:
  ///   - kills: How many, where all of the torture is run.
  ///   - check: Looks at what one left, and says what the next one does.
  private func killing(
    _ kills: Int, _ first: [String], check: () throws -> [String]
  ) throws {
    var arguments = first
    // How long one takes that is let alone.
    let begin = Uptime.now
    try run(arguments, for: nil)
    let duration = UInt32(clamping: (Uptime.now - begin) / 1_000)
    arguments = try check()
    for _ in 0..<Torture.part(of: kills) {
      try run(arguments, for: .random(in: 0...(duration + 1_000)))
      arguments = try check()
    }
  }

  private func run(_ arguments: [String], for microseconds: UInt32?) throws {
    let child = try ChildProcess(arguments)
    #expect(child.line() == "begun")
    if let microseconds {
      usleep(microseconds)
      child.kill()
    } else {
      #expect(child.lines() == ["done"])
      child.wait()
    }
  }

  /// What all rows say, of a file that is whole.
  private func text(_ key: XTKey?) throws -> String? {
    let database = try ExchangeWork.open(path: path, key: key)
    defer { try? database.close() }
    #expect(try database.checkIntegrity().isEmpty)
    #expect(try database.table(Exchanged.self).count() == ExchangeWork.rows)
    let texts = try database.reading { try $0.rows("SELECT DISTINCT text FROM Exchanged") }
    #expect(texts.count == 1)
    return texts.first?.first?.string
  }

  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.contains("-xt-")
    }
  }
}

#if SQLCipher && os(Linux)
  /// A program that was built for SQLCipher, and has another SQLite in its place when it runs.
  @Suite struct MissingCipherTests {
    @Test func key_anotherSQLiteIsLoaded_throwsAndWritesNothing() throws {
      let libraries = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"]
        .map { $0 + "/libsqlite3.so.0" }
      guard let plain = libraries.first(where: FileManager.default.fileExists) else { return }
      let folder = try TemporaryFolder()
      let path = folder.path("x.sqlite")
      let child = try ChildProcess(
        ["open", path, "secret"], environment: ["LD_PRELOAD": plain])
      let line = child.line()
      child.wait()
      #expect(
        line == "encryption: the SQLite that this program runs on does not encrypt", "\(line ?? "")"
      )
      #expect(FileStamp.size(of: path) == 0)
    }
  }
#endif
