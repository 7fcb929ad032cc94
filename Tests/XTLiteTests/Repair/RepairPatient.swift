import Foundation

@testable import XTLite

/// A file made with SQL, damaged by a test, and salvaged.
final class RepairPatient {
  let folder: TemporaryFolder
  let path: String
  let newPath: String
  private(set) var report: XTSalvageReport?

  init(_ script: String, journalMode: String = "delete") throws {
    folder = try TemporaryFolder()
    path = folder.path("damaged.sqlite")
    newPath = folder.path("saved.sqlite")
    var settings = ConnectionSettings(path: path)
    settings.journalMode = journalMode
    settings.synchronous = "off"
    let connection = try Connection(settings)
    defer { connection.close() }
    try connection.executeScript(script)
  }

  /// Changes the file's bytes.
  func damage(_ body: (inout [UInt8]) -> Void) throws {
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    body(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  func root(of name: String) throws -> Int {
    let connection = try Connection(ConnectionSettings(path: path))
    defer { connection.close() }
    return Int(
      try connection.firstValue(
        "SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(name)])?.int64 ?? 0)
  }

  @discardableResult
  func salvage(_ change: (inout XTSalvageOptions) -> Void = { _ in }) throws -> XTSalvageReport {
    var options = XTSalvageOptions()
    change(&options)
    let report = try XTRepair.salvage(path, to: newPath, options: options)
    self.report = report
    return report
  }

  /// The new file's rows, values as text joined by "|".
  func saved(_ sql: String) throws -> [String] {
    let connection = try Connection(ConnectionSettings(path: newPath))
    defer { connection.close() }
    return try connection.rows(sql).map { $0.map(\.description).joined(separator: "|") }
  }

  func problems() throws -> [String] {
    try saved("PRAGMA integrity_check")
  }
}

/// SQL before a SELECT FROM c, which has the numbers from 1 to 3,000.
let salvageSeries = """
  WITH RECURSIVE c (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 3000)
  """
