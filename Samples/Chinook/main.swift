import Foundation
import XTLite

// Twenty questions to the Chinook database, a shop that sells music, each typed and checked by the
// compiler; check.sh compares the answers with those of the sqlite3 tool.

guard let path = CommandLine.arguments.dropFirst().first else {
  print("usage: Chinook PATH-OF-chinook.sqlite")
  exit(2)
}

do {
  var configuration = XTConfiguration()
  configuration.readOnly = true
  try XTDatabase.configure(path: path, configuration: configuration)
  for (index, question) in (trackQuestions + peopleQuestions).enumerated() {
    try question.ask(number: index + 1)
  }
  try XTDatabase.shared.close()
} catch {
  print(error.localizedDescription)
  exit(1)
}
