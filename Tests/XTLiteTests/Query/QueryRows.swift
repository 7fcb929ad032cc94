import Foundation
import XTLite

/// A row whose text and numbers may be missing.
struct QueryRow: XTModel {
  var pkid: Int64?
  var text: String?
  var a: Int?
  var b: Int?
  var price = Decimal()
  var flag = false

  init() {}

  init(text: String?) { self.text = text }

  init(a: Int?, b: Int? = nil, flag: Bool = false) {
    self.a = a
    self.b = b
    self.flag = flag
  }

  init(price: Decimal) { self.price = price }
}

/// Rows in a database of their own.
struct QueryRows {
  let database: XTDatabase
  let table: XTTable<QueryRow>

  init(_ rows: [QueryRow]) throws {
    database = try XTDatabase.inMemory()
    table = database.table(QueryRow.self)
    try table.insertList(rows)
  }

  init(texts: [String?]) throws { try self.init(texts.map { QueryRow(text: $0) }) }

  init(numbers: [Int?]) throws { try self.init(numbers.map { QueryRow(a: $0) }) }

  /// The rows that a condition finds, as they were inserted.
  func find(
    _ condition: XTCondition<QueryRow>, orderBy order: XTOrder<QueryRow> = .asc(\.pkid)
  ) throws -> [QueryRow] {
    try table.find(where: condition, orderBy: order)
  }

  func texts(_ condition: XTCondition<QueryRow>) throws -> [String?] {
    try find(condition).map(\.text)
  }

  func numbers(_ condition: XTCondition<QueryRow>) throws -> [Int?] {
    try find(condition).map(\.a)
  }
}
