/// Makes values of a statement's rows: one value, a tuple, a model, or tuples of these. What goes
/// where in memory is settled once per statement; per row there is one flat loop over raw memory.
final class RowFiller {
  /// The values of columns, where they go in memory and where they stand in the row.
  private let accesses: ContiguousArray<FieldAccess>
  private let indexes: ContiguousArray<Int>
  private let values: [RowValue]
  /// What is made of more than one column, behind the others.
  private let wholes: [RowWhole]
  /// What fills the one of them, where the row is nothing else.
  private let only: RowWhole.Fill?

  /// One part of the row.
  enum Part {
    case value(RowValue)
    case whole(RowWhole)
  }

  init(_ parts: [Part]) {
    var values: [RowValue] = []
    var wholes: [RowWhole] = []
    for part in parts {
      switch part {
      case .value(let value): values.append(value)
      case .whole(let whole): wholes.append(whole)
      }
    }
    self.values = values
    self.wholes = wholes
    accesses = ContiguousArray(values.map(\.access))
    indexes = ContiguousArray(values.map(\.place.index))
    only = values.isEmpty && wholes.count == 1 && wholes[0].offset == 0 ? wholes[0].fill : nil
  }

  /// Starts the life of the current row's value in memory that holds nothing yet; it still holds
  /// nothing where that throws.
  @inline(__always)
  func fill(_ base: UnsafeMutableRawPointer, from statement: Statement) throws {
    if let only { return try only(base, statement) }
    try fillParts(base, from: statement)
  }

  private func fillParts(_ base: UnsafeMutableRawPointer, from statement: Statement) throws {
    for index in accesses.indices {
      do {
        try accesses[index].store(statement.column(indexes[index]), in: base, assigning: false)
      } catch {
        do {
          try values[index].fill(base, from: statement, after: error)
        } catch {
          destroyValues(in: base, upTo: index)
          throw error
        }
      }
    }
    if !wholes.isEmpty { try fillWholes(base, from: statement) }
  }

  @inline(never)
  private func fillWholes(_ base: UnsafeMutableRawPointer, from statement: Statement) throws {
    for index in wholes.indices {
      do {
        try wholes[index].fill(base + wholes[index].offset, statement)
      } catch {
        for begun in wholes.prefix(index) { begun.destroy(base + begun.offset) }
        destroyValues(in: base, upTo: accesses.count)
        throw error
      }
    }
  }

  @inline(never)
  private func destroyValues(in base: UnsafeMutableRawPointer, upTo end: Int) {
    for begun in 0..<end { accesses[begun].destroy(in: base) }
  }
}

extension RowFiller {
  /// Steps, and puts what the row becomes into `place`.
  ///
  /// - Returns: false where there is no row any more.
  @inline(__always)
  func next<Row>(_ place: inout ModelPlace<Row>, of statement: Statement) throws -> Bool {
    guard try statement.step() else { return false }
    try place.fill { try fill($0, from: statement) }
    return true
  }

  /// The current row, as the type that its memory was laid out for.
  func row<Row>(_ type: Row.Type, from statement: Statement) throws -> Row {
    try withUnsafeTemporaryAllocation(of: Row.self, capacity: 1) { memory in
      // A capacity of one always has an address.
      guard let base = memory.baseAddress else { throw RowWhole.none(Row.self, statement) }
      try fill(UnsafeMutableRawPointer(base), from: statement)
      return base.move()
    }
  }

  /// All rows from the next one on.
  func rows<Row>(_ type: Row.Type, from statement: Statement) throws -> [Row] {
    var rows = RowMemory<Row>()
    while try statement.step() {
      try fill(UnsafeMutableRawPointer(rows.place()), from: statement)
      rows.keep()
    }
    return rows.takeAll()
  }
}

/// A value that is read from one column.
struct RowValue: Sendable {
  let access: FieldAccess
  let place: ResultPlace
  let type: Any.Type
  let nullHint: NullHint

  /// Fills in what the stored value stands for, where it stands for another.
  ///
  /// - Throws: what is wrong with the value, which `error` says.
  @inline(never)
  fileprivate func fill(
    _ base: UnsafeMutableRawPointer, from statement: Statement, after error: any Error
  ) throws {
    let stored = statement.column(place.index)
    var failure = error
    if let column = place.column, let mapping = place.mapping,
      !place.absence.isTold(by: statement),
      let meaning = place.standIns.meaning(of: stored, in: column, mapping)
    {
      do {
        return try access.store(ValueInHand(value: meaning), in: base, assigning: false)
      } catch {
        failure = error
      }
    }
    throw place.located(nullHint.said(failure, type, isNull: stored.isNull), statement)
  }
}

/// How a program reads NULL as nil, which depends on how it said what to read.
enum NullHint: Sendable {
  /// By a type, for rows of its own SQL.
  case type
  /// By an expression.
  case expression
  /// By the key path of a property.
  case property

  fileprivate func said(_ error: any Error, _ type: Any.Type, isNull: Bool) -> any Error {
    guard isNull, var failure = error as? ColumnFailure, failure.kind == .decoding else {
      return error
    }
    switch self {
    case .type: return ValueReading.null(as: type)
    case .property: return failure
    case .expression:
      failure.message = "NULL is read as \(TypeName.display(type)), which can't be nil"
      failure.hint = "write .optional behind the expression to read NULL as nil"
      return failure
    }
  }
}

/// What is made of several columns, such as a model.
struct RowWhole {
  typealias Fill = (UnsafeMutableRawPointer, Statement) throws -> Void

  /// In the memory of the row.
  var offset = 0
  /// Starts its life; the memory still holds nothing where that throws.
  let fill: Fill
  let destroy: (UnsafeMutableRawPointer) -> Void

  init<Value>(
    _ type: Value.Type, at offset: Int = 0,
    fill: @escaping Fill
  ) {
    self.offset = offset
    self.fill = fill
    destroy = { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
  }

  /// What a function makes of a row.
  init<Value>(
    _ type: Value.Type, at offset: Int = 0, make: @escaping (Statement) throws -> Value
  ) {
    self.init(type, at: offset) { memory, statement in
      memory.initializeMemory(as: Value.self, to: try make(statement))
    }
  }

  /// A row that has no such value.
  static func none(_ type: Any.Type, _ statement: Statement, table: String? = nil) -> XTError {
    XTError(
      .decoding, "there is no \(TypeName.display(type)) in the row",
      hint: "write .all.optional for a model that a left join may leave out", table: table,
      sql: statement.sql)
  }
}
