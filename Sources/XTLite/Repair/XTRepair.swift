import Foundation

/// Brings rows back from a file that SQLite can no longer read.
public enum XTRepair {
  /// Reads a damaged database file page by page, and writes the rows that it finds into a new file
  /// with the same tables, indexes, views and triggers.
  ///
  /// ```swift
  /// let report = try XTRepair.salvage("people.sqlite", to: "people-saved.sqlite")
  /// print(report)
  /// ```
  ///
  /// The damaged file is only read, and need not be one that SQLite opens. What its write-ahead log
  /// holds is read, too. Leaves of tables are found also where the pages that lead to them are lost;
  /// rows that were deleted don't come back. Rows that may be wrong are in the new file as well, and
  /// in the report. What it can and can't do is told in <doc:DamagedFiles>.
  ///
  /// Nobody may have the damaged file open meanwhile.
  ///
  /// - Parameters:
  ///   - path: The damaged file.
  ///   - newPath: Where the new file is made; nothing may be there.
  ///   - key: The damaged file's key; the new one has it too, unless the options' configuration says
  ///     otherwise.
  ///   - options: What helps: models, a backup, hints.
  ///   - progress: Counts two units for each page. Cancelling it ends the salvage, and removes what
  ///     there is of the new file.
  /// - Returns: What was found, and what is doubtful. It does not throw for damage, however much.
  /// - Throws: ``XTError``: `open` where there is no such file or a file at the new path, `locked`
  ///   where this process has the file open, `notADatabase` where no page of a database is found,
  ///   `encryption` where the key opens none of the pages, `diskFull`, `interrupted` where it was
  ///   cancelled.
  @discardableResult
  public static func salvage(
    _ path: String, to newPath: String, key: XTKey? = nil,
    options: XTSalvageOptions = XTSalvageOptions(), progress: Progress? = nil
  ) throws -> XTSalvageReport {
    let path = try FilePath.resolved(path)
    let newPath = try FilePath.resolved(newPath)
    var options = options
    options.key = key
    // A descriptor that is closed here would take SQLite's locks with it.
    if DatabaseRegistry.isOpen(path) {
      throw XTError(
        .locked, "this process has the file open", hint: "close the database first", path: path)
    }
    for file in [newPath] + DatabaseFile.companions(of: newPath) {
      try FilePath.refuseExisting(file)
    }
    let file = try ReadOnlyFile(path: path)
    try FilePath.makeFolder(of: newPath)
    do {
      return try salvage(
        file, path, to: newPath, options: options, progress: SalvageProgress(progress))
    } catch {
      for file in [newPath] + DatabaseFile.companions(of: newPath) {
        try? FilePath.remove(file)
      }
      throw error
    }
  }

  /// The async form: runs on a thread of its own. Cancelling the task ends it.
  ///
  /// - Parameters:
  ///   - path: As for the other form.
  ///   - newPath: As for the other form.
  ///   - key: As for the other form.
  ///   - options: As for the other form.
  ///   - progress: As for the other form.
  /// - Returns: What was found, and what is doubtful.
  /// - Throws: As the other form; `CancellationError` where the task was cancelled.
  @discardableResult
  public static func salvage(
    _ path: String, to newPath: String, key: XTKey? = nil,
    options: XTSalvageOptions = XTSalvageOptions(), progress: Progress? = nil
  ) async throws -> XTSalvageReport {
    let progress = progress ?? Progress(totalUnitCount: 1)
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          DispatchQueue(label: "XTLite salvage").async {
            continuation.resume(
              with: Result {
                try salvage(path, to: newPath, key: key, options: options, progress: progress)
              })
          }
        }
      } onCancel: {
        progress.cancel()
      }
    } catch let error as XTError where error.kind == .interrupted && Task.isCancelled {
      throw CancellationError()
    }
  }

  private static func salvage(
    _ file: ReadOnlyFile, _ path: String, to newPath: String, options: XTSalvageOptions,
    progress: SalvageProgress
  ) throws -> XTSalvageReport {
    let logFile = try? ReadOnlyFile(path: path + "-wal")
    let hints = RepairHints.read(
      options.hints ?? RepairHints.path(of: path), key: options.hintsKey ?? options.key)
    var known = PagedFile.Knowledge()
    known.pageSize = hints?.pageSize
    known.reserved = hints?.reserved
    known.encoding = hints?.encoding
    if let key = options.key {
      known.cipher = { file, logFile in
        try CipherSearch(key: try key.engineBytes(), settings: options.cipher, salt: hints?.salt)
          .run(
            file, log: logFile, path: path)
      }
    }
    let damaged = try PagedFile(
      file, log: logFile, journal: try? ReadOnlyFile(path: path + "-journal"), knowing: known,
      path: path
    ) { try progress.check() }
    var configuration = options.configuration
    configuration.key = options.writesPlainFile ? nil : configuration.key ?? options.key
    configuration.openingCheck = .none
    let writer = try SalvageWriter(
      configuration.connectionSettings(path: newPath), like: damaged,
      keepsPageSize: configuration.key == nil)
    defer { writer.close() }
    let salvage = try Salvage(
      damaged, writer: writer, hints: hints, options: options, progress: progress,
      report: XTSalvageReport(path: path, newPath: newPath))
    return try salvage.run()
  }
}
