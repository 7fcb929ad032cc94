import Foundation

/// The look at a file before it is opened, where the configuration asks for it.
enum OpeningCheck {
  /// Looks for damage. A damaged file is then no longer at the path, but set aside.
  ///
  /// For who keeps others of this process from the path.
  ///
  /// - Returns: What was wrong; nil for a file that is sound, or is not there.
  /// - Throws: `corrupt` where a damaged file is to stay where it is; why it can't be opened where
  ///   that is no damage.
  static func run(path: String, _ configuration: XTConfiguration) throws -> XTDamage? {
    guard configuration.openingCheck != .none, FileStamp.size(of: path) > 0 else { return nil }
    let problems = try problems(path: path, configuration)
    guard let first = problems.first else { return nil }
    let mayMove = configuration.onDamage == .setAside && !configuration.readOnly
    guard mayMove else {
      throw XTError(
        .corrupt, "the file is damaged: \(first)",
        hint: "restore a backup; onDamage = .setAside keeps it under another name and goes on",
        path: path)
    }
    guard let refill = configuration.refill else {
      let aside = try DamagedFile.setAside(path)
      return XTDamage(path: path, problems: problems, setAside: aside)
    }
    return try self.refill(path, problems) { try refill($0, $1, configuration) }
  }

  /// Has another file made of the damaged one, which stays at the path until it is replaced by that:
  /// whoever is killed meanwhile, or fails, leaves it as it was.
  private static func refill(
    _ path: String, _ problems: [String], _ fill: (XTDamage, String) throws -> Void
  ) throws -> XTDamage {
    let aside = try DamagedFile.setAside(path, keepingName: true)
    let damage = XTDamage(path: path, problems: problems, setAside: aside)
    let spare = SpareFile(beside: path, for: .refilled)
    do {
      try fill(damage, spare.path)
    } catch {
      // Set aside, but told nobody, there would be one more of it at each opening.
      DamagedFile.forget(aside)
      throw error
    }
    try DamagedFile.removeBelongings(of: path)
    try spare.replace(path)
    return damage
  }

  /// How many problems are kept.
  private static let limit = 100

  private static func problems(
    path: String, _ configuration: XTConfiguration
  ) throws -> [String] {
    var settings = try configuration.connectionSettings(path: path)
    settings.mayCreate = false
    // A damaged file is not written to.
    settings.keepsJournalMode = true
    settings.keepsLog = true
    do {
      let connection = try Connection.open(settings)
      defer { connection.close() }
      let problems = try connection.problems(
        isQuick: configuration.openingCheck == .quick, limit: limit, progress: { _ in })
      if !problems.isEmpty { try refuseWriter(connection, configuration) }
      return problems
    } catch let error as XTError where error.kind == .corrupt {
      return [error.message]
    } catch let error as XTError where error.kind == .notADatabase && hasLostHeader(path) {
      return [error.message]
    } catch let error as XTError where [.notADatabase, .encryption].contains(error.kind) {
      guard let isDamaged = configuration.isDamaged, isDamaged(path, configuration) else {
        throw error
      }
      return ["\(error.message): its beginning is damaged"]
    }
  }

  /// Somebody who writes to the file would go on in the one that was set aside.
  private static func refuseWriter(
    _ connection: Connection, _ configuration: XTConfiguration
  ) throws {
    guard configuration.onDamage == .setAside, !configuration.readOnly else { return }
    do {
      try connection.prepare("BEGIN IMMEDIATE", kept: false).run()
      try connection.prepare("ROLLBACK", kept: false).run()
    } catch let error as XTError where error.kind == .locked {
      throw error
    } catch {}
  }

  /// Whether a file that is no database was one: it begins as one, or with nothing but zeros. One that
  /// begins otherwise may be encrypted, or something else altogether.
  private static func hasLostHeader(_ path: String) -> Bool {
    // No connection of this process has it open.
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    let header = (try? file.read(upToCount: 100)) ?? Data()
    return header.starts(with: Data("SQLite format 3\0".utf8))
      || (header.count == 100 && header.allSatisfy { $0 == 0 })
  }
}
