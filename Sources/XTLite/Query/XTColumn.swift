import Foundation

/// A column of a model's table: `Person.xt.age` is an `XTColumn<Person, Int>`.
public struct XTColumn<Model: XTModel, Value>: XTExpressible {
  let node: SQLNode

  init(_ node: SQLNode) {
    self.node = node
  }

  init(_ table: TableReference, _ find: () throws -> Column) {
    node = .make { QueryColumn(try find(), of: table).node }
  }

  /// The column as an expression.
  public var xt_expression: XTExpression<Value> { XTExpression(node) }

  /// The column's name in the table; "" where there is no such column.
  public var name: String { node.column?.name ?? "" }
}

/// The columns of a model's table, as members by the names of its properties.
///
/// ```swift
/// Person.xt.age           // XTColumn<Person, Int>
/// Person.xt.pkid          // also where the model doesn't declare it
/// let boss = Person.xt.as("boss")
/// boss.name               // of the table that a statement has by the name "boss"
/// ```
@dynamicMemberLookup
public struct XTColumns<Model: XTModel>: Sendable {
  let table: TableReference
  /// The table's name where it is not the model's own.
  let tableName: String?

  init(_ table: TableReference, tableName: String? = nil) {
    self.table = table
    self.tableName = tableName
  }

  var source: Source { Source(table: .model(Model.self, customName: tableName), reference: table) }

  /// The column of a stored property.
  public subscript<V>(dynamicMember property: KeyPath<Model, V>) -> XTColumn<Model, V> {
    XTColumn(table) { try ModelMapping.of(Model.self).column(for: property) }
  }

  /// An automatic column, declared or not; a property of that name goes before.
  @_disfavoredOverload
  public subscript<V>(
    dynamicMember column: KeyPath<XTAutomaticColumns, V>
  ) -> XTColumn<Model, V> {
    XTColumn(table) {
      let role = role(of: column)
      let mapping = try ModelMapping.of(Model.self)
      return role == .pkid ? mapping.rowID : mapping.automatic(role) ?? mapping.rowID
    }
  }

  private func role(of column: PartialKeyPath<XTAutomaticColumns>) -> ColumnRole {
    switch column {
    case \.createTime, \.xt_createTime: .createTime
    case \.updateTime, \.xt_updateTime: .updateTime
    case \.isDel, \.xt_isDel: .isDel
    default: .pkid
    }
  }

  /// The column of that name, whatever its type.
  ///
  /// ```swift
  /// let column = try Person.xt.column(named: text, as: Int.self)
  /// ```
  ///
  /// - Parameters:
  ///   - name: the column's name in the table; the case of ASCII letters does not count.
  ///   - type: what its values are read as.
  /// - Throws: `unknownColumn` where the model has none of this name.
  public func column<V>(
    named name: String, as type: V.Type = XTValue.self
  ) throws -> XTColumn<Model, V> {
    let mapping = try ModelMapping.of(Model.self)
    guard let column = mapping.column(named: name) else {
      throw XTError(
        .unknownColumn, "\(mapping.typeName) has no column \(name)",
        hint: "its columns are \(mapping.columns.map(\.name).joined(separator: ", "))",
        table: mapping.tableName, column: name)
    }
    return XTColumn(QueryColumn(column, of: table).node)
  }

  /// The whole model, for selecting it beside other values.
  ///
  /// ```swift
  /// try Person.xt_select(Person.xt.all, Person.xt.age * 2)     // [(Person, Int)]
  /// ```
  public var all: XTExpression<Model> { XTExpression(SQLNode([.model(table)])) }

  /// The number of rows: `count(*)`.
  public func countAll() -> XTAggregate<Int> { XTAggregate("count", SQLNode("*")) }

  /// The same table by another name, for a statement that has it twice.
  ///
  /// ```swift
  /// let boss = Employee.xt.as("boss")
  /// try Employee.xt_leftJoin(boss, on: Employee.xt.bossID == boss.pkid).all()
  /// ```
  ///
  /// - Parameters:
  ///   - alias: the name.
  ///   - table: the table's name in the file where it is not the model's own.
  public func `as`(_ alias: String, table: String? = nil) -> XTColumns {
    XTColumns(TableReference(Model.self, alias: alias), tableName: table)
  }
}

/// The automatic columns of every table, as members of `Model.xt`.
public struct XTAutomaticColumns {
  /// The row's number: the column pkid, or the model's own integer key in its place.
  public var pkid: Int64 { 0 }
  /// When the row was first inserted: xt_createTime.
  public var createTime: Date { .distantPast }
  /// When the row was last written: xt_updateTime.
  public var updateTime: Date { .distantPast }
  /// Whether the row is soft-deleted: xt_isDel.
  public var isDel: Bool { false }
  /// The same as ``createTime``, by the column's name.
  public var xt_createTime: Date { .distantPast }
  /// The same as ``updateTime``, by the column's name.
  public var xt_updateTime: Date { .distantPast }
  /// The same as ``isDel``, by the column's name.
  public var xt_isDel: Bool { false }
}

/// A table that has no model, or a view, or a table of WITH: its columns by name.
///
/// ```swift
/// let stock = XTTableName("stock")
/// let count = stock.column("count", as: Int.self)
/// try database.query(stock).where(count > 3).columns(count).all()
/// ```
public struct XTTableName: Sendable {
  /// The table's name.
  public let name: String
  let reference: TableReference

  /// - Parameters:
  ///   - name: the table's name in the file.
  ///   - alias: another name for it in the statement.
  public init(_ name: String, as alias: String? = nil) {
    self.name = name
    reference = TableReference(named: name, alias: alias)
  }

  /// A column of the table.
  ///
  /// - Parameters:
  ///   - name: its name. That there is such a column is known only when the statement is prepared.
  ///   - type: what its values are read as.
  public func column<V>(_ name: String, as type: V.Type) -> XTExpression<V> {
    XTExpression(
      SQLNode(
        [.column(QueryColumn(named: name, of: reference))],
        collation: DecimalOrder.collation(of: type)))
  }

  /// The number of rows: `count(*)`.
  public func countAll() -> XTAggregate<Int> { XTAggregate("count", SQLNode("*")) }

  var source: Source { Source(table: .named(name), reference: reference) }
}

extension XTModel {
  /// The model's columns, for expressions: `Person.xt.age * 2 > 36`.
  public static var xt: XTColumns<Self> { XTColumns(TableReference(Self.self)) }
}
