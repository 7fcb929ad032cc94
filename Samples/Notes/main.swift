// Notes on the terminal: adds them, searches as one types, and shows a list that stays current, also
// where another program writes to the file.
//
//     Notes [FILE]
//
// Without a terminal it takes commands from standard input, one a line: see Script.swift.

import Foundation
import XTLite

let path = CommandLine.arguments.dropFirst().first ?? "notes.sqlite"
let database = try XTDatabase(path: path)
// What is observed writes nothing: an index that an older version of this program made is made anew
// before.
_ = try await Task.detached { try database.table(Note.self).searchCount("") }.value
if Terminal.isInteractive {
  try await Screen.run(database)
} else {
  try await Script.run(database)
}
try await Task.detached { try database.close() }.value
