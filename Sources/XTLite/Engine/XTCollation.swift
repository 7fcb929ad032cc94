import Foundation

/// An order of texts of the program's own, for ``XTConfiguration/add(_:)-(XTCollation)``: every
/// connection of the database has it.
///
/// ```swift
/// configuration.add(
///   XTCollation("natural") { left, right in left.localizedStandardCompare(right) })
/// // SELECT name FROM Person ORDER BY name COLLATE natural
/// ```
///
/// The comparison is called by whichever thread runs the statement, several at a time where several
/// read. It must give the same answer at all times, and agree with itself: where a is before b and b
/// before c, a is before c.
///
/// A collation that stands in the definition of a table or an index shuts every other program out
/// of it.
public struct XTCollation: Sendable {
  /// The name in SQL, where upper and lower case of A to Z are the same.
  public let name: String

  let compare: Connection.Comparison
  let stamp = Stamp()

  /// A collation that compares texts.
  ///
  /// - Parameters:
  ///   - name: Not one that begins with `xt_`, and not `BINARY`. `NOCASE` and `RTRIM` are replaced,
  ///     which damages the indexes made with them.
  ///   - compare: Says in which order two texts stand.
  public init(
    _ name: String, _ compare: @escaping @Sendable (String, String) -> ComparisonResult
  ) {
    self.init(ofBytes: name) { left, right in
      compare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
    }
  }

  /// A collation that compares the bytes of texts in UTF-8, which saves making two strings for each
  /// comparison.
  ///
  /// - Parameters:
  ///   - name: As for ``init(_:_:)``.
  ///   - compare: Says in which order two texts stand. The bytes are valid during the call only.
  public init(
    ofBytes name: String,
    _ compare:
      @escaping @Sendable (
        UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>
      ) -> ComparisonResult
  ) {
    self.name = name
    self.compare = compare
  }

  /// Whether the other takes its place.
  func isReplaced(by other: XTCollation) -> Bool {
    SQLiteName(name) == SQLiteName(other.name)
  }

  /// - Throws: Why SQLite or the library can't take it.
  func validate() throws {
    try SQLiteName.check(name, of: "collation")
    if SQLiteName(name) == SQLiteName("BINARY") {
      throw XTError(
        .sqlite, "the collation BINARY can't be replaced",
        hint: "every index of the file that names no other is in its order; choose another name")
    }
  }
}
