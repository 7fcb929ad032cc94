// A key path's own conditions. The key path stands in parentheses with its type:
// `(\Person.age).in([1, 2])`.

extension KeyPath where Root: XTModel {
  /// Rows in which the property is one of `values`.
  ///
  /// A nil among them means the rows that hold NULL as well; an empty list matches nothing; one
  /// that is there twice does no harm. There may be as many as memory holds.
  public func `in`(_ values: [Value]) -> XTCondition<Root> {
    .one(of: values, at: self)
  }

  /// Rows in which the property is one of `values`, a set or any other sequence of them.
  @_disfavoredOverload
  public func `in`(_ values: some Sequence<Value>) -> XTCondition<Root> {
    .one(of: values, at: self)
  }

  /// Rows in which the property is one of `values`, some of which may be nil; nil means NULL.
  @_disfavoredOverload
  public func `in`(_ values: some Sequence<Value?>) -> XTCondition<Root> {
    .one(of: values, at: self)
  }

  /// Rows in which an optional property is one of `values`.
  @_disfavoredOverload
  public func `in`<Wrapped>(_ values: some Sequence<Wrapped>) -> XTCondition<Root>
  where Value == Wrapped? {
    .one(of: values, at: self)
  }

  /// Rows in which the property is none of `values`.
  ///
  /// Rows that hold NULL are matched only by an empty list, which matches all rows: SQL's NULL is
  /// not known to differ from anything. A nil among the values changes nothing but that.
  public func notIn(_ values: [Value]) -> XTCondition<Root> {
    .none(of: values, at: self)
  }

  /// Rows in which the property is none of `values`, a set or any other sequence of them.
  @_disfavoredOverload
  public func notIn(_ values: some Sequence<Value>) -> XTCondition<Root> {
    .none(of: values, at: self)
  }

  /// Rows in which the property is none of `values`, some of which may be nil.
  @_disfavoredOverload
  public func notIn(_ values: some Sequence<Value?>) -> XTCondition<Root> {
    .none(of: values, at: self)
  }

  /// Rows in which an optional property is none of `values`.
  @_disfavoredOverload
  public func notIn<Wrapped>(_ values: some Sequence<Wrapped>) -> XTCondition<Root>
  where Value == Wrapped? {
    .none(of: values, at: self)
  }

  /// Rows in which the property is at least `low` and at most `high`. A nil bound matches nothing.
  public func between(_ low: Value, _ high: Value) -> XTCondition<Root> {
    XTCondition {
      let column = try ConditionColumn(self).node
      return .between(column, .value(low, column: column.name), .value(high, column: column.name))
    }
  }

  /// Rows in which the property's column holds NULL.
  public var isNull: XTCondition<Root> {
    XTCondition { try ConditionColumn(self).node.followed(by: "IS NULL") }
  }

  /// Rows in which the property's column does not hold NULL.
  public var isNotNull: XTCondition<Root> {
    XTCondition { try ConditionColumn(self).node.followed(by: "IS NOT NULL") }
  }
}

/// The types of properties that have text conditions: `String` and `String?`.
public protocol XTText {
  /// What the length of a text is: `Int`, or `Int?` where the text may be nil.
  associatedtype XTLength = Int
}

extension String: XTText {}

extension Optional: XTText where Wrapped == String {
  /// Nil where the text is.
  public typealias XTLength = Int?
}

extension KeyPath where Root: XTModel, Value: XTText {
  /// Rows in which the text has `part` in it. An empty part is in every text; NULL is no match.
  ///
  /// `%`, `_` and `\` are characters like any other.
  ///
  /// - Parameter caseInsensitive: whether `É` and `é`, `ТВОРОГ` and `творог` are the same. Without
  ///   it texts are compared byte by byte, and `é` as one character is another text than `e` with
  ///   an accent. With it, letters are folded by Unicode's tables, in no particular language, and
  ///   such forms are the same as well. What is stored is never changed.
  public func contains(_ part: String, caseInsensitive: Bool = false) -> XTCondition<Root> {
    .searching(self, for: part, caseInsensitive: caseInsensitive) { .containing($0, $1) }
  }

  /// Rows in which the text begins with `start`; the rest as ``contains(_:caseInsensitive:)``.
  public func startsWith(_ start: String, caseInsensitive: Bool = false) -> XTCondition<Root> {
    .searching(self, for: start, caseInsensitive: caseInsensitive) { .starting($0, $1) }
  }

  /// Rows in which the text ends with `end`; the rest as ``contains(_:caseInsensitive:)``.
  public func endsWith(_ end: String, caseInsensitive: Bool = false) -> XTCondition<Root> {
    if end.isEmpty { return isNotNull }
    return .searching(self, for: end, caseInsensitive: caseInsensitive) { .ending($0, $1) }
  }

  /// Rows whose text is `text` where case doesn't count; the rest as
  /// ``contains(_:caseInsensitive:)``.
  public func equalsIgnoringCase(_ text: String) -> XTCondition<Root> {
    .searching(self, for: text, caseInsensitive: true) { .comparing($0, .equal, $1) }
  }

  /// Rows whose text matches a pattern of SQL's LIKE: `%` is any text, `_` any character.
  ///
  /// The case of ASCII letters doesn't count, that of others does: this is SQLite's own rule.
  ///
  /// - Parameter escape: a character that takes its meaning from a `%` or `_` after it.
  public func like(_ pattern: String, escape: Character? = nil) -> XTCondition<Root> {
    XTCondition {
      .like(try ConditionColumn(self).node, "LIKE", .value(pattern), escape: escape)
    }
  }
}

extension XTCondition {
  fileprivate static func one<V>(
    of values: some Sequence<V>, at keyPath: PartialKeyPath<Model>
  ) -> XTCondition {
    XTCondition { .membership(of: try ConditionColumn(keyPath).node, in: values) }
  }

  fileprivate static func none<V>(
    of values: some Sequence<V>, at keyPath: PartialKeyPath<Model>
  ) -> XTCondition {
    XTCondition { .membership(of: try ConditionColumn(keyPath).node, in: values, isNegated: true) }
  }

  /// - Parameter make: the test, given the column and the text.
  fileprivate static func searching(
    _ keyPath: PartialKeyPath<Model>, for text: String, caseInsensitive: Bool,
    _ make: (SQLNode, SQLNode) -> SQLNode
  ) -> XTCondition {
    XTCondition {
      make(
        .folded(try ConditionColumn(keyPath).node, caseInsensitive),
        .value(caseInsensitive ? CaseFolding.folded(text) : text))
    }
  }
}
