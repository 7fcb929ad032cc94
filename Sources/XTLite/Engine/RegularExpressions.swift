import Foundation

/// What stands behind SQL's REGEXP, which SQLite has a word for and no function: the expressions that
/// one connection has met.
// @unchecked: SQLite calls the function in steps of its connection alone, and those one after the
// other.
final class RegularExpressions: @unchecked Sendable {
  static func register(on connection: Connection) throws {
    let expressions = RegularExpressions()
    try connection.createFunction("regexp", arguments: 2) { values in
      guard values.count == 2, values[0].storageClass == .text,
        let text = text(of: values[1].value)
      else { return .null }
      let range = NSRange(text.startIndex..., in: text)
      let match = try expressions.expression(values[0]).firstMatch(in: text, range: range)
      return .integer(match == nil ? 0 : 1)
    }
  }

  private static func text(of value: XTValue) -> String? {
    switch value {
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .blob, .null: nil
    }
  }

  /// The one of the row before: a statement asks for the same one in each row.
  private var last: (pattern: [UInt8], expression: NSRegularExpression)?
  private var known: [String: NSRegularExpression] = [:]
  private static let limit = 100

  private func expression(_ pattern: ColumnValue) throws -> NSRegularExpression {
    let bytes = pattern.utf8
    if let last, last.pattern.elementsEqual(bytes) { return last.expression }
    let text = String(decoding: bytes, as: UTF8.self)
    let expression = try known[text] ?? Self.make(text)
    if known[text] == nil {
      if known.count >= Self.limit { known.removeAll() }
      known[text] = expression
    }
    last = (Array(bytes), expression)
    return expression
  }

  private static func make(_ pattern: String) throws -> NSRegularExpression {
    // On Linux Foundation takes no empty pattern.
    let source = pattern.isEmpty ? "(?:)" : pattern
    guard let expression = try? NSRegularExpression(pattern: source) else {
      throw XTError(
        .sqlite, "REGEXP: the regular expression can't be read",
        hint: "it is one of Foundation's NSRegularExpression")
    }
    return expression
  }
}
