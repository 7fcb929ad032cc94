import XTLite

/// The program on a terminal: searches with each key, and shows the notes as they are.
@MainActor
enum Screen {
  static func run(_ database: XTDatabase) async throws {
    var typed: [UInt8] = []
    var notebook: Notebook?
    var isInSequence = false
    var isOver = false
    func text() -> String { String(decoding: typed, as: UTF8.self) }
    func draw() {
      if let notebook, !isOver { Terminal.write(picture(notebook, text())) }
    }
    notebook = try Notebook(database) { draw() }
    guard let notebook else { return }
    try await Terminal.raw {
      draw()
      for await byte in Terminal.bytes {
        if isInSequence {
          // Of an arrow or a function key: as long as its letter has not come.
          isInSequence = byte == 91 || byte == 79 || (48...59).contains(byte)
          continue
        }
        switch byte {
        // Control-C and Control-D.
        case 3, 4:
          isOver = true
          return
        case 27:
          isInSequence = true
          continue
        case 10, 13:
          let line = text()
          typed = []
          if line.hasPrefix("+") { try await notebook.add(String(line.dropFirst())) }
          notebook.search("")
        case 8, 127:
          var shorter = text()
          _ = shorter.popLast()
          typed = Array(shorter.utf8)
          notebook.search(shorter.hasPrefix("+") ? "" : shorter)
        case 32...:
          typed.append(byte)
          // In the middle of a letter there is nothing to search for yet.
          if text().unicodeScalars.last == "\u{FFFD}" { continue }
          notebook.search(text().hasPrefix("+") ? "" : text())
        default:
          continue
        }
        draw()
      }
    }
  }

  private static func picture(_ notebook: Notebook, _ typed: String) -> String {
    var lines = ["search, or + title: text, and Return; Control-D ends", "> \(typed)", ""]
    if notebook.query.isEmpty {
      lines += notebook.list.items.map { "\($0.pkid ?? 0)  \($0.title)  \($0.body)" }
    } else {
      lines += notebook.found.map { "\($0.title)  \($0.excerpt)" }
      if notebook.found.isEmpty, notebook.hasFound { lines.append("nothing") }
    }
    if let error = notebook.list.error { lines.append("\(error)") }
    let clear = "\u{1B}[2J\u{1B}[H"
    return clear + lines.joined(separator: "\n") + "\u{1B}[2;\(Terminal.columns(of: typed) + 3)H"
  }
}
