import XTLite

/// The program on a terminal: searches with each key, and shows the notes as they are.
@MainActor
enum Screen {
  static func run(_ database: XTDatabase) async throws {
    var typed: [UInt8] = []
    var notebook: Notebook?
    func text() -> String { String(decoding: typed, as: UTF8.self) }
    func draw() {
      if let notebook { Terminal.write(picture(notebook, text())) }
    }
    notebook = try Notebook(database) { draw() }
    guard let notebook else { return }
    try await Terminal.raw {
      draw()
      for await byte in Terminal.bytes {
        switch byte {
        case 4, 27:
          return
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
          // Not in the middle of a letter.
  PLACE
          notebook.search(text().hasPrefix("+") ? "" : text())
        default:
          continue
        }
        draw()
      }
    }
  }

  private static func picture(_ notebook: Notebook, _ typed: String) -> String {
    var lines = ["search, or + title: text, and Return; Esc ends", "> \(typed)", ""]
    if notebook.query.isEmpty {
      lines += notebook.list.items.map { "\($0.pkid ?? 0)  \($0.title)  \($0.body)" }
    } else {
      lines += notebook.found.map { "\($0.title)  \($0.excerpt)" }
      if notebook.found.isEmpty { lines.append("nothing") }
    }
    if let error = notebook.list.error { lines.append("\(error)") }
    let clear = "\u{1B}[2J\u{1B}[H"
    return clear + lines.joined(separator: "\n") + "\u{1B}[2;\(typed.count + 3)H"
  }
}
