import Foundation
import Testing

@testable import XTLite

/// Random writes of every kind: after each one the index equals the rows.
@Suite struct SearchRandomTortureTests {
  @Test(arguments: 0..<4)
  func index_afterEachWrite_equalsTheRows(part: Int) throws {
    for round in 0..<Torture.part(of: 50) {
      let seed = UInt64(part * 1_000 + round + 1)
      var run = try RandomRun(seed: seed)
      for step in 0..<60 {
        let what = try run.step()
        try run.check("seed \(seed), step \(step): \(what)")
      }
    }
  }
}

private struct RandomRun {
  private let test: TestDatabase
  private let table: XTTable<SearchRandom>
  private var random: SeededNumbers
  private static let words = ["apple", "pie", "crust", "über", "苹果", "x", "yy"]

  init(seed: UInt64) throws {
    random = SeededNumbers(seed)
    test = try TestDatabase()
    table = test.table(SearchRandom.self)
    try table.create()
    if Bool.random(using: &random) {
      // A program's own triggers change the rows once more.
      try test.outside(
        "CREATE TRIGGER more AFTER INSERT ON SearchRandom WHEN new.age = 1 BEGIN UPDATE SearchRandom"
          + " SET title = title || ' pie', age = 2 WHERE pkid = new.pkid; END;"
          + "CREATE TRIGGER less AFTER UPDATE OF title ON SearchRandom WHEN new.age = 2 BEGIN"
          + " UPDATE SearchRandom SET body = 'crust', age = 3 WHERE pkid = new.pkid; END")
    }
  }

  private mutating func text() -> String {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in
      Self.words.randomElement(using: &random) ?? ""
    }.joined(separator: " ")
  }

  private mutating func model() -> SearchRandom {
    SearchRandom(
      pkid: Bool.random(using: &random) ? nil : .random(in: -2...12, using: &random),
      key: ["a", "b", "c", "d", "e"].randomElement(using: &random) ?? "",
      title: text(), body: Bool.random(using: &random) ? text() : nil,
      age: .random(in: 0...3, using: &random))
  }

  /// - Returns: What was done.
  mutating func step() throws -> String {
    var new = model()
    let number = Int.random(in: 0..<18, using: &random)
    let conflict =
      ["", "OR REPLACE", "OR IGNORE", "OR REPLACE"].randomElement(using: &random) ?? ""
    let insert =
      "INSERT \(conflict) INTO SearchRandom (pkid, key, title, body, age) VALUES"
      + " (\(new.pkid.map(String.init) ?? "NULL"), '\(new.key)', '\(new.title)',"
      + " \(new.body.map { "'\($0)'" } ?? "NULL"), \(new.age))"
    var what = "\(number)"
    func raw(_ sql: String) throws {
      what = sql
      if number % 2 == 0 {
        try test.outside(sql)
      } else {
        try test.database.execute(XTSQL(unsafe: sql))
      }
    }
    do {
      switch number {
      case 0: try table.insert(&new)
      case 1: try table.insertOrIgnore(&new)
      case 2: try table.insertOrReplace(&new)
      case 3: _ = try table.upsert(&new, by: \.key)
      case 4: _ = try table.save(&new)
      case 5: try table.update(new)
      case 6: try table.update(where: \.key == new.key, .set(\.title, to: new.title))
      case 7: try table.delete(where: \.key == new.key)
      case 8: try table.softDelete(where: \.key == new.key)
      case 9: try table.restore(new)
      case 10, 11: try raw(insert)
      case 12:
        try raw("UPDATE \(conflict) SearchRandom SET title = '\(new.title)', key = '\(new.key)'")
      case 13:
        try raw(
          "UPDATE \(conflict) SearchRandom SET pkid = pkid + \(Int.random(in: -2...2, using: &random))"
        )
      case 14:
        what = "rolled back"
        try test.database.transaction {
          try table.insertList((0..<3).map { SearchRandom(key: "r\($0)", title: "apple") })
          try table.delete(where: \.key == new.key)
          try test.database.rollback()
        }
      case 15:
        what = "savepoint"
        try test.database.transaction {
          try table.insert(&new)
          try test.database.savepoint {
            try table.deleteAll()
            try test.database.rollback()
          }
        }
      case 16: try raw("DELETE FROM SearchRandom WHERE pkid = \(new.pkid ?? 3)")
      default:
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try table.deleteAll()
        case 1: try raw("INSERT INTO SearchRandom_search (SearchRandom_search) VALUES ('rebuild')")
        case 2:
          what = "upgrade"
          let version = Int.random(in: 2...9_999, using: &random)
          try test.database.upgrade(allowingNewer: true) {
            XTUpgrade(SearchRandom.self, to: version) { $0.change(\.title) }
          }
        case 3: try raw("INSERT INTO SearchRandom_search (SearchRandom_search) VALUES ('optimize')")
        default:
          try raw("UPDATE SearchRandom SET body = title, title = body WHERE body IS NOT NULL")
        }
      }
    } catch let error as XTError {
      switch error.kind {
      case .constraint, .noIdentity, .rowNotFound: break
      default: throw error
      }
    }
    return what
  }

  func check(_ what: String) throws {
    #expect(throws: Never.self, "\(what)") { try self.table.checkSearch() }
    let rows = try test.seen(
      "SELECT pkid || ':' || xt_isDel || ':' || title || ' ' || ifnull(body, '') FROM SearchRandom")
    for word in Self.words {
      let expected = rows.filter {
        $0.split(separator: ":")[1] == "0"
          && $0.split(separator: ":", maxSplits: 2)[2].split(separator: " ").contains(
            Substring(word))
      }.count
      #expect(try table.search(word).count == expected, "\(what), \(word)")
    }
  }
}

struct SearchRandom: XTModel {
  var pkid: Int64?
  var key = ""
  var title = ""
  var body: String?
  var age = 0
  static var xt_keywords: XTKeywordMap { [\SearchRandom.key: .unique] }
  static var xt_search: XTSearch { XTSearch([\SearchRandom.title, \SearchRandom.body]) }
}
