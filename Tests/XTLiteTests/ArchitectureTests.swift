import Foundation
import Testing

/// The rooms of the library, and who may say what in them.
@Suite struct ArchitectureTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/XTLite").standardizedFileURL

  /// The Swift files of the library, by their paths in it.
  private static func files() throws -> [(path: String, text: String)] {
    let root = sources.path
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root)
    return try paths.filter { $0.hasSuffix(".swift") }.map {
      (path: $0, text: try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8))
    }
  }

  @Test func onlyTheEngine_speaksToSQLite() throws {
    let files = try Self.files()
    let speaking = files.filter { $0.text.contains("sqlite3_") || $0.text.contains("SQLITE_") }
    // Or the test looks in the wrong place.
    #expect(files.count > 50)
    #expect(speaking.contains { $0.path.hasPrefix("Engine/") })
    #expect(speaking.map(\.path).filter { !$0.hasPrefix("Engine/") } == [])
  }

  @Test func onlyOneFile_importsAnEngine() throws {
    let importing = try Self.files().filter { file in
      file.text.split(whereSeparator: \.isNewline).contains { line in
        line.contains("import CSQLite") || line.contains("import CSQLCipher")
      }
    }
    #expect(importing.map(\.path) == ["Engine/SQLiteLibrary.swift"])
  }

  @Test func mapping_buildsNoSQLAndRunsNone() throws {
    let statements = [
      "SELECT ", "INSERT ", "UPDATE ", "DELETE FROM", "CREATE ", "ALTER ", "PRAGMA ",
    ]
    for file in try Self.files() where file.path.hasPrefix("Mapping/") {
      let code = file.text.split(separator: "\n")
        .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
      for statement in statements {
        #expect(!code.contains("\"\(statement)"), "\(file.path)")
      }
    }
  }

  /// Query is SQL as plain values. It names neither what runs them nor what stands above it.
  @Test func query_namesNothingThatRunsIt() throws {
    let above = ["Database/", "Schema/", "Table/", "Model/"]
    let declaration =
      #/(?:^|\n)(?:(?:public|final|indirect|open) )*(?:struct|class|enum|protocol|typealias) (?<name>\w+)/#
    let files = try Self.files()
    var names: Set = ["Statement", "Connection", "RowReader", "RowWriter"]
    for file in files where above.contains(where: file.path.hasPrefix) {
      for match in file.text.matches(of: declaration) { names.insert(String(match.output.name)) }
    }
    // Or the test looks in the wrong place.
    #expect(names.isSuperset(of: ["RowPlan", "TableShape", "XTTable", "XTQuery", "XTDatabase"]))
    for file in files where file.path.hasPrefix("Query/") {
      let code = file.text.split(separator: "\n")
        .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
      let words = Set(code.matches(of: #/\w+/#).map { String($0.output) })
      #expect(words.intersection(names) == [], "\(file.path)")
    }
  }

  /// What went wrong and what to do begin in lower case, names aside, and end without a full stop.
  @Test func errors_speakInOneVoice() throws {
    let literal = #/"(?:[^"\\\n]|\\.)*"/#
    let opening = #/(?:hint(?:: | = )|XTError\(\s*\.[^"]*?,\s*|fail\(\s*|notStorable\(\s*)$/#
    let shouting = #/^"[A-Z][a-z]* .*|^"[A-Z][a-z]+"/#
    var count = 0
    for file in try Self.files() {
      for match in file.text.matches(of: literal) {
        let before = file.text[..<match.range.lowerBound].suffix(80)
        guard before.contains(opening) else { continue }
        count += 1
        let text = String(match.output)
        let isShouting = text.contains(shouting) && !text.hasPrefix("\"NaN ")
        #expect(!isShouting && !text.hasSuffix(".\""), "\(file.path): \(text)")
      }
    }
    // Or the test looks in the wrong place.
    #expect(count > 100)
  }

  @Test func runtimeEntryPoints_standInOneFile() throws {
    let naming = try Self.files().filter { $0.text.contains("@_silgen_name") }
    #expect(naming.map(\.path) == ["Mapping/Reflection.swift"])
  }

  /// What runs in part by `make test` has a name that `make torture` looks for.
  @Test func suitesThatRunInPart_areFoundByTheirNames() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let makefile = try String(
      contentsOf: tests.appending(path: "../../Makefile").standardizedFileURL, encoding: .utf8)
    var count = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path)
    where path.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(tests.path)/\(path)", encoding: .utf8)
      guard text.contains("Torture.part(of" + ": ") else { continue }
      count += 1
      let names = text.matches(of: #/struct (?<name>\w+Tests)\b/#).map { String($0.output.name) }
      #expect(
        names.contains { $0.hasSuffix("TortureTests") || makefile.contains($0) }, "\(path)")
    }
    // Or the test looks in the wrong place.
    #expect(count > 10)
  }
}
