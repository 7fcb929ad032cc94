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
  /// hints don't tell. Its rows are not.
  public var backup: String?
  /// The backup's key, where it is not the damaged file's.
  public var backupKey: XTKey?
  /// Where the repair hints are; nil for the place where ``XTDatabase/saveRepairHints(key:)`` puts
  /// them. A file that is not there, or is damaged too, is gone without.
  public var hints: String?
  /// The hints' key, where it is not the damaged file's.
  public var hintsKey: XTKey?
  /// How the damaged file is encrypted; by itself each way that SQLCipher has by default is tried.
  public var cipher = XTSalvageCipher()
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

/// How the pages of a file are encrypted, where it is not as SQLCipher does by default. What is nil is
/// found by trying.
public struct XTSalvageCipher: Hashable, Sendable {
  /// 3 or 4, as in SQLCipher's `cipher_compatibility`.
  public var version: Int?
  /// Bytes of a page: 4096 in SQLCipher 4, 1024 before.
  public var pageSize: Int?
  /// How often the passphrase is hashed: 256,000 times in SQLCipher 4, 64,000 in 3.
  public var iterations: Int?
  /// Whether each page has a checksum of its own, which a program can turn off. Without, damage in a
  /// page is not seen.
  public var hasPageChecksums = true

  /// All of it found by trying.
  public init() {}
}
