/// SQL functions that make of what a row held what it is to hold, registered for one statement.
final class ConversionFunctions {
  private let connection: Connection
  private let table: String
  /// What the table's values stand for where they are not themselves.
  var standIns: StandIns
  private var names: [(name: String, arguments: Int)] = []
  /// What a closure of the program's threw: SQLite passes on nothing but its text.
  private let thrown = Mutex<(any Error)?>(nil)

  init(connection: Connection, table: String, standIns: StandIns = StandIns()) {
    self.connection = connection
    self.table = table
    self.standIns = standIns
  }

  /// An expression over a row as it was.
  func expression(
    converting column: Column, _ mapping: ModelMapping, _ conversion: UpgradeStep.Conversion?,
    _ text: TableText?
  ) throws -> String {
    let name = "xtlite_convert_\(names.count)"
    let (table, standIns, thrown) = (table, standIns, thrown)
    try connection.createFunction(name, arguments: 2, isDeterministic: false) { arguments in
      let value = standIns.meaning(of: arguments[0], in: column, mapping) ?? arguments[0].value
      do {
        let result: XTValue
        if let conversion {
          do { result = try conversion(value) } catch {
            thrown.withLock { $0 = error }
            throw error
          }
        } else {
          result = try column.converted(value)
        }
        return result.isNull && !column.isOptional ? try mapping.freshValue(of: column) : result
      } catch let failure as ColumnFailure {
        let row = arguments[1].value
        throw XTError(
          .upgrade,
          "row \(row) of `\(table)` cannot follow the change of `\(column.name)`:"
            + " \(failure.message)",
          hint: "say what becomes of it: $0.change(\\.\(column.property)) { old in … }",
          table: table, column: column.name)
      }
    }
    names.append((name, 2))
    let call = "\(name)(\(column.quotedName), \(text?.rowIDExpression ?? "NULL"))"
    if conversion != nil { return call }
    // What is right already is copied as it is.
    var right: [String] = column.isOptional ? ["\(column.quotedName) IS NULL"] : []
    if column.type.takesAllOfItsClass, !standIns.texts.contains(ObjectIdentifier(column)) {
      right.append("typeof(\(column.quotedName)) = '\(column.type.storageClass)'")
    }
    if right.isEmpty { return call }
    return "CASE WHEN \(right.joined(separator: " OR ")) THEN \(column.quotedName) ELSE \(call) END"
  }

  func expression(freshValueOf column: Column, _ mapping: ModelMapping) throws -> String {
    let name = "xtlite_fresh_\(names.count)"
    try connection.createFunction(name, arguments: 0, isDeterministic: false) { _ in
      try mapping.freshValue(of: column)
    }
    names.append((name, 0))
    return "\(name)()"
  }

  /// Runs `body` and throws what a closure threw in it as it was.
  func rethrowing<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw thrown.withLock { $0 } ?? error
    }
  }

  func remove() {
    for (name, arguments) in names {
      try? connection.removeFunction(name, arguments: arguments)
    }
    names = []
  }
}

extension ColumnType {
  /// Whether every value of the storage class is one of the type's.
  fileprivate var takesAllOfItsClass: Bool {
    switch kind {
    case .int64, .double, .string, .data, .date: true
    default: false
    }
  }
}

extension Column {
  /// What the property would store where a row holds `value`, which may come from another type.
  ///
  /// - Throws: `ColumnFailure` where that is none of the property's.
  func converted(_ value: XTValue) throws -> XTValue {
    if value.isNull { return value }
    func stored(_ value: XTValue) throws -> XTValue {
      func store<Value>(_: Value.Type) throws -> XTValue {
        let decoded = try ValueCoding.decode(value, as: Value.self)
        // Its JSON may have more than this build knows.
        if type.isJSON, value.storageClass == .text { return value }
        return try ValueCoding.value(of: decoded)
      }
      return try _openExistential(type.swiftType, do: store)
    }
    do {
      return try stored(value)
    } catch let failure as ColumnFailure {
      guard let other = value.withAffinity(of: type.storageClass) else { throw failure }
      return try stored(other)
    }
  }
}

extension XTValue {
  /// The value as SQLite itself keeps it in a column of another class, where nothing is lost by it.
  fileprivate func withAffinity(of storageClass: XTStorageClass) -> XTValue? {
    switch (self, storageClass) {
    case (.text(let text), .integer):
      let text = text.trimmed
      return Int64(text).map(XTValue.integer)
        ?? text.asDouble.flatMap { Int64(exactly: $0) }.map(XTValue.integer)
    case (.text(let text), .real):
      return text.trimmed.asDouble.map(XTValue.real)
    case (.real(let number), .integer):
      return Int64(exactly: number).map(XTValue.integer)
    case (.integer(let number), .text):
      return .text(String(number))
    case (.real(let number), .text):
      return .text(String(number))
    default:
      return nil
    }
  }
}

extension String {
  /// The number that SQLite takes the text for: a decimal one.
  fileprivate var asDouble: Double? {
    guard utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
    return Double(self).flatMap { $0.isFinite ? $0 : nil }
  }

  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
