extension XTExpressible {
  /// Whether it is NULL.
  public var isNull: XTPredicate { XTPredicate(node.followed(by: "IS NULL")) }

  /// Whether it is not NULL.
  public var isNotNull: XTPredicate { XTPredicate(node.followed(by: "IS NOT NULL")) }

  /// SQL's IS: as `==`, but NULL is NULL, and the result never is.
  public func `is`(_ other: some XTExpressible<Value>) -> XTPredicate {
    XTPredicate(.comparing(node, "IS", other.node))
  }

  /// SQL's IS with an expression that may be nil.
  public func `is`(_ other: some XTExpressible<Value?>) -> XTPredicate {
    XTPredicate(.comparing(node, "IS", other.node))
  }

  /// SQL's IS with a value; nil is NULL.
  public func `is`(_ value: Value?) -> XTPredicate {
    XTPredicate(.comparing(node, "IS", .value(optional: value, column: node.name)))
  }

  /// SQL's IS NOT: as `!=`, but NULL differs from every value.
  public func isNot(_ other: some XTExpressible<Value>) -> XTPredicate {
    XTPredicate(.comparing(node, "IS NOT", other.node))
  }

  /// SQL's IS NOT with an expression that may be nil.
  public func isNot(_ other: some XTExpressible<Value?>) -> XTPredicate {
    XTPredicate(.comparing(node, "IS NOT", other.node))
  }

  /// SQL's IS NOT with a value; nil is NULL.
  public func isNot(_ value: Value?) -> XTPredicate {
    XTPredicate(.comparing(node, "IS NOT", .value(optional: value, column: node.name)))
  }

  // MARK: BETWEEN

  /// Whether it is at least `low` and at most `high`.
  public func between(_ low: Value, _ high: Value) -> XTPredicate {
    XTPredicate(
      .between(node, .value(low, column: node.name), .value(high, column: node.name)))
  }

  /// Whether it is at least one expression and at most another.
  public func between(
    _ low: some XTExpressible<Value>, _ high: some XTExpressible<Value>
  ) -> XTPredicate {
    XTPredicate(.between(node, low.node, high.node))
  }

  /// Whether it is at least `low` and at most an expression.
  public func between(_ low: Value, _ high: some XTExpressible<Value>) -> XTPredicate {
    XTPredicate(.between(node, .value(low, column: node.name), high.node))
  }

  /// Whether it is at least an expression and at most `high`.
  public func between(_ low: some XTExpressible<Value>, _ high: Value) -> XTPredicate {
    XTPredicate(.between(node, low.node, .value(high, column: node.name)))
  }

  /// Whether it is at least `low` and at most an expression that may be nil.
  @_disfavoredOverload
  public func between(_ low: Value, _ high: some XTExpressible<Value?>) -> XTPredicate {
    XTPredicate(.between(node, .value(low, column: node.name), high.node))
  }

  /// Whether it is at least an expression that may be nil and at most `high`.
  @_disfavoredOverload
  public func between(_ low: some XTExpressible<Value?>, _ high: Value) -> XTPredicate {
    XTPredicate(.between(node, low.node, .value(high, column: node.name)))
  }

  /// Whether it is at least one expression that may be nil and at most another.
  @_disfavoredOverload
  public func between(
    _ low: some XTExpressible<Value?>, _ high: some XTExpressible<Value?>
  ) -> XTPredicate {
    XTPredicate(.between(node, low.node, high.node))
  }

  // MARK: IN

  /// Whether it is one of `values`. A nil among them means NULL; an empty list matches nothing.
  public func `in`(_ values: some Sequence<Value>) -> XTPredicate {
    XTPredicate(.membership(of: node, in: values))
  }

  /// Whether it is none of `values`. NULL is not, unless the list is empty.
  public func notIn(_ values: some Sequence<Value>) -> XTPredicate {
    XTPredicate(.membership(of: node, in: values, isNegated: true))
  }
}

extension XTExpressible where Value: XTOptional {
  /// Whether it is one of `values`, none of which is nil.
  @_disfavoredOverload
  public func `in`(_ values: some Sequence<Value.Wrapped>) -> XTPredicate {
    XTPredicate(.membership(of: node, in: values))
  }

  /// Whether it is none of `values`, none of which is nil.
  @_disfavoredOverload
  public func notIn(_ values: some Sequence<Value.Wrapped>) -> XTPredicate {
    XTPredicate(.membership(of: node, in: values, isNegated: true))
  }

  /// SQL's IS with an expression that is never nil.
  public func `is`(_ other: some XTExpressible<Value.Wrapped>) -> XTPredicate {
    XTPredicate(.comparing(node, "IS", other.node))
  }

  /// SQL's IS NOT with an expression that is never nil.
  public func isNot(_ other: some XTExpressible<Value.Wrapped>) -> XTPredicate {
    XTPredicate(.comparing(node, "IS NOT", other.node))
  }

  /// Whether it is at least `low` and at most `high`.
  @_disfavoredOverload
  public func between(
    _ low: some XTExpressible<Value.Wrapped>, _ high: some XTExpressible<Value.Wrapped>
  ) -> XTPredicate {
    XTPredicate(.between(node, low.node, high.node))
  }

  /// Whether it is at least `low` and at most an expression.
  @_disfavoredOverload
  public func between(
    _ low: Value.Wrapped, _ high: some XTExpressible<Value.Wrapped>
  ) -> XTPredicate {
    XTPredicate(.between(node, .value(low, column: node.name), high.node))
  }

  /// Whether it is at least an expression and at most `high`.
  @_disfavoredOverload
  public func between(
    _ low: some XTExpressible<Value.Wrapped>, _ high: Value.Wrapped
  ) -> XTPredicate {
    XTPredicate(.between(node, low.node, .value(high, column: node.name)))
  }
}

// MARK: Texts

extension XTExpressible where Value: XTText {
  /// Whether the text matches a pattern of SQL's LIKE: `%` is any text, `_` any character.
  ///
  /// The case of ASCII letters doesn't count, that of others does: this is SQLite's own rule. Text
  /// from outside goes through `String.xt_escapedForLike`:
  ///
  /// ```swift
  /// Person.xt.name.like("%" + text.xt_escapedForLike + "%", escape: "\\")
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: what the whole text has to match.
  ///   - escape: a character that takes its meaning from a `%` or `_` after it.
  public func like(_ pattern: String, escape: Character? = nil) -> XTPredicate {
    XTPredicate(.like(node, "LIKE", .value(pattern), escape: escape))
  }

  /// Whether the text does not match a pattern of LIKE.
  public func notLike(_ pattern: String, escape: Character? = nil) -> XTPredicate {
    XTPredicate(.like(node, "NOT LIKE", .value(pattern), escape: escape))
  }

  /// Whether the text matches a pattern that is an expression.
  public func like<Pattern: XTExpressible>(
    _ pattern: Pattern, escape: Character? = nil
  ) -> XTPredicate where Pattern.Value: XTText {
    XTPredicate(.like(node, "LIKE", pattern.node, escape: escape))
  }

  /// Whether the text does not match a pattern that is an expression.
  public func notLike<Pattern: XTExpressible>(
    _ pattern: Pattern, escape: Character? = nil
  ) -> XTPredicate where Pattern.Value: XTText {
    XTPredicate(.like(node, "NOT LIKE", pattern.node, escape: escape))
  }

  /// Whether the text matches a pattern of SQL's GLOB: `*` is any text, `?` any character, `[a-z]`
  /// one of several; case counts. See `String.xt_escapedForGlob`.
  public func glob<Pattern: XTArgument>(_ pattern: Pattern) -> XTPredicate
  where Pattern.Value: XTText {
    XTPredicate(.like(node, "GLOB", pattern.argument))
  }

  /// Whether the text has a part that matches a regular expression, as Foundation's
  /// `NSRegularExpression` has them. An expression that can't be read is an error of the statement.
  ///
  /// ```swift
  /// Person.xt.name.regexp("^[A-Z]{2}[0-9]+$")
  /// ```
  public func regexp<Pattern: XTArgument>(_ pattern: Pattern) -> XTPredicate
  where Pattern.Value: XTText {
    XTPredicate(.like(node, "REGEXP", pattern.argument))
  }

  /// SQL's MATCH, for tables of full-text search.
  public func match<Pattern: XTArgument>(_ pattern: Pattern) -> XTPredicate
  where Pattern.Value: XTText {
    XTPredicate(.like(node, "MATCH", pattern.argument))
  }

  /// Whether the text has `part` in it; `%`, `_` and `\` are characters like any other.
  ///
  /// - Parameters:
  ///   - part: what is looked for.
  ///   - caseInsensitive: whether letters of every script are the same in both cases.
  public func contains(_ part: String, caseInsensitive: Bool = false) -> XTPredicate {
    XTPredicate(.containing(.folded(node, caseInsensitive), text(part, caseInsensitive)))
  }

  /// Whether the text begins with `start`.
  public func startsWith(_ start: String, caseInsensitive: Bool = false) -> XTPredicate {
    XTPredicate(.starting(.folded(node, caseInsensitive), text(start, caseInsensitive)))
  }

  /// Whether the text ends with `end`.
  public func endsWith(_ end: String, caseInsensitive: Bool = false) -> XTPredicate {
    if end.isEmpty { return isNotNull }
    return XTPredicate(.ending(.folded(node, caseInsensitive), text(end, caseInsensitive)))
  }

  private func text(_ text: String, _ isFolded: Bool) -> SQLNode {
    .value(isFolded ? CaseFolding.folded(text) : text)
  }
}

extension String {
  /// The text with a `\` before each `%`, `_` and `\`, for a pattern of LIKE with `escape: "\\"`.
  public var xt_escapedForLike: String {
    var result = ""
    for character in unicodeScalars {
      if ["%", "_", "\\"].contains(character) { result += "\\" }
      result.unicodeScalars.append(character)
    }
    return result
  }

  /// The text with each `*`, `?` and `[` in brackets, for a pattern of GLOB.
  public var xt_escapedForGlob: String {
    var result = ""
    for character in unicodeScalars {
      if ["*", "?", "["].contains(character) {
        result += "[\(character)]"
      } else {
        result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
