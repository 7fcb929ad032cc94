/// A name as SQLite compares it: the ASCII letters without regard to case, all else byte for byte.
///
/// Swift's own `==` takes composed and decomposed letters for the same, which SQLite doesn't.
struct SQLiteName: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ name: String) {
    bytes = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  func hasPrefix(_ prefix: SQLiteName) -> Bool { bytes.starts(with: prefix.bytes) }
}
