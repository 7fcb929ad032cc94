import Foundation

/// SQL text in the making, from the parts of an interpolated literal: what both public types'
/// interpolations write into.
///
/// The first thing that is wrong is kept, and thrown where the text is used: a literal can't throw.
struct SQLText: Sendable {
  private(set) var fragment = SQLFragment()
  private(set) var error: (any Error)?

  /// Where the text ends just now.
  private enum Place { case outside, text, name, lineComment, blockComment }
  private var place = Place.outside
  private var lastKind: SQLScanner.Token.Kind?
  /// `IN` or `IN (` ends the text.
  private var wantsList = false
  private var wantsParenthesis = false
  private var depth = 0
  private var leftParentheses = false
  private var hasSemicolon = false
  /// The other SQL in it, of which a condition has to know whether it stays in its place.
  private var others: [String] = []
  private var firstWord: String?
  /// A long list that was put right behind `IN (`.
  private var openList: OpenList?

  /// Its placeholders are the end of the text: they become one where nothing else is in the
  /// parentheses.
  private struct OpenList {
    let values: ValueList
    let textLength: Int
    let valueCount: Int
  }

  private mutating func fail(_ error: any Error) {
    if self.error == nil { self.error = error }
  }

  private mutating func fail(_ message: String, hint: String) {
    fail(XTError(.sqlite, message, hint: hint, sql: fragment.text))
  }

  // MARK: Parts

  /// Text that the programmer wrote.
  mutating func append(literal text: String, allowsParameters: Bool = false) {
    guard !text.isEmpty else { return }
    closeList(before: text)
    // A digit right behind a placeholder would make it another one.
    if fragment.text.utf8.last == UInt8(ascii: "?"), let first = text.utf8.first,
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    {
      fragment.append(" ")
    }
    fragment.append(text)
    let scanner = SQLScanner(text)
    for token in scanner { note(token, scanner, allowsParameters: allowsParameters) }
  }

  private mutating func closeList(before text: String) {
    guard let list = openList else { return }
    openList = nil
    guard SQLScanner(text).first(where: { !$0.isComment })?.kind == .closeParenthesis else {
      return
    }
    fragment.text.removeLast(list.textLength)
    fragment.values.removeLast(list.valueCount)
    fragment.append(list.values.fragment)
  }

  private mutating func note(
    _ token: SQLScanner.Token, _ scanner: SQLScanner, allowsParameters: Bool
  ) {
    place = .outside
    switch token.kind {
    case .lineComment:
      if !token.isClosed { place = .lineComment }
      return
    case .blockComment:
      if !token.isClosed { place = .blockComment }
      return
    case .text:
      if !token.isClosed { place = .text }
    case .doubleQuoted, .name:
      if !token.isClosed { place = .name }
    case .openParenthesis:
      depth += 1
    case .closeParenthesis:
      depth -= 1
      if depth < 0 { leftParentheses = true }
    case .semicolon:
      hasSemicolon = true
    case .parameter where !allowsParameters:
      fail(
        "\(scanner.text(of: token)) has no value",
        hint: "write the value where it stands, as \\(value): it is bound, not put into the text")
    default:
      break
    }
    let word = token.kind == .word ? scanner.text(of: token).uppercased() : nil
    if lastKind == nil { firstWord = word }
    let isParenthesisAfterIn = token.kind == .openParenthesis && wantsParenthesis
    wantsParenthesis = word == "IN"
    wantsList = wantsParenthesis || isParenthesisAfterIn
    lastKind = token.kind
  }

  /// A value: bound, never in the text.
  mutating func append<V>(value: V) {
    guard canInterpolate() else { return }
    if wantsList, Self.isList(value) {
      fail(
        "\(V.self) is one value, not a list of values",
        hint: "write IN \\(list: values)")
    }
    do {
      fragment.append(SQLFragment("?", [try boundValue(of: value)]))
    } catch {
      fragment.append("NULL")
      fail(error)
    }
    endPart()
  }

  /// Values with commas between them, in parentheses where they follow IN.
  mutating func append<Values: Sequence>(list: Values) {
    guard canInterpolate() else { return }
    let (followsIn, isInParentheses) = (wantsParenthesis, wantsList)
    var openList: OpenList?
    do {
      let values = try list.map { try boundValue(of: $0) }
      if followsIn {
        fragment.append(try ValueList(values).inParentheses)
      } else {
        let text = SQLFragment.placeholders(values.count)
        fragment.append(SQLFragment(text, values))
        if isInParentheses {
          openList = OpenList(
            values: try ValueList(values), textLength: text.count, valueCount: values.count)
        }
      }
    } catch {
      fragment.append("NULL")
      fail(error)
    }
    endPart()
    self.openList = openList
  }

  /// A column's name.
  mutating func append(column keyPath: AnyKeyPath, of model: any XTModel.Type) {
    append(name: { try ModelMapping.of(model).column(for: keyPath).quotedName })
  }

  /// A model's table, by its usual name.
  mutating func append(tableOf model: any XTModel.Type) {
    append(name: { quoted(try ModelMapping.of(model).tableName) })
  }

  mutating func append(identifier: String) {
    append(name: { quoted(identifier) })
  }

  private mutating func append(name: () throws -> String) {
    guard canInterpolate() else { return }
    do {
      fragment.append(try name())
    } catch {
      fragment.append("NULL")
      fail(error)
    }
    endPart()
  }

  /// Other SQL with its values.
  mutating func append(_ make: () throws -> SQLFragment) {
    guard canInterpolate() else { return }
    do {
      let other = try make()
      fragment.append(other)
      others.append(other.text)
    } catch {
      fragment.append("NULL")
      fail(error)
    }
    endPart()
  }

  private mutating func endPart() {
    openList = nil
    lastKind = .other
    wantsList = false
    wantsParenthesis = false
  }

  /// Inside quotes a placeholder is a question mark, and the value would go nowhere.
  private mutating func canInterpolate() -> Bool {
    switch place {
    case .outside:
      return true
    case .text:
      fail(
        "a value stands inside quotes",
        hint: "leave the quotes out: values are bound; a pattern is made before:"
          + " name LIKE \\(start + \"%\")")
    case .name:
      fail(
        "a value stands inside the quotes of a name",
        hint: "leave the quotes out: \\(\\.property), \\(Model.self) and"
          + " \\(identifier: name) are quoted by themselves")
    case .lineComment, .blockComment:
      fail("a value stands inside a comment", hint: "take it out, or end the comment before it")
    }
    return false
  }

  private static func isList<V>(_ value: V) -> Bool {
    value is any Collection && !(value is String) && !(value is Data)
  }

  // MARK: The whole

  /// Ends the text of a whole statement or of a piece of one.
  mutating func finish() {
    switch place {
    case .outside:
      break
    case .text, .name:
      fail("a quote is not closed", hint: "double a quote that belongs to the text: 'it''s'")
    // What follows must not become part of the comment.
    case .lineComment:
      fragment.append("\n")
    case .blockComment:
      fragment.append(" */")
    }
    place = .outside
  }

  /// Ends the text of a condition, which other text is put around.
  mutating func finishCondition() {
    finish()
    for other in others.lazy.map(SQLOutline.init) {
      if other.depth != 0 || other.leavesParentheses { leftParentheses = true }
      if other.hasSemicolon { hasSemicolon = true }
    }
    if lastKind == nil {
      fail("the condition is empty", hint: "leave the condition out to have all rows")
    } else if firstWord == "WHERE" {
      fail("a condition begins after WHERE", hint: "leave the word WHERE out")
    } else if hasSemicolon {
      fail("a condition cannot hold a semicolon", hint: "run statements with execute")
    } else if leftParentheses || depth != 0 {
      fail("the parentheses of the condition don't match", hint: "close each one that is opened")
    }
  }
}
