import Foundation

/// How a value inside of JSON becomes what a column of its type would hold, where SQLite's own
/// functions give something else: JSON has bytes as base64, infinite numbers as texts, and decimals
/// as numbers, which are not to be made binary fractions.
enum JSONValue: String, Sendable {
  case bytes, real, float, decimal
  /// Any value, as JSON.
  case json

  /// The SQL function: `xt_json_value(json, kind)` of the JSON of one value, and
  /// `xt_json_value(json, kind, path)` of what is at a path.
  static let functionName = "xt_json_value"

  /// Whether the library has an operator that gives what is at a path as JSON, as it is written there.
  static let hasOperator = SQLiteLibrary.hasJSON && SQLiteLibrary.versionNumber >= 3_038_000

  static func register(on connection: Connection) throws {
    try connection.createFunction(functionName, arguments: 2) { values in
      guard values.count == 2, case .text(let kind) = values[1].value,
        case .text(let json) = values[0].value
      else { return .null }
      return JSONValue(rawValue: kind)?.value(of: json) ?? .null
    }
    try connection.createFunction(functionName, arguments: 3) { values in
      guard values.count == 3, case .text(let kind) = values[1].value,
        let json = try JSONExtract.json(in: values[0].value, at: values[2].value)
      else { return .null }
      return JSONValue(rawValue: kind)?.value(of: json) ?? .null
    }
  }

  /// What is no value of the kind stays the text that it is, which equals none and can't be read as
  /// one.
  func value(of json: String) -> XTValue {
    guard json != "null" else { return .null }
    if self == .json { return .text(json) }
    let text = Self.content(of: json)
    let value: XTValue? =
      switch self {
      case .bytes: Data(base64Encoded: text).map(XTValue.blob)
      case .real: Self.number(text).map(XTValue.real)
      case .float: Float(text).map { .real(Double($0)) }
      case .decimal: DecimalText.parse(text).flatMap(DecimalText.text).map(XTValue.text)
      case .json: nil
      }
    return value ?? .text(text)
  }

  private static func number(_ text: String) -> Double? {
    guard let number = Double(text), !number.isNaN else { return nil }
    return number
  }

  /// A text without its quotes; all else as it is.
  private static func content(of json: String) -> String {
    guard json.utf8.first == UInt8(ascii: "\""), json.utf8.count > 1 else { return json }
    guard json.utf8.contains(UInt8(ascii: "\\")) else {
      return String(json.dropFirst().dropLast())
    }
    return (try? JSONDecoder().decode(String.self, from: Data(json.utf8))) ?? json
  }
}
