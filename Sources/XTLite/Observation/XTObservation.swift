/// A value of the database and what becomes of it: an `AsyncSequence` that gives the value as it is
/// now, and again after each commit that touched what was read for it.
///
/// ```swift
/// for try await people in Person.xt_observe(where: \.age > 17, orderBy: .asc(\.name)) {
///   show(people)
/// }
/// ```
///
/// - The first value comes at once. Then one comes after a commit that touched a table of which the
///   value before was read, by whatever way: verbs, SQL, triggers, foreign keys, REPLACE, a table
///   that is emptied, dropped, made, renamed or upgraded. Commits that touched other tables cost
///   nothing and wake nobody, and neither does what is rolled back.
/// - Who is slow gets the newest value and none of those between. Nothing is kept for him: the
///   value is read when it is asked for, on one snapshot, on a reader beside the writer.
/// - Where `Value` is `Equatable`, a value that equals the one before is left out.
/// - The value is never one of an open transaction, and nothing is held while the loop's body runs:
///   it may query and write, also what it observes.
///
/// Leaving the loop, cancelling its task or dropping the iterator ends it and frees all that was
/// kept; so does ``XTDatabase/close()``: the sequence then ends without an error. What a read
/// throws comes out of the loop and ends it too: begin again where that makes sense. A table of a
/// model that is missing reads as empty, and is noticed when it is made. A reading that
/// ``XTDatabase/interrupt()`` stops is begun again.
///
/// What is wrong with an observation, such as that there is no shared database yet, is thrown by the
/// first value, and looked at anew by each iteration.
///
/// Each iteration observes for itself. An observer that waits is a suspended task and a few hundred
/// bytes: there may be ten thousand.
public struct XTObservation<Value>: AsyncSequence, Sendable {
  /// What is observed, as it is at one moment.
  public typealias Element = Value

  private var source: Result<LiveSource<Value>, any Error>
  private let makeSource: @Sendable () throws -> LiveSource<Value>
  /// How often to look for other programs' writes, in seconds; nil for not at all.
  private(set) var pollInterval: Double?

  /// - Parameter makeSource: Called now; and where it throws, again by each iteration.
  init(_ makeSource: @escaping @Sendable () throws -> LiveSource<Value>) {
    self.makeSource = makeSource
    source = Result { try makeSource() }
  }

  /// What it observes; nil where that is not known.
  var database: XTDatabase? { try? source.get().database }

  /// The same, where it could not be made before: there was no shared database yet, say.
  var remade: XTObservation {
    guard case .failure = source else { return self }
    var observation = self
    observation.source = Result { try makeSource() }
    return observation
  }

  /// The same observation, which also notices what other programs write to the file.
  ///
  /// Without it only the commits of this process count. With it, somebody looks every so often
  /// whether the file or its log has changed, which costs two calls of the system, and asks SQLite
  /// where it has. Nobody knows which tables another program touched: each of its commits makes the
  /// observer read.
  ///
  /// It is asked on the connection that writes: while a transaction is open there, the notice waits
  /// for its end.
  ///
  /// - Parameter seconds: How often to look; 0.01 at least, and what is no number counts as 1.
  public func noticingOtherPrograms(every seconds: Double = 1) -> XTObservation {
    var observation = self
    // What is no number would be no time at all.
    observation.pollInterval = seconds.isNaN ? 1 : Swift.max(seconds, 0.01)
    return observation
  }

  /// Begins nothing yet: the first value does.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(remade.source, pollInterval)
  }

  /// One iteration over the values. Copies of one that has begun share it: each value goes to one of
  /// them, and what ends one ends all.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let source: Result<LiveSource<Value>, any Error>
    private let pollInterval: Double?
    private var lease: LiveObserver.Lease?
    private var isAtEnd = false
    private var last: Value?

    init(_ source: Result<LiveSource<Value>, any Error>, _ pollInterval: Double?) {
      self.source = source
      self.pollInterval = pollInterval
    }

    /// The value as it is now, or when it has changed; nil at the end: the task was cancelled, or
    /// the database closed.
    ///
    /// - Throws: What reading throws. There are no values after an error.
    public mutating func next() async throws -> Value? {
      try await next(isolation: nil)
    }

    /// The value as it is now, or when it has changed; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Value? {
      if isAtEnd { return nil }
      do {
        let source = try source.get()
        let lease =
          lease ?? LiveObserver.Lease(LiveObserver(source.database, pollInterval: pollInterval))
        self.lease = lease
        while let value = try await lease.observer.next(source) {
          if let last, Self.areEqual(last, value) { continue }
          if Value.self is any Equatable.Type { last = value }
          return value
        }
        end()
        return nil
      } catch {
        end()
        throw error
      }
    }

    private mutating func end() {
      (isAtEnd, lease, last) = (true, nil, nil)
    }

    private static func areEqual(_ left: Value, _ right: Value) -> Bool {
      func areEqual<Some: Equatable>(_: Some.Type) -> Bool {
        guard let left = left as? Some, let right = right as? Some else { return false }
        return left == right
      }
      guard let type = Value.self as? any Equatable.Type else { return false }
      return areEqual(type)
    }
  }
}
