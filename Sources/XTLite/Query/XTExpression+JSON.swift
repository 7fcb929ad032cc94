extension XTExpressible {
  /// A value inside of a column that holds JSON: an array, a dictionary, any Codable value.
  ///
  /// ```swift
  /// Person.xt.home.json("$.city", as: String.self) == "上海"
  /// Person.xt.tags.json("$[0]", as: String.self)
  /// Person.xt.card.json("$.photo", as: Data.self) == photo
  /// ```
  ///
  /// It is what a column of the type would hold, so that it compares and reads like one: bytes from
  /// base64, dates from seconds since 1970, decimals exact.
  ///
  /// - Parameters:
  ///   - path: as SQLite's JSON functions have it: `$` is the whole, `.name` a member, `[0]` an
  ///     element, `[#-1]` the last one.
  ///   - type: what the value is read as. It is nil where there is nothing at the path.
  public func json<V>(_ path: String, as type: V.Type) -> XTExpression<V?> {
    XTExpression(.json(node, path, type))
  }

  /// The same of a type that may be nil already.
  public func json<V: XTOptional>(_ path: String, as type: V.Type) -> XTExpression<V> {
    XTExpression(.json(node, path, type))
  }

  /// The number of elements of an array inside of a column that holds JSON; 0 where there is a
  /// value that is no array, nil where there is nothing at the path.
  public func jsonArrayLength(_ path: String = "$") -> XTExpression<Int?> {
    XTExpression(.call(JSONExtract.lengthName, [node, .value(path)]))
  }
}

extension SQLNode {
  fileprivate static func json(_ json: SQLNode, _ path: String, _ type: Any.Type) -> SQLNode {
    make {
      guard let kind = try ColumnType.of(type).kindInJSON else {
        return call(JSONExtract.functionName, [json, .value(path)])
      }
      let collation = kind == .decimal ? DecimalOrder.collationName : nil
      let kindName = SQLNode("'\(kind.rawValue)'")
      guard JSONValue.hasOperator else {
        return call(
          JSONValue.functionName, [json, kindName, .value(path)], collation: collation)
      }
      // The operator takes other paths for names.
      guard path.hasPrefix("$") else { throw XTError(.sqlite, "bad JSON path: '\(path)'") }
      return call(
        JSONValue.functionName, [infix(json, "->", .value(path), .concatenation), kindName],
        collation: collation)
    }
  }
}

extension ColumnType {
  /// How a value of the type is read from JSON; nil where SQLite's own functions give what a column
  /// would hold.
  fileprivate var kindInJSON: JSONValue? {
    if isDecimal { return .decimal }
    if isJSON { return swiftType == XTJSON.self || swiftType == XTJSON?.self ? .json : nil }
    return switch (kind, storageClass) {
    case (.data, _): .bytes
    case (.float, _): .float
    case (_, .real): .real
    default: nil
    }
  }
}
