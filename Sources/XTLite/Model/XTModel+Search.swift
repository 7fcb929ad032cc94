import Foundation

extension XTModel {
  /// The rows that have all words of a text, best first.
  ///
  /// ```swift
  /// let hits = try Note.xt_search("apple pie", limit: 20)
  /// for hit in hits { print(hit.model.title, hit.snippet(\.body)) }
  /// ```
  ///
  /// The text is what a person types, and never syntax: quotes, `*`, `-` and parentheses mean
  /// nothing. A text without a word finds nothing.
  ///
  /// - Parameters:
  ///   - text: The words, with blanks between them.
  ///   - lastWordIsPrefix: Whether the last word may go on, as while somebody types. A blank at the
  ///     text's end says that it is whole.
  ///   - condition: What has to be true of the row besides.
  ///   - orders: Another order than the best first.
  ///   - limit: The most hits to give.
  ///   - offset: How many hits to leave out at the beginning.
  ///   - hit: The last hit of the page before, behind which to go on, wherever it stands now.
  ///   - scope: `.live` leaves soft-deleted rows out.
  /// - Throws: `schema` for a model without ``xt_search``, and for an index that the file lacks where
  ///   it can't be made; `corrupt` for a damaged one.
  public static func xt_search(
    _ text: String, lastWordIsPrefix: Bool = false, where condition: XTCondition<Self>? = nil,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try currentTable.hits(
      SearchQuery(
        request: .query(.words(text, lastWordIsPrefix: lastWordIsPrefix)),
        rows: WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope),
        after: hit))
  }

  /// The rows that meet a query, best first.
  ///
  /// ```swift
  /// try Note.xt_searchWhere(.all("apple", .prefix("pi")) && .not("crust"), where: \.age > 3)
  /// ```
  ///
  /// - Parameters:
  ///   - query: What is searched for.
  ///   - condition: What has to be true of the row besides.
  ///   - orders: Another order than the best first.
  ///   - limit: The most hits to give.
  ///   - offset: How many hits to leave out at the beginning.
  ///   - hit: The last hit of the page before, behind which to go on, wherever it stands now.
  ///   - scope: `.live` leaves soft-deleted rows out.
  /// - Throws: As `xt_search`; `unknownColumn` for a property that is not searched.
  public static func xt_searchWhere(
    _ query: XTSearchQuery, where condition: XTCondition<Self>? = nil,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try currentTable.hits(
      SearchQuery(
        request: .query(query),
        rows: WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope),
        after: hit))
  }

  /// The rows that an expression in the language of FTS5 (or of FTS4, where the library has no
  /// other) finds, best first. Never pass what a person typed.
  ///
  /// ```swift
  /// try Note.xt_searchRaw("title : app* NOT crust")
  /// ```
  ///
  /// - Parameters:
  ///   - expression: In the language of FTS5, or of FTS4.
  ///   - condition: What has to be true of the row besides.
  ///   - orders: Another order than the best first.
  ///   - limit: The most hits to give.
  ///   - offset: How many hits to leave out at the beginning.
  ///   - hit: The last hit of the page before, behind which to go on, wherever it stands now.
  ///   - scope: `.live` leaves soft-deleted rows out.
  /// - Throws: As `xt_search`; `sqlite` for an expression that can't be read.
  public static func xt_searchRaw(
    _ expression: String, where condition: XTCondition<Self>? = nil,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try currentTable.hits(
      SearchQuery(
        request: .raw(expression),
        rows: WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope),
        after: hit))
  }

  /// How many rows have all words of a text; see `xt_search`.
  ///
  /// - Parameters:
  ///   - text: The words, with blanks between them.
  ///   - lastWordIsPrefix: Whether the last word may go on.
  ///   - condition: What has to be true of the row besides.
  ///   - scope: `.live` leaves soft-deleted rows out.
  public static func xt_searchCount(
    _ text: String, lastWordIsPrefix: Bool = false, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> Int {
    try currentTable.searchCount(
      text, lastWordIsPrefix: lastWordIsPrefix, where: condition, scope: scope)
  }

  /// How many rows meet a query; see `xt_searchWhere`.
  ///
  /// - Parameters:
  ///   - query: What is searched for.
  ///   - condition: What has to be true of the row besides.
  ///   - scope: `.live` leaves soft-deleted rows out.
  public static func xt_searchCountWhere(
    _ query: XTSearchQuery, where condition: XTCondition<Self>? = nil, scope: XTScope = .live
  ) throws -> Int {
    try currentTable.searchCount(query: query, where: condition, scope: scope)
  }

  /// Compares the index of the words with the rows, word by word. SQLite counts that as a write.
  ///
  /// - Returns: How many rows there are.
  /// - Throws: `corrupt` where they differ or the index is damaged; `schema` where the model declares
  ///   none, or the file has another; `readOnly` in `read { }` and in a file opened read-only.
  @discardableResult
  public static func xt_checkSearch() throws -> Int {
    try currentTable.checkSearch()
  }

  /// Makes the index of the words anew of the rows, also where the file has none or a damaged one.
  ///
  /// - Parameter progress: Is told how many rows are done; cancelling it leaves the index as it was.
  public static func xt_rebuildSearch(progress: Progress? = nil) throws {
    try currentTable.rebuildSearch(progress: progress)
  }

  /// The async form of `xt_rebuildSearch`, on a thread of its own. Cancelling the task cancels it,
  /// and the index is the one that it was.
  public static func xt_rebuildSearch(progress: Progress? = nil) async throws {
    try await currentTable.rebuildSearch(progress: progress)
  }

  /// Takes the index of the words out of the file; see ``XTTable/removeSearch()``.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public static func xt_removeSearch() throws -> Bool {
    try currentTable.removeSearch()
  }
}
