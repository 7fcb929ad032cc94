import Foundation
import Testing

@testable import XTLite

/// What other programs do to a file, between the verbs: after each step the index equals the rows.
@Suite struct SearchMischiefTortureTests {
  @Test(arguments: 0..<4)
  func index_afterEachMischief_equalsTheRows(part: Int) throws {
    for round in 0..<Torture.part(of: 40) {
      let seed = UInt64(part * 1_000 + round + 1)
      if part % 2 == 0 {
        var run = try Mischief<SearchMischief, SearchMischiefChild>(seed: seed)
        try run.all("seed \(seed)")
      } else {
        // The older FTS, over whatever library.
        var run = try Mischief<SearchMischief4, SearchMischiefChild4>(seed: seed)
        try run.all("FTS4, seed \(seed)")
      }
    }
  }
}

protocol Mischievous: XTModel {
  var pkid: Int64? { get set }
  var key: String { get set }
  var code: String { get set }
  var title: String { get set }
  var body: String? { get set }
  var age: Int { get set }
}

protocol MischievousChild: XTModel {
  var parent: Int64? { get set }
  var text: String { get set }
}

private struct Mischief<Model: Mischievous, Child: MischievousChild> {
  private let test: TestDatabase
  private var name = "Mischief"
  private let children: XTTable<Child>
  private var random: SeededNumbers
  private var hasTriggers = false
  private var changesBefore = false
  private var table: XTTable<Model> { test.table(Model.self, named: name) }
  private static var words: [String] { ["apple", "pie", "crust", "über", "x", "yy"] }
  /// SQLite 3.15 leaves wrong entries in unique indexes over expressions where a REPLACE meets them,
  /// or a trigger like the second: `PRAGMA integrity_check` says so without any search.
  private static var isOld: Bool { SQLiteLibrary.versionNumber < 3_024_000 }
  private static var hasUpsert: Bool { SQLiteLibrary.versionNumber >= 3_024_000 }

  init(seed: UInt64) throws {
    random = SeededNumbers(seed)
    test = try TestDatabase()
    children = test.table(Child.self, named: "MischiefChild")
    try table.create()
    try test.outside(
      "CREATE TABLE seen (what TEXT); ALTER TABLE Mischief ADD COLUMN kind TEXT NOT NULL DEFAULT 'k'"
    )
    try children.create()
    let keys = [
      "(lower(code), kind)", "(code COLLATE NOCASE)", "(length(title)) WHERE age > 1",
      "(age + 1, substr(code, 1, 1) COLLATE NOCASE DESC)", "(kind, age) WHERE xt_isDel = 0",
    ]
    for (place, key) in keys.enumerated() where !Self.isOld || place != 3 {
      guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
      try test.outside("CREATE UNIQUE INDEX u\(place) ON Mischief \(key)")
    }
    let triggers = [
      "AFTER DELETE ON Mischief BEGIN UPDATE Mischief SET title = title || ' pie'"
        + " WHERE age = old.age; END",
      "AFTER DELETE ON Mischief WHEN old.age = 1 BEGIN INSERT OR IGNORE INTO Mischief"
        + " (`key`, code, title, age, xt_createTime, xt_updateTime) VALUES"
        + " (old.`key`, old.code, 'crust', 2, 0, 0); END",
      "BEFORE DELETE ON Mischief BEGIN UPDATE Mischief SET body = 'x yy' WHERE pkid"
        + " IN (old.pkid, old.pkid + 1); END",
      "BEFORE INSERT ON Mischief WHEN new.age = 2 BEGIN UPDATE Mischief SET title = 'crust',"
        + " body = 'x' WHERE `key` = new.`key`; END",
      "BEFORE UPDATE OF title ON Mischief WHEN new.age = 2 BEGIN UPDATE Mischief SET body = 'pie',"
        + " age = 3 WHERE pkid = new.pkid; END",
      "AFTER INSERT ON Mischief WHEN new.age = 1 BEGIN UPDATE Mischief SET title = title || ' pie',"
        + " age = 2 WHERE pkid = new.pkid; END",
      "AFTER UPDATE OF title ON Mischief WHEN new.age = 3 BEGIN INSERT INTO seen VALUES"
        + " (new.title); END",
    ]
    for (place, trigger) in triggers.enumerated() where !Self.isOld || place != 1 {
      guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
      hasTriggers = true
      changesBefore = changesBefore || trigger.hasPrefix("BEFORE UPDATE")
      try test.outside("CREATE TRIGGER mine\(place) \(trigger)")
    }
  }

  mutating func all(_ what: String) throws {
    var last = ""
    for step in 0..<50 {
      do {
        last = try self.step()
        // Its rows are not what its own indexes say: nothing can be told of the words then.
        if Self.isOld, try test.seen("PRAGMA integrity_check") != ["ok"] { return }
        try check("\(what), step \(step): \(last)")
      } catch {
        Issue.record("\(what), step \(step), after \(last): \(error)")
        return
      }
    }
  }

  // MARK: What is written

  private mutating func any<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func text() -> String {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in any(Self.words) }
      .joined(separator: " ")
  }

  private mutating func model() -> Model {
    var model = Model()
    model.pkid = Bool.random(using: &random) ? nil : .random(in: -2...9, using: &random)
    model.key = any(["a", "b", "c", "d"])
    model.code = any(["p", "P", "q", "pq"])
    model.title = text()
    model.body = Bool.random(using: &random) ? text() : nil
    model.age = .random(in: 0...3, using: &random)
    return model
  }

  private mutating func conflict() -> String {
    any(["", "OR REPLACE", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ROLLBACK"])
  }

  private mutating func insert() -> String {
    let new = model()
    return "INSERT \(conflict()) INTO `\(name)` (pkid, `key`, code, title, body, age, kind,"
      + " xt_createTime, xt_updateTime) VALUES (\(new.pkid.map(String.init) ?? "NULL"),"
      + " '\(new.key)', '\(new.code)', '\(new.title)',"
      + " \(new.body.map { "'\($0)'" } ?? "NULL"), \(new.age), \(any(["'k'", "'l'", "NULL"])), 0, 0)"
  }

  private mutating func rawWrite() -> String {
    let new = model()
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1, 2: return insert()
    case 3:
      let action = any(["DO NOTHING", "(`key`) DO UPDATE SET title = excluded.title, age = 2"])
      let plain = insert()
      guard Self.hasUpsert, plain.hasPrefix("INSERT  INTO") else { return plain }
      return "\(plain) ON CONFLICT \(action)"
    case 4:
      let column = any(["title", "code", "`key`", "age", "kind", "xt_isDel"])
      let value = any(["'a'", "1", "0", "'pie x'"])
      return "UPDATE \(conflict()) `\(name)` SET \(column) = \(value)"
        + " WHERE pkid > \(Int.random(in: -2...6, using: &random))"
    case 5:
      return "UPDATE \(conflict()) `\(name)` SET pkid = pkid + "
        + "\(Int.random(in: -2...2, using: &random))"
    case 6: return "DELETE FROM `\(name)` WHERE pkid = \(new.pkid ?? 3)"
    case 7: return "DELETE FROM `\(name)` WHERE age = \(new.age)"
    // SQLite leaves open what becomes of a row that a trigger changes before its own update.
    case 8 where !changesBefore:
      return "UPDATE `\(name)` SET body = title, title = ifnull(body, '')"
    default: return "UPDATE `\(name)` SET body = 'yy', title = title || ' yy'"
    }
  }

  // MARK: Steps

  /// - Returns: What was done.
  private mutating func step() throws -> String {
    var what = ""
    do {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<5: try verb(&what)
      case 5..<12:
        let isRecursive = Bool.random(using: &random)
        let areEnforced = Bool.random(using: &random)
        what =
          "PRAGMA recursive_triggers = \(isRecursive); PRAGMA foreign_keys = \(areEnforced);"
          + rawWrite()
        try test.outside(what)
      case 12, 13:
        what = rawWrite()
        try test.database.execute(XTSQL(unsafe: what))
      case 14:
        what =
          "BEGIN; \(rawWrite()); SAVEPOINT a; \(rawWrite()); \(rawWrite()); ROLLBACK TO a;"
          + " \(rawWrite()); RELEASE a; COMMIT"
        try test.outside(what)
      case 15:
        what = "PRAGMA recursive_triggers = \(Bool.random(using: &random))"
        try test.database.execute(XTSQL(unsafe: what))
      case 16:
        what = "children"
        var child = Child()
        child.parent = .random(in: -1...6, using: &random)
        child.text = text()
        try children.insert(&child)
      default: try schema(&what)
      }
    } catch let error as XTError {
      what += " (\(error.kind))"
      switch error.kind {
      case .constraint, .noIdentity, .rowNotFound: break
      default:
        Issue.record("\(what)")
        throw error
      }
    }
    return what
  }

  private mutating func verb(_ what: inout String) throws {
    var new = model()
    let number = Int.random(in: 0..<9, using: &random)
    what = "verb \(number) \(new)"
    switch number {
    case 0: try table.insert(&new)
    case 1: try table.insertOrIgnore(&new)
    case 2: try table.insertOrReplace(&new)
    case 3: try table.save(&new)
    case 4: try table.update(new)
    case 5: try table.softDelete(where: "`key` = \(new.key)")
    case 6: try table.restore(new)
    case 7: try table.delete(where: "`key` = \(new.key)")
    default:
      try test.database.transaction {
        try table.insert(&new)
        try test.database.savepoint {
          try table.deleteAll()
          try test.database.rollback()
        }
      }
    }
  }

  /// What is done to the tables, and not to the rows.
  private mutating func schema(_ what: inout String) throws {
    switch Int.random(in: 0..<7, using: &random) {
    case 0 where !hasTriggers:
      let other = name == "Mischief" ? "Renamed" : "Mischief"
      what = "ALTER TABLE \(name) RENAME TO \(other)"
      try test.outside(what)
      name = other
    case 1:
      what = "DROP TRIGGER `\(name)_search_\(any(["after_insert", "before_update"]))`"
      try test.outside(what)
    case 2:
      let suffix = any(Model.xt_search.engine.shadows)
      what = "DROP TABLE `\(name)_search_\(suffix)`"
      try test.outside(what)
      try table.rebuildSearch()
    case 3:
      what = "DROP VIEW `\(name)_search_rows`"
      try test.outside(what)
    case 4:
      what = "CREATE UNIQUE INDEX IF NOT EXISTS late ON `\(name)` (upper(code), `key`, age)"
      try test.outside(what)
    case 5:
      what = "rebuild"
      try table.rebuildSearch()
    default:
      what = "VACUUM"
      try test.database.execute("VACUUM")
    }
  }

  // MARK: What has to be true

  private func check(_ what: String) throws {
    // Makes the index where it has to be made.
    for word in Self.words { _ = try table.searchCount(word, scope: .all) }
    _ = try children.searchCount("x")
    #expect(throws: Never.self, "\(what)") {
      try table.checkSearch()
      try children.checkSearch()
    }
    let rows = try test.seen("SELECT title || ' ' || ifnull(body, '') FROM `\(name)`")
    for word in Self.words {
      let expected = rows.filter { $0.split(separator: " ").contains(Substring(word)) }.count
      #expect(try table.searchCount(word, scope: .all) == expected, "\(what), \(word)")
    }
  }
}

struct SearchMischief: XTModel, Mischievous {
  var pkid: Int64?
  var key = ""
  var code = ""
  var title = ""
  var body: String?
  var age = 0
  static var xt_keywords: XTKeywordMap { [\SearchMischief.key: .unique] }
  static var xt_search: XTSearch { XTSearch([\SearchMischief.title, \SearchMischief.body]) }
}

struct SearchMischiefChild: XTModel, MischievousChild {
  var parent: Int64?
  var text = ""
  static var xt_keywords: XTKeywordMap {
    [
      \SearchMischiefChild.parent:
        "REFERENCES Mischief (pkid) ON DELETE CASCADE ON UPDATE CASCADE"
    ]
  }
  static var xt_search: XTSearch { XTSearch([\SearchMischiefChild.text]) }
}

struct SearchMischief4: XTModel, Mischievous {
  var pkid: Int64?
  var key = ""
  var code = ""
  var title = ""
  var body: String?
  var age = 0
  static var xt_keywords: XTKeywordMap { [\SearchMischief4.key: .unique] }
  static var xt_search: XTSearch {
    var search = XTSearch([\SearchMischief4.title, \SearchMischief4.body])
    search.engine = .fts4
    return search
  }
}

struct SearchMischiefChild4: XTModel, MischievousChild {
  var parent: Int64?
  var text = ""
  static var xt_keywords: XTKeywordMap {
    [
      \SearchMischiefChild4.parent:
        "REFERENCES Mischief (pkid) ON DELETE CASCADE ON UPDATE CASCADE"
    ]
  }
  static var xt_search: XTSearch {
    var search = XTSearch([\SearchMischiefChild4.text])
    search.engine = .fts4
    return search
  }
}
