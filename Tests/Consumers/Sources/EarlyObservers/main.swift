// Observations that are made before there is a database, as views make theirs.
import Foundation
import XTLite

struct Errand: XTModel, Equatable {
  var pkid: Int64?
  var title = ""
}

func check(_ condition: Bool, _ message: String) {
  guard !condition else { return }
  print("EarlyObservers: \(message)")
  exit(1)
}

var errand = Errand(pkid: 7, title: "early")
let one = errand.xt_observe()
let count = Errand.xt_observeCount()
// What the model is later is not asked for.
errand.pkid = 8
do {
  for try await _ in one { check(false, "a value without a database") }
} catch let error as XTError {
  check(error.kind == .notConfigured, "\(error)")
}
let nobody = Errand().xt_observe()

let folder = FileManager.default.temporaryDirectory.path + "/xtlite-consumer-\(UUID().uuidString)"
defer { try? FileManager.default.removeItem(atPath: folder) }
try XTDatabase.configure(path: folder + "/errands.sqlite")
_ = try Errand.xt_insertList([Errand(pkid: 7, title: "seven"), Errand(pkid: 8, title: "eight")])
for try await found in one {
  check(found?.title == "seven", "\(String(describing: found))")
  break
}
for try await number in count {
  check(number == 2, "\(number) rows")
  break
}
do {
  for try await _ in nobody { check(false, "a value for a model that is no row") }
} catch let error as XTError {
  check(error.kind == .noIdentity, "\(error)")
}
print("EarlyObservers: all well")
