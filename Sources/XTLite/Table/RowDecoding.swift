/// Where a result stands in a row, and how it is read.
struct ResultPlace {
  /// The first of its columns.
  let index: Int
  /// What the model says of a column; nil for other expressions.
  var column: Column?
  var table: String?
  var mapping: ModelMapping?
  var standIns = StandIns()
  /// Reads a whole model.
  var reader: RowReader?
  /// The columns that are all NULL where a left join left the model out.
  var columns = 0..<0
  /// The one of them that holds the row's number.
  var number: Int?

  /// Whether a left join left the model out of this row.
  func isAbsent(_ statement: Statement) -> Bool {
    if let number { return statement.column(number).isNull }
    return columns.allSatisfy { statement.column($0).isNull }
  }
}

/// Makes a query's rows.
struct RowDecoder<Row>: Sendable {
  /// How many results a row is made of.
  let count: Int
  /// Whether a row is one model of the base table.
  var isModel = false
  /// Makes the current row, of these places.
  let row: @Sendable (Statement, ArraySlice<ResultPlace>) throws -> Row
}

extension RowDecoder where Row: XTModel {
  /// A model from the base or from the inner side of a join.
  static var model: RowDecoder {
    RowDecoder(count: 1, isModel: true) { statement, places in
      guard let reader = places.first?.reader else { throw noPlace(statement) }
      var place = ModelPlace<Row>()
      try reader.read(&place, from: statement)
      return place.take()
    }
  }

  /// A model from the side that a left join may leave out.
  static var optional: RowDecoder<Row?> {
    RowDecoder<Row?>(count: 1) { statement, places in
      guard let place = places.first else { throw noPlace(statement) }
      if place.isAbsent(statement) { return nil }
      return try model.row(statement, places)
    }
  }
}

extension RowDecoder where Row == Void {
  /// A row of nothing, before it is said what is wanted of tables that have no models.
  static var nothing: RowDecoder { RowDecoder(count: 0) { _, _ in } }
}

/// Values of expressions, one after the other.
func valuesDecoder<each E: XTExpressible>(
  _ expressions: repeat each E
) -> RowDecoder<(repeat (each E).Value)> {
  var count = 0
  for _ in repeat each expressions { count += 1 }
  return RowDecoder(count: count) { statement, places in
    var cursor = RowCursor(statement: statement, places: places)
    return (repeat try cursor.next((each E).Value.self))
  }
}

/// The value of one expression.
func valueDecoder<E: XTExpressible>(_ expression: E) -> RowDecoder<E.Value> {
  RowDecoder(count: 1) { statement, places in
    guard let place = places.first else { throw noPlace(statement) }
    return try place.value(statement)
  }
}

private struct RowCursor {
  let statement: Statement
  var places: ArraySlice<ResultPlace>

  mutating func next<V>(_ type: V.Type) throws -> V {
    guard let place = places.popFirst() else { throw noPlace(statement) }
    return try place.value(statement)
  }
}

extension ResultPlace {
  func value<V>(_ statement: Statement) throws -> V {
    if let reader { return try model(reader, statement) }
    let stored = statement.column(index)
    if V.self == XTValue.self, let value = stored.value as? V { return value }
    do {
      do {
        return try ValueCoding.decode(stored)
      } catch {
        guard let column, let mapping,
          let meaning = standIns.meaning(of: stored, in: column, mapping)
        else { throw error }
        return try ValueCoding.decode(meaning)
      }
    } catch var failure as ColumnFailure {
      if stored.isNull, failure.kind == .decoding {
        failure.message = "NULL is read as \(TypeName.display(V.self)), which can't be nil"
        failure.hint = "write .optional behind the expression to read NULL as nil"
      }
      throw failure.error(
        table: table, column: column?.name ?? statement.columnName(index), sql: statement.sql)
    }
  }

  /// - Throws: `decoding` where a left join left the model out and V is no optional.
  private func model<V>(_ reader: RowReader, _ statement: Statement) throws -> V {
    func read<Model: XTModel>(_: Model.Type) throws -> Any {
      var place = ModelPlace<Model>()
      try reader.read(&place, from: statement)
      return place.take()
    }
    if isAbsent(statement) {
      if let optional = V.self as? any ExpressibleByNilLiteral.Type,
        let none = optional.init(nilLiteral: ()) as? V
      {
        return none
      }
    } else if let model = try mapping.map({ try read($0.modelType) }), let value = model as? V {
      return value
    }
    throw XTError(
      .decoding, "there is no \(TypeName.display(V.self)) in the row",
      hint: "write .all.optional for a model that a left join may leave out", table: table,
      sql: statement.sql)
  }
}

private func noPlace(_ statement: Statement) -> XTError {
  XTError(.schema, "the row has fewer values than were asked for", sql: statement.sql)
}
