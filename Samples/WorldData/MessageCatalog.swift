import Foundation

/// A compiled catalog of translations (.mo): pairs of texts behind two tables of lengths and
/// offsets, in the byte order of the machine that made it.
struct MessageCatalog {
  private var translations: [String: String] = [:]

  /// Nil where the data isn't a catalog.
  init?(_ data: Data) {
    let bytes = [UInt8](data)
    let isLittleEndian: Bool
    switch bytes.prefix(4) {
    case [0xDE, 0x12, 0x04, 0x95]: isLittleEndian = true
    case [0x95, 0x04, 0x12, 0xDE]: isLittleEndian = false
    default: return nil
    }

    func number(at offset: Int) -> Int? {
      guard offset >= 0, offset + 4 <= bytes.count else { return nil }
      let word = bytes[offset..<offset + 4]
      return (isLittleEndian ? word.reversed() : Array(word)).reduce(0) { $0 << 8 | Int($1) }
    }

    func text(at entry: Int) -> String? {
      guard let length = number(at: entry), let offset = number(at: entry + 4),
        offset + length <= bytes.count
      else { return nil }
      return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
    }

    guard let count = number(at: 8), let originals = number(at: 12),
      let translated = number(at: 16), originals + 8 * count <= bytes.count
    else { return nil }
    for index in 0..<count {
      guard let key = text(at: originals + 8 * index), let value = text(at: translated + 8 * index)
      else { return nil }
      translations[key] = value
    }
  }

  subscript(text: String) -> String? { translations[text] }
}

extension [String: MessageCatalog] {
  /// What each locale calls the text.
  func names(of text: String) -> [String: String] {
    compactMapValues { $0[text] }
  }
}
