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
    #if os(Linux)
      geteuid() != 0 || FileManager.default.isExecutableFile(atPath: setpriv)
    #else
      geteuid() != 0
    #endif
  }

  /// `test` is the name of the calling test as `--filter` takes it, "Suite/function".
  static func run(_ test: String, _ body: () throws -> Void) throws {
    if geteuid() != 0 || ProcessInfo.processInfo.environment[mark] != nil {
      return try body()
    }
    #if os(Linux)
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let (status, text) = output(
        "\(mark)=1 \(setpriv) --bounding-set=-dac_override,-dac_read_search "
          + "'\(program)' --testing-library swift-testing --filter '\(test)' 2>&1")
      #expect(status == 0, "\(text)")
      // Where no test matched the name, the child succeeded at nothing.
      #expect(text.contains("with 1 test"), "\(text)")
    #endif
  }

  #if os(Linux)
    // Not Foundation's Process: it leaks, which a leak check would show as ours.
    private static func output(_ command: String) -> (status: Int32, text: String) {
      guard let stream = popen(command, "r") else { return (-1, "popen failed") }
      var text: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = fread(&buffer, 1, buffer.count, stream)
        if count == 0 { break }
        text += buffer[..<count]
      }
      return (pclose(stream), String(decoding: text, as: UTF8.self))
    }
  #endif
}
