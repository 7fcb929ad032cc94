import Foundation

/// Files in WAL mode that can be read only where SQLite looks at nothing beside them.
extension Connection {
  /// Opens the file, or throws why it can't be.
  ///
  /// SQLite wants to make a log and its index beside a file in WAL mode, also to read it. Where the
  /// folder does not let it, as in a program's bundle, and there is no log, the file alone has
  /// everything: it is taken as it is, without locks, and looked at before each use.
  static func open(
    _ settings: ConnectionSettings, schemaClock: ChangeClock = ChangeClock()
  ) throws -> Connection {
    let isNew = settings.path.map { FileStamp.size(of: $0) == 0 } ?? false
    do {
      return try Connection(settings, schemaClock: schemaClock)
    } catch let error as XTError
      where isNew && settings.key != nil && FileStamp.size(of: settings.path ?? "") > 0
      && [.encryption, .notADatabase, .corrupt].contains(error.kind)
    {
      // Another program has made the file meanwhile, with a salt of its own.
      return try open(settings, schemaClock: schemaClock)
    } catch let error as XTError
      where error.kind == .encryption && settings.derivedKey?.isKnown == true
    {
      // Perhaps it is only what was derived from the key that is wrong.
      settings.derivedKey?.giveUp()
      return try open(settings, schemaClock: schemaClock)
    } catch let error as XTError
      where [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.code) && canBeTakenAsItIs(settings)
    {
      var settings = settings
      settings.isTakenAsItIs = true
      return try Connection(settings, schemaClock: schemaClock)
    }
  }

  private static func canBeTakenAsItIs(_ settings: ConnectionSettings) -> Bool {
    guard settings.isReadOnly, let path = settings.path else { return false }
    let folder = (path as NSString).deletingLastPathComponent
    return FileManager.default.isReadableFile(atPath: path)
      && !FileManager.default.isWritableFile(atPath: folder)
      // Somebody's who has it open, or had.
      && FileStamp(path: path + "-shm") == nil
      && FileStamp.size(of: path + "-wal") == 0 && FileStamp.size(of: path + "-journal") == 0
  }

  /// The name for sqlite3_open_v2 that tells it to take the file as it is.
  static func asItIsURI(_ path: String) -> String {
    let plain = CharacterSet(
      charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~")
    let encoded = path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
    return "file:\(encoded)?immutable=1"
  }

  /// Whether a file that was taken as it is has been written to, or has got a log.
  var isOutdated: Bool {
    guard settings.isTakenAsItIs, let path = settings.path else { return false }
    return FileStamp(path: path) != stamp || FileStamp.size(of: path + "-wal") > 0
  }

  /// Why a file that could be read by itself can't be, by what is beside it; nil where that is not
  /// the reason.
  static func reasonBeside(_ path: String) -> (message: String, hint: String)? {
    let copy =
      "copy the file and what is beside it to a folder that can be written, and open that; or let "
      + "a program that may write open it once"
    if FileStamp.size(of: path + "-journal") > 0 {
      return ("a transaction that did not end has left a -journal file, to be rolled back", copy)
    }
    let hasIndex = FileStamp(path: path + "-shm") != nil
    guard hasIndex || FileStamp.size(of: path + "-wal") > 0 else { return nil }
    let isReadable = ["-wal", "-shm"].allSatisfy { name in
      FileStamp(path: path + name) == nil
        || FileManager.default.isReadableFile(atPath: path + name)
    }
    if !isReadable { return ("there is no permission to read its -wal or -shm file", copy) }
    if !hasIndex {
      return ("a -wal file is beside it, whose -shm file can't be made in this folder", copy)
    }
    if !SQLiteLibrary.readsWithoutWritingTheIndex {
      return (
        "its -wal and -shm files can't be written, and this SQLite only reads them where they can",
        "use SQLite 3.22 or later; or \(copy)"
      )
    }
    return nil
  }
}
