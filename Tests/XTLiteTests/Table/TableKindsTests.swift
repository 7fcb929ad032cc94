import Foundation
import Testing

@testable import XTLite

private struct Doc: XTModel, Equatable {
  var pkid: Int64?
  var title = ""
  var body: String?
}

/// A table of some kind with the same three rows in it.
private struct TableKind: Sendable, CustomTestStringConvertible {
  let name: String
  let script: String
  /// The verbs that the kind refuses, whole or in part.
  var refused: Set<String> = []
  /// The verbs for which a model with a number is a new one: rows have none.
  var adding: Set<String> = []
  /// What the library must have.
  var needs = 0

  var testDescription: String { name }

  static let rows = "INSERT INTO Doc (title, body) VALUES ('a', 'x'), ('b', NULL), ('c', 'z');"

  /// What all others are compared with.
  static let ordinary = TableKind(
    name: "ordinary", script: "CREATE TABLE Doc (title TEXT, body TEXT); \(rows)")

  private static let adding: Set<String> = ["insertOrReplace of a row", "save of a row"]
  private static let byNumber: Set<String> = [
    "insert at a number", "insertOrReplace of a row", "save of a row", "update", "update only",
    "updateList", "delete", "find by number", "find by numbers", "upsert by number",
  ]

  static let all = [
    TableKind(
      name: "generated columns",
      script: """
        CREATE TABLE Doc (title TEXT, size INTEGER NOT NULL AS (length(title)), body TEXT,
          both TEXT AS (title || body) STORED); \(rows)
        """, needs: 3_031_000),
    TableKind(name: "FTS4", script: "CREATE VIRTUAL TABLE Doc USING fts4(title, body); \(rows)"),
    TableKind(
      name: "FTS5", script: "CREATE VIRTUAL TABLE Doc USING fts5(title, body); \(rows)",
      needs: 3_031_000),
    TableKind(
      name: "WITHOUT ROWID",
      script: "CREATE TABLE Doc (title TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID; \(rows)",
      refused: byNumber.subtracting(["insert at a number"]).subtracting(adding), adding: adding),
    TableKind(
      name: "STRICT", script: "CREATE TABLE Doc (title TEXT, body TEXT) STRICT; \(rows)",
      needs: 3_037_000),
    TableKind(
      name: "view",
      script: """
        CREATE TABLE t (title TEXT, body TEXT); \(rows.replacingOccurrences(of: "Doc", with: "t"))
        CREATE VIEW Doc AS SELECT title, body FROM t
        """, refused: byNumber.union(writing.map(\.name))),
    TableKind(
      name: "view with triggers",
      script: """
        CREATE TABLE t (title TEXT, body TEXT); \(rows.replacingOccurrences(of: "Doc", with: "t"))
        CREATE VIEW Doc AS SELECT title, body FROM t;
        CREATE TRIGGER i INSTEAD OF INSERT ON Doc BEGIN INSERT INTO t VALUES (NEW.title, 1); END;
        CREATE TRIGGER d INSTEAD OF DELETE ON Doc BEGIN DELETE FROM t; END;
        """, refused: byNumber.union(writing.map(\.name))),
  ]

  struct Verb: Sendable {
    let name: String
    let run: @Sendable (XTTable<Doc>) throws -> String

    init(_ name: String, _ run: @escaping @Sendable (XTTable<Doc>) throws -> Any) {
      self.name = name
      self.run = { "\(try run($0))" }
    }
  }

  static let writing: [Verb] = [
    Verb("insert") {
      var doc = Doc(title: "d", body: "y")
      return "\(try $0.insert(&doc)) \(doc)"
    },
    Verb("insert at a number") {
      var doc = Doc(pkid: 9, title: "d", body: nil)
      return "\(try $0.insert(&doc)) \(doc)"
    },
    Verb("insert only") {
      var doc = Doc(title: "d", body: "y")
      return try $0.insert(&doc, only: \.title)
    },
    Verb("insertList") { try $0.insertList([Doc(title: "d"), Doc(title: "e")]) },
    Verb("insertOrIgnore") {
      var doc = Doc(title: "d", body: "y")
      return try $0.insertOrIgnore(&doc)
    },
    Verb("insertOrReplace of a row") {
      var doc = Doc(pkid: 2, title: "B", body: "y")
      return try $0.insertOrReplace(&doc)
    },
    Verb("upsert") {
      var doc = Doc(title: "b", body: "y")
      return "\(try $0.upsert(&doc, by: \.title))"
    },
    Verb("upsert by number") {
      var doc = Doc(pkid: 2, title: "B", body: "y")
      return "\(try $0.upsert(&doc, by: \.pkid))"
    },
    Verb("upsert of a new one") {
      var doc = Doc(title: "d", body: "y")
      return "\(try $0.upsert(&doc, by: \.title)) \(doc)"
    },
    Verb("save of a row") {
      var doc = Doc(pkid: 3, title: "C", body: nil)
      return "\(try $0.save(&doc))"
    },
    Verb("save of a new one") {
      var doc = Doc(title: "d", body: "y")
      return "\(try $0.save(&doc))"
    },
    Verb("update") { try $0.update(Doc(pkid: 1, title: "A", body: "X")) },
    Verb("update only") { try $0.update(Doc(pkid: 1, title: "A", body: "X"), only: \.body) },
    Verb("update by") { try $0.update(Doc(title: "a", body: "X"), by: \.title) },
    Verb("updateList") {
      try $0.updateList([Doc(pkid: 1, title: "A"), Doc(pkid: 3, title: "C")])
    },
    Verb("update where") { try $0.update(where: \.title > "a", .set(\.body, to: "w")) },
    Verb("updateAll") { try $0.updateAll(.set(\.body, to: nil)) },
    Verb("delete") { try $0.delete(Doc(pkid: 2)) },
    Verb("delete where") { try $0.delete(where: \.title != "b") },
    Verb("deleteAll") { try $0.deleteAll() },
    Verb("softDelete") { try $0.softDelete(Doc(pkid: 1, title: "a")) },
    Verb("softDelete where") { try $0.softDelete(where: \.title == "a") },
    Verb("restore") { try $0.restore(Doc(pkid: 1, title: "a")) },
  ]

  static let reading: [Verb] = [
    Verb("findAll") { try $0.findAll(orderBy: .desc(\.title)).map(\.title) },
    Verb("find where") { try $0.find(where: \.body != nil, orderBy: .asc(\.title)).map(\.body) },
    Verb("find by number") { try $0.find(pkid: 2)?.title ?? "nothing" },
    Verb("find by numbers") { try $0.find(pkids: [3, 1]).map(\.title) },
    Verb("findFirst") { try $0.findFirst(where: \.title == "b")?.body ?? "nothing" },
    Verb("find SQL") { try $0.find(sql: "SELECT * FROM Doc WHERE title > 'a'").map(\.title) },
    Verb("forEach") {
      var titles = ""
      try $0.forEach(orderBy: .asc(\.title)) { titles += $0.title }
      return titles
    },
    Verb("has") { try $0.has(where: \.title == "c") },
    Verb("isEmpty") { try $0.isEmpty() },
    Verb("count") { try [$0.count(), $0.count(where: \.body == nil), $0.count(scope: .all)] },
    Verb("select") { try $0.select(\.title, \.body, orderBy: .asc(\.title)) },
    Verb("max") { try $0.max(of: \.title) ?? "" },
    Verb("scope") { try $0.count(scope: .deleted) },
  ]
}

/// Each verb on each kind of table does what it does on an ordinary one, or throws and leaves all
/// as it was: never a wrong result.
@Suite struct TableKindsTests {
  @Test(arguments: TableKind.all.filter { $0.needs <= SQLiteLibrary.versionNumber })
  fileprivate func eachVerb_isRightOrRefused(kind: TableKind) throws {
    for verb in TableKind.writing + TableKind.reading {
      let ordinary = try outcome(of: verb, on: .ordinary)
      let outcome = try outcome(of: verb, on: kind)
      if kind.refused.contains(verb.name) {
        #expect(outcome.error != nil, "\(verb.name) on \(kind.name): \(outcome.result)")
        #expect(outcome.rows == ["a|x", "b|NULL", "c|z"], "\(verb.name)")
        let error = try #require(outcome.error, "\(verb.name)")
        #expect([.schema, .noIdentity].contains(error.kind), "\(verb.name): \(error)")
        #expect(error.hint != nil, "\(verb.name): \(error)")
      } else if kind.adding.contains(verb.name) {
        #expect(outcome.error == nil, "\(verb.name) on \(kind.name)")
        #expect(outcome.rows.count == 4, "\(verb.name) on \(kind.name)")
      } else {
        #expect(outcome.rows == ordinary.rows, "\(verb.name) on \(kind.name)")
        #expect(outcome.error?.kind == ordinary.error?.kind, "\(verb.name) on \(kind.name)")
        // Rows without numbers have none to give.
        if !kind.name.contains("WITHOUT")
          || TableKind.reading.contains(where: { $0.name == verb.name })
        {
          #expect(outcome.result == ordinary.result, "\(verb.name) on \(kind.name)")
        }
      }
    }
  }

  private func outcome(
    of verb: TableKind.Verb, on kind: TableKind
  ) throws -> (result: String, error: XTError?, rows: [String]) {
    let test = try TestDatabase(after: kind.script)
    var result = ""
    var error: XTError?
    do {
      result = try verb.run(test.table(Doc.self))
    } catch let caught as XTError {
      error = caught
    }
    return (result, error, try test.seen("SELECT title, body FROM Doc ORDER BY title"))
  }
}
