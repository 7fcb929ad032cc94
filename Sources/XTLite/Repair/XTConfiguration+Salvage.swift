extension XTConfiguration {
  /// Has a damaged file set aside when it is opened, and its rows salvaged into a new one in its
  /// place, with which the program goes on.
  ///
  /// ```swift
  /// var configuration = XTConfiguration()
  /// configuration.openingCheck = .quick
  /// configuration.salvageOnDamage { report in print(report) }
  /// ```
  ///
  /// Sets ``onDamage`` to `.setAside`, and ``openingCheck`` to `.quick` where it is `.none`. The
  /// damaged file is never deleted: ``XTDatabase/damage`` says where it is. It stays at its path until
  /// the new one is whole: where the salvage itself fails, such as on a full disk, it is there as
  /// before and the opening throws why, and where the program is killed, the next opening begins anew.
  ///
  /// - Parameters:
  ///   - options: What helps the salvage; its configuration is this one.
  ///   - told: Given the salvage's report, before the opening returns. Not for the database that is
  ///     being opened.
  public mutating func salvageOnDamage(
    _ options: XTSalvageOptions = XTSalvageOptions(),
    told: @escaping @Sendable (XTSalvageReport) -> Void = { _ in }
  ) {
    onDamage = .setAside
    if openingCheck == .none { openingCheck = .quick }
    refill = { damage, newPath, configuration in
      var options = options
      options.configuration = configuration
      options.hints = options.hints ?? RepairHints.path(of: damage.path)
      options.cipher = configuration.cipher
      var report = try XTRepair.salvage(
        damage.setAside, to: newPath, key: configuration.key, options: options)
      report.newPath = damage.path
      told(report)
    }
    isDamaged = { path, configuration in
      guard let file = try? ReadOnlyFile(path: path) else { return false }
      guard let key = configuration.key else { return Self.looksLikeADatabase(file) }
      let hints = RepairHints.read(
        options.hints ?? RepairHints.path(of: path), key: options.hintsKey ?? key)
      return Self.hasLostItsSalt(file, path, key, configuration.cipher, hints?.salt)
    }
  }

  /// Whether pages of tables or indexes are behind a first page that does not look like one.
  private static func looksLikeADatabase(_ file: ReadOnlyFile) -> Bool {
    (PageSizeGuess.best(file)?.agreeing ?? 0) >= 3
  }

  /// Whether the key opens pages with the salt that the hints remember, and the file has another one.
  private static func hasLostItsSalt(
    _ file: ReadOnlyFile, _ path: String, _ key: XTKey, _ cipher: XTCipher, _ salt: [UInt8]?
  ) -> Bool {
    guard let salt, let own = file.read(at: 0, count: CipherPages.saltSize), salt != own,
      // With a salt of the key's own it is none of the file's that was wrong.
      let bytes = try? key.engineBytes(), bytes.rawKey?.salt == nil
    else { return false }
    let search = CipherSearch(key: bytes, settings: cipher, salt: salt, trustsFile: false)
    return (try? search.run(file, log: nil, path: path)) != nil
  }
}
