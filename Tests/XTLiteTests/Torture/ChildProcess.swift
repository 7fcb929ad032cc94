import Foundation
import Testing

@testable import XTLite

/// A running TortureChild, whose lines are read here.
///
/// Not Foundation's Process: it leaks, which a leak check would show as ours.
final class ChildProcess {
  private let process: pid_t
  private let output: Int32
  private var unread: [UInt8] = []
  private var hasEnded = false

  /// No other child that starts meanwhile may inherit the pipe.
  private static let starting = Lock()

  convenience init(_ arguments: String...) throws {
    try self.init(arguments)
  }

  /// - Parameter environment: What it has besides this process's.
  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    let path = try Self.path()
    (process, output) = try Self.starting.withLock {
      try Self.start(path, arguments, environment)
    }
  }

  private static func start(
    _ path: String, _ arguments: [String], _ environment: [String: String]
  ) throws -> (process: pid_t, output: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    let surroundings = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var variables = surroundings.map { strdup("\($0)=\($1)") } + [nil]
    defer {
      posix_spawn_file_actions_destroy(&actions)
      for word in words + variables { free(word) }
      close(ends[1])
    }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, nil, &words, &variables)
    if code != 0 { close(ends[0]) }
    try #require(code == 0, "\(path): \(String(cString: strerror(code)))")
    return (process, ends[0])
  }

  deinit {
    close(output)
    if !hasEnded { kill() }
  }

  /// The program lies beside the tests.
  private static func path() throws -> String {
    #if os(Linux)
      let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #else
      let tests = try #require(Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") })
        .bundlePath
    #endif
    return (tests as NSString).deletingLastPathComponent + "/TortureChild"
  }

  /// The next line; nil at the end of the output, or where none comes for a minute.
  func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 60_000) == 1 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { return nil }
      unread += buffer[..<count]
    }
  }

  /// The lines that are left, up to the end of the output.
  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  /// Ends it at once, whatever it does.
  func kill() {
    Foundation.kill(process, SIGKILL)
    _ = wait()
  }

  /// Waits for its end. Returns 0 where it ended by itself and well.
  @discardableResult
  func wait() -> Int32 {
    guard !hasEnded else { return -1 }
    hasEnded = true
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
