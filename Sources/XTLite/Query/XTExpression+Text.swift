import Foundation

// SQL's functions of text, under their own names. Each is nil where the text is.
extension XTExpressible where Value: XTText {
  /// The text with ASCII letters in lower case; SQLite leaves others as they are.
  public func lower() -> XTExpression<Value> { text("lower") }

  /// The text with ASCII letters in upper case; SQLite leaves others as they are.
  public func upper() -> XTExpression<Value> { text("upper") }

  /// The text folded by Unicode's tables, so that texts that differ in case alone are the same.
  public func folded() -> XTExpression<Value> { text(CaseFolding.functionName) }

  /// The number of characters before the first NUL.
  public func length() -> XTExpression<Value.XTLength> { XTExpression(.call("length", [node])) }

  /// The code of the first character.
  public func unicode() -> XTExpression<Int?> { XTExpression(.call("unicode", [node])) }

  /// The text without spaces, or these characters, at both ends.
  public func trim(_ characters: String? = nil) -> XTExpression<Value> {
    text("trim", characters.map { [.value($0)] } ?? [])
  }

  /// The text without spaces, or these characters, at its beginning.
  public func ltrim(_ characters: String? = nil) -> XTExpression<Value> {
    text("ltrim", characters.map { [.value($0)] } ?? [])
  }

  /// The text without spaces, or these characters, at its end.
  public func rtrim(_ characters: String? = nil) -> XTExpression<Value> {
    text("rtrim", characters.map { [.value($0)] } ?? [])
  }

  /// A part of the text.
  ///
  /// - Parameters:
  ///   - start: the first character, 1 for that of the text; -1 is the last one.
  ///   - length: how many characters.
  public func substr(
    _ start: some XTArgument<Int>, _ length: some XTArgument<Int>
  ) -> XTExpression<Value> {
    text("substr", [start.argument, length.argument])
  }

  /// What is left of the text from a character on, 1 for its first one; from the last one for -1.
  public func substr(_ start: some XTArgument<Int>) -> XTExpression<Value> {
    text("substr", [start.argument])
  }

  /// The text with each `part` replaced.
  public func replace(
    _ part: some XTArgument<String>, with other: some XTArgument<String>
  ) -> XTExpression<Value> {
    text("replace", [part.argument, other.argument])
  }

  /// Where `part` begins in the text, 1 for its first character; 0 where it is not in it.
  public func instr(_ part: some XTArgument<String>) -> XTExpression<Value.XTLength> {
    XTExpression(.call("instr", [node, part.argument]))
  }

  /// Where another text that may be nil begins in the text; nil where one of them is.
  public func instr(_ part: some XTArgument<String?>) -> XTExpression<Int?> {
    XTExpression(.call("instr", [node, part.argument]))
  }

  /// The text with another behind it.
  public func concat(_ other: some XTArgument<String>) -> XTExpression<Value> {
    XTExpression(.infix(node, "||", other.argument, .concatenation))
  }

  /// The text with another behind it; nil where one of them is.
  public func concat(_ other: some XTArgument<String?>) -> XTExpression<String?> {
    XTExpression(.infix(node, "||", other.argument, .concatenation))
  }

  private func text(_ function: String, _ more: [SQLNode] = []) -> XTExpression<Value> {
    XTExpression(.call(function, [node] + more))
  }
}

extension XTExpressible where Value == Data {
  /// The number of bytes.
  public func length() -> XTExpression<Int> { XTExpression(.call("length", [node])) }
}

extension XTExpressible where Value == Data? {
  /// The number of bytes.
  public func length() -> XTExpression<Int?> { XTExpression(.call("length", [node])) }
}

extension XTExpressible {
  /// The bytes of the value's text in hexadecimal.
  public func hex() -> XTExpression<String> { XTExpression(.call("hex", [node])) }

  /// The value as an SQL literal.
  public func quote() -> XTExpression<String> { XTExpression(.call("quote", [node])) }

  /// "integer", "real", "text", "blob" or "null".
  public func typeof() -> XTExpression<String> { XTExpression(.call("typeof", [node])) }

  // MARK: NULL

  /// The value, or another one where it is NULL.
  public func ifnull<Wrapped>(_ other: Wrapped) -> XTExpression<Wrapped>
  where Value == Wrapped? {
    XTExpression(.call("ifnull", [node, .value(other)], collation: node.collation))
  }

  /// The value, or that of another expression where it is NULL.
  public func ifnull<Wrapped>(_ other: some XTExpressible<Wrapped>) -> XTExpression<Wrapped>
  where Value == Wrapped? {
    XTExpression(.call("ifnull", [node, other.node], collation: node.collation))
  }

  /// The value, or that of another expression where it is NULL; nil where both are.
  public func ifnull(_ other: some XTExpressible<Value>) -> XTExpression<Value>
  where Value: XTOptional {
    XTExpression(.call("ifnull", [node, other.node], collation: node.collation))
  }

  /// NULL where it is `value`, else as it is.
  public func nullif(_ value: Value) -> XTExpression<Value?> {
    XTExpression<Value?>(.nullif(node, .value(value)))
  }

  /// NULL where it is the value of another expression, else as it is.
  public func nullif(_ other: some XTExpressible<Value>) -> XTExpression<Value?> {
    XTExpression<Value?>(.nullif(node, other.node))
  }

  /// NULL where it is the value of another expression, which may be nil, else as it is.
  @_disfavoredOverload
  public func nullif(_ other: some XTExpressible<Value?>) -> XTExpression<Value?> {
    XTExpression<Value?>(.nullif(node, other.node))
  }

  // MARK: Types and collations

  /// The value as another type: SQL's CAST.
  ///
  /// ```swift
  /// Person.xt.age.cast(to: Double.self) / 3
  /// ```
  public func cast<V>(to type: V.Type) -> XTExpression<V> {
    XTExpression(
      .make {
        let column = try ColumnType.of(type)
        return .cast(
          node, column.storageClass.declaredType,
          collation: column.isDecimal ? DecimalOrder.collationName : nil)
      })
  }

  /// The value with an order of texts that comparisons, sorting and grouping go by.
  public func collate(_ collation: XTTextOrder) -> XTExpression<Value> {
    XTExpression(
      SQLNode(
        [.node(node, atLeast: .collate), .text(" COLLATE \(collation.name)")], .collate))
  }
}

extension XTExpressible where Value: XTOptional {
  /// NULL where it is `value`, else as it is.
  public func nullif(_ value: Value) -> XTExpression<Value> {
    XTExpression(.nullif(node, .value(value)))
  }

  /// NULL where it is the value of another expression, else as it is.
  public func nullif(_ other: some XTExpressible<Value>) -> XTExpression<Value> {
    XTExpression(.nullif(node, other.node))
  }

  /// NULL where it is the value of another expression, which is never nil, else as it is.
  public func nullif(_ other: some XTExpressible<Value.Wrapped>) -> XTExpression<Value> {
    XTExpression(.nullif(node, other.node))
  }
}

extension SQLNode {
  /// Compared by the first collation that one of them has, as SQLite does.
  fileprivate static func nullif(_ node: SQLNode, _ other: SQLNode) -> SQLNode {
    let compared = node.collated(node.collation ?? other.collation).compared
    return call("nullif", [compared, other], collation: node.collation)
  }
}

/// An order of texts.
public struct XTTextOrder: Hashable, Sendable {
  let name: String

  /// By bytes.
  public static let binary = XTTextOrder(name: "BINARY")
  /// By bytes, the case of ASCII letters aside.
  public static let nocase = XTTextOrder(name: "NOCASE")
  /// By bytes, spaces at the end aside.
  public static let rtrim = XTTextOrder(name: "RTRIM")
  /// XTLite's own: letters of every script are the same in both cases, and so are composed and
  /// decomposed characters. In queries only, never in a table.
  public static let unicode = XTTextOrder(name: CaseFolding.collationName)

  /// A collation of the program's own, see ``XTConfiguration/add(_:)-(XTCollation)``.
  public static func named(_ name: String) -> XTTextOrder { XTTextOrder(name: quoted(name)) }
}
