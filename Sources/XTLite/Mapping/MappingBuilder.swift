import Foundation

/// Makes a type's mapping: looks at its stored properties, then at its options.
struct MappingBuilder {
  private let type: any XTModel.Type
  /// The models that this one is nested in, whose mappings are being made.
  private let outerModels: [any XTModel.Type]
  private let typeName: String
  private let fields: [Reflection.Field]
  private let paths: KeyPathColumns
  /// For each of the paths' places, the field that it is in and the automatic column it stands for.
  private let origins: [(field: Int, role: ColumnRole?)]

  init(_ type: any XTModel.Type, inside outerModels: [any XTModel.Type] = []) throws {
    self.type = type
    self.outerModels = outerModels
    typeName = TypeName.display(type)
    fields = try Reflection.fields(of: type)
    var places: [KeyPathColumns.Place] = []
    var origins: [(field: Int, role: ColumnRole?)] = []
    for (index, field) in fields.enumerated() where field.isStrong {
      places.append(.init(path: [field.name], type: field.type, offset: field.offset))
      origins.append((index, nil))
      // A property wrapper's value, and the members of XTMeta, stand inside of the stored property.
      for part in try Self.parts(of: field) {
        places.append(
          .init(path: [field.name, part.name], type: part.type, offset: field.offset + part.offset))
        origins.append((index, field.type == XTMeta.self ? ColumnRole(metaName: part.name) : nil))
      }
    }
    paths = KeyPathColumns(modelType: type, places: places)
    self.origins = origins
  }

  private static func parts(of field: Reflection.Field) throws -> [Reflection.Field] {
    guard field.type == XTMeta.self || field.name.hasPrefix("_"), !(field.type is AnyClass),
      ColumnType.scalar(field.type) == nil
    else { return [] }
    return try Reflection.fields(of: field.type).filter(\.isStrong)
  }

  func mapping() throws -> ModelMapping {
    let ignored = try ignoredFields()
    let names = try fieldMap(
      type.xt_columnNames.entries.map { ($0.keyPath, $0.name) }, "xt_columnNames")
    let keywords = try fieldMap(
      type.xt_keywords.entries.map { ($0.keyPath, $0.keywords) }, "xt_keywords")
    let keys = try fieldIndexes(type.xt_primaryKey.keyPaths, "xt_primaryKey")
    for (_, keywords) in keywords where keywords.words.contains("PRIMARY") {
      throw wrong("the keywords \(keywords.text) state a primary key", "name it in xt_primaryKey")
    }

    let reader = PropertyReader(typeName: typeName, fields: fields)
    let properties = try fields.indices.filter { !ignored.contains($0) }.flatMap(
      reader.properties(ofField:))
    try checkNestedModels(properties)
    let uniqueID = identifiableID(
      properties, hasKeys: !keys.isEmpty || keywords.values.contains(where: \.isUnique))
    var columns: [Column] = []
    for property in properties {
      columns.append(
        try column(
          property, name: names[property.field], keywords: keywords[property.field],
          isUnique: uniqueID == property.field))
    }
    let columnOfField = Dictionary(
      zip(properties.map(\.field), columns), uniquingKeysWith: { first, _ in first })
    let primaryKey = try keys.map { index in
      guard let column = columnOfField[index] else {
        throw wrong(
          "xt_primaryKey names \(fields[index].name), which is no column",
          "take it out of xt_ignored")
      }
      return column
    }
    let rowID =
      primaryKey.count == 1 && primaryKey[0].type.isInteger && primaryKey[0].role != .pkid
      ? primaryKey[0] : nil
    if rowID != nil, let pkid = columns.first(where: { $0.role == .pkid }) {
      if properties.contains(where: { $0.role == .pkid && $0.isMeta }) {
        columns.removeAll { $0 === pkid }
      } else {
        throw wrong(
          "\(rowID?.property ?? "") is an integer primary key, which takes pkid's place, and pkid "
            + "is there too",
          "leave one of them out")
      }
    }
    guard !columns.isEmpty else {
      throw wrong("it has no stored property that could be a column", "give it one")
    }
    let automatic = try automaticColumns(declared: columns, hasRowID: rowID != nil)
    try refuseSameNames(columns + automatic.values.filter { $0.access == nil })
    return ModelMapping(
      MappingParts(
        modelType: type, typeName: typeName, tableName: try tableName(),
        statesTableName: type.xt_tableName != TypeName.tableName(of: type), columns: columns,
        primaryKey: primaryKey, rowIDColumn: rowID, coversMemory: covers(properties, columns),
        automatic: automatic, places: paths,
        placeColumns: paths.places.indices.map { place in
          columnAt(place, properties: properties, columns: columns, columnOfField: columnOfField)
        }))
  }

  // MARK: Properties

  /// A nested model that can't be written is found out now, not when the first one comes.
  private func checkNestedModels(_ properties: [StoredProperty]) throws {
    for property in properties {
      for model in ModelJSON.models(in: property.type.swiftType)
      where model != type && !outerModels.contains(where: { $0 == model }) {
        do {
          _ = try ModelMapping.of(model, inside: outerModels + [type])
        } catch var error as XTError {
          error.message = "in \(property.name) of \(typeName): \(error.message)"
          throw error
        }
      }
    }
  }

  private func identifiableID(_ properties: [StoredProperty], hasKeys: Bool) -> Int? {
    guard type is any Identifiable.Type, !hasKeys else { return nil }
    return properties.first { $0.name == "id" }?.field
  }

  // MARK: Columns

  private func column(
    _ property: StoredProperty, name: String?, keywords: XTKeywords?, isUnique: Bool
  ) throws -> Column {
    let access = FieldAccess(property.type, offset: property.offset)
    let first = try initialValue(access)
    // Two calls often fall into one tick of the clock, which a value of several parts may hold.
    if property.type.codec != nil { usleep(20) }
    let second = try initialValue(access)
    let isStable = first == second
    let isConstant = type is AnyClass && !fields[property.field].isVariable && isStable
    if property.role != .property, !property.isMeta, let name, name != property.name {
      throw wrong(
        "xt_columnNames gives the automatic column \(property.name) the name \(name)",
        "an automatic column keeps its name; to use a key of another name, see xt_primaryKey")
    }
    let columnName = property.isMeta ? property.name : name ?? property.name
    guard !columnName.isEmpty, !columnName.unicodeScalars.contains("\0") else {
      throw wrong("the column of \(property.name) has no name", "name it in xt_columnNames")
    }
    return Column(
      property: property.name, name: columnName, type: property.type, role: property.role,
      keywords: keywords, isUnique: isUnique || keywords?.isUnique == true,
      defaultValue: property.type.isOptional || property.type.isVolatile || !isStable ? nil : first,
      access: access, constant: isConstant ? first : nil)
  }

  /// What `init()` gives; nil where that value can't be stored, which only a write need complain
  /// of.
  private func initialValue(_ access: FieldAccess) throws -> XTValue? {
    let model = type
    do {
      return try Self.initialValue(of: model, access)
    } catch let error as XTError where error.kind == .unsupportedProperty || error.kind == .schema {
      throw error
    } catch {
      return nil
    }
  }

  private static func initialValue<Model: XTModel>(
    of type: Model.Type, _ access: FieldAccess
  ) throws -> XTValue {
    try withMemory(of: type.init()) { try access.value(from: $0.base) }
  }

  private func automaticColumns(declared: [Column], hasRowID: Bool) throws -> [ColumnRole: Column] {
    var columns: [ColumnRole: Column] = [:]
    for role in ColumnRole.automatic where !(role == .pkid && hasRowID) {
      guard let name = role.automaticName else { continue }
      columns[role] = try declared.first { $0.role == role } ?? Column(undeclared: role, name: name)
    }
    return columns
  }

  private func covers(_ properties: [StoredProperty], _ columns: [Column]) -> Bool {
    let whole = Set(properties.filter(\.isWhole).map(\.field))
    return !(type is AnyClass) && columns.count == properties.count
      && fields.indices.allSatisfy(whole.contains)
  }

  private func columnAt(
    _ place: Int, properties: [StoredProperty], columns: [Column], columnOfField: [Int: Column]
  ) -> Column? {
    if let role = origins[place].role { return columns.first { $0.role == role } }
    // A part of a wrapper is its column only where the column holds just that part.
    guard let column = columnOfField[origins[place].field],
      column.type.swiftType == paths.places[place].type
    else { return nil }
    return column
  }

  // MARK: Names

  private func tableName() throws -> String {
    let name = type.xt_tableName
    guard name != TypeName.tableName(of: type),
      let parent = _getSuperclass(type) as? any XTModel.Type,
      parent.xt_tableName == name
    else { return name }
    throw wrong(
      "it inherits the table name \(name) from \(TypeName.display(parent))",
      "state a table name of its own: override class var xt_tableName: String"
        + " { \"\(TypeName.tableName(of: type))\" }"
    )
  }

  private func refuseSameNames(_ columns: [Column]) throws {
    var seen: [SQLiteName: Column] = [:]
    for column in columns {
      if let other = seen.updateValue(column, forKey: SQLiteName(column.name)) {
        throw wrong(
          "its properties \(other.property) and \(column.property) would be one column: SQLite "
            + "takes \(other.name) and \(column.name) for the same name",
          "give one of them another name in xt_columnNames")
      }
    }
  }

  // MARK: Options

  private func fieldIndexes(_ keyPaths: [AnyKeyPath], _ option: String) throws -> [Int] {
    var indexes: [Int] = []
    for keyPath in keyPaths { try add(try fieldIndex(keyPath, option), to: &indexes, option) }
    return indexes
  }

  private func add(_ index: Int, to indexes: inout [Int], _ option: String) throws {
    guard !indexes.contains(index) else { throw twice(index, option) }
    indexes.append(index)
  }

  /// A closure has a getter for its key path even in a struct, and no values to try out; the like
  /// goes for a reference in an open class. Which of several fields of one type such a key path
  /// leads to does not matter where no column can hold the type: all of them have to be listed.
  private func ignoredFields() throws -> [Int] {
    let option = "xt_ignored"
    var indexes: [Int] = []
    var untold: [AnyKeyPath] = []
    for keyPath in type.xt_ignored.keyPaths {
      if paths.place(of: keyPath) == nil, KeyPathText(keyPath).isOneComputed,
        paths.isOfModel(keyPath)
      {
        untold.append(keyPath)
      } else {
        try add(try fieldIndex(keyPath, option), to: &indexes, option)
      }
    }
    for keyPath in untold {
      let valueType = Swift.type(of: keyPath).valueType
      let index = fields.indices.first {
        fields[$0].type == valueType && !indexes.contains($0)
          && (try? ColumnType.of(valueType)) == nil
      }
      try add(try index ?? fieldIndex(keyPath, option), to: &indexes, option)
    }
    return indexes
  }

  private func fieldMap<Value>(_ entries: [(AnyKeyPath, Value)], _ option: String) throws -> [Int:
    Value]
  {
    var map: [Int: Value] = [:]
    for (keyPath, value) in entries {
      let index = try fieldIndex(keyPath, option)
      guard map.updateValue(value, forKey: index) == nil else { throw twice(index, option) }
    }
    return map
  }

  private func fieldIndex(_ keyPath: AnyKeyPath, _ option: String) throws -> Int {
    guard let place = paths.place(of: keyPath) else {
      throw XTError(
        .unknownColumn,
        "\(option) of \(typeName) names \(keyPath), which is no stored property of it",
        hint: "only stored properties can stand there; computed ones are no columns anyway; where "
          + "one of an open class is not found, declare it final")
    }
    return origins[place].field
  }

  private func twice(_ index: Int, _ option: String) -> XTError {
    wrong("\(option) names the property \(fields[index].name) twice", "leave one of the two out")
  }

  private func wrong(_ message: String, _ hint: String) -> XTError {
    .model(typeName, message, hint)
  }
}

extension XTError {
  /// What is wrong with a model as it is declared.
  static func model(_ typeName: String, _ message: String, _ hint: String) -> XTError {
    XTError(.schema, "the model \(typeName) can't be kept: \(message)", hint: hint)
  }
}
