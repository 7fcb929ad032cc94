import Foundation
import Testing

@testable import XTLite

private struct Empty: XTModel {}

private struct AllIgnored: XTModel {
  var name = ""
  static var xt_ignored: XTKeyPaths { [\AllIgnored.name] }
}

private struct NotStorable {
  var number = 0
}

private enum Bare {
  case one, two
}

private struct HoldsStruct: XTModel {
  var name = ""
  var thing = NotStorable()
}

private struct HoldsEnum: XTModel {
  var name = ""
  var thing = Bare.one
}

private struct HoldsOptional: XTModel {
  var name = ""
  var thing: Bare?
}

private struct HoldsClosure: XTModel {
  var name = ""
  var thing: @Sendable () -> Void = {}
}

private struct HoldsObject: XTModel {
  var name = ""
  var thing = NSObject()
}

private struct TwoCases: XTModel {
  var name = ""
  var Name = ""
}

private final class Node: Codable {
  var name = ""
  var next: Node?
  var others: [Node] = []
}

private struct HoldsCycle: XTModel {
  var name = ""
  var node = Node()
}

/// Models that cannot be: each verb says what is wrong with them, before any SQL.
@Suite struct BadModelTests {
  let test: TestDatabase

  init() throws {
    test = try TestDatabase()
  }

  /// Every verb that takes no condition, by both its faces.
  private func calls<Model: XTModel>(_ type: Model.Type) -> [() throws -> Void] {
    let table = test.table(type)
    return [
      { _ = try table.findAll() }, { _ = try table.find(pkid: 1) }, { _ = try table.findFirst() },
      { _ = try table.find(where: "1") }, { _ = try table.count() }, { _ = try table.isEmpty() },
      { try table.forEach { _ in } }, { _ = try table.find(sql: "SELECT 1") },
      { try table.insertList([Model()]) }, { try table.deleteAll() }, { _ = try table.name },
      { _ = try Model.xt_findAll() }, { _ = try Model.xt_count(scope: .all) },
      { try Model.xt_insertList([Model()]) }, { try Model.xt_createTable() },
      { _ = try Model.xt_tableIsExist() }, { try Model().xt_update() },
      { try Model().xt_deleteModel() },
      { try test.database.upgrade(type, add: [], version: 2) },
    ]
  }

  private func expect<Model: XTModel>(
    _ type: Model.Type, throws kind: XTError.Kind, naming words: String...
  ) throws {
    let statements = try test.statements {
      try test.asCurrent { () throws in
        for call in calls(type) {
          let error = #expect(throws: XTError.self) { try call() }
          #expect(error?.kind == kind, "\(type): \(String(describing: error))")
          #expect(error?.hint?.isEmpty == false)
          for word in words { #expect(error?.description.contains(word) == true, "\(word)") }
        }
      }
    }
    #expect(statements.isEmpty)
    #expect(try test.tables().isEmpty)
  }

  @Test func modelWithoutProperties_throwsInEveryVerb() throws {
    try expect(Empty.self, throws: .schema, naming: "Empty", "stored property")
    try expect(AllIgnored.self, throws: .schema, naming: "AllIgnored", "stored property")
  }

  @Test func propertyThatNoColumnHolds_throwsInEveryVerb() throws {
    func check<Model: XTModel>(_ type: Model.Type, _ what: String) throws {
      try expect(
        type, throws: .unsupportedProperty, naming: "thing", what, "Codable", "XTColumnValue",
        "xt_ignored")
    }
    try check(HoldsStruct.self, "NotStorable")
    try check(HoldsEnum.self, "Bare")
    try check(HoldsOptional.self, "Bare")
    try check(HoldsClosure.self, "()")
    try check(HoldsObject.self, "NSObject")
  }

  @Test func propertiesThatDifferInCaseOnly_throwInEveryVerb() throws {
    try expect(TwoCases.self, throws: .schema, naming: "name", "Name")
  }

  @Test func cycleThroughObjects_throwsAndStoresNothing() throws {
    let table = test.table(HoldsCycle.self)
    var model = HoldsCycle()
    try table.insert(&model)
    let ring = Node()
    ring.next = Node()
    ring.next?.others = [Node(), ring]
    model.node = ring
    defer { ring.next = nil }
    let calls: [() throws -> Void] = [
      {
        var copy = model
        try table.insert(&copy)
      }, { try table.insertList([HoldsCycle(), model]) },
      { try table.update(where: nil, .set(\.node, to: ring)) },
      { _ = try table.find(where: \.node == ring) },
      { _ = try table.count(where: "node = \(ring)") },
    ]
    for call in calls {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .valueOutOfRange && error?.message.contains("itself") == true)
    }
    #expect(try test.seen("SELECT node FROM HoldsCycle") == [#"{"name":"","others":[]}"#])
  }

  @Test func keyPathThatIsNoColumn_throwsInEveryPlace() throws {
    let table = test.table(Sample.self)
    try table.insertList([Sample("a", 1)])
    let calls: [() throws -> Void] = [
      { _ = try table.find(where: \.draft == "x") }, { _ = try table.find(where: \.computed == 1) },
      { _ = try table.find(where: \.tags.count > 1) },
      { _ = try table.find(where: "\(\.name.count) > 1") },
      { _ = try table.find(where: "\(\SampleObject.name.count) > 1") },
      { _ = try table.findAll(orderBy: .asc(\.computed)) },
      { _ = try table.findAll(only: \.computed) }, { _ = try table.select(\.name, \.computed) },
      { _ = try table.max(of: \.computed) }, { _ = try table.sum(of: \.computed) },
      { _ = try table.avg(of: \.tags.count) },
      { _ = try table.find(where: (\Sample.draft).contains("x")) },
      { _ = try table.find(where: (\Sample.computed).in([1])) },
      { try table.update(where: nil, .set(\.draft, to: "x")) },
      { try table.delete(where: \.computed == 1) },
      { _ = try table.find(sql: "SELECT \(\Sample.draft) FROM Sample") },
    ]
    for call in calls {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .unknownColumn && error?.hint != nil)
    }
    #expect(try test.seen("SELECT name FROM Sample") == ["a"])
  }

  @Test func verbsAfterClose_throwClosed() throws {
    let table = test.table(Sample.self)
    try table.insertList([Sample("a", 1)])
    try test.database.close()
    for call in calls(Sample.self).prefix(10) {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .closed)
    }
  }

  @Test func errors_sayWhatToDo_withoutTheValues() throws {
    let table = test.table(Sample.self)
    try table.insertList([Sample("a", 1)])
    let secret = "correct horse"
    let calls: [() throws -> Void] = [
      { _ = try table.find(where: "nmae = \(secret)") },
      { _ = try table.count(where: "name = \(secret) AND soundslike(name)") },
      { _ = try table.find(sql: "SELECT * FROM Smaple WHERE name = \(secret)") },
      { try test.database.execute("INSERT INTO Sample (pkid, name) VALUES (1, \(secret))") },
      { _ = try table.max(of: \.order, where: \.name == secret && \.score == .nan) },
      {
        var twin = Sample(secret)
        twin.pkid = 1
        try table.insert(&twin)
      },
    ]
    for call in calls {
      let error = try #require(throws: XTError.self) { try call() }
      for text in [error.description, error.debugDescription, error.localizedDescription] {
        #expect(!text.contains(secret), "\(text)")
      }
      #expect(error.localizedDescription == error.description)
      #expect((error as any Error).localizedDescription == error.description)
      #expect(error.recoverySuggestion == error.hint)
    }
  }
}

extension Sample {
  fileprivate var computed: Int { order * 2 }
}
