import Foundation
import XTLite

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
let path = CommandLine.arguments.dropFirst().first ?? folder.path + "/world.sqlite"

do {
  guard !FileManager.default.fileExists(atPath: path) else {
    print("\(path) is there already. Give a path where nothing is, or none.")
    exit(2)
  }
  var world = World()
  try world.load()
  try XTDatabase.configure(path: path)
  try world.insert()
  try world.insertAgain()
  try world.deleteAndRestore()
  try world.upgrade()
  try world.answerQuestions()
  try XTDatabase.shared.close()
  print("\nlook at it: sqlite3 \(path)")
} catch {
  print(error.localizedDescription)
  exit(1)
}
