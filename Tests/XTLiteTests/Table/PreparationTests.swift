import Foundation
import Testing

@testable import XTLite

/// A verb that has run before prepares no statement, whatever the values are.
@Suite struct PreparationTests {
  @Test(arguments: PreparedVerb<PreparedRow>.all + PreparedVerb.ofValues)
  func verb_thatRunsAgain_preparesNothing(verb: PreparedVerb<PreparedRow>) throws {
    var rows = (0..<20).map { PreparedRow(name: "row \($0)", age: $0) }
    let database = try XTDatabase.inMemory()
    try database.table(PreparedRow.self).insertList(&rows)
    try expectNoPreparations(verb, rows, database)
  }

  @Test(arguments: PreparedVerb<PreparedObject>.all + PreparedVerb.ofObjects)
  func verb_thatRunsAgainOnObjects_preparesNothing(verb: PreparedVerb<PreparedObject>) throws {
    let objects = (0..<20).map { PreparedObject(name: "row \($0)", age: $0) }
    let database = try XTDatabase.inMemory()
    try database.table(PreparedObject.self).insertList(objects)
    try expectNoPreparations(verb, objects, database)
  }

  private func expectNoPreparations<Model: PreparedModel>(
    _ verb: PreparedVerb<Model>, _ models: [Model], _ database: XTDatabase
  ) throws {
    let table = database.table(Model.self)
    for round in 0..<2 { try verb.run(table, models[round], round) }
    let before = try database.reading { $0.counters[.prepared] }
    #expect(before > 0)
    for round in 2..<20 { try verb.run(table, models[round], round) }
    #expect(try database.reading { $0.counters[.prepared] } == before)
  }
}

protocol PreparedModel: XTModel, Sendable {
  var name: String { get set }
  var age: Int { get set }

  init(name: String, age: Int)
}

struct PreparedRow: PreparedModel {
  var pkid: Int64?
  var name = ""
  var age = 0

  init() {}

  init(name: String, age: Int) {
    self.name = name
    self.age = age
  }
}

final class PreparedObject: PreparedModel, @unchecked Sendable {
  var name = ""
  var age = 0

  init() {}

  init(name: String, age: Int) {
    self.name = name
    self.age = age
  }
}

/// One call of a verb, for the model of that round.
struct PreparedVerb<Model: PreparedModel>: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let run: @Sendable (XTTable<Model>, Model, Int) throws -> Void

  init(_ name: String, _ run: @escaping @Sendable (XTTable<Model>, Model, Int) throws -> Void) {
    testDescription = name
    self.run = run
  }
}

extension PreparedVerb {
  static var all: [PreparedVerb] {
    [
      PreparedVerb("insertList") { table, _, round in
        try table.insertList([Model(name: "a \(round)", age: 1), Model(name: "b \(round)", age: 2)])
      },
      PreparedVerb("update") { table, model, _ in try table.update(model) },
      PreparedVerb("updateList") { table, model, _ in try table.updateList([model, model]) },
      PreparedVerb("save") { table, model, _ in
        var model = model
        try table.save(&model)
      },
      PreparedVerb("insertOrReplace") { table, model, _ in
        var model = model
        try table.insertOrReplace(&model)
      },
      PreparedVerb("softDelete, restore") { table, model, _ in
        try table.softDelete(model)
        try table.restore(model)
      },
      PreparedVerb("delete") { table, model, _ in try table.delete(model) },
      PreparedVerb("find by pkid") { table, _, round in _ = try table.find(pkid: Int64(round)) },
      PreparedVerb("find where") { table, model, round in
        _ = try table.find(where: "name = \(model.name) AND age > \(round)", limit: round)
      },
      PreparedVerb("findFirst where") { table, model, _ in
        _ = try table.findFirst(where: "name = \(model.name)")
      },
      PreparedVerb("findAll") { table, _, _ in _ = try table.findAll() },
      PreparedVerb("count, has") { table, _, round in
        _ = try table.count(where: "age > \(round)")
        _ = try table.has(where: "age = \(round)")
      },
    ]
  }
}

extension PreparedVerb<PreparedRow> {
  /// Those that take key paths or a value's own form.
  static var ofValues: [PreparedVerb] {
    [
      PreparedVerb("insert") { table, _, round in
        var row = PreparedRow(name: "new \(round)", age: round)
        try table.insert(&row)
      },
      PreparedVerb("insert only") { table, _, round in
        var row = PreparedRow(name: "new \(round)", age: round)
        try table.insert(&row, only: \.name)
      },
      PreparedVerb("update only") { table, row, _ in try table.update(row, only: \.age) },
      PreparedVerb("update by") { table, row, _ in try table.update(row, by: \.name) },
      PreparedVerb("upsert by") { table, row, _ in
        var row = row
        try table.upsert(&row, by: \.name)
      },
      PreparedVerb("update where") { table, _, round in
        try table.update(where: \.age == round, .set(\.age, to: round + 1))
      },
      PreparedVerb("find by key paths") { table, row, round in
        _ = try table.find(where: \.name == row.name && \.age > round, orderBy: .desc(\.age))
      },
      PreparedVerb("max") { table, _, round in _ = try table.max(of: \.age, where: \.age < round) },
      PreparedVerb("transaction") { table, row, _ in
        try table.database.transaction { _ = try table.update(row, only: \.age) }
      },
    ]
  }
}

extension PreparedVerb<PreparedObject> {
  static var ofObjects: [PreparedVerb] {
    [
      PreparedVerb("insert") { table, _, round in
        try table.insert(PreparedObject(name: "new \(round)", age: round))
      },
      PreparedVerb("update only") { table, object, _ in try table.update(object, only: \.age) },
      PreparedVerb("upsert by") { table, object, _ in try table.upsert(object, by: \.name) },
    ]
  }
}
