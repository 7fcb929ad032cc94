import Foundation

/// What helps a salvage, beside the damaged file itself.
///
/// ```swift
/// var options = XTSalvageOptions()
/// options.models = [Person.self, Order.self]
/// options.backup = "backup.sqlite"
/// let report = try XTRepair.salvage("damaged.sqlite", to: "saved.sqlite", options: options)
/// ```
public struct XTSalvageOptions: Sendable {
  /// The program's models: where the damaged file does not tell its tables any more, theirs are made
  /// and found by what their rows look like.
  public var models: [any XTModel.Type] = []
  /// The path of an older copy of the file, whose schema is used where the damaged file and the
  /// hints don't tell. Its rows are not. One that can't be read is told in the report's problems.
  public var backup: String?
  /// The backup's key, where it is not the damaged file's.
  public var backupKey: XTKey?
  /// Where the repair hints are; nil for the place where ``XTDatabase/saveRepairHints(key:)`` puts
  /// them. A file that is not there, or is damaged too, is gone without.
  public var hints: String?
  /// The hints' key, where it is not the damaged file's.
  public var hintsKey: XTKey?
  /// How the damaged file is encrypted. What is nil is found by trying what SQLCipher 2, 3 and 4 do by
  /// themselves, with each page size; files of SQLCipher 1 have to be named.
  public var cipher = XTCipher()
  /// How the new file is opened: its own key, the functions and collations that its schema needs.
  /// Without a key in it the new file has the damaged file's.
  public var configuration = XTConfiguration()
  /// Whether the new file has no key even though the damaged one has. So an encrypted file is read in
  /// a build without encryption, too.
  public var writesPlainFile = false
  /// Whether rows of tables of which nothing is known are kept, in tables named `salvaged_` and a
  /// number.
  public var keepsUnknownTables = true

  /// The damaged file's key.
  var key: XTKey?

  /// Goes by the file, and by hints where they are beside it.
  public init() {}
}
