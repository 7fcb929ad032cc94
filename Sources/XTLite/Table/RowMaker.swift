/// Makes results of a statement's rows. What can be settled once per statement is settled when its
/// first row is there.
struct RowMaker<Element> {
  let begin: (Connection, Statement) throws -> RowFiller

  init(_ begin: @escaping (Connection, Statement) throws -> RowFiller) {
    self.begin = begin
  }

  /// - Parameter begin: gives what makes an element of each row.
  private init(making begin: @escaping (Statement) -> (Statement) throws -> Element) {
    self.init { _, statement in
      RowFiller([.whole(RowWhole(Element.self, make: begin(statement)))])
    }
  }
}

extension RowMaker where Element == XTRow {
  static var row: RowMaker {
    RowMaker(making: { statement in
      let header = RowHeader(statement)
      return { XTRow(header, $0) }
    })
  }
}

extension RowMaker where Element == XTValue {
  /// The first column of each row.
  static var firstColumn: RowMaker { RowMaker(making: { _ in { $0.column(0).value } }) }
}

extension RowMaker {
  /// The columns of each row in their order, each as the type at its place.
  static func columns<each V>(
    _ types: repeat (each V).Type
  ) -> RowMaker where Element == (repeat each V) {
    let decoder = rowDecoder(of: repeat each types, nullHint: .type)
    return RowMaker { _, statement in
      guard statement.columnCount == decoder.count else {
        throw XTError(
          .decoding,
          "\(decoder.count) columns are asked for, and the rows have \(statement.columnCount)",
          hint: "give one type for each column", sql: statement.sql)
      }
      let places = (0..<decoder.count).map { ResultPlace(index: $0) }
      return try decoder.parts.filler(places, sql: statement.sql)
    }
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
    return RowMaker(making: { statement in
      let header = RowHeader(statement)
      return { try DecodableRow.decode(Element.self, from: XTRow(header, $0)) }
    })
  }

  /// The same for a type that is only known here to be a model.
  private static func of<Model: XTModel>(_ model: Model.Type, _ database: XTDatabase) -> RowMaker {
    RowMaker(RowMaker<Model>.model(database.table(model)).begin)
  }
}

extension RowMaker where Element: XTModel {
  static func model(_ table: XTTable<Element>) -> RowMaker {
    RowMaker { connection, statement in
      let reader = try table.plan().rowsForReading(connection).reader(for: statement)
      return RowFiller([
        .whole(RowWhole(Element.self) { try reader.make(Element.self, at: $0, from: $1) })
      ])
    }
  }
}
