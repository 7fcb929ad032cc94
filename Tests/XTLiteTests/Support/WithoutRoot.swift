import Foundation
import Testing

/// Runs a test's body where permission bits count.
///
/// For the superuser they do not, so the same test is run again in a child that has given up the
/// power to pass over them: by util-linux's `setpriv`, on this program itself.
enum WithoutRoot {
  private static let mark = "XTLITE_WITHOUT_ROOT"
  private static let setpriv = "/usr/bin/setpriv"

  static var isPossible: Bool {
    geteuid() != 0 || FileManager.default.isExecutableFile(atPath: setpriv)
  }

  /// `test` is the name of the calling test as `--filter` takes it, "Suite/function".
  static func run(_ test: String, _ body: () throws -> Void) throws {
    if geteuid() != 0 || ProcessInfo.processInfo.environment[mark] != nil {
      return try body()
    }
    let child = Process()
    child.executableURL = URL(fileURLWithPath: setpriv)
    child.arguments = [
      "--bounding-set=-dac_override,-dac_read_search",
      "/proc/self/exe".resolvingLink, "--testing-library", "swift-testing", "--filter", test,
    ]
    child.environment = ProcessInfo.processInfo.environment.merging([mark: "1"]) { $1 }
    let output = Pipe()
    child.standardOutput = output
    child.standardError = output
    try child.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    child.waitUntilExit()
    #expect(child.terminationStatus == 0, "\(text)")
    // Where no test matched the name, the child succeeded at nothing.
    #expect(text.contains("1 test"), "\(text)")
  }
}

extension String {
  fileprivate var resolvingLink: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: self)) ?? self
  }
}
