/// What `salvage(_:to:key:options:progress:)` has found, and what it is unsure of.
///
/// ```swift
/// let report = try XTRepair.salvage("damaged.sqlite", to: "saved.sqlite")
/// print(report)
/// if report.score < 1 { … }
/// ```
public struct XTSalvageReport: Sendable {
  /// Why a row may not be what was stored last.
  public enum Doubt: String, CaseIterable, Hashable, Sendable {
    /// Its page is damaged: the structure does not fit together.
    case damagedPage
    /// It was put into its table because it looks like that table's rows, and like another's too.
    case guessedTable
    /// Its page may be one that the database had given up, with rows that were deleted.
    case maybeDeleted
    /// A value is none that SQLite would have put into the column, or a text that is none.
    case oddValue
    /// It comes from a damaged part of the write-ahead log.
    case damagedLog
    /// Another row or table says that the same page is its own.
    case contested
  }

  /// What became of one table.
  public struct Table: Sendable {
    /// Its name in the new file.
    public let name: String
    /// Rows in the new file that there is no doubt about.
    public internal(set) var rows = 0
    /// Rows in the new file that may be wrong, beside `rows`.
    public internal(set) var doubtfulRows = 0
    /// Rows that were found and are not in the new file: a part of them is lost, another row has
    /// the same key, or the table refuses them.
    public internal(set) var rowsLeftOut = 0
    /// Pages of the table that are lost, as far as its tree tells.
    public internal(set) var lostPages = 0
    /// Whether the table's name and columns were known. Rows of an unknown one are in a table named
    /// `salvaged_` and a number, with columns `c0`, `c1` …
    public let isKnown: Bool

    init(name: String, isKnown: Bool) {
      self.name = name
      self.isKnown = isKnown
    }
  }

  /// A row in the new file that may be wrong.
  public struct Row: Hashable, Sendable {
    /// Its table in the new file.
    public let table: String
    /// Its number; nil in a table WITHOUT ROWID.
    public let rowID: Int64?
    /// Why it may be wrong.
    public let doubts: Set<Doubt>
  }

  /// The damaged file.
  public let path: String
  /// The file that the rows are in now.
  public internal(set) var newPath: String
  /// The tables of the new file.
  public internal(set) var tables: [Table] = []
  /// The rows that may be wrong: the first 100,000 of them.
  public internal(set) var doubtfulRows: [Row] = []
  /// How many rows each doubt is about.
  public internal(set) var doubts: [Doubt: Int] = [:]
  /// Pages that the database has.
  public internal(set) var pages = 0
  /// Pages that are missing, or that could not be read as what they should be.
  public internal(set) var unreadablePages = 0
  /// Pages that could be read, with a structure that does not fit together.
  public internal(set) var damagedPages = 0
  /// Pages with what look like rows that nothing in the file has room for: deleted ones. They were
  /// left out.
  public internal(set) var abandonedPages = 0
  /// What else was found, or could not be made in the new file, in words.
  public internal(set) var problems: [String] = []
  /// Whether there were repair hints that could be read.
  public internal(set) var hasHints = false

  init(path: String, newPath: String) {
    self.path = path
    self.newPath = newPath
  }

  /// The rows in the new file, doubtful ones too.
  public var rows: Int { tables.reduce(0) { $0 + $1.rows + $1.doubtfulRows } }

  /// The share of the rows that are in the new file without doubt, from 0 to 1. An estimate where
  /// pages are lost: each is taken to have held as many rows as the table's others.
  public var score: Double {
    var (sure, all) = (0.0, 0.0)
    for table in tables {
      let found = Double(table.rows + table.doubtfulRows + table.rowsLeftOut)
      sure += Double(table.rows)
      all += found + Double(table.lostPages) * max(rowsPerPage[table.name] ?? 1, 1)
    }
    if all > 0 { return sure / all }
    return unreadablePages == 0 && damagedPages == 0 && problems.isEmpty ? 1 : 0
  }

  /// How many rows a page of each table has.
  var rowsPerPage: [String: Double] = [:]

  static let mostRows = 100_000
}

extension XTSalvageReport: CustomStringConvertible {
  /// The report as a text of several lines, without any value of a row.
  public var description: String {
    var lines = ["\(path) to \(newPath): score \(Self.percent(score))"]
    lines.append(
      "pages: \(pages), \(unreadablePages) unreadable, \(damagedPages) damaged, "
        + "\(abandonedPages) abandoned\(hasHints ? ", with hints" : "")")
    for table in tables {
      var line = "\(table.name): \(table.rows) rows"
      if table.doubtfulRows > 0 { line += ", \(table.doubtfulRows) doubtful" }
      if table.rowsLeftOut > 0 { line += ", \(table.rowsLeftOut) left out" }
      if table.lostPages > 0 { line += ", \(table.lostPages) pages lost" }
      lines.append(line)
    }
    for doubt in Doubt.allCases {
      if let count = doubts[doubt] { lines.append("doubt \(doubt.rawValue): \(count) rows") }
    }
    return (lines + problems).joined(separator: "\n")
  }

  private static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded(.down))
    return "\(tenths / 10).\(tenths % 10) %"
  }
}

extension Doubts {
  var reasons: Set<XTSalvageReport.Doubt> {
    var reasons: Set<XTSalvageReport.Doubt> = []
    if contains(.damagedPage) { reasons.insert(.damagedPage) }
    if contains(.guessedTable) { reasons.insert(.guessedTable) }
    if contains(.maybeDeleted) { reasons.insert(.maybeDeleted) }
    if contains(.oddValue) { reasons.insert(.oddValue) }
    if contains(.unprovedLog) { reasons.insert(.damagedLog) }
    if contains(.contested) { reasons.insert(.contested) }
    return reasons
  }
}
