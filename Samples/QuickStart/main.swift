import Foundation
import XTLite

struct Address: Codable {
  var street = ""
  var city = ""
}

struct Person: XTModel {
  var pkid: Int64?  // declare an automatic column to read it
  var name = ""
  var age = 0
  var nick: String?  // optional = nullable
  var tags: [String] = []  // any Codable container = JSON text
  var home: Address?  // any Codable value = JSON text
  var isSelected = false  // view state, kept out of the table

  static var xt_ignored: XTKeyPaths { [\Person.isSelected] }
  static var xt_keywords: XTKeywordMap { [\Person.name: .unique, \Person.age: "CHECK (age >= 0)"] }
}

// A file of its own for each run; or say where: `swift run QuickStart people.sqlite`
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
let path = CommandLine.arguments.dropFirst().first ?? folder.path + "/people.sqlite"

try XTDatabase.configure(path: path)  // once, at launch
try Person.xt_deleteAll()  // what an earlier run left in that file

var kobe = Person(name: "mamba", age: 24, tags: ["guard"], home: Address(city: "Los Angeles"))
try kobe.xt_insert()
print("inserted", kobe.name, "with pkid", kobe.pkid ?? 0)

kobe.age += 1
try kobe.xt_update()
print("a year later:", try Person.xt_findFirst()?.age ?? 0)

let newcomers = [
  Person(name: "O'Brien", age: 31, nick: "Obi"), Person(name: "李雷", age: 9),
  Person(name: "Zoë", age: 52),
]
try Person.xt_insertList(newcomers)

let who = "O'Brien"
let some = try Person.xt_findWhere("name == \(who) AND age > \(17)")  // bound
let same = try Person.xt_findWhere(\.name == who && \.age > 17)  // typed
print("found", some.first?.nick ?? "nobody", "and", same.first?.nick ?? "nobody")

let top = try Person.xt_findAll(orderBy: .desc(\.age), limit: 10)
print("oldest first:", top.map(\.name).joined(separator: ", "))
print("below ten:", try Person.xt_countWhere(\.age < 10))
print("the highest age:", try Person.xt_maxOf(\.age) ?? 0)  // Int?
print("lives in:", try Person.xt_find(pkid: kobe.pkid ?? 0)?.home?.city ?? "nowhere")

do {
  try Person.xt_insertList([Person(name: "Mia", age: 40), Person(name: "Zoë", age: 7)])
} catch let error as XTError {
  print("refused:", error.message)  // and Mia isn't there either
}

try XTDatabase.shared.transaction {
  try kobe.xt_softDelete()  // hidden from finds, still in the table
  try Person.xt_updateWhere(\.age < 10, .set(\.nick, to: "junior"), .add(\.age, 1))
}
for person in try Person.xt_findAll(orderBy: .asc(\.name)) {
  print("left:", person.name, person.age, person.nick ?? "-")
}

// When a later version of the program gives Person a new property, its table follows:
try XTDatabase.shared.upgrade(Person.self, add: [\Person.nick], version: 2)

print("look at it: sqlite3", path)
