import Foundation

/// What a table in the file has, seen through one model.
final class TableShape: Sendable {
  let table: String
  let mapping: ModelMapping
  let exists: Bool
  /// Whether XTLite (by its record) or XTFMDB (by its columns) made the table, so that additions
  /// happen by themselves.
  let isOwn: Bool
  /// Whether XTFMDB made it.
  let isLegacy: Bool
  /// The mapping's columns that the file's table has, in the mapping's order.
  let columns: [Column]
  /// The mapping's columns that it lacks.
  let missingColumns: [Column]
  /// The file's column that is the rowid, by its name in the file; nil where none is.
  let rowIDName: String?
  /// Columns that the model doesn't know and that an insert must give a value.
  let fillers: [Filler]
  /// Columns that XTLite added later without a DEFAULT: NULL in them reads as what a fresh `init()`
  /// gives. By the mapping's names.
  let lenientColumns: [Column]

  /// Columns in which XTFMDB wrote base64 for bytes and empty text for nothing. By the mapping's
  /// names.
  let textColumns: [Column]

  /// Columns of dates that the file, which another program made, keeps as text.
  let textDates: [Column]

  /// SQL for a row's number, also where no column stands for it; nil for a view, a table WITHOUT
  /// ROWID, and one whose columns take all its names.
  let rowIDExpression: String?

  let fileColumns: [SchemaReader.FileColumn]
  /// How the table marks deleted rows; nil where it doesn't.
  let deletionMark: DeletionMark?
  private let names: Set<SQLiteName>
  private let collatedColumns: Set<SQLiteName>
  private let computed: Set<SQLiteName>

  /// A table that is not there.
  init(missing table: String, mapping: ModelMapping) {
    self.table = table
    self.mapping = mapping
    exists = false
    isOwn = false
    isLegacy = false
    columns = []
    missingColumns = mapping.columns
    rowIDName = nil
    fillers = []
    lenientColumns = []
    textColumns = []
    textDates = []
    rowIDExpression = nil
    fileColumns = []
    deletionMark = nil
    names = []
    collatedColumns = []
    computed = []
  }

  init(
    table: String, mapping: ModelMapping, isOwn: Bool, fileColumns: [SchemaReader.FileColumn],
    rowIDName: String?, rowIDExpression: String?, fillers: [Filler],
    recordedLenient: Set<SQLiteName>, isLegacy: Bool, textDates: Set<SQLiteName>,
    collatedColumns: Set<SQLiteName>
  ) {
    let names = Set(fileColumns.map { SQLiteName($0.name) })
    self.table = table
    self.mapping = mapping
    exists = true
    self.isOwn = isOwn
    self.isLegacy = isLegacy
    columns = mapping.columns.filter { names.contains(SQLiteName($0.name)) }
    missingColumns = mapping.columns.filter { !names.contains(SQLiteName($0.name)) }
    self.rowIDName = rowIDName
    self.rowIDExpression = rowIDExpression
    self.fillers = fillers
    lenientColumns = columns.filter {
      !$0.isOptional && recordedLenient.contains(SQLiteName($0.name))
    }
    let texts = Set(
      fileColumns.filter { isLegacy && SQLiteName($0.declaredType) == SQLiteName("TEXT") }
        .map { SQLiteName($0.name) })
    textColumns = columns.filter {
      ($0.type.isJSON || $0.type.storageClass == .blob) && texts.contains(SQLiteName($0.name))
    }
    self.textDates = columns.filter { textDates.contains(SQLiteName($0.name)) }
    self.fileColumns = fileColumns
    let isDel = ColumnRole.isDel.automaticName.map(SQLiteName.init)
    deletionMark = fileColumns.first { SQLiteName($0.name) == isDel }
      .map { DeletionMark(isNotNull: $0.isNotNull) }
    self.names = names
    self.collatedColumns = collatedColumns
    computed = Set(fileColumns.filter { !$0.isWritable }.map { SQLiteName($0.name) })
  }

  /// Whether the table has the automatic column, by its name.
  func has(_ role: ColumnRole) -> Bool {
    role.automaticName.map(has(column:)) ?? false
  }

  /// Whether the table has a column of that name.
  func has(column name: String) -> Bool { names.contains(SQLiteName(name)) }

  /// What writes a column's value where that is more than its parameter, by the quoted name.
  ///
  /// XTFMDB's columns take no NULL: where empty text reads as nil, nil is written as that.
  var writtenValues: [String: String] {
    let notNull = Set(fileColumns.filter(\.isNotNull).map { SQLiteName($0.name) })
    let columns = textColumns.filter { $0.isOptional && notNull.contains(SQLiteName($0.name)) }
    return Dictionary(
      columns.map { ($0.quotedName, "ifnull(?, '')") }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether SQLite makes the column's values by itself, so that none can be written.
  func isComputed(_ column: Column) -> Bool { computed.contains(SQLiteName(column.name)) }

  /// Whether texts that differ may be equal in the file's column.
  func isCollated(_ column: Column) -> Bool { collatedColumns.contains(SQLiteName(column.name)) }
}

extension TableShape {
  /// A column of a removed property, which refuses rows that leave it out.
  struct Filler: Sendable {
    /// By its name in the file.
    let name: String
    fileprivate let kind: Kind
    fileprivate let isUnique: Bool

    fileprivate enum Kind: Sendable { case integer, real, text, blob, null }

    /// A neutral value: 0, or empty. Where the column is unique each call gives another one, so it
    /// is to be asked for once for each row.
    var value: XTValue {
      switch kind {
      case .null:
        .null
      case .integer:
        .integer(isUnique ? .random(in: Int64.min...Int64.max) : 0)
      case .real:
        .real(isUnique ? .random(in: 0..<1) : 0)
      case .text:
        .text(isUnique ? UUID().uuidString : "")
      case .blob:
        .blob(isUnique ? Data(UUID().uuidString.utf8) : Data())
      }
    }
  }
}

extension TableShape.Filler {
  /// The filler that `column` needs, if it needs one.
  init?(for column: SchemaReader.FileColumn, isUnique: Bool) {
    guard column.keyPosition == 0 else { return nil }
    name = column.name
    self.isUnique = isUnique
    if column.isNotNull {
      // A default serves where rows may share it.
      guard isUnique || !column.hasDefaultOtherThanNull else { return nil }
      kind = Kind(declaredType: column.declaredType)
    } else {
      guard isUnique, column.hasDefaultOtherThanNull else { return nil }
      kind = .null
    }
  }
}

extension TableShape.Filler.Kind {
  fileprivate init(declaredType: String) {
    switch Affinity(declaredType: declaredType) {
    case .integer, .numeric: self = .integer
    case .text: self = .text
    case .blob: self = .blob
    case .real: self = .real
    }
  }
}
