/// What rows become, before it is known which statement gives them: the parts of a tuple, or one
/// value or model.
struct RowParts: Sendable {
  /// One part, whose place in memory is known.
  fileprivate struct Part: Sendable {
    var offset: Int
    let settle: @Sendable (_ offset: Int, ResultPlace) throws -> RowFiller.Part
  }

  fileprivate var parts: [Part]
  /// Where the memory isn't laid out as the parts expect.
  fileprivate var failure: (any Error)?
  /// Whether a row is one model of the base table.
  fileprivate(set) var isModel = false

  /// What fills the memory of rows whose results are at these places.
  func filler(_ places: [ResultPlace], sql: String) throws -> RowFiller {
    if let failure { throw failure }
    guard places.count == parts.count else {
      throw XTError(.schema, "the row has other values than were asked for", sql: sql)
    }
    return RowFiller(try zip(parts, places).map { try $0.settle($0.offset, $1) })
  }
}

/// The same with the type that the parts make.
struct RowDecoder<Row>: Sendable {
  fileprivate(set) var parts: RowParts

  /// - Parameter parts: made for this type.
  init(_ parts: RowParts) {
    self.parts = parts
  }

  fileprivate init(_ parts: [RowParts.Part], _ layout: TupleLayout) {
    self.parts = RowParts(parts: parts)
    do {
      try layout.check(Row.self)
    } catch {
      self.parts.failure = error
    }
  }

  /// How many results a row is made of.
  var count: Int { parts.parts.count }
}

/// Values, one after the other.
///
/// - Parameter nullHint: what is said of a NULL where its type has no room for one.
func rowDecoder<each V>(
  of types: repeat (each V).Type, nullHint: NullHint
) -> RowDecoder<(repeat each V)> {
  var layout = TupleLayout()
  var parts: [RowParts.Part] = []
  for type in repeat each types {
    parts.append(RowParts.Part(type, layout.append(type), nullHint))
  }
  return RowDecoder<(repeat each V)>(parts, layout)
}

/// The values of expressions, one after the other.
func valuesDecoder<each E: XTExpressible>(
  _ expressions: repeat each E
) -> RowDecoder<(repeat (each E).Value)> {
  rowDecoder(of: repeat (each E).Value.self, nullHint: .expression)
}

extension RowParts.Part {
  fileprivate init<V>(_ type: V.Type, _ offset: Int, _ nullHint: NullHint) {
    self.init(offset: offset) { offset, place in
      if let reader = place.reader { return .whole(place.model(V.self, reader, at: offset)) }
      do {
        let access = try FieldAccess(of: V.self, offset: offset)
        return .value(RowValue(access: access, place: place, type: V.self, nullHint: nullHint))
      } catch let error as XTError {
        throw place.named(error)
      }
    }
  }
}

extension RowDecoder {
  /// With one more result behind it. The row's elements stay where they are, whether `Whole` is a
  /// pair with the row as it was, or a tuple that begins with the same elements.
  func followed<Last, Whole>(by last: RowDecoder<Last>) -> RowDecoder<Whole> {
    var layout = TupleLayout()
    _ = layout.append(Row.self)
    let offset = layout.append(Last.self)
    var all = parts.parts
    all += last.parts.parts.map {
      RowParts.Part(offset: offset + $0.offset, settle: $0.settle)
    }
    var whole = RowDecoder<Whole>(all, layout)
    whole.parts.failure = whole.parts.failure ?? parts.failure ?? last.parts.failure
    return whole
  }
}

extension RowDecoder where Row: XTModel {
  /// A model from the base or from the inner side of a join.
  static var model: RowDecoder {
    var layout = TupleLayout()
    let part = RowParts.Part(offset: layout.append(Row.self)) { offset, place in
      guard let reader = place.reader else {
        return .whole(RowWhole(Row.self) { throw RowWhole.none(Row.self, $0, table: place.table) })
      }
      return .whole(
        RowWhole(Row.self, at: offset) { try reader.make(Row.self, at: $0, from: $1) })
    }
    var decoder = RowDecoder([part], layout)
    decoder.parts.isModel = true
    return decoder
  }

  /// A model from the side that a left join may leave out.
  static var optional: RowDecoder<Row?> { rowDecoder(of: Row?.self, nullHint: .expression) }
}

extension RowDecoder where Row == Void {
  /// A row of nothing, before it is said what is wanted of tables that have no models.
  static var nothing: RowDecoder { RowDecoder([], TupleLayout()) }
}

extension ResultPlace {
  /// What fills in a whole model, or an optional of one.
  fileprivate func model<V>(_ type: V.Type, _ reader: RowReader, at offset: Int) -> RowWhole {
    func whole<Model: XTModel>(_ model: Model.Type) -> RowWhole? {
      if V.self == Model.self {
        return RowWhole(Model.self, at: offset) { memory, statement in
          if absence.isTold(by: statement) { throw RowWhole.none(V.self, statement, table: table) }
          try reader.make(Model.self, at: memory, from: statement)
        }
      }
      guard V.self == Model?.self else { return nil }
      return RowWhole(Model?.self, at: offset) { statement in
        if absence.isTold(by: statement) { return nil }
        var place = ModelPlace<Model>()
        try reader.read(&place, from: statement)
        return place.take()
      }
    }
    if let model = mapping?.modelType, let whole = whole(model) { return whole }
    return RowWhole(V.self, at: offset) { _, statement in
      throw RowWhole.none(V.self, statement, table: table)
    }
  }

  /// An error of the type that is to be read, with which column that is.
  fileprivate func named(_ error: XTError) -> XTError {
    var error = error
    error.table = error.table ?? table
    error.column = error.column ?? column?.name
    return error
  }
}
