import Foundation
import Testing
import TortureWork

@testable import XTLite

/// Threads and processes that do everything at once on one file.
@Suite struct SoakTortureTests {
  private static let processes = 4
  private static let threads = 8
  /// How many threads each of the other processes has.
  private static let threadsOfOthers = 2

  /// A minute, or what XTLITE_SOAK_SECONDS says.
  private static let seconds: Double =
    ProcessInfo.processInfo.environment["XTLITE_SOAK_SECONDS"].flatMap(Double.init)
    ?? Double(Torture.part(of: 60))

  @Test func threadsAndProcesses_onOneFile_loseNoRow() async throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    let folder = try TemporaryFolder()
    let path = folder.path("soaked.sqlite")
    var configuration = XTConfiguration()
    // A sanitizer makes all of it ten times slower, and other suites may run beside it.
    configuration.busyTimeout = 60
    let database = try XTDatabase(path: path, configuration: configuration)
    try MixedWorker.prepare(database)

    let children = try (0..<Self.processes).map { number in
      try ChildProcess(
        "mixed", path, "process \(number)", "\(Self.threadsOfOthers)", "\(Self.seconds)",
        "\(seed + UInt64(number + 1) * 100_000)", "\(configuration.busyTimeout)")
    }
    var sum = try await work(path, configuration, seed)
    for child in children {
      let text = child.lines().joined(separator: "\n")
      let numbers = text.split(separator: " ").compactMap { Int($0) }
      try #require(numbers.count == 6, "\(text), seed \(seed)")
      sum.rows += numbers[0]
      sum.objects += numbers[1]
      sum.increments += numbers[2]
      sum.steps += numbers[3]
      sum.cancelled += numbers[4]
      sum.undone += numbers[5]
      #expect(child.wait() == 0)
    }
    try database.close()
    let other = try Connection(ConnectionSettings(path: path))
    defer { other.close() }
    #expect(try other.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try other.firstValue("SELECT count(*) FROM MixedRow") == .integer(Int64(sum.rows)))
    #expect(
      try other.firstValue("SELECT count(*) FROM MixedObject") == .integer(Int64(sum.objects)))
    #expect(
      try other.firstValue("SELECT value FROM MixedCounter") == .integer(Int64(sum.increments)))
    #expect(
      try other.firstValue("SELECT sum(amount) FROM MixedAccount")
        == .integer(Int64(MixedAccount.count * MixedAccount.start)))
    print(
      "\(Self.seconds) seconds: \(sum.steps) steps, \(sum.increments) shared increments,"
        + " \(sum.cancelled) cancelled, \(sum.undone) undone, \(sum.rows) rows at the end")
  }

  /// The threads of this process. No pool thread waits for them: their async calls need those.
  private func work(
    _ path: String, _ configuration: XTConfiguration, _ seed: UInt64
  ) async throws -> MixedWorker.Summary {
    try await withCheckedThrowingContinuation { continuation in
      let waiting = Mutex<CheckedContinuation<MixedWorker.Summary, any Error>?>(continuation)
      @Sendable func end(_ result: Result<MixedWorker.Summary, any Error>) {
        let continuation = waiting.withLock { waiting in
          defer { waiting = nil }
          return waiting
        }
        continuation?.resume(with: result)
      }
      MixedWork.run(
        path: path, configuration: configuration, name: "threads", threads: Self.threads,
        seconds: Self.seconds, seed: seed, end: end)
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.seconds + 900) {
        end(.failure(XTError(.locked, "the threads hang, seed \(seed)")))
      }
    }
  }
}
