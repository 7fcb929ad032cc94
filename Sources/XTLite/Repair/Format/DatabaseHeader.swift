/// The first 100 bytes of a database file. None of it is believed before something else in the file
/// agrees.
struct DatabaseHeader: Sendable {
  static let size = 100
  static let magic = Array("SQLite format 3\0".utf8)

  /// Bytes of a page; nil where the header gives none that there can be.
  let pageSize: Int?
  /// Bytes at the end of each page that the b-trees leave alone.
  let reserved: Int
  /// Pages of the database; nil where the header does not know.
  let pageCount: Int?
  let freelistHead: Int
  let freelistCount: Int
  /// Whether there may be pointer maps.
  let hasPointerMaps: Bool
  /// Whether free pages are only given back when the program asks for it.
  let isIncremental: Bool
  let encoding: TextEncoding?
  let schemaCookie: Int
  let userVersion: Int32
  let applicationID: Int32
  /// Whether all that never differs from file to file is as it should be.
  let isPlausible: Bool

  init(_ bytes: [UInt8]) {
    let stated = bytes.uint16(at: 16).map { $0 == 1 ? 65_536 : $0 } ?? 0
    pageSize = Self.isPageSize(stated) ? stated : nil
    reserved = bytes.uint8(at: 20) ?? 0
    let count = bytes.uint32(at: 28) ?? 0
    // Programs older than 3.7.0 don't keep the count up to date.
    let isCurrent = bytes.uint32(at: 24) == bytes.uint32(at: 92)
    pageCount = count > 0 && isCurrent ? count : nil
    freelistHead = bytes.uint32(at: 32) ?? 0
    freelistCount = bytes.uint32(at: 36) ?? 0
    schemaCookie = bytes.uint32(at: 40) ?? 0
    hasPointerMaps = (bytes.uint32(at: 52) ?? 0) > 0
    isIncremental = (bytes.uint32(at: 64) ?? 0) > 0
    encoding = bytes.uint32(at: 56).flatMap(TextEncoding.init)
    userVersion = Int32(truncatingIfNeeded: bytes.uint32(at: 60) ?? 0)
    applicationID = Int32(truncatingIfNeeded: bytes.uint32(at: 68) ?? 0)
    isPlausible =
      bytes.starts(with: Self.magic) && pageSize != nil && bytes.uint8(at: 21) == 64
      && bytes.uint8(at: 22) == 32 && bytes.uint8(at: 23) == 32
      && (pageSize ?? 0) - reserved >= 480
  }

  static func isPageSize(_ size: Int) -> Bool {
    size >= 512 && size <= 65_536 && size & (size - 1) == 0
  }

  static let pageSizes = [4096, 1024, 8192, 16_384, 32_768, 65_536, 2048, 512]
}

/// How a file keeps its texts.
enum TextEncoding: Int, Sendable {
  case utf8 = 1
  case utf16LittleEndian = 2
  case utf16BigEndian = 3

  /// As PRAGMA encoding takes it.
  var name: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16LittleEndian: "UTF-16le"
    case .utf16BigEndian: "UTF-16be"
    }
  }

  /// The text, and whether the bytes were one without any doubt.
  func decode(_ bytes: ArraySlice<UInt8>) -> (text: String, isWhole: Bool) {
    switch self {
    case .utf8:
      let text = String(decoding: bytes, as: UTF8.self)
      return (text, text.utf8.elementsEqual(bytes))
    case .utf16LittleEndian, .utf16BigEndian:
      let isLittle = self == .utf16LittleEndian
      var units: [UInt16] = []
      units.reserveCapacity(bytes.count / 2)
      var position = bytes.startIndex
      while position + 1 < bytes.endIndex {
        let (first, second) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
        units.append(isLittle ? second << 8 | first : first << 8 | second)
        position += 2
      }
      let text = String(decoding: units, as: UTF16.self)
      return (text, bytes.count % 2 == 0 && text.utf16.elementsEqual(units))
    }
  }
}
