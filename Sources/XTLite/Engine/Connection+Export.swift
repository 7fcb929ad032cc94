/// A copy of a database, statement by statement, into a file that is encrypted otherwise, or not at
/// all: SQLCipher's export.
extension Connection {
  /// The name of the new file's database while it is filled.
  private static let newName = "xtlite_new"

  /// Whether the engine can do it.
  static var canExport: Bool {
    #if SQLCipher
      true
    #else
      false
    #endif
  }

  /// Writes everything into the file of `target`, which is there and empty. What others write
  /// meanwhile is not in it.
  ///
  /// On a connection that may write, and is in no transaction.
  ///
  /// - Parameter use: Called while this connection still sees what was copied.
  func export<T>(
    to target: ConnectionSettings, _ progress: (Double) throws -> Void, use: () throws -> T
  ) throws -> T {
    #if SQLCipher
      let library = try cipherVersion()
      try attach(target)
      defer { _ = try? prepare("DETACH \(Self.newName)", kept: false).run() }
      try setUpNewFile(target, library: library)
      let (version, application) = (try number("user_version"), try number("application_id"))
      try setForeignKeys(false)
      defer { try? setForeignKeys(settings.foreignKeys) }
      let areTriggersOff = xt_db_config_set(handle, Int32(XT_DBCONFIG_ENABLE_TRIGGER), 0)
      defer { _ = xt_db_config_set(handle, Int32(XT_DBCONFIG_ENABLE_TRIGGER), 1) }
      guard areTriggersOff == SQLITE_OK else {
        throw XTError.last(of: handle, code: areTriggersOff, path: path)
      }
      // SQLCipher takes a log's function away meanwhile, and calls it all the same.
      removeHooks()
      defer { installHooks() }
      let result = try inReadTransaction {
        try withProgress(work: 2 * workOfCheck(isQuick: false), from: 0, progress) {
          do {
            try prepare("SELECT sqlcipher_export('\(Self.newName)')", kept: false).run()
          } catch let error as XTError {
            throw Self.exportError(error)
          }
        }
        refusesWrites = false
        defer { refusesWrites = true }
        try keepRowNumbers()
        return try use()
      }
      try pragma("\(Self.newName).user_version = \(version)")
      try pragma("\(Self.newName).application_id = \(application)")
      return result
    #else
      throw XTError(
        .encryption, "this build of XTLite has no encryption", hint: Self.encryptionHint,
        path: path)
    #endif
  }

  #if SQLCipher
    private func number(_ name: String) throws -> Int64 {
      try pragma("main.\(name)")?.settingNumber ?? 0
    }

    /// The export is a function, whose errors have the words of what went wrong inside, and no code.
    private static func exportError(_ error: XTError) -> XTError {
      guard error.extendedCode == SQLITE_ERROR else { return error }
      let codes = [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FULL, SQLITE_IOERR]
      guard let code = codes.first(where: { String(cString: sqlite3_errstr($0)) == error.message })
      else { return error }
      return XTError(sqliteCode: code, message: error.message, path: error.path)
    }

    /// The key goes by the C interface, as bytes that are bound and not copied.
    private func attach(_ target: ConnectionSettings) throws {
      let file = XTValue.text(target.path ?? "")
      guard let key = target.key else {
        return try withStatement("ATTACH ? AS \(Self.newName) KEY ''") { statement in
          try statement.bind([file])
          try statement.run()
        }
      }
      let bytes = try key.engineBytes()
      let statement = try prepare("ATTACH ? AS \(Self.newName) KEY ?", kept: false)
      try bytes.withBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        try statement.bind(file, at: 1)
        try statement.bind(blob: start, count: bytes.count, copying: false, at: 2)
        defer {
          statement.reset()
          statement.clearBindings()
        }
        try statement.run()
      }
    }

    private func setUpNewFile(_ target: ConnectionSettings, library: Int) throws {
      if target.key != nil {
        for pragma in try target.cipher.pragmas(library: library, schema: Self.newName) {
          try self.pragma(pragma)
        }
      } else {
        try pragma("\(Self.newName).page_size = \(try number("page_size"))")
      }
      try pragma("\(Self.newName).auto_vacuum = \(try number("auto_vacuum"))")
      // The file is nothing before it is whole, and then it has to be on the disk.
      try pragma("\(Self.newName).journal_mode = MEMORY")
      try pragma("\(Self.newName).synchronous = FULL")
    }

    /// The export numbers the rows of some tables anew: those that have no number of their own and no
    /// index. Another table may refer to them all the same.
    private func keepRowNumbers() throws {
      let tables = try rows(
        """
        SELECT name FROM main.sqlite_master
        WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """)
      for table in tables.compactMap({ $0[0].string }) {
        let columns = try rows("PRAGMA main.table_info(\(quoted(table)))").compactMap {
          $0[1].string
        }
        let taken = Set(columns.map(SQLiteName.init))
        guard
          let number = ["rowid", "_rowid_", "oid"].first(where: { !taken.contains(SQLiteName($0)) }
          ),
          let ends = try? ends(of: number, in: "main", table),
          try self.ends(of: number, in: Self.newName, table) != ends
        else { continue }
        let list = ([number] + columns.map { quoted($0) }).joined(separator: ", ")
        let new = "\(Self.newName).\(quoted(table))"
        try prepare("DELETE FROM \(new)", kept: false).run()
        try prepare(
          "INSERT INTO \(new) (\(list)) SELECT \(list) FROM main.\(quoted(table))", kept: false
        ).run()
      }
    }

    /// Rows that are numbered anew go from 1 to their count. Throws for a table WITHOUT ROWID.
    private func ends(of number: String, in schema: String, _ table: String) throws -> [XTValue] {
      try rows("SELECT min(\(number)), max(\(number)) FROM \(schema).\(quoted(table))")[0]
    }
  #endif
}
