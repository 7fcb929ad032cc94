import Foundation
import XTLite

/// The program without a terminal: a line is a command, and answered before the next one is read.
///
///     + title: text    adds a note
///     - number         removes one
///     ? text           what the text finds
///     =                the live list
@MainActor
enum Script {
  static func run(_ database: XTDatabase) async throws {
    let notebook = try Notebook(database) {}
    for await line in Terminal.lines {
      let text = String(line.dropFirst().drop { $0 == " " })
      switch line.first {
      case "+":
        try await notebook.add(text)
        print("added \(text)")
      case "-":
        let isThere = try await notebook.remove(Int64(text) ?? 0)
        print(isThere ? "removed \(text)" : "there is no \(text)")
      case "?":
        let found = try await database.read { try Note.found(text, limit: 10) }
        for note in found { print("found \(note.title): \(note.excerpt)") }
        if found.isEmpty { print("nothing") }
      case "=":
        for note in try await current(notebook) {
          print("\(note.pkid ?? 0) \(note.title): \(note.body)")
        }
      default:
        print("? \(line)")
      }
      // Who reads it by a pipe shall have the answer now.
      fflush(nil)
    }
  }

  /// The live list, once it has what was committed before this call.
  private static func current(_ notebook: Notebook) async throws -> [Note] {
    let pkids = try await notebook.database.read {
      try Note.xt_findAll(orderBy: .desc(\.pkid), limit: 10).map(\.pkid)
    }
    while notebook.list.error == nil, notebook.list.items.map(\.pkid) != pkids {
      try await Task.sleep(nanoseconds: 1_000_000)
    }
    if let error = notebook.list.error { throw error }
    return notebook.list.items
  }
}
