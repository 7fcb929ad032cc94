import Foundation

/// A type's plan: which columns its stored properties are, and where in memory they stand. Made
/// once per type.
final class ModelMapping: Sendable {
  let modelType: any XTModel.Type
  let typeIdentity: ObjectIdentifier
  let typeName: String
  let tableName: String
  /// The type states its table's name, so that it may share the table with another type.
  let statesTableName: Bool
  let isClass: Bool
  /// The columns that the type declares, in the order of its stored properties.
  let columns: [Column]
  /// The same columns in the order of their names, as JSON has them.
  let columnsByName: [Column]
  /// What `xt_primaryKey` names.
  let primaryKey: [Column]
  /// The column that stands in pkid's place: the one integer property that is the primary key.
  let rowIDColumn: Column?
  /// Columns that are unique by themselves, in declaration order.
  let uniqueColumns: [Column]
  /// Every stored property is a column, so that a row can be made in memory that holds nothing yet.
  let coversMemory: Bool

  /// The automatic columns at their roles' places, declared or not; no pkid where `rowIDColumn`
  /// takes its place.
  private let automaticColumns: [Column?]
  private let columnsOfNames: [SQLiteName: Column]
  private let places: KeyPathColumns
  /// The column of each place; nil for a stored property that is none.
  private let placeColumns: [Column?]
  /// What key paths led to; nil for one that leads to no column.
  private let resolved = Mutex<[AnyKeyPath: Column?]>([:])

  /// - Throws: what is wrong with the type's properties or options.
  @inline(__always)
  static func of(_ type: any XTModel.Type) throws -> ModelMapping {
    try recent.find(ObjectIdentifier(type)) ?? of(type, inside: [])
  }

  /// - Parameter outerModels: those whose mappings are being made, which may be met again inside.
  static func of(
    _ type: any XTModel.Type, inside outerModels: [any XTModel.Type]
  ) throws -> ModelMapping {
    let key = ObjectIdentifier(type)
    if let known = cache.withLock({ $0[key] }) {
      let mapping = try known.get()
      recent.note(mapping)
      return mapping
    }
    // Made outside of the lock, which is not re-entrant: a nested model's mapping may be needed.
    let made = Result { try MappingBuilder(type, inside: outerModels).mapping() }
    return try cache.withLock { cache in
      if let known = cache[key] { return known }
      cache[key] = made
      return made
    }.get()
  }

  private static let recent = RecentMappings()
  private static let cache = Mutex<[ObjectIdentifier: Result<ModelMapping, any Error>]>([:])

  init(_ parts: MappingParts) {
    modelType = parts.modelType
    typeIdentity = ObjectIdentifier(parts.modelType)
    typeName = parts.typeName
    tableName = parts.tableName
    statesTableName = parts.statesTableName
    isClass = parts.modelType is AnyClass
    columns = parts.columns
    primaryKey = parts.primaryKey
    rowIDColumn = parts.rowIDColumn
    uniqueColumns = parts.columns.filter(\.isUnique)
    coversMemory = parts.coversMemory
    automaticColumns = ColumnRole.allCases.map { parts.automatic[$0] }
    places = parts.places
    placeColumns = parts.placeColumns
    columnsByName = columns.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    columnsOfNames = Dictionary(
      (parts.columns + parts.automatic.values).map { (SQLiteName($0.name), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The name of the column that is the row's number: "pkid", or the model's own.
  var rowIDName: String { rowID.name }

  /// The column that is the row's number, declared or not.
  var rowID: Column {
    rowIDColumn ?? automatic(.pkid) ?? columns[0]
  }

  /// The automatic columns that stand beside the objects of the class, since it declares none; of a
  /// value none do.
  var keptRoles: [ColumnRole] {
    isClass ? ColumnRole.automatic.filter { declared($0) == nil } : []
  }

  /// Whether the model has keys beside the row's number.
  var hasOwnKeys: Bool { !primaryKey.isEmpty || !uniqueColumns.isEmpty }

  /// The automatic column of this role; nil for a pkid whose place is taken.
  func automatic(_ role: ColumnRole) -> Column? {
    automaticColumns[role.rawValue]
  }

  /// The column of this role where a stored property declares it.
  func declared(_ role: ColumnRole) -> Column? {
    if role == .pkid, let rowIDColumn { return rowIDColumn }
    guard let column = automatic(role), column.access != nil else { return nil }
    return column
  }

  /// The column of this name, automatic ones included, without regard to ASCII case as in SQLite.
  func column(named name: String) -> Column? {
    columnsOfNames[SQLiteName(name)]
  }

  /// The column that a key path leads to, automatic ones included.
  ///
  /// - Throws: `unknownColumn` where it leads to something else.
  func column(for keyPath: AnyKeyPath) throws -> Column {
    let column: Column?
    if let known = resolved.withLock({ $0[keyPath] }) {
      column = known
    } else {
      column = resolve(keyPath)
      _ = resolved.withLock { $0.updateValue(column, forKey: keyPath) }
    }
    guard let column else { throw unknown(keyPath) }
    return column
  }

  private func resolve(_ keyPath: AnyKeyPath) -> Column? {
    // First of all, since a constant may hold what an automatic column holds in a new object.
    if isClass, KeyPathText(keyPath).isOneComputed, let column = keptColumn(keyPath) {
      return column
    }
    return places.place(of: keyPath).flatMap { placeColumns[$0] }
  }

  /// An automatic column that is kept beside the object: `\Vehicle.pkid`. The key path's value must
  /// follow what is kept, twice.
  private func keptColumn(_ keyPath: AnyKeyPath) -> Column? {
    let object = modelType.init() as AnyObject
    defer { ObjectKeeper.shared.remove(object) }
    let first = KeptRow(
      pkid: 90_137, createTime: 86_400.5, updateTime: 172_800.5, isDeleted: true)
    let second = KeptRow(
      pkid: 37_091, createTime: 43_200.5, updateTime: 21_600.5, isDeleted: false)
    func role(_ kept: KeptRow) -> ColumnRole? {
      ObjectKeeper.shared.set(kept, for: object)
      func read<Root>(_: Root.Type) -> Any? {
        guard let root = object as? Root else { return nil }
        return (keyPath as? PartialKeyPath<Root>).map { root[keyPath: $0] }
      }
      switch _openExistential(Swift.type(of: keyPath).rootType, do: read) {
      case let number as Int64 where number == kept.pkid: return .pkid
      case let date as Date where date.timeIntervalSince1970 == kept.createTime: return .createTime
      case let date as Date where date.timeIntervalSince1970 == kept.updateTime: return .updateTime
      case let flag as Bool where flag == kept.isDeleted: return .isDel
      default: return nil
      }
    }
    guard let found = role(first), found == role(second) else { return nil }
    return found == .pkid ? rowID : automatic(found)
  }

  private func unknown(_ keyPath: AnyKeyPath) -> XTError {
    XTError(
      .unknownColumn, "\(keyPathName(keyPath)) is no column of \(typeName)",
      hint: "a column is a stored property that is not ignored; where the key path of one can't be "
        + "followed, declare the property final, or name the column in a condition's text",
      table: tableName)
  }

  private func keyPathName(_ keyPath: AnyKeyPath) -> String {
    String(describing: keyPath)
  }

  /// What `init()` gives for `column`, made anew.
  func freshValue(of column: Column) throws -> XTValue {
    guard let access = column.access else { return column.defaultValue ?? .null }
    do {
      return try freshModel { try access.value(from: $0) }
    } catch let failure as ColumnFailure {
      throw failure.error(table: tableName, column: column.name)
    }
  }

  /// Runs `body` on the memory of a new instance.
  func freshModel<Result>(_ body: (UnsafeRawPointer) throws -> Result) throws -> Result {
    func run<Model: XTModel>(_ type: Model.Type) throws -> Result {
      try withMemory(of: Model()) { try body($0.base) }
    }
    return try run(modelType)
  }
}

/// What a mapping is made of.
struct MappingParts {
  var modelType: any XTModel.Type
  var typeName: String
  var tableName: String
  var statesTableName: Bool
  var columns: [Column]
  var primaryKey: [Column]
  var rowIDColumn: Column?
  var coversMemory: Bool
  var automatic: [ColumnRole: Column]
  var places: KeyPathColumns
  var placeColumns: [Column?]
}
