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
  /// The row's number is added to the order where it is not in it, so that rows which are the same
  /// in all else are neither left out nor given twice.
  ///
  /// - Parameters:
  ///   - size: the most rows to give.
  ///   - row: the last one of the page before; nil for the first page.
  /// - Throws: `noIdentity` where the model has no number to go on from; `schema` where the query
  ///   is sorted by something else than columns of its base table.
  public func page(_ size: Int, after row: Base? = nil) throws -> [Base] {
    let sorted = try sortedByNumber()
    let rest = try row.map { try sorted.following($0) } ?? sorted
    return try rest.limit(size).all()
  }

  /// The query for the rows behind one, in the query's order.
  public func after(_ row: Base) throws -> XTQuery {
    try sortedByNumber().following(row)
  }

  private func sortedByNumber() throws -> XTQuery {
    let number = try ModelMapping.of(Base.self).rowID
    if parts.orders.contains(where: { $0.node.column?.column === number }) { return self }
    let isDescending = parts.orders.last?.isDescending ?? false
    let node = QueryColumn(number, of: parts.sources[0].reference).node
    return changed(isOfWhole: true) {
      $0.orders.append(OrderNode(node: node, isDescending: isDescending))
    }
  }

  private func following(_ row: Base) throws -> XTQuery {
    let number = try ModelMapping.of(Base.self).rowID
    guard parts.groups.isEmpty, parts.limit == nil else {
      throw XTError(
        .schema, "pages need a query without groups and without a limit of its own",
        hint: "the size of a page is its limit: page(20, after: row)")
    }
    var same: [ConditionNode] = []
    var alternatives: [ConditionNode] = []
    for order in parts.orders {
      guard let reference = order.node.column, let column = reference.column,
        reference.table == parts.sources[0].reference
      else {
        throw XTError(
          .schema, "pages need a query that is sorted by columns of its base table",
          hint: "sort by key paths, or use limit and offset")
      }
      let value = try Self.value(of: column, in: row)
      let node = order.node
      let nullsAreLast = order.nulls.map { $0 == .last } ?? order.isDescending
      var further: ConditionNode?
      if value == .null {
        if !nullsAreLast { further = ConditionNode(node.followed(by: "IS NOT NULL")) }
      } else {
        let sign: Comparison = order.isDescending ? .less : .greater
        let next = ConditionNode(.comparing(node, sign, SQLNode([.value(value)])))
        // The file may hold NULL also where the property never does.
        let mayBeNull =
          (column.isOptional || column.isRequiredWithoutDefault) && column !== number
        further =
          nullsAreLast && mayBeNull
          ? .join(next, .or, ConditionNode(node.followed(by: "IS NULL"))) : next
      }
      if let further {
        let alternative = same.reversed().reduce(further) { .join($1, .and, $0) }
        alternatives.append(alternative)
      }
      same.append(
        ConditionNode(
          value == .null
            ? node.followed(by: "IS NULL") : .comparing(node, .equal, SQLNode([.value(value)]))))
    }
    guard let first = alternatives.first else { return self }
    return changed {
      $0.offset = nil
      $0.add(alternatives.dropFirst().reduce(first) { .join($0, .or, $1) })
    }
  }

  private static func value(of column: Column, in row: Base) throws -> XTValue {
    let rowID = try ModelMapping.of(Base.self).rowID
    do {
      if let access = column.access {
        let value = try withMemory(of: row) { try access.value(from: $0.base) }
        if value != .null || column !== rowID { return value }
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
      hint: "declare it as a stored property, so that finds read it", column: column.name)
  }

  private static func number<Model: XTModel & AnyObject>(of object: Model) -> Int64? {
    object.pkid
  }
}
