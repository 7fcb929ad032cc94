/// The committed changes of a database, row by row: an `AsyncSequence` of ``XTChange``.
///
/// ```swift
/// for await change in database.changes {
///   switch change.kind {
///   case .insert: upload(change.new)
///   case .unspecified: uploadAll(change.table)
///   default: …
///   }
/// }
/// ```
///
/// They come in the order in which they were made, commit by commit, and only when the commit has
/// succeeded; nothing of what was rolled back is among them, not of a savepoint either. Each
/// iteration begins with what is committed after its iterator was made. It ends when its task is
/// cancelled; or the database closed, after what was committed before that.
///
/// They are those of the main file's tables: neither of an attached file's nor of temporary ones, nor
/// of what SQLite, XTLite and a search keep for themselves.
///
/// Where SQLite was built with a preupdate hook (``XTChange/tellsValues``), every row is told with
/// its old and new values, also one that a trigger, a foreign key or REPLACE changed, of tables
/// WITHOUT ROWID too, and each of those that `DELETE` without a condition takes: it then deletes
/// row by row. Values are left out of tables with virtual generated columns. Elsewhere the rows
/// come with their numbers alone, and a table WITHOUT ROWID, or one in which a statement may have
/// replaced rows, is told as ``XTChange/Kind/unspecified``.
///
/// That kind also stands for what is no statement about rows: a table that is made, dropped or
/// altered, rows of a virtual table, VACUUM, a backup that is restored, another file in the place of the
/// old one; and for what would need too much memory: of one transaction, and of all that wait for a slow
/// reader, 100,000 rows are kept, and 64 MB (67,108,864 bytes) of them with their old and new values.
/// Where there are more, one change for each table says that it is to be read anew. What other programs
/// write is not told.
///
/// While somebody iterates, each row that is written costs up to a microsecond more.
public struct XTChanges: AsyncSequence, Sendable {
  /// One change.
  public typealias Element = XTChange

  let database: XTDatabase

  /// Begins at once: what is committed from now on is kept for it.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(database)
  }

  /// One iteration over the changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var lease: ChangeFeed.Lease?
    // The last one first.
    private var changes: [XTChange] = []
    private var headers: [ObjectIdentifier: RowHeader] = [:]

    init(_ database: XTDatabase) {
      lease = database.isOpen ? ChangeFeed.Lease(ChangeFeed(database)) : nil
    }

    /// The next change; nil at the end: the task was cancelled, or the database closed and all of its
    /// commits told.
    public mutating func next() async -> XTChange? {
      await next(isolation: nil)
    }

    /// The next change; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> XTChange? {
      while true {
        if !Task.isCancelled, let change = changes.popLast() { return change }
        guard let lease, let commits = await lease.feed.next() else {
          (lease, changes, headers) = (nil, [], [:])
          return nil
        }
        // The tables live as long as the commits: an address says which one it is until then.
        headers = [:]
        changes = commits.flatMap { $0.changes(&headers) }.reversed()
      }
    }
  }
}

extension XTDatabase {
  /// The changes that are committed from now on, row by row; see ``XTChanges``.
  public var changes: XTChanges {
    XTChanges(database: outside)
  }
}
