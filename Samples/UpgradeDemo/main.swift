// Five versions of one model on one file: `make upgrade-demo`.
//
// A program has one version of a model; here they stand side by side, under one table's name.

import Foundation
import XTLite

struct Guest1: XTModel {
  var name = ""
  var nick = ""
  var age = ""
  var legacy = "old"
  static var xt_tableName: String { "Guest" }
}

struct Guest2: XTModel {
  var name = ""
  var nickname = ""
  var age = ""
  var email = ""
  var legacy = "old"
  static var xt_tableName: String { "Guest" }
}

struct Guest3: XTModel {
  var name = ""
  var nickname: String?
  var age = 0
  var email = ""
  static var xt_tableName: String { "Guest" }
  static var xt_keywords: XTKeywordMap { [\Guest3.age: "CHECK (age >= 0)"] }
}

struct Guest4: XTModel {
  var name = ""
  var nickname: String?
  var age = 0
  var email = ""
  var ticket = UUID()
  static var xt_tableName: String { "Guest" }
  static var xt_keywords: XTKeywordMap {
    [\Guest4.age: "CHECK (age >= 0)", \Guest4.email: .unique]
  }
}

struct Visitor: XTModel {
  var name = ""
  var nickname: String?
  var age = 0
  var email = ""
  var ticket = UUID()
  static var xt_keywords: XTKeywordMap {
    [\Visitor.age: "CHECK (age >= 0)", \Visitor.email: .unique]
  }
  static var xt_indexes: [XTIndex] { [XTIndex(\Visitor.name)] }
}

let folder = FileManager.default.temporaryDirectory
  .appendingPathComponent("XTLite-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
let database = try XTDatabase(path: folder.appendingPathComponent("guests.sqlite").path)

print("Version 1")
try database.execute("DROP TABLE IF EXISTS Guest")
try database.table(Guest1.self).insertList([
  Guest1(name: "Ada", nick: "countess", age: "36"),
  Guest1(name: "Grace", nick: "admiral", age: "85"),
  Guest1(name: "Alan", nick: "", age: "41"),
])
try show("Guest")

let two = XTUpgrade(Guest2.self, to: 2) {
  $0.add(\.email)
  $0.rename("nick", to: \.nickname)
}
let three = XTUpgrade(Guest3.self, to: 3) {
  $0.change(\.age, \.nickname)
  $0.drop("legacy")
}
let four = XTUpgrade(Guest4.self, to: 4) {
  $0.fill(\.email) { row in "\((row["name"] as String? ?? "").lowercased())@example.org" }
  $0.change(\.email)
  $0.add(\.ticket)
}
let five = XTUpgrade(Visitor.self, to: 5) {
  $0.renameTable(from: "Guest")
  $0.addIndex(\.name)
}

for (upgrade, table) in [(two, "Guest"), (three, "Guest"), (four, "Guest"), (five, "Visitor")] {
  print("\nThe plan:")
  print(try database.upgradePlan { upgrade })
  try database.upgrade { upgrade }
  print("\nThe result:")
  try show(table)
}

/// Prints a table's declaration and its rows.
func show(_ table: String) throws {
  let sql = try database.anyFunc(
    sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = \(table)")
  print(sql ?? "")
  let columns = "name, age"
  let text = try database.anyFunc(
    sql: XTSQL(
      unsafe: "SELECT group_concat(row, '; ') FROM (SELECT \(columns),"
        + " pkid || ' ' || name || ' ' || age AS row FROM \(table) ORDER BY pkid)"))
  print("rows: \(text ?? "")")
}
