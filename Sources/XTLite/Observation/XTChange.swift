/// One change of a row that was committed.
public struct XTChange: Sendable, Hashable {
  /// What became of the row.
  public enum Kind: Sendable, Hashable {
    /// A new row.
    case insert
    /// A row that was there, and is.
    case update
    /// A row that is gone.
    case delete
    /// Rows of the table have changed, and nobody knows which: read it anew. See ``XTChanges``.
    case unspecified
  }

  /// What became of the row.
  public let kind: Kind
  /// The table; nil with ``Kind/unspecified`` where it may be any.
  public let table: String?
  /// The row's number: of the new row, or of the one that is deleted. Nil in a table WITHOUT ROWID,
  /// and where the kind is unspecified.
  public let pkid: Int64?
  /// What the row's number was before an update; the same as ``pkid`` as a rule.
  public let oldPkid: Int64?
  /// What the row held before; nil for an insert, and where this SQLite doesn't tell: see
  /// ``tellsValues``. Of a row that was stored before its table gained a column with a default, SQLite
  /// (3.40 among other versions) tells NULL in that column, though it reads as the default.
  public let old: XTRow?
  /// What the row holds now; nil for a delete, and where this SQLite doesn't tell.
  public let new: XTRow?
  /// Which commit it is a part of: a number that grows. The changes of one commit follow each
  /// other.
  public let commit: Int

  /// Whether this SQLite tells old and new values, by a preupdate hook, for which it has to be
  /// built.
  public static var tellsValues: Bool { PreupdateHook.shared != nil }
}

/// The changes of one commit, as they wait for who is to get them.
struct WaitingCommit: Sendable {
  let writes: Writes
  let number: Int

  var count: Int { writes.rows.count }

  func changes(_ headers: inout [ObjectIdentifier: RowHeader]) -> [XTChange] {
    var changes: [XTChange] = []
    changes.reserveCapacity(writes.rows.count + 1)
    for row in writes.rows {
      let table = row.table
      let id = ObjectIdentifier(table)
      let header = headers[id] ?? RowHeader(names: table.columns, sql: "")
      headers[id] = header
      changes.append(
        XTChange(
          kind: XTChange.Kind(row.kind), table: table.name, pkid: row.rowID,
          oldPkid: row.kind == .insert ? nil : row.oldRowID ?? row.rowID,
          old: row.old.map { XTRow(header, $0) }, new: row.new.map { XTRow(header, $0) },
          commit: number))
    }
    return changes + Self.unspecified(writes, number)
  }

  /// What is said of a commit whose rows are not known, or not all of them.
  static func unspecified(_ writes: Writes, _ number: Int) -> [XTChange] {
    func change(_ table: String?) -> XTChange {
      XTChange(
        kind: .unspecified, table: table, pkid: nil, oldPkid: nil, old: nil, new: nil,
        commit: number)
    }
    if writes.tables.isOfEverything { return [change(nil)] }
    return writes.namesOfUnrecorded.sorted().map { change($0) }
  }
}

extension XTChange.Kind {
  fileprivate init(_ kind: RowChange.Kind) {
    self =
      switch kind {
      case .insert: .insert
      case .update: .update
      case .delete: .delete
      }
  }
}
