// Pages by the last row that was seen, which stay right and fast where LIMIT with OFFSET does
// neither.

extension XTQuery where Row == Base {
  /// The next rows behind one, in the query's order.
  ///
  /// ```swift
  /// let people = Person.xt_query().orderBy(.asc(\.name))
  /// let first = try people.page(20)
  /// let second = try people.page(20, after: first.last)
  /// ```
  ///
  /// What a row is told apart by is added to the order where it is not in it, so that rows which are
  /// the same in all else are neither left out nor given twice: the row's number, else the model's
  /// own key, which may be of several properties. An index on the first properties of the order
  /// leads straight to the page.
  ///
  /// - Parameters:
  ///   - size: the most rows to give.
  ///   - row: the last one of the page before; nil for the first page.
  /// - Throws: `noIdentity` where the model holds nothing that tells its row from others; `schema`
  ///   where the query has groups or a limit, or is sorted by something else than columns of its base
  ///   table.
  public func page(_ size: Int, after row: Base? = nil) throws -> [Base] {
    let sorted = try sortedByIdentity()
    guard let row else {
      try checkPages()
      return try sorted.limit(size).all()
    }
    let place = try sorted.place(of: row)
    // By two statements where NULL comes last: with an OR between, no index would serve.
    guard let tail = place.nullTail else { return try sorted.following(place).limit(size).all() }
    let database = try self.database ?? XTDatabase.current()
    return try database.read {
      let rows = try sorted.following(place.withoutNullTail).limit(size).all()
      guard rows.count < size else { return rows }
      return try rows + sorted.changed { $0.add(behind: tail) }.limit(size - rows.count).all()
    }
  }

  /// The query for the rows behind one, in the query's order.
  public func after(_ row: Base) throws -> XTQuery {
    let sorted = try sortedByIdentity()
    return try sorted.following(sorted.place(of: row))
  }

  private func sortedByIdentity() throws -> XTQuery {
    let sorted = Set(parts.orders.compactMap { $0.node.column?.column }.map(ObjectIdentifier.init))
    let identity = try identity()
    let isDescending = parts.orders.last?.isDescending ?? false
    let rest = identity.filter { !sorted.contains(ObjectIdentifier($0)) }
    guard !rest.isEmpty else { return self }
    let table = parts.sources[0].reference
    return changed(isOfWhole: true) {
      $0.orders += rest.map {
        OrderNode(node: QueryColumn($0, of: table).node, isDescending: isDescending)
      }
    }
  }

  /// The columns that tell a row from all others: its number where the model carries it and the
  /// table has it, else the model's own key.
  private func identity() throws -> [Column] {
    let mapping = try ModelMapping.of(Base.self)
    let key =
      mapping.primaryKey.isEmpty
      ? mapping.uniqueColumns.first { !$0.isOptional }.map { [$0] } ?? [] : mapping.primaryKey
    let carriesNumber = mapping.isClass || mapping.declared(.pkid) != nil
    if try carriesNumber && numbersRows() { return [mapping.rowID] }
    if !key.isEmpty { return key }
    guard try numbersRows() else {
      throw XTError(
        .noIdentity,
        "the rows of \(mapping.typeName) have no number, and the model states no key",
        hint: "name the table's key in xt_primaryKey: pages go on from it")
    }
    return [mapping.rowID]
  }

  private func numbersRows() throws -> Bool {
    guard case .model(_, let name) = parts.sources[0].table,
      let database = self.database ?? (try? XTDatabase.current())
    else { return true }
    let plan = try XTTable<Base>(database: database, name: name).plan()
    return try database.reading { connection in
      let shape = try plan.rowsForReading(connection).shape
      return !shape.exists || shape.rowNumber != nil
    }
  }

  // MARK: The place of a row

  /// - Returns: the columns that it is sorted by.
  @discardableResult
  private func checkPages() throws -> [Column] {
    guard parts.groups.isEmpty, parts.limit == nil else {
      throw XTError(
        .schema, "pages need a query without groups and without a limit of its own",
        hint: "the size of a page is its limit: page(20, after: row)")
    }
    return try parts.orders.map { order in
      guard let reference = order.node.column, let column = reference.column,
        reference.table == parts.sources[0].reference
      else {
        throw XTError(
          .schema, "pages need a query that is sorted by columns of its base table",
          hint: "sort by key paths, or use limit and offset")
      }
      return column
    }
  }

  private func place(of row: Base) throws -> PagePlace {
    let columns = try checkPages()
    let identity = try identity()
    return PagePlace(
      terms: try zip(parts.orders, columns).map { order, column in
        let isIdentity = identity.contains { $0 === column }
        let value = try Self.value(of: column, in: row, isIdentity: isIdentity)
        // The file may hold NULL also where the property never does.
        let mayBeNull = (column.isOptional || column.isRequiredWithoutDefault) && !isIdentity
        let nullsAreLast = order.nulls.map { $0 == .last } ?? order.isDescending
        return PagePlace.Term(
          node: order.node, isDescending: order.isDescending, value: value,
          nullsAreLast: nullsAreLast, hasNullsBehind: nullsAreLast && mayBeNull && value != .null)
      })
  }

  private func following(_ place: PagePlace) throws -> XTQuery {
    guard let condition = place.condition else { return self }
    return changed { $0.add(behind: condition) }
  }

  private static func value(
    of column: Column, in row: Base, isIdentity: Bool
  ) throws -> XTValue {
    do {
      if let access = column.access {
        let value = try withMemory(of: row) { try access.value(from: $0.base) }
        if value != .null || !isIdentity { return value }
      } else if column.role == .pkid, let object = row as? any XTModel & AnyObject,
        let number = number(of: object)
      {
        return .integer(number)
      }
    } catch let failure as ColumnFailure {
      throw failure.error(table: nil, column: column.name)
    }
    throw XTError(
      .noIdentity, "\(TypeName.display(Base.self)) holds no \(column.name) to go on from",
      hint:
        "declare it as a stored property, so that finds read it, or give the model a key of its "
        + "own in xt_primaryKey", column: column.name)
  }

  private static func number<Model: XTModel & AnyObject>(of object: Model) -> Int64? {
    object.pkid
  }
}

extension SelectParts {
  fileprivate mutating func add(behind condition: ConditionNode) {
    offset = nil
    add(condition)
  }
}

/// Where a row stands in the order of a query.
private struct PagePlace {
  struct Term {
    let node: SQLNode
    let isDescending: Bool
    /// The row's.
    let value: XTValue
    let nullsAreLast: Bool
    /// Whether rows that hold NULL come behind the row's value.
    var hasNullsBehind: Bool

    var isNull: ConditionNode { ConditionNode(node.followed(by: "IS NULL")) }

    var isSame: ConditionNode { value == .null ? isNull : comparing(.equal) }

    /// Nil where nothing is further.
    var isFurther: ConditionNode? {
      guard value != .null else {
        return nullsAreLast ? nil : ConditionNode(node.followed(by: "IS NOT NULL"))
      }
      let next = comparing(isDescending ? .less : .greater)
      return hasNullsBehind ? .join(next, .or, isNull) : next
    }

    /// What is true of all rows from this one on, where an index on the column can make use of it.
    var isSameOrFurther: ConditionNode? {
      if value == .null { return nullsAreLast ? isNull : nil }
      return hasNullsBehind ? nil : comparing(isDescending ? .lessOrEqual : .greaterOrEqual)
    }

    private func comparing(_ sign: Comparison) -> ConditionNode {
      ConditionNode(.comparing(node, sign, SQLNode([.value(value)])))
    }
  }

  var terms: [Term]

  /// True for the rows behind all that have a value in the first term; nil where there are none.
  var nullTail: ConditionNode? {
    guard let first = terms.first, first.hasNullsBehind else { return nil }
    return first.isNull
  }

  var withoutNullTail: PagePlace {
    var place = self
    if !terms.isEmpty { place.terms[0].hasNullsBehind = false }
    return place
  }

  /// True for the rows behind; nil where all of them are.
  var condition: ConditionNode? {
    if terms.count > 1, isOneRow { return ConditionNode(rowValues) }
    var same: [ConditionNode] = []
    var alternatives: [ConditionNode] = []
    for term in terms {
      if let further = term.isFurther {
        alternatives.append(same.reversed().reduce(further) { .join($1, .and, $0) })
      }
      same.append(term.isSame)
    }
    guard let first = alternatives.first else { return nil }
    let any = alternatives.dropFirst().reduce(first) { .join($0, .or, $1) }
    guard terms.count > 1, let start = terms.first?.isSameOrFurther else { return any }
    return .join(start, .and, any)
  }

  /// Whether the order is that of row values: in one direction, and without NULL behind the row.
  private var isOneRow: Bool {
    terms.allSatisfy {
      $0.isDescending == terms[0].isDescending && $0.value != .null && !$0.hasNullsBehind
    }
  }

  private var rowValues: SQLNode {
    let sign = terms[0].isDescending ? Comparison.less : .greater
    return SQLNode(
      [.text("(")] + SQLNode.list(terms.map(\.node.compared)) + [.text(") \(sign.rawValue) (")]
        + SQLNode.list(terms.map { SQLNode([.value($0.value)]) }) + [.text(")")], .equality)
  }
}
