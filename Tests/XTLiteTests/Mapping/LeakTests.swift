import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Rows that throw midway end exactly the values that had begun.
  ///
  /// The counts are of objects behind the properties; under the address sanitizer (`make sanitize`)
  /// strings, data and all others are looked for as well.
  @Suite(.serialized) struct LeakTests {
    /// Breaks the column `column` of one row, reads in every way, and looks for what is left.
    private func readBroken<Model: XTModel>(
      _: Model.Type, _ make: () -> [Model], breaking column: String,
      _ location: SourceLocation = #_sourceLocation
    ) throws {
      let file = try TestDatabase()
      let table = file.table(Model.self)
      do { try table.insertList(make()) }
      #expect(Tracked.living == 0, "after inserting", sourceLocation: location)
      do {
        let models = try table.findAll()
        let living = withExtendedLifetime(models) { Tracked.living }
        #expect(models.count == 3, sourceLocation: location)
        #expect(living > 0, sourceLocation: location)
      }
      #expect(Tracked.living == 0, "after reading", sourceLocation: location)
      let name = try table.name
      try file.outside("UPDATE `\(name)` SET `\(column)` = X'00' WHERE `pkid` = 2")
      for _ in 0..<20 {
        for read: () throws -> Void in [
          { _ = try table.findAll() }, { _ = try table.find(where: "1") },
          { _ = try table.find(pkid: 2) }, { _ = try table.findFirst(where: "pkid = 2") },
          { try table.forEach { _ in } },
          { _ = try table.find(sql: "SELECT * FROM \(identifier: name)") },
        ] {
          let error = mappingError(location) { try read() }
          #expect(error?.kind == .decoding, sourceLocation: location)
          #expect(error?.column == column, sourceLocation: location)
        }
      }
      #expect(Tracked.living == 0, "after errors", sourceLocation: location)
    }

    @Test(arguments: ["text", "first", "list", "second", "last"])
    func structReadInPlace_thatThrows_leavesNothing(_ column: String) throws {
      #expect(try ModelMapping.of(Held.self).coversMemory)
      try readBroken(Held.self, { (0..<3).map { _ in Held.full() } }, breaking: column)
    }

    @Test(arguments: ["text", "first", "last"])
    func structMadeByInit_thatThrows_leavesNothing(_ column: String) throws {
      #expect(try !ModelMapping.of(HeldAndIgnored.self).coversMemory)
      try readBroken(
        HeldAndIgnored.self, { (0..<3).map { _ in HeldAndIgnored.full() } }, breaking: column)
    }

    @Test(arguments: ["text", "first", "last"])
    func object_thatThrows_leavesNothing(_ column: String) throws {
      try readBroken(HeldObject.self, { (0..<3).map { _ in HeldObject.full() } }, breaking: column)
    }

    @Test(arguments: ["text", "first", "last"])
    func nestedModel_thatThrows_leavesNothing(_ column: String) throws {
      let file = try TestDatabase()
      let table = file.table(Nesting.self)
      do { try table.insertList([Nesting(held: [HeldObject.full()])]) }
      try file.outside(
        "UPDATE `Nesting` SET `held` = replace(`held`, '\"\(column)\":', '\"\(column)\":[5],\"x\":')"
      )
      for _ in 0..<20 {
        #expect(mappingError { try table.findAll() }?.kind == .decoding)
      }
      #expect(Tracked.living == 0)
    }

    @Test func assigningOverValues_endsTheOldOnes() throws {
      let file = try TestDatabase()
      let table = file.table(HeldObject.self)
      do {
        let object = HeldObject.full()
        try table.insert(object)
        try table.insertOrReplace(object)
        object.first = Tracked(1)
        try table.update(object)
        _ = try table.findAll()
      }
      #expect(Tracked.living == 0)
    }

    @Test func keyPathsThatAreTriedOut_leaveNothing() throws {
      do {
        let mapping = try ModelMapping.of(HeldOpen.self)
        #expect(try mapping.column(for: \HeldOpen.text).name == "text")
        #expect(try mapping.column(for: \HeldOpen.number).name == "number")
        #expect(throws: XTError.self) { try mapping.column(for: \HeldOpen.computed) }
      }
      #expect(Tracked.living == 0)
    }

    @Test func writesThatThrow_leaveNothing() throws {
      let file = try TestDatabase()
      let table = file.table(Held.self)
      do {
        var bad = Held.full()
        bad.last = Tracked(-1)
        #expect(throws: Tracked.Negative.self) { try table.insertList([Held.full(), bad]) }
        #expect(throws: Tracked.Negative.self) { try table.insert(&bad) }
        #expect(throws: Tracked.Negative.self) { try table.find(where: \.first == Tracked(-1)) }
      }
      #expect(Tracked.living == 0)
    }
  }
}

/// A value that counts its instances.
private final class Tracked: XTColumnValue {
  struct Negative: Error {}
  private static let count = Mutex(0)

  static var living: Int { count.withLock(\.self) }

  let number: Int64

  init(_ number: Int64) {
    self.number = number
    Self.count.withLock { $0 += 1 }
  }

  deinit { Self.count.withLock { $0 -= 1 } }

  static var xt_storageClass: XTStorageClass { .integer }

  var xt_columnValue: XTValue {
    get throws {
      guard number >= 0 else { throw Negative() }
      return .integer(number)
    }
  }

  convenience init(xt_columnValue value: XTValue) throws {
    guard let number = value.int64 else { throw Negative() }
    self.init(number)
  }
}

private struct Held: XTModel {
  var pkid: Int64?
  var first = Tracked(0)
  var text = ""
  var list: [String] = []
  var data = Data()
  var url: URL?
  var second: Tracked?
  var dictionary: [String: Data]?
  var last = Tracked(0)

  static func full() -> Held {
    var held = Held()
    held.text = "a text that does not fit in the room of a small one"
    held.list = ["another text that needs memory of its own"]
    held.data = Data(repeating: 1, count: 100)
    held.url = URL(string: "http://example.org/a/longer/path")
    held.second = Tracked(2)
    held.dictionary = ["key": Data(repeating: 2, count: 100)]
    return held
  }
}

private struct HeldAndIgnored: XTModel {
  var pkid: Int64?
  var first = Tracked(0)
  var text = "a text that does not fit in the room of a small one"
  var ignored = Tracked(7)
  var last: Tracked?

  static var xt_ignored: XTKeyPaths { [\HeldAndIgnored.ignored] }

  static func full() -> HeldAndIgnored {
    var held = HeldAndIgnored()
    held.last = Tracked(9)
    return held
  }
}

private final class HeldObject: XTModel {
  var first = Tracked(0)
  var text = "a text that does not fit in the room of a small one"
  var last: Tracked?

  static func full() -> HeldObject {
    let held = HeldObject()
    held.last = Tracked(9)
    return held
  }
}

private class HeldOpen: XTModel {
  var first = Tracked(0)
  var text = "a text that does not fit in the room of a small one"
  var number = 0
  var computed: String { text + "\(number)" }
  required init() {}
}

private struct Nesting: XTModel {
  var pkid: Int64?
  var held: [HeldObject] = []

  static var xt_tableName: String { "Nesting" }
}
