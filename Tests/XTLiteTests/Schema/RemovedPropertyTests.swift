import Foundation
import Testing

@testable import XTLite

private struct Full: XTModel {
  var name = ""
  var needed = 1
  var text = ""
  var photo = Data()
  var ratio = 0.5
  var code = ""
  var token = UUID()
  var tag: String?
  static var xt_tableName: String { "Thing" }
  static var xt_keywords: XTKeywordMap {
    [
      \Full.needed: .notNull, \Full.text: .notNull, \Full.photo: .notNull, \Full.ratio: .notNull,
      \Full.code: .unique, \Full.token: "NOT NULL UNIQUE", \Full.tag: "DEFAULT 'x' UNIQUE",
    ]
  }
}

private struct Short: XTModel {
  var name = ""
  static var xt_tableName: String { "Thing" }
}

struct RemovedPropertyTests {
  /// An insert as the Table room makes it: the columns that there are, and the fillers.
  private func insert(_ name: String, _ shape: TableShape, _ file: SchemaFile) throws {
    let names = ["name"] + shape.fillers.map(\.name)
    let places = names.map { _ in "?" }.joined(separator: ", ")
    try file.connection.run(
      "INSERT INTO Thing (\(names.quotedList)) VALUES (\(places))",
      [.text(name)] + shape.fillers.map(\.value))
  }

  @Test func fillers_removedProperties_letRowsIn() throws {
    let file = try SchemaFile()
    try file.create(Full.self)
    let shape = try file.prepare(Short.self)
    #expect(
      shape.fillers.map(\.name) == ["needed", "text", "photo", "ratio", "code", "token", "tag"])
    for name in ["a", "b", "c"] { try insert(name, shape, file) }
    #expect(
      try file.seen(
        "SELECT name, needed, text, typeof(photo), length(photo), ratio, tag FROM Thing") == [
          "a|0||blob|0|0.0|NULL", "b|0||blob|0|0.0|NULL", "c|0||blob|0|0.0|NULL",
        ])
    #expect(
      try file.seen("SELECT count(DISTINCT code), count(DISTINCT token) FROM Thing") == ["3|3"])
  }

  @Test func fillers_uniqueOnlyTogetherWithAKnownColumn_areNeutral() throws {
    struct Paired: XTModel {
      var name = ""
      var code = ""
      static var xt_tableName: String { "Thing" }
      static var xt_keywords: XTKeywordMap { [\Paired.code: .notNull] }
      static var xt_constraints: [XTConstraint] { [.unique(\Paired.name, \Paired.code)] }
    }
    let file = try SchemaFile()
    try file.create(Paired.self)
    #expect(try file.prepare(Short.self).fillers.map(\.value) == [.text("")])
  }

  @Test func fillers_allPropertiesKnown_areNone() throws {
    let file = try SchemaFile()
    try file.create(Full.self)
    #expect(try file.prepare(Full.self).fillers.isEmpty)
  }

  @Test func fillers_tableOfOthers_areNone() throws {
    let file = try SchemaFile()
    try file.connection.run("CREATE TABLE Thing (id INTEGER PRIMARY KEY, name, needed NOT NULL)")
    #expect(try file.prepare(Short.self).fillers.isEmpty)
  }
}
