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

  /// How many columns a text takes: two for a character of Chinese, Japanese or Korean, and for an
  /// emoji.
  static func columns(of text: String) -> Int {
    text.reduce(0) { columns, character in
      let isWide = character.unicodeScalars.contains { scalar in
        wide.contains { $0.contains(scalar.value) }
      }
      return columns + (isWide ? 2 : 1)
    }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
  ]

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
