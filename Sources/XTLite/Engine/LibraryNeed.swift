/// Something that not every SQLite has.
struct LibraryNeed: Sendable {
  /// What needs it: "window functions".
  let what: String
  /// 3025000 for 3.25.0.
  let version: Int
  /// The option that the library must be built with.
  var option: String?

  static let windows = LibraryNeed(what: "window functions", version: 3_025_000)
  static let rangeOffsets = LibraryNeed(
    what: "a RANGE frame that begins or ends some way off", version: 3_028_000)
  static let filter = LibraryNeed(what: "FILTER on an aggregate", version: 3_030_000)
  static let outerJoins = LibraryNeed(what: "RIGHT JOIN and FULL JOIN", version: 3_039_000)
  static let havingAlone = LibraryNeed(what: "HAVING without GROUP BY", version: 3_039_000)
  static let returning = LibraryNeed(what: "RETURNING", version: 3_035_000)
  static func math(_ name: String) -> LibraryNeed {
    LibraryNeed(
      what: "the function \(name)", version: 3_035_000, option: "ENABLE_MATH_FUNCTIONS")
  }

  /// - Throws: `sqlite`, which names the version, where the linked library is too old.
  func check(version linked: Int = SQLiteLibrary.versionNumber) throws {
    if linked < version {
      throw XTError(
        .sqlite,
        "\(what) needs SQLite \(Self.text(version)), and this program runs on \(Self.text(linked))",
        hint: "nothing was run")
    }
    if let option, !SQLiteLibrary.isBuilt(with: option) {
      throw XTError(
        .sqlite,
        "\(what) needs an SQLite (\(Self.text(version)) or later) that was built with "
          + "SQLITE_\(option)",
        hint: "nothing was run")
    }
  }

  private static func text(_ version: Int) -> String {
    "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
  }
}
