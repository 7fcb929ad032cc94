/// Makes results of a statement's rows. What can be settled once per statement is settled when its
/// first row is there.
struct RowMaker<Element> {
  typealias Making = (Statement) throws -> Element

  let begin: (Connection, Statement) throws -> Making

  init(_ begin: @escaping (Connection, Statement) throws -> Making) {
    self.begin = begin
  }
}

extension RowMaker where Element == XTRow {
  static var row: RowMaker {
    RowMaker { _, statement in
      let header = RowHeader(statement)
      return { XTRow(header, $0) }
    }
  }
}

extension RowMaker {
  /// The columns of each row in their order, each as the type at its place.
  static func columns<each V>(
    _ types: repeat (each V).Type
  ) -> RowMaker where Element == (repeat each V) {
    RowMaker { _, statement in
      let readers = (repeat try ValueReader<each V>())
      var count = 0
      for _ in repeat (each V).self { count += 1 }
      guard statement.columnCount == count else {
        throw XTError(
          .decoding, "\(count) columns are asked for, and the rows have \(statement.columnCount)",
          hint: "give one type for each column", sql: statement.sql)
      }
      return { statement in
        var index = 0
        func next<Value>(_ reader: ValueReader<Value>) throws -> Value {
          defer { index += 1 }
          do {
            return try reader.read(statement.column(index))
          } catch {
            throw located(error, index, statement)
          }
        }
        return (repeat try next(each readers))
      }
    }
  }

  private static func located(
    _ error: any Error, _ index: Int, _ statement: Statement
  ) -> any Error {
    let column = statement.columnName(index)
    if let failure = error as? ColumnFailure {
      return failure.error(table: nil, column: column, sql: statement.sql)
    }
    guard var error = error as? XTError else { return error }
    error.column = error.column ?? column
    error.sql = error.sql ?? statement.sql
    return error
  }
}

extension RowMaker where Element: Decodable {
  /// Each row by the names of its columns; a single value from the one column; a model by its
  /// mapping, where there is a database to know its table.
  static func decoding(_ database: XTDatabase?) -> RowMaker {
    if let database, let model = Element.self as? any XTModel.Type {
      return of(model, database)
    }
    if DecodableRow.isSingleValue(Element.self) { return columns(Element.self) }
    return RowMaker { connection, statement in
      let make = try RowMaker<XTRow>.row.begin(connection, statement)
      return { try DecodableRow.decode(Element.self, from: try make($0)) }
    }
  }

  /// The same for a type that is only known here to be a model.
  private static func of<Model: XTModel>(
    _ model: Model.Type, _ database: XTDatabase
  ) -> RowMaker {
    RowMaker { connection, statement in
      let make = try RowMaker<Model>.model(database.table(model)).begin(connection, statement)
      return { statement in
        guard let element = try make(statement) as? Element else {
          throw XTError(.decoding, "a \(TypeName.display(Model.self)) is another type here")
        }
        return element
      }
    }
  }
}

extension RowMaker where Element: XTModel {
  static func model(_ table: XTTable<Element>) -> RowMaker {
    RowMaker { connection, statement in
      let reader = try table.plan().rowsForReading(connection).reader(for: statement)
      return { statement in
        var place = ModelPlace<Element>()
        try reader.read(&place, from: statement)
        return place.take()
      }
    }
  }
}
