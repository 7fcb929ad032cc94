import Foundation

/// What stands behind SQL's REGEXP, which SQLite has a word for and no function.
enum RegularExpressions {
  static func register(on connection: Connection) throws {
    try connection.createFunction("regexp", arguments: 2) { values in
      guard values.count == 2, case .text(let pattern) = values[0].value,
        let text = text(of: values[1].value)
      else { return .null }
      let range = NSRange(text.startIndex..., in: text)
      let match = try expression(pattern).firstMatch(in: text, range: range)
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

  /// The latest ones: a statement asks for the same one in each row.
  private static let known = Mutex<[String: NSRegularExpression]>([:])
  private static let limit = 100

  private static func expression(_ pattern: String) throws -> NSRegularExpression {
    if let expression = known.withLock({ $0[pattern] }) { return expression }
    guard let expression = try? NSRegularExpression(pattern: pattern) else {
      throw XTError(
        .sqlite, "REGEXP: the regular expression can't be read",
        hint: "it is one of Foundation's NSRegularExpression")
    }
    known.withLock {
      if $0.count >= limit { $0.removeAll() }
      $0[pattern] = expression
    }
    return expression
  }
}
