import Foundation
import Testing

@testable import XTLite

private struct Text: XTModel, Equatable {
  var pkid: Int64?
  var key = ""
  var value: String?
  var flag = false

  static var xt_keywords: XTKeywordMap { [\Text.key: .unique] }
}

private struct Odd: XTModel, Equatable {
  var pkid: Int64?
  var order = 0
  var group = ""
  var select: String?
  static var xt_tableName: String { "a`b \"c\" 'd'; --" }
  static var xt_columnNames: XTNameMap { [\Odd.select: "from `x` \"y\""] }
  static var xt_keywords: XTKeywordMap { [\Odd.group: .unique] }
}

/// Texts that would be SQL, patterns or parameters if they weren't bound.
@Suite struct AwkwardTextTests {
  static let texts = [
    "O'Brien", "';DROP TABLE Text;--", "\"); DELETE FROM Text; --", "🦊👨‍👩‍👧", "?", "?1", ":a", "%", "_",
    "50%", "`", "\\", "a\0b", "", " ", "NULL", "true", "表", "e\u{301}", "é", "\u{FEFF}", "1",
    "0x10",
  ]

  @Test(arguments: texts, Face.allCases)
  func everyVerb_takesTheTextLiterally(text: String, face: Face) throws {
    let test = try TestDatabase()
    let decoys = ["decoy", "501", "x"].map { Text(key: $0, value: $0) }
    try test.asCurrent { () throws in
      let verbs = Verbs(face, test, Text.self)
      _ = try verbs.insertList(decoys)
      func expect(_ value: String?, flag: Bool = false, _ line: Int = #line) throws {
        let found = try verbs.table.find(where: \.key == text)
        #expect(found.map(\.value) == [value], "line \(line)")
        #expect(found.map(\.flag) == [flag], "line \(line)")
        #expect(try verbs.table.count(scope: .all) == 4, "line \(line)")
      }
      var model = Text(key: text, value: text)
      #expect(try verbs.insert(&model) == 4)
      try expect(text)
      #expect(try !verbs.insertOrIgnore(&model))
      #expect(throws: XTError.self) { try verbs.insertList([Text(key: text)]) }
      model.value = nil
      #expect(try verbs.update(model) == 1)
      try expect(nil)
      model = Text(key: text, value: text + "1")
      #expect(try verbs.update(model, only: \.value) == 1)
      try expect(text + "1")
      #expect(try verbs.update(Text(key: text, value: text + text), by: \.key) == 1)
      try expect(text + text)
      #expect(try verbs.updateList([Text(key: text, value: text)], by: \.key) == 1)
      #expect(try verbs.upsert(&model, by: \.key) == .updated(pkids: [4]))
      try expect(text + "1")
      #expect(
        try verbs.upsertList([Text(key: text, value: text)], by: \.key) == [.updated(pkids: [4])])
      try expect(text)
      #expect(try verbs.insertOrReplace(&model) == 4)
      #expect(try verbs.save(&model) == .updated(pkids: [4]))
      #expect(try verbs.update(where: \.key == text, .set(\.value, to: text)) == 1)
      try expect(text)
      #expect(
        try verbs.update(where: "key = \(text) AND value = \(text)", .set(\.flag, to: true)) == 1)
      try expect(text, flag: true)
      #expect(try verbs.softDelete(where: (\Text.key).in([text])) == 1)
      #expect(try verbs.restore(Text(key: text)))
      #expect(try verbs.softDelete(Text(key: text)))
      #expect(try verbs.delete(where: \.key == text) == 0)
      #expect(try verbs.delete(where: \.key == text && \.flag, scope: .deleted) == 1)
      model.pkid = nil
      _ = try verbs.insert(&model)
      #expect(try verbs.delete(Text(key: text)))
    }
    #expect(try test.table(Text.self).findAll().map(\.key) == ["decoy", "501", "x"])
  }

  @Test func aListOfThem_isOneStatement() throws {
    let test = try TestDatabase()
    let table = test.table(Text.self)
    var models = Self.texts.enumerated().map {
      Text(key: $1, value: $0 % 2 == 0 ? $1 : nil, flag: $0 % 3 == 0)
    }
    try table.insertList(&models)
    #expect(try table.findAll(orderBy: .asc(\.pkid)) == models)
    let sql = try test.statements { try table.updateList(models) }
    #expect(Set(sql).count == 4)
    #expect(try table.updateList(models, by: \.key) == models.count)
    #expect(try table.findAll(orderBy: .asc(\.pkid)) == models)
  }

  @Test func columnsAndTables_ofAwkwardNames_takeEveryVerb() throws {
    let test = try TestDatabase()
    try test.asCurrent { () throws in
      for face in Face.allCases {
        let verbs = Verbs(face, test, Odd.self)
        var odd = Odd(order: 1, group: "g", select: "s")
        let pkid = try verbs.insert(&odd)
        #expect(odd.pkid == pkid)
        odd.order = 2
        #expect(try verbs.update(odd) == 1)
        #expect(try verbs.update(odd, by: \.select) == 1)
        #expect(try !verbs.upsert(&odd, by: \.group).isInserted)
        #expect(try verbs.update(where: \.order == 2, .add(\.order, 1)) == 1)
        #expect(try verbs.update(where: \.select == "s", .set(\.select, to: nil)) == 1)
        #expect(
          try verbs.table.find(pkid: odd.pkid ?? 0) == Odd(pkid: odd.pkid, order: 3, group: "g"))
        #expect(try verbs.softDelete(odd) && verbs.restore(odd) && verbs.delete(odd))
      }
    }
  }
}
