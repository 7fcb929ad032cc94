/// What was wrong with a file when it was opened, and where it is now.
public struct XTDamage: Sendable {
  /// The database's path, where there is another file now.
  public let path: String
  /// What was found, in SQLite's words.
  public let problems: [String]
  /// Where the damaged file was moved, with its log beside it.
  public let setAside: String
}

extension XTConfiguration {
  /// How far a file is looked through when it is opened.
  public enum OpeningCheck: Sendable {
    /// Not at all.
    case none
    /// Without a look at whether indexes agree with their tables.
    case quick
    /// As `checkIntegrity` of a database does.
    case full
  }

  /// What is done with a damaged file when it is opened.
  public enum OnDamage: Sendable {
    /// The opening throws ``XTError/Kind/corrupt``; the file stays where it is.
    case fail
    /// The file is moved to a name with the date, never deleted, and a new one is begun.
    case setAside
  }
}

extension XTDatabase {
  /// What was wrong with the file that was at the path when it was opened; nil where nothing was, or
  /// where it was not looked for. See ``XTConfiguration/openingCheck``.
  public var damage: XTDamage? { core.damage }
}

extension XTDamage {
  /// For those who listen.
  var error: XTError {
    XTError(
      .corrupt, "the file was damaged and is \(setAside) now: \(problems.first ?? "")", path: path)
  }
}

extension DatabaseCore {
  /// Tells who asked in the configuration; once.
  func tellDamage() {
    guard let damage, let tell = configuration.damageFound else { return }
    let isFirst = isDamageTold.withLock { isTold in
      defer { isTold = true }
      return !isTold
    }
    if isFirst { tell(damage) }
  }
}
