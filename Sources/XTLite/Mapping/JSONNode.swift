import Foundation

/// JSON text taken apart without reading its numbers, so that each part can be handed on as it was
/// written: no digit gets lost on the way to the property that it is for.
struct JSONNode {
  enum Kind {
    case object([(name: String, node: JSONNode)])
    case array([JSONNode])
    case string(String)
    case bool(Bool)
    case number
    case null
  }

  let kind: Kind
  private let document: Document
  private let range: Range<Int>

  /// The node as it was written.
  var text: String { String(decoding: document.bytes[range], as: UTF8.self) }

  var isNull: Bool { if case .null = kind { true } else { false } }

  /// - Throws: `ColumnFailure` where `text` is no JSON, or nests more deeply than the limit.
  static func parse(_ text: String) throws -> JSONNode {
    var parser = Parser(document: Document(Array(text.utf8)))
    guard let node = parser.node(level: 0), parser.isAtEnd else {
      throw ColumnFailure.mismatch(.text(text), "JSON text")
    }
    return node
  }

  private final class Document {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }
  }

  private struct Parser {
    let document: Document
    var position = 0

    init(document: Document) {
      self.document = document
    }

    private var byte: UInt8? {
      position < document.bytes.count ? document.bytes[position] : nil
    }

    var isAtEnd: Bool {
      mutating get {
        skipBlanks()
        return byte == nil
      }
    }

    private mutating func skipBlanks() {
      while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      skipBlanks()
      guard byte == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    private mutating func take(word: StaticString) -> Bool {
      let length = word.utf8CodeUnitCount
      let bytes = UnsafeBufferPointer(start: word.utf8Start, count: length)
      guard document.bytes[position...].starts(with: bytes) else { return false }
      position += length
      return true
    }

    mutating func node(level: Int) -> JSONNode? {
      skipBlanks()
      let start = position
      guard level <= NestingCheck.limit, let byte, let kind = kind(byte, level) else { return nil }
      return JSONNode(kind: kind, document: document, range: start..<position)
    }

    private mutating func kind(_ byte: UInt8, _ level: Int) -> Kind? {
      switch byte {
      case UInt8(ascii: "{"): members(level).map(Kind.object)
      case UInt8(ascii: "["): elements(level).map(Kind.array)
      case UInt8(ascii: "\""): string().map(Kind.string)
      case UInt8(ascii: "t"): take(word: "true") ? .bool(true) : nil
      case UInt8(ascii: "f"): take(word: "false") ? .bool(false) : nil
      case UInt8(ascii: "n"): take(word: "null") ? .null : nil
      default: number() ? .number : nil
      }
    }

    private mutating func members(_ level: Int) -> [(name: String, node: JSONNode)]? {
      var members: [(name: String, node: JSONNode)] = []
      position += 1
      if take("}") { return members }
      repeat {
        skipBlanks()
        guard byte == UInt8(ascii: "\""), let name = string(), take(":"),
          let node = node(level: level + 1)
        else { return nil }
        members.append((name, node))
      } while take(",")
      return take("}") ? members : nil
    }

    private mutating func elements(_ level: Int) -> [JSONNode]? {
      var elements: [JSONNode] = []
      position += 1
      if take("]") { return elements }
      repeat {
        guard let node = node(level: level + 1) else { return nil }
        elements.append(node)
      } while take(",")
      return take("]") ? elements : nil
    }

    private mutating func string() -> String? {
      let start = position
      var hasEscapes = false
      position += 1
      while let byte, byte != UInt8(ascii: "\"") {
        if byte == UInt8(ascii: "\\") {
          hasEscapes = true
          position += 1
        }
        position += 1
      }
      guard byte != nil else { return nil }
      position += 1
      let whole = document.bytes[start..<position]
      guard hasEscapes else { return String(decoding: whole.dropFirst().dropLast(), as: UTF8.self) }
      return try? JSONText.decode(String.self, from: String(decoding: whole, as: UTF8.self))
    }

    private mutating func number() -> Bool {
      let start = position
      while let byte, "+-.eE0123456789".utf8.contains(byte) { position += 1 }
      return position > start
    }
  }
}

extension JSONNode {
  /// The member of an object that has this name; the last one where several have it.
  func member(_ name: String) -> JSONNode? {
    guard case .object(let members) = kind else { return nil }
    return members.last { $0.name == name }?.node
  }
}

/// Pieces of JSON in a text of several.
extension String {
  mutating func appendJSON(_ text: String) {
    var writer = JSONWriter()
    writer.append(text: text)
    append(String(decoding: writer.bytes, as: UTF8.self))
  }

  mutating func appendJSON(_ number: Double) throws(GaveUp) {
    var writer = JSONWriter()
    try writer.append(number: number)
    append(String(decoding: writer.bytes, as: UTF8.self))
  }
}
