import Foundation

/// The one way in which XTLite writes and reads JSON: keys sorted, slashes as they are, dates as
/// seconds since 1970, data in base64, infinities as "inf" and "-inf". NaN is refused.
enum JSONText {
  /// - Parameter mayNest: whether values of the type can be nested without a bound.
  static func encode<Value: Encodable>(_ value: Value, mayNest: Bool = false) throws -> String {
    try explaining {
      guard mayNest else { return try text(of: value) }
      return try NestingCheck.within(value) { try text(of: value) }
    }
  }

  private static func text<Value: Encodable>(of value: Value) throws -> String {
    try encoder.encode(value).withUnsafeBytes { bytes in
      guard !contains(nanMark.utf8, in: bytes) else {
        throw ColumnFailure.notStorable("NaN cannot be stored, nor inside of JSON")
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Runs `body`, and says of an encoder's error what a person would.
  static func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as EncodingError {
      throw ColumnFailure.notStorable("it cannot be encoded as JSON: \(explain(error))")
    }
  }

  /// - Parameter name: what an error says that the text is none of; the type for nil.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from text: String, as name: String? = nil
  ) throws -> Value {
    guard depth(of: text.utf8) <= DeepStack.shallow else {
      return try DeepStack.run { try decode(type, fromShallow: text, as: name) }
    }
    return try decode(type, fromShallow: text, as: name)
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, fromShallow text: String, as name: String?
  ) throws -> Value {
    do {
      return try decoder.decode(type, from: Data(text.utf8))
    } catch let failure as ColumnFailure {
      throw failure
    } catch {
      var failure = ColumnFailure.mismatch(.text(text), name ?? TypeName.display(type))
      failure.message += ": \((error as? DecodingError).map(explain) ?? "\(error)")"
      throw failure
    }
  }

  /// The most arrays and objects that stand around one place of a JSON text.
  static func depth(of text: String.UTF8View) -> Int {
    // Each level takes a byte at its beginning.
    guard text.count > DeepStack.shallow else { return text.count }
    var deepest = 0
    var depth = 0
    forEachStructural(text) { _, byte in
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return deepest
  }

  /// Calls `body` with each byte that stands outside of strings.
  private static func forEachStructural<Text: Collection<UInt8>>(
    _ text: Text, _ body: (Text.Index, UInt8) -> Void
  ) {
    var isInString = false
    var isEscaped = false
    for index in text.indices {
      let byte = text[index]
      if isInString {
        if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else {
        body(index, byte)
      }
    }
  }

  /// The texts of an array's elements, as they stand in the text of the array.
  static func elements(of array: String) -> [Substring.UTF8View] {
    var elements: [Substring.UTF8View] = []
    let inner = array.utf8.dropFirst().dropLast()
    var start = inner.startIndex
    var depth = 0
    forEachStructural(inner) { index, byte in
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        elements.append(inner[start..<index])
        start = inner.index(after: index)
      default: break
      }
    }
    if !inner.isEmpty { elements.append(inner[start...]) }
    return elements
  }

  // Both coders are set up once and only read afterwards, which makes them safe to share.
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.dataEncodingStrategy = .base64
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: nanMark)
    return encoder
  }()

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    decoder.dataDecodingStrategy = .base64
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: nanMark)
    return decoder
  }()

  /// The coder refuses either all of NaN and the infinities or none; so NaN goes through as a text
  /// that nothing else holds, and is looked for. It begins with a private-use character.
  private static let nanMark = "\u{E000}NaN \(UUID().uuidString)"

  private static func contains(_ mark: String.UTF8View, in bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = mark.first else { return false }
    var rest = bytes[...]
    while let index = rest.firstIndex(of: first) {
      if bytes[index...].starts(with: mark) { return true }
      rest = bytes[(index + 1)...]
    }
    return false
  }

  private static func explain(_ error: EncodingError) -> String {
    guard case .invalidValue(_, let context) = error else { return "\(error)" }
    return at(context.codingPath, context.debugDescription)
  }

  static func explain(_ error: DecodingError) -> String {
    switch error {
    case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
      at(context.codingPath, context.debugDescription)
    case .keyNotFound(let key, let context):
      at(context.codingPath, "there is no key \(key.stringValue)")
    @unknown default: "\(error)"
    }
  }

  private static func at(_ path: [any CodingKey], _ text: String) -> String {
    path.isEmpty ? text : "at \(path.map(\.stringValue).joined(separator: ".")), \(text)"
  }
}
