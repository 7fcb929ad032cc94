extension XTTable {
  /// The rows that have all words of a text, best first.
  ///
  /// ```swift
  /// let hits = try notes.search("apple pie", limit: 20)
  /// let asTyped = try notes.search(field.text, lastWordIsPrefix: true, limit: 20)
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
  /// - Throws: `schema` for a model without `xt_search`, and for an index that the file lacks where it
  ///   can't be made; `corrupt` for a damaged one.
  public func search(
    _ text: String, lastWordIsPrefix: Bool = false, where condition: XTCondition<Model>? = nil,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try hits(
      SearchQuery(
        request: .query(.words(text, lastWordIsPrefix: lastWordIsPrefix)),
        rows: WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope),
        after: hit))
  }

  /// The rows that meet a query, best first.
  ///
  /// ```swift
  /// try notes.search(.all("apple", .prefix("pi")) && .not("crust"), where: \.age > 3)
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
  /// - Throws: As `search` with a text; `unknownColumn` for a property that is not searched.
  public func search(
    query: XTSearchQuery, where condition: XTCondition<Model>? = nil,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try hits(
      SearchQuery(
        request: .query(query),
        rows: WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope),
        after: hit))
  }

  /// The rows that an expression in the language of FTS5 (or of FTS4, where the library has no
  /// other) finds, best first. Never pass what a person typed.
  ///
  /// ```swift
  /// try notes.search(raw: "title : app* NOT crust")
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
  /// - Throws: As `search` with a text; `sqlite` for an expression that can't be read.
  public func search(
    raw expression: String, where condition: XTCondition<Model>? = nil,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try hits(
      SearchQuery(
        request: .raw(expression),
        rows: WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope),
        after: hit))
  }

  /// How many rows have all words of a text; see `search`.
  ///
  /// - Parameters:
  ///   - text: The words, with blanks between them.
  ///   - lastWordIsPrefix: Whether the last word may go on.
  ///   - condition: What has to be true of the row besides.
  ///   - scope: `.live` leaves soft-deleted rows out.
  public func searchCount(
    _ text: String, lastWordIsPrefix: Bool = false, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> Int {
    try countOfHits(
      SearchQuery(
        request: .query(.words(text, lastWordIsPrefix: lastWordIsPrefix)),
        rows: WantedRows(condition, scope: scope)))
  }

  /// How many rows meet a query; see `search`.
  ///
  /// - Parameters:
  ///   - query: What is searched for.
  ///   - condition: What has to be true of the row besides.
  ///   - scope: `.live` leaves soft-deleted rows out.
  public func searchCount(
    query: XTSearchQuery, where condition: XTCondition<Model>? = nil, scope: XTScope = .live
  ) throws -> Int {
    try countOfHits(
      SearchQuery(request: .query(query), rows: WantedRows(condition, scope: scope)))
  }
}
