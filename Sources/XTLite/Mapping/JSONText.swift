import Foundation

/// The one way in which XTLite writes and reads JSON: keys sorted, slashes as they are, dates as
/// seconds since 1970, data in base64, infinities as "inf" and "-inf". NaN is refused.
enum JSONText {
  static func encode<Value: Encodable>(_ value: Value) throws -> String {
    let data: Data
    do {
      data = try encoder.encode(value)
    } catch let failure as ColumnFailure {
      throw failure
    } catch let error as EncodingError {
      throw ColumnFailure.notStorable("it cannot be encoded as JSON: \(explain(error))")
    }
    return try data.withUnsafeBytes { bytes in
      guard !contains(nanMark.utf8, in: bytes) else {
        throw ColumnFailure.notStorable("NaN cannot be stored, nor inside of JSON")
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
    do {
      return try decoder.decode(type, from: Data(text.utf8))
    } catch let failure as ColumnFailure {
      throw failure
    } catch {
      var failure = ColumnFailure.mismatch(.text(text), TypeName.display(type))
      failure.message += ": \((error as? DecodingError).map(explain) ?? "\(error)")"
      throw failure
    }
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

  private static func explain(_ error: DecodingError) -> String {
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
