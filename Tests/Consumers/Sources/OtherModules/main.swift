// A struct, a final class and open classes of another module, made models by an empty extension.
import Foundation
import Freight
import XTLite

extension Parcel: @retroactive XTModel {}
extension Crate: @retroactive XTModel {}
extension Container: @retroactive XTModel {}

// Before anything is configured.
do {
  _ = try Parcel.xt_findAll()
  check(false, "a verb ran without a database")
} catch let error as XTError {
  check(error.kind == .notConfigured, "\(error)")
  check(error.hint?.contains("configure") == true, "no hint")
  check(error.localizedDescription == error.description, "no localizedDescription")
}

let folder = FileManager.default.temporaryDirectory.path + "/xtlite-consumer-\(UUID().uuidString)"
defer { try? FileManager.default.removeItem(atPath: folder) }
try XTDatabase.configure(path: folder + "/freight.sqlite")

// Values.
var parcel = Parcel(code: "O'Brien", grams: 300)
parcel.size = Size(width: 1.5, height: 2)
parcel.labels = ["fragile", "ü"]
parcel.open()
let number = try parcel.xt_insert()
check(number == 1, "pkid \(number)")
check(try Parcel.xt_find(pkid: 1) == parcel, "the parcel came back different")
check(try Parcel.xt_findFirst()?.sealState == "broken", "private state was lost")

try Parcel.xt_insertList((0..<100).map { Parcel(code: "p\($0)", grams: $0) })
let heavy = try Parcel.xt_findWhere(\.grams > 97 && !\.isOpen, orderBy: .desc(\.grams))
check(heavy.map(\.code) == ["p99", "p98"], "\(heavy)")
check(try Parcel.xt_findWhere(\.isOpen).count == 1, "flag")
check(try Parcel.xt_findWhere("code = \("O'Brien") AND \(\.grams) = \(300)").count == 1, "raw")
check(try Parcel.xt_countWhere((\Parcel.code).startsWith("p1")) == 11, "startsWith")
check(try Parcel.xt_countWhere(\.size == nil) == 100, "nil")
check(try Parcel.xt_countWhere(\.kind == "parcel") == 101, "let")
let sum: Int64? = try Parcel.xt_sumOf(\.grams)
check(sum == 5250, "sum")
let most: Int? = try Parcel.xt_maxOf(\.grams)
check(most == 300, "max")
for (code, grams) in try Parcel.xt_select(\.code, \.grams, where: \.grams < 1) {
  check(code == "p0" && grams == 0, "select")
}
parcel.grams = 301
check(try parcel.xt_upsert(by: \.code) == .updated(pkids: [1]), "upsert")
check(try Parcel.xt_updateWhere(\.grams == 301, .add(\.grams, 1)) == 1, "updateWhere")
check(try Parcel.xt_findFirstWhere(\.grams == 302)?.labels == ["fragile", "ü"], "labels")
check(try Parcel.xt_softDeleteWhere(\.grams < 50) == 50, "softDelete")
check(try Parcel.xt_count() == 51 && Parcel.xt_count(scope: .deleted) == 50, "scopes")

// Objects.
let crate = Crate()
crate.label = "top"
crate.stamp("seen")
try crate.xt_insert()
check(crate.pkid == 1 && crate.xt_createTime != nil, "automatic columns of an object")
crate.weight = 2.5
try crate.xt_update()
let again = try Crate.xt_findFirstWhere(\.weight > 2)
check(again?.pkid == 1 && again?.allStamps == ["new", "seen"], "crate")
check(try again?.xt_deleteModel() == true, "delete")
check(try Crate.xt_isEmptyTable(), "empty")

// A superclass and its subclass, each in its own table.
let container = Container()
container.number = 7
try container.xt_insert()
let reefer = Reefer()
reefer.number = 8
reefer.owner = "ACME"
reefer.degrees = -20
let stored: [Container] = [reefer]
try Container.xt_insertList(stored)
check(try Container.xt_select(\.number) == [7], "Container's table")
check(try Reefer.xt_findFirstWhere(\.degrees < -19 && \.number == 8)?.owner == "ACME", "Reefer's")
check(try Reefer.xt_findFirst()?.changes == 1, "didSet ran while a row was read")

try XTDatabase.shared.transaction {
  try Crate().xt_insert()
  try XTDatabase.shared.rollback()
}
check(try Crate.xt_count() == 0, "rollback")
print("other modules: all good")
