import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard input and output, as a terminal where they are one.
enum Terminal {
  static var isInteractive: Bool { isatty(0) == 1 && isatty(1) == 1 }

  /// Each byte that is typed, or comes by a pipe. Read by a thread of its own: a read blocks.
  static var bytes: AsyncStream<UInt8> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        var byte: UInt8 = 0
        while read(0, &byte, 1) == 1 { continuation.yield(byte) }
        continuation.finish()
      }
    }
  }

  /// Lines of standard input, for programs that write to it.
  static var lines: AsyncStream<String> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
      }
    }
  }

  static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  /// Runs `body` while keys come one by one, Control-C too, and are not shown by the terminal itself.
  @MainActor
  static func raw(_ body: () async throws -> Void) async throws {
    var former = termios()
    tcgetattr(0, &former)
    var raw = former
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(0, TCSANOW, &raw)
    write("\u{1B}[?1049h")
    defer {
      write("\u{1B}[?1049l")
      tcsetattr(0, TCSANOW, &former)
    }
    try await body()
  }
}
