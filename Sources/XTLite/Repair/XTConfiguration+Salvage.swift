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
  /// damaged file is never deleted: ``XTDatabase/damage`` says where it is. Where the salvage itself
  /// fails, such as on a full disk, the damaged file goes back to its place and the opening throws
  /// why.
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
    refill = { damage, configuration in
      var options = options
      options.configuration = configuration
      options.hints = options.hints ?? RepairHints.path(of: damage.path)
      options.cipher = configuration.cipher
      do {
        told(
          try XTRepair.salvage(
            damage.setAside, to: damage.path, key: configuration.key, options: options))
      } catch let error as XTError {
        // Left aside, the next opening would begin with an empty file and say nothing.
        for (file, place) in zip(
          [damage.setAside] + DatabaseFile.companions(of: damage.setAside),
          [damage.path] + DatabaseFile.companions(of: damage.path))
        where FileIdentity(path: file) != nil {
          try FilePath.move(file, to: place)
        }
        throw error
      }
    }
  }
}
