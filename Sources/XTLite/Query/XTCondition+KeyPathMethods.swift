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
      let column = try ConditionColumn(self)
      let bounds = [try column.value(of: low), try column.value(of: high)]
      return SQLFragment("\(column.compared) BETWEEN ? AND ?", bounds)
    }
  }

  /// Rows in which the property's column holds NULL.
  public var isNull: XTCondition<Root> {
    XTCondition { SQLFragment("\(try ConditionColumn(self).name) IS NULL") }
  }

  /// Rows in which the property's column does not hold NULL.
  public var isNotNull: XTCondition<Root> {
    XTCondition { SQLFragment("\(try ConditionColumn(self).name) IS NOT NULL") }
  }
}

/// The types of properties that have text conditions: `String` and `String?`.
public protocol XTText {}

extension String: XTText {}
extension Optional: XTText where Wrapped == String {}

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
    .searching(self, for: part, caseInsensitive: caseInsensitive) { "instr(\($0), ?) > 0" }
  }

  /// Rows in which the text begins with `start`; the rest as ``contains(_:caseInsensitive:)``.
  public func startsWith(_ start: String, caseInsensitive: Bool = false) -> XTCondition<Root> {
    .searching(self, for: start, caseInsensitive: caseInsensitive) { "instr(\($0), ?) = 1" }
  }

  /// Rows in which the text ends with `end`; the rest as ``contains(_:caseInsensitive:)``.
  public func endsWith(_ end: String, caseInsensitive: Bool = false) -> XTCondition<Root> {
    if end.isEmpty { return isNotNull }
    return .searching(self, for: end, caseInsensitive: caseInsensitive, times: 2) {
      // As blobs, because substr and length of a text stop at a NUL in it.
      "substr(CAST(\($0) AS BLOB), -length(CAST(? AS BLOB))) = CAST(? AS BLOB)"
    }
  }

  /// Rows whose text is `text` where case doesn't count; the rest as
  /// ``contains(_:caseInsensitive:)``.
  public func equalsIgnoringCase(_ text: String) -> XTCondition<Root> {
    .searching(self, for: text, caseInsensitive: true) { "\($0) = ?" }
  }

  /// Rows whose text matches a pattern of SQL's LIKE: `%` is any text, `_` any character.
  ///
  /// The case of ASCII letters doesn't count, that of others does: this is SQLite's own rule.
  ///
  /// - Parameter escape: a character that takes its meaning from a `%` or `_` after it.
  public func like(_ pattern: String, escape: Character? = nil) -> XTCondition<Root> {
    XTCondition {
      let column = try ConditionColumn(self)
      guard let escape else { return SQLFragment("\(column.name) LIKE ?", [.text(pattern)]) }
      return SQLFragment(
        "\(column.name) LIKE ? ESCAPE ?", [.text(pattern), .text(String(escape))])
    }
  }
}

extension XTCondition {
  fileprivate static func one<V>(
    of values: some Sequence<V>, at keyPath: PartialKeyPath<Model>
  ) -> XTCondition {
    membership(of: keyPath, in: values, isNegated: false)
  }

  fileprivate static func none<V>(
    of values: some Sequence<V>, at keyPath: PartialKeyPath<Model>
  ) -> XTCondition {
    membership(of: keyPath, in: values, isNegated: true)
  }

  /// SQL's IN with NULL in the list is never false, and NOT IN never true: NULL is tested apart.
  private static func membership<V>(
    of keyPath: PartialKeyPath<Model>, in values: some Sequence<V>, isNegated: Bool
  ) -> XTCondition {
    do {
      let column = try ConditionColumn(keyPath)
      let all = try values.map { try column.value(of: $0) }
      let values = all.filter { $0 != .null }
      let list = ConditionNode(
        SQLFragment(column.compared), isIn: try ValueList(values), isNegated: isNegated)
      guard values.count < all.count else { return XTCondition(list) }
      let test = ConditionNode(
        SQLFragment("\(column.name) \(isNegated ? "IS NOT NULL" : "IS NULL")"), .comparison)
      return XTCondition(values.isEmpty ? test : .join(list, isNegated ? .and : .or, test))
    } catch {
      return XTCondition(ConditionNode(error))
    }
  }

  /// - Parameters:
  ///   - times: how many placeholders the text has.
  ///   - make: the text, given the column.
  fileprivate static func searching(
    _ keyPath: PartialKeyPath<Model>, for text: String, caseInsensitive: Bool, times: Int = 1,
    _ make: (String) -> String
  ) -> XTCondition {
    XTCondition {
      let name = try ConditionColumn(keyPath).name
      let column = caseInsensitive ? "\(CaseFolding.functionName)(\(name))" : name
      let value = XTValue.text(caseInsensitive ? CaseFolding.folded(text) : text)
      return SQLFragment(make(column), Array(repeating: value, count: times))
    }
  }
}
