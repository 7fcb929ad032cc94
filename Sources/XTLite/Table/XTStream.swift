/// Rows that are read as they are asked for: an `AsyncSequence` of models, of ``XTRow`` or of any
/// `Decodable` type.
///
/// ```swift
/// for try await person in Person.xt_stream(where: \.age > 17, orderBy: .asc(\.name)) {
///   try await upload(person)
/// }
/// ```
///
/// However many rows there are, only a few are in memory, and the next are read when those are used
/// up. All of them are of one snapshot, which begins with the first row that is asked for: what is
/// written meanwhile, also by the loop's own body, is not seen.
///
/// For that snapshot the iteration keeps one of the database's readers until the last row is read,
/// the loop is left, the task is cancelled or the iterator is dropped: then it goes back at once.
/// Until then the log can't be emptied, so that a loop which takes hours over its rows lets the file
/// grow; one whose rows are asked for page by page does not. An iterator that is asked for nothing
/// for ten minutes gives its reader back and throws `interrupted` when it is asked again; `close()`,
/// `suspend()` and what else needs the file alone does the same. One reader is always left for other
/// calls: where streams have all the others, and in a database that has no readers beside the
/// writer (in memory, another journal mode than WAL, a transaction of `begin()`), all rows are read
/// into memory with the first one.
///
/// Each iteration asks anew. Cancelling the task throws `CancellationError`.
public struct XTStream<Element>: AsyncSequence, Sendable {
  private let source: Result<StreamSource<Element>, any Error>

  /// What is wrong is thrown by the first row.
  init(_ source: () throws -> StreamSource<Element>) {
    self.source = Result { try source() }
  }

  /// Begins nothing yet: the first row does.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source)
  }

  /// One iteration over the rows.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let lease: Result<StreamCursor<Element>.Lease, any Error>
    // The last one first.
    private var rows: [Element] = []
    private var failure: (any Error)?
    private var isAtEnd = false

    init(_ source: Result<StreamSource<Element>, any Error>) {
      lease = source.map { StreamCursor.Lease(StreamCursor($0)) }
    }

    /// The next row; nil when there is none.
    ///
    /// - Throws: ``XTError`` of the statement, or of a row that can't be read; `interrupted` where
    ///   the reader had to be given back; `CancellationError`. There are no rows after an error.
    public mutating func next() async throws -> Element? {
      try await next(isolation: nil)
    }

    /// The next row; nil when there is none.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Element? {
      if isAtEnd { return nil }
      do {
        let row = try await row(isolation: actor)
        if row == nil { isAtEnd = true }
        return row
      } catch {
        (isAtEnd, rows, failure) = (true, [], nil)
        throw error
      }
    }

    private mutating func row(isolation actor: isolated (any Actor)?) async throws -> Element? {
      let cursor = try lease.get().cursor
      if Task.isCancelled {
        cursor.end(CancellationError())
        throw CancellationError()
      }
      cursor.noteUse()
      if let row = rows.popLast() { return row }
      if let failure { throw failure }
      let batch = try await cursor.batch()
      (rows, failure) = (batch.rows, batch.failure)
      return rows.popLast()
    }
  }
}
