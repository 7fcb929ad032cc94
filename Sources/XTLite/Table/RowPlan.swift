/// The statements of one table as it is in the file, made once per shape, and how models go in and
/// out of its rows.
final class RowPlan: Sendable {
  let shape: TableShape
  let mapping: ModelMapping
  /// What finds read from: the table, or a subquery by its name that adds what the table lacks.
  let source: String
  /// What stands behind SELECT for whole models.
  let selection: [String]
  /// Whether a new row gets its number from SQLite where the model has none.
  let numbersRows: Bool
  let reader: RowReader
  let findLive: StatementKey?
  let findDeleted: StatementKey?
  let findAny: StatementKey?
  /// What finds a row by its number; nil where rows have none.
  let byNumber: RowKey?
  /// What else tells which row a model is: its own key, then each property that is unique by
  /// itself.
  let ownKeys: [RowKey]
  let telling: TellingPlan
  /// Properties that the table has no place for.
  let homeless: [Column]
  /// The table alone, as statements about it alone have it.
  let scope: SQLScope

  private let insertion: Insertion
  private let number: String?
  private let database: UInt32
  let standIns: StandIns
  private let insertions = Mutex<[[ObjectIdentifier]: Insertion]>([:])
  private let keys = Mutex<[[ObjectIdentifier]: RowKey]>([:])

  /// - Parameter uniqueKeys: the sets of columns that are unique in the file, for plans that write:
  ///   one that the model declares and the file doesn't have could find several rows.
  init(shape: TableShape, database: UInt32, uniqueKeys: [Set<SQLiteName>] = []) {
    self.shape = shape
    self.database = database
    let mapping = shape.mapping
    self.mapping = mapping
    let number = shape.number
    self.number = number
    numbersRows =
      number != nil
      && number.map(SQLiteName.init) == shape.rowIDExpression.map(SQLiteName.init)
    source = shape.source
    standIns = StandIns(
      fresh: shape.lenientColumns + shape.missingColumns.filter { !$0.isOptional },
      texts: shape.textColumns)
    (selection, reader) = Self.selection(
      of: mapping.columns, shape, standIns: standIns, database: database)
    insertion = Insertion(shape)
    let (selection, source) = (selection, source)
    func find(_ mark: String?) -> StatementKey? {
      guard let rowID = shape.rowNumberInSource else { return nil }
      let condition = ["\(rowID) = ?", mark].compactMap { $0 }
      return StatementKey(
        StatementBuilder.select(
          selection, from: source, where: condition.joined(separator: " AND ")))
    }
    findLive = find(shape.deletionMark?.isLive)
    findDeleted = shape.deletionMark.flatMap { find($0.isDeleted) }
    findAny = find(nil)
    telling = TellingPlan(shape)
    scope = SQLScope(
      tables: [
        ScopedTable(
          TableReference(mapping.modelType), TableFactsOfStatement(shape, selection: selection))
      ])
    homeless = shape.exists ? shape.missingColumns.filter { $0.role == .property } : []
    byNumber = number.map { RowKey(shape, columns: [], number: $0) }
    let single = mapping.uniqueColumns.map { [$0] }
    ownKeys = ([mapping.primaryKey] + single).compactMap { columns in
      guard !columns.isEmpty, !columns.contains(where: { $0 === mapping.rowID }),
        uniqueKeys.contains(where: { $0.isSubset(of: columns.map { SQLiteName($0.name) }) })
      else { return nil }
      return RowKey(shape, columns: columns, number: number)
    }
  }

  // Automatic columns as they stand in SQL.
  static let createTime = ColumnRole.createTime.quotedName
  static let isDel = ColumnRole.isDel.quotedName

  var updateTime: UpdateTime { telling.time }

  /// Nothing is missing that another program might have made meanwhile: where rows can't be marked as
  /// deleted, they may be the next time.
  var isComplete: Bool { shape.exists && shape.missingColumns.isEmpty && marksDeletion }

  var marksDeletion: Bool { shape.deletionMark != nil }

  /// The INSERT of some of the columns, kept with its statements; of all for nil.
  ///
  /// - Throws: `schema` where the table has no place for one of them.
  func insertion(only columns: [Column]?) throws -> Insertion {
    try checkWritable(columns)
    if columns != nil || !homeless.isEmpty { try checkPlaces(of: columns) }
    guard let columns else { return insertion }
    return insertions.withLock { insertions in
      let list = columns.map(ObjectIdentifier.init)
      if let known = insertions[list] { return known }
      let made = Insertion(shape, only: columns)
      insertions[list] = made
      return made
    }
  }

  /// What finds rows by the values of these columns.
  func key(_ columns: [Column]) throws -> RowKey {
    try checkPlaces(of: columns)
    try checkDates(in: columns)
    return keys.withLock { keys in
      let list = columns.map(ObjectIdentifier.init)
      if let known = keys[list] { return known }
      let made = RowKey(shape, columns: columns, number: number)
      keys[list] = made
      return made
    }
  }

  /// A verb that names a column which SQLite computes would do nothing there without a word.
  func checkWritable(_ columns: [Column]?) throws {
    guard let column = columns?.first(where: shape.isComputed) else { return }
    throw XTError(
      .schema, "`\(column.name)` of \(shape.table) is a generated or hidden column",
      hint: "SQLite makes its values: it can be read, and not written", table: shape.table,
      column: column.name)
  }

  /// What the model holds in a property without a place would be lost without a word.
  func checkPlaces(of columns: [Column]?) throws {
    let missing =
      columns.map { columns in
        shape.missingColumns.filter { missing in columns.contains { $0 === missing } }
      } ?? homeless
    guard let column = missing.first(where: { $0 !== mapping.rowID || number == nil }) else {
      return
    }
    throw XTError(
      .schema, "\(shape.table) has no column \(column.name)",
      hint: "XTLite adds nothing by itself to a table that another program made, nor where "
        + "automaticAdditions is off: add the column by an upgrade step, or name the property in "
        + "xt_ignored",
      table: shape.table, column: column.name)
  }

  /// What stands behind SELECT for some of the columns, and the reader of such rows.
  func selection(of columns: [Column]) -> ([String], RowReader) {
    Self.selection(of: columns, shape, standIns: standIns, database: database)
  }

  private static func selection(
    of columns: [Column], _ shape: TableShape, standIns: StandIns, database: UInt32
  ) -> ([String], RowReader) {
    let kept = keptRoles(shape)
    return (
      columns.map(\.quotedName) + kept.map { name(of: $0, shape) },
      RowReader(
        shape.mapping, columns: columns, kept: places(of: kept, after: columns.count),
        standIns: standIns, table: shape.table, database: database)
    )
  }

  /// The automatic columns that an object of the model keeps beside itself, as far as the table has
  /// them.
  private static func keptRoles(_ shape: TableShape) -> [ColumnRole] {
    shape.mapping.keptRoles.filter { $0 == .pkid ? shape.rowNumber != nil : shape.has($0) }
  }

  private static func name(of role: ColumnRole, _ shape: TableShape) -> String {
    let own = role == .pkid ? shape.rowNumberInSource : nil
    return own ?? role.quotedName
  }

  private static func places(of roles: [ColumnRole], after count: Int) -> RowReader.KeptColumns? {
    guard !roles.isEmpty else { return nil }
    var places = RowReader.KeptColumns()
    for (index, role) in roles.enumerated() { places.set(role, to: count + index) }
    return places
  }
}

extension RowPlan {
  /// A reader of whole models whose columns begin at `index` of a row.
  func reader(at index: Int) -> RowReader {
    if index == 0 { return reader }
    let columns = mapping.columns
    return RowReader(
      mapping, columns: columns, indexes: columns.indices.map { index + $0 },
      kept: Self.places(of: Self.keptRoles(shape), after: index + columns.count),
      standIns: standIns, table: shape.table, database: database)
  }

  /// Which of a whole model's columns holds the row's number, if one does.
  var placeOfNumber: Int? {
    if let place = mapping.columns.firstIndex(where: { $0 === mapping.rowID }) { return place }
    let kept = Self.keptRoles(shape).firstIndex(of: .pkid)
    return kept.map { mapping.columns.count + $0 }
  }

  /// A reader of a statement's rows by the names of their columns.
  func reader(for statement: Statement) -> RowReader {
    var columns: [Column] = []
    var indexes: [Int] = []
    var kept = RowReader.KeptColumns()
    for index in 0..<statement.columnCount {
      guard let column = mapping.column(named: statement.columnName(index)) else { continue }
      if column.access != nil {
        guard !columns.contains(where: { $0 === column }) else { continue }
        columns.append(column)
        indexes.append(index)
      } else {
        kept.set(column.role, to: index)
      }
    }
    return RowReader(
      mapping, columns: columns, indexes: indexes, kept: mapping.keptRoles.isEmpty ? nil : kept,
      standIns: standIns, table: shape.table, database: database)
  }
}
