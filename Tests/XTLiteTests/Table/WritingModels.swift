import Foundation

@testable import XTLite

/// A value with a row's number, a unique name, and something that can be nil.
struct Member: XTModel, Equatable {
  var pkid: Int64?
  var name = ""
  var age = 0
  var nick: String?

  static var xt_keywords: XTKeywordMap { [\Member.name: .unique] }
}

/// A value with two unique properties, either of which may be nil.
struct Account: XTModel, Equatable {
  var pkid: Int64?
  var email: String?
  var code: Int?
  var name = ""

  static var xt_keywords: XTKeywordMap { [\Account.email: .unique, \Account.code: .unique] }
}

/// A value that knows all of its automatic columns.
struct Memo: XTModel, Equatable {
  var pkid: Int64?
  var text = ""
  var xt_createTime: Date?
  var xt_updateTime: Date?
  var xt_isDel = false
}

/// The same in one property.
struct Letter: XTModel, Equatable {
  var meta = XTMeta()
  var text = ""
}

/// Classes, each with a table of its own, that declare no automatic column.
class Vessel: XTModel {
  var name = ""
  var length = 0

  required init() {}

  init(_ name: String, length: Int = 0) {
    self.name = name
    self.length = length
  }

  class var xt_keywords: XTKeywordMap { [\Vessel.name: .unique] }
}

class Ferry: Vessel {
  var decks = 1
}

final class CarFerry: Ferry {
  var cars = 0
}

/// A class that declares its automatic columns.
final class Buoy: XTModel {
  var pkid: Int64?
  var xt_createTime: Date?
  var xt_updateTime: Date?
  var xt_isDel = false
  var label = ""

  init() {}

  init(_ label: String) { self.label = label }
}

/// A clock that goes when it is told to.
final class TestClock: Sendable {
  private let seconds = Mutex(1000.0)

  var now: Double {
    get { seconds.withLock { $0 } }
    set { seconds.withLock { $0 = newValue } }
  }

  var date: Date { Date(timeIntervalSince1970: now) }
}

extension TestDatabase {
  /// One whose times are those of `clock`.
  convenience init(_ clock: TestClock, after script: String? = nil) throws {
    try self.init(after: script) { $0.clock = { clock.date } }
  }

  /// The names of a table's columns, those of its key marked.
  func columnsAndKeys(of table: String) throws -> [String] {
    try seen("PRAGMA table_info(`\(table)`)").map { row in
      let parts = row.split(separator: "|", omittingEmptySubsequences: false)
      return parts[1] + (parts[5] == "0" ? "" : " KEY")
    }
  }

  /// One row's automatic times, as another program sees them.
  func times(_ table: String) throws -> [String] {
    try seen("SELECT xt_createTime, xt_updateTime FROM \(table) ORDER BY pkid")
  }
}

/// The two ways to a verb: both must do the same.
enum Face: CaseIterable {
  case table, model
}

/// Where a verb is called from.
enum Place: CaseIterable {
  case alone, transaction, savepoint, writeBlock

  func run(_ database: XTDatabase, _ body: () throws -> Void) throws {
    switch self {
    case .alone: try database.asCurrent(body)
    case .transaction: try database.transaction(body)
    case .savepoint:
      try database.transaction { try database.transaction { try database.savepoint(body) } }
    case .writeBlock: try database.write(body)
    }
  }
}

/// The verbs by either way, on a value.
struct Verbs<Model: XTModel> {
  let face: Face
  let table: XTTable<Model>

  init(_ face: Face, _ test: TestDatabase, _ type: Model.Type = Model.self) {
    self.face = face
    table = test.table(type)
  }

  func insert(_ model: inout Model) throws -> Int64 {
    face == .table ? try table.insert(&model) : try model.xt_insert()
  }

  func insert(_ model: inout Model, only property: PartialKeyPath<Model>) throws -> Int64 {
    face == .table
      ? try table.insert(&model, only: property) : try model.xt_insert(only: property)
  }

  func insertOrIgnore(_ model: inout Model) throws -> Bool {
    face == .table ? try table.insertOrIgnore(&model) : try model.xt_insertOrIgnore()
  }

  func insertOrReplace(_ model: inout Model) throws -> Int64 {
    face == .table ? try table.insertOrReplace(&model) : try model.xt_insertOrReplace()
  }

  func insertList(_ models: inout [Model]) throws -> Int {
    face == .table ? try table.insertList(&models) : try Model.xt_insertList(&models)
  }

  func insertList(_ models: some Sequence<Model>) throws -> Int {
    face == .table ? try table.insertList(models) : try Model.xt_insertList(models)
  }

  func insertList(
    _ models: some Sequence<Model>, only property: PartialKeyPath<Model>
  ) throws -> Int {
    face == .table
      ? try table.insertList(models, only: property)
      : try Model.xt_insertList(models, only: property)
  }

  func insertOrIgnoreList(_ models: inout [Model]) throws -> Int {
    face == .table
      ? try table.insertOrIgnoreList(&models) : try Model.xt_insertOrIgnoreList(&models)
  }

  func insertOrIgnoreList(_ models: some Sequence<Model>) throws -> Int {
    face == .table
      ? try table.insertOrIgnoreList(models) : try Model.xt_insertOrIgnoreList(models)
  }

  func insertOrReplaceList(_ models: inout [Model]) throws -> Int {
    face == .table
      ? try table.insertOrReplaceList(&models) : try Model.xt_insertOrReplaceList(&models)
  }

  func insertOrReplaceList(_ models: some Sequence<Model>) throws -> Int {
    face == .table
      ? try table.insertOrReplaceList(models) : try Model.xt_insertOrReplaceList(models)
  }

  func upsert(_ model: inout Model) throws -> XTUpserted {
    face == .table ? try table.upsert(&model) : try model.xt_upsert()
  }

  func upsert(_ model: inout Model, by property: PartialKeyPath<Model>) throws -> XTUpserted {
    face == .table ? try table.upsert(&model, by: property) : try model.xt_upsert(by: property)
  }

  func upsertList(
    _ models: inout [Model], by property: PartialKeyPath<Model>
  ) throws -> [XTUpserted] {
    face == .table
      ? try table.upsertList(&models, by: property)
      : try Model.xt_upsertList(&models, by: property)
  }

  func upsertList(
    _ models: some Sequence<Model>, by property: PartialKeyPath<Model>
  ) throws -> [XTUpserted] {
    face == .table
      ? try table.upsertList(models, by: property) : try Model.xt_upsertList(models, by: property)
  }

  func save(_ model: inout Model) throws -> XTUpserted {
    face == .table ? try table.save(&model) : try model.xt_save()
  }

  func update(_ model: Model) throws -> Int {
    face == .table ? try table.update(model) : try model.xt_update()
  }

  func update(_ model: Model, only property: PartialKeyPath<Model>) throws -> Int {
    face == .table
      ? try table.update(model, only: property) : try model.xt_update(only: property)
  }

  func update(_ model: Model, by property: PartialKeyPath<Model>) throws -> Int {
    face == .table ? try table.update(model, by: property) : try model.xt_update(by: property)
  }

  func updateList(_ models: some Sequence<Model>) throws -> Int {
    face == .table ? try table.updateList(models) : try Model.xt_updateList(models)
  }

  func updateList(
    _ models: some Sequence<Model>, by property: PartialKeyPath<Model>
  ) throws -> Int {
    face == .table
      ? try table.updateList(models, by: property) : try Model.xt_updateList(models, by: property)
  }

  func update(
    where condition: XTCondition<Model>?, _ assignment: XTAssignment<Model>,
    scope: XTScope = .live
  ) throws -> Int {
    face == .table
      ? try table.update(where: condition, assignment, scope: scope)
      : try Model.xt_updateWhere(condition, assignment, scope: scope)
  }

  func updateAll(_ assignment: XTAssignment<Model>, scope: XTScope = .live) throws -> Int {
    face == .table
      ? try table.updateAll(assignment, scope: scope)
      : try Model.xt_updateAll(assignment, scope: scope)
  }

  func delete(_ model: Model) throws -> Bool {
    face == .table ? try table.delete(model) : try model.xt_deleteModel()
  }

  func delete(where condition: XTCondition<Model>?, scope: XTScope = .live) throws -> Int {
    face == .table
      ? try table.delete(where: condition, scope: scope)
      : try Model.xt_deleteModelWhere(condition, scope: scope)
  }

  func deleteAll() throws -> Int {
    face == .table ? try table.deleteAll() : try Model.xt_deleteAll()
  }

  func softDelete(_ model: Model) throws -> Bool {
    face == .table ? try table.softDelete(model) : try model.xt_softDelete()
  }

  func restore(_ model: Model) throws -> Bool {
    face == .table ? try table.restore(model) : try model.xt_restore()
  }

  func softDelete(where condition: XTCondition<Model>?) throws -> Int {
    face == .table
      ? try table.softDelete(where: condition) : try Model.xt_softDeleteWhere(condition)
  }
}
