import Foundation
import Testing

@testable import XTLite

/// The parent of all suites on how a Swift type becomes columns.
@Suite enum MappingTests {}

/// A type that has a default, so that a property of it can be any model's.
protocol Defaulted {
  init()
}

/// A model with one property of any type, in a table of its own.
struct One<Value: Defaulted>: XTModel {
  var pkid: Int64?
  var value = Value()

  init() {}
  init(_ value: Value) { self.value = value }
}

extension Optional: Defaulted { init() { self = nil } }
extension Bool: Defaulted {}
extension Int: Defaulted {}
extension Int8: Defaulted {}
extension Int16: Defaulted {}
extension Int32: Defaulted {}
extension Int64: Defaulted {}
extension UInt: Defaulted {}
extension UInt8: Defaulted {}
extension UInt16: Defaulted {}
extension UInt32: Defaulted {}
extension UInt64: Defaulted {}
extension Float: Defaulted {}
extension Double: Defaulted {}
extension CGFloat: Defaulted {}
extension String: Defaulted {}
extension Data: Defaulted {}
extension Date: Defaulted {}
extension UUID: Defaulted {}
extension Decimal: Defaulted {}
extension URL: Defaulted { init() { self = URL(filePath: "/") } }
extension Array: Defaulted {}
extension Set: Defaulted {}
extension Dictionary: Defaulted {}
extension XTJSON: Defaulted { init() { self = .null } }

extension TestDatabase {
  /// "typeof|quote" of the column `value` in each row of the table of `One<Value>`, as another
  /// program sees it.
  func stored<Value: Defaulted>(_ type: Value.Type, _ column: String = "value") throws -> [String] {
    try seen(
      "SELECT typeof(\(quoted(column))) || '|' || quote(\(quoted(column)))"
        + " FROM \(quoted(try table(One<Value>.self).name)) ORDER BY `pkid`")
  }

  /// "type|notnull|default|pk" of a column, as PRAGMA table_info has it.
  func definition(of column: String = "value", in table: String) throws -> String? {
    let other = try Connection(database.configuration.connectionSettings(path: path))
    defer { other.close() }
    return try other.rows("PRAGMA table_info(\(quoted(table)))")
      .first { $0[1].string == column }
      .map { $0[2...].map(\.description).joined(separator: "|") }
  }

  /// The tables of models, in the order of their names.
  func modelTables() throws -> [String] {
    try tables().filter { !$0.hasPrefix("xtlite_") }
  }

  /// Inserts a row for each value and reads them all again.
  @discardableResult
  func roundTrip<Value: Defaulted>(_ values: [Value]) throws -> [Value] {
    try table(One<Value>.self).insertList(values.map { One($0) })
    return try table(One<Value>.self).findAll(orderBy: .asc(\.pkid)).map(\.value)
  }

  /// Writes an SQL expression into the property of a new row, as another program would.
  func put<Value: Defaulted>(_ expression: String, into type: Value.Type) throws {
    let table = table(One<Value>.self)
    try table.create()
    try outside(
      "DELETE FROM \(quoted(try table.name));"
        + "INSERT INTO \(quoted(try table.name)) (`value`) VALUES (\(expression))")
  }

  /// What a raw SQL expression in the property's column reads as.
  func read<Value: Defaulted>(_ expression: String, as type: Value.Type) throws -> Value? {
    try put(expression, into: type)
    return try table(One<Value>.self).findFirst()?.value
  }
}

/// The library's error that `body` throws.
///
/// Fails the test where it throws none, or an error of another type.
func mappingError<Result>(
  _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) -> XTError? {
  do {
    _ = try body()
    Issue.record("no error was thrown", sourceLocation: location)
    return nil
  } catch let error as XTError {
    return error
  } catch {
    Issue.record(error, sourceLocation: location)
    return nil
  }
}
