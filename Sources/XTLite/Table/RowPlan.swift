/// The statements of one table as it is in the file, made once per shape, and how models go in and
/// out of its rows.
final class RowPlan: Sendable {
  let shape: TableShape
  let mapping: ModelMapping
  /// What finds read from: the table, or a subquery by its name that adds what the table lacks.
  let source: String
  /// What stands behind SELECT for whole models.
  let selection: [String]
  /// SQL for a row's number; nil where the table has none.
  let rowID: String?
  let reader: RowReader
  let insertion: Insertion
  let change: Change?
  let deletion: StatementKey?
  let findLive: StatementKey?
  let findDeleted: StatementKey?
  let findAny: StatementKey?

  private let database: UInt32
  private let changes = Mutex<[ChangeShape: Change]>([:])
  private let insertions = Mutex<[[String]: Insertion]>([:])

  /// What tells one UPDATE of a table from another.
  private struct ChangeShape: Hashable {
    var only: [String]?
    var keys: [String]
    var restores: Bool
  }

  init(shape: TableShape, database: UInt32) {
    self.shape = shape
    self.database = database
    mapping = shape.mapping
    source = shape.source
    rowID = shape.rowNumber
    let kept = mapping.isClass ? Self.keptRoles(shape) : []
    selection = mapping.columns.map(\.quotedName) + kept.map { Self.name(of: $0, shape) }
    reader = RowReader(
      mapping, columns: mapping.columns,
      kept: mapping.isClass ? Self.places(of: kept, after: mapping.columns.count) : nil,
      lenient: Self.lenient(shape), table: shape.table, database: database)
    insertion = Insertion(shape)
    change = Change(shape, only: nil, keys: [], restores: false)
    let (selection, source) = (selection, source)
    func find(_ mark: String?) -> StatementKey? {
      guard let rowID = shape.rowNumberInSource else { return nil }
      let condition = ["\(rowID) = ?", mark].compactMap { $0 }
      return StatementKey(
        StatementBuilder.select(
          selection, from: source, where: condition.joined(separator: " AND ")))
    }
    findLive = find(shape.isLive)
    findDeleted = shape.has(.isDel) ? find(TableShape.isDeleted) : nil
    findAny = find(nil)
    deletion = rowID.map {
      StatementKey(StatementBuilder.delete(from: shape.table, where: "\($0) = ?"))
    }
  }

  static let isDel = quoted("xt_isDel")

  /// Nothing is missing that another program might have made meanwhile.
  var isComplete: Bool { shape.exists && shape.missingColumns.isEmpty }

  /// The INSERT of some of the columns, kept with its statements.
  func insertion(only columns: [Column]) -> Insertion {
    insertions.withLock { insertions in
      let names = columns.map(\.name)
      if let known = insertions[names] { return known }
      let made = Insertion(shape, only: columns)
      insertions[names] = made
      return made
    }
  }

  /// The UPDATE of some of the columns, kept with its statements.
  ///
  /// - Parameters:
  ///   - only: the columns to write; nil for all but the keys.
  ///   - keys: the columns that find the rows; none to find a row by its number.
  ///   - restores: whether a soft-deleted row becomes live.
  /// - Throws: `schema` where rows are to be found by a number that the table doesn't have.
  func change(only: [Column]? = nil, keys: [Column] = [], restores: Bool = false) throws -> Change {
    if only == nil, keys.isEmpty, !restores, let change { return change }
    let change = changes.withLock { changes in
      let key = ChangeShape(only: only?.map(\.name), keys: keys.map(\.name), restores: restores)
      if let known = changes[key] { return known as Change? }
      let made = Change(shape, only: only, keys: keys, restores: restores)
      changes[key] = made
      return made
    }
    guard let change else { throw noRowNumbers() }
    return change
  }

  /// The UPDATE of the row of this identity, and the row's number where that finds it.
  func change(by identity: Identity, only: [Column]? = nil) throws -> (Change, rowID: Int64?) {
    switch identity {
    case .rowID(let number): (try change(only: only), number)
    case .columns(let columns): (try change(only: only, keys: columns), nil)
    }
  }

  /// What stands behind SELECT for some of the columns, and the reader of such rows.
  func selection(of columns: [Column]) -> ([String], RowReader) {
    let kept = mapping.isClass ? Self.keptRoles(shape) : []
    return (
      columns.map(\.quotedName) + kept.map { Self.name(of: $0, shape) },
      RowReader(
        mapping, columns: columns,
        kept: mapping.isClass ? Self.places(of: kept, after: columns.count) : nil,
        lenient: Self.lenient(shape), table: shape.table, database: database)
    )
  }

  private static func lenient(_ shape: TableShape) -> Set<String> {
    shape.lenientColumns.union(shape.missingColumns.lazy.filter { !$0.isOptional }.map(\.name))
  }

  /// The automatic columns that an object of the model keeps beside itself.
  private static func keptRoles(_ shape: TableShape) -> [ColumnRole] {
    ColumnRole.automatic.filter { role in
      guard shape.mapping.declared(role) == nil else { return false }
      return role == .pkid ? shape.rowNumber != nil : shape.has(role)
    }
  }

  private static func name(of role: ColumnRole, _ shape: TableShape) -> String {
    let own = role == .pkid ? shape.rowNumberInSource : nil
    return own ?? quoted(role.automaticName ?? "")
  }

  private static func places(of roles: [ColumnRole], after count: Int) -> RowReader.KeptColumns? {
    guard !roles.isEmpty else { return nil }
    var places = RowReader.KeptColumns()
    for (index, role) in roles.enumerated() { places.set(role, to: count + index) }
    return places
  }
}

extension RowPlan {
  /// Whether NULL in this column stands for what a fresh `init()` gives.
  func readsNullAsFresh(_ column: Column) -> Bool {
    !column.isOptional
      && (shape.lenientColumns.contains(column.name) || shape.missingColumns.contains { $0 === column })
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
      mapping, columns: columns, indexes: indexes, kept: mapping.keepsRowBesideObject ? kept : nil,
      lenient: Self.lenient(shape), table: shape.table, database: database)
  }
}
