/// A stored property that is to be a column, or one of the four of an XTMeta.
struct StoredProperty {
  var field: Int
  var name: String
  var type: ColumnType
  var offset: Int
  var role: ColumnRole
  var isMeta = false
  /// The column holds the whole stored property.
  var isWhole = true
}

/// Finds what a model's stored properties are as columns: by which name, of which type and where,
/// be they Observation's, a property wrapper's or an XTMeta's.
struct PropertyReader {
  let typeName: String
  let fields: [Reflection.Field]

  /// The columns that the field at `index` makes: one as a rule, none where it is no property.
  func properties(ofField index: Int) throws -> [StoredProperty] {
    let field = fields[index]
    // Storage of lazy properties and of the Observation macros, and references that hold nothing.
    guard field.isStrong, !field.name.hasPrefix("$__lazy_storage_$"), !field.name.hasPrefix("_$")
    else {
      return []
    }
    if field.type == XTMeta.self {
      return try Reflection.fields(of: XTMeta.self).compactMap { part in
        guard let role = ColumnRole(metaName: part.name) else { return nil }
        return StoredProperty(
          field: index, name: role.automaticName ?? part.name, type: try ColumnType.of(part.type),
          offset: field.offset + part.offset, role: role, isMeta: true)
      }
    }
    let (name, type, offset) = try storage(of: field)
    let role = ColumnRole(propertyName: name)
    guard role.accepts(type) else {
      throw XTError.model(
        typeName,
        "the property \(name) has the name of an automatic column and is a "
          + TypeName.display(field.type),
        "declare it as \(TypeName.display(role.type)), or give it another name")
    }
    return [
      StoredProperty(
        field: index, name: name, type: type, offset: field.offset + offset, role: role,
        isWhole: type.swiftType == field.type)
    ]
  }

  /// A stored property `_name` goes by its public name where Observation or a property wrapper made
  /// it. A wrapper is kept as the one value in it, or by what makes the wrapper itself storable.
  private func storage(of field: Reflection.Field) throws -> (String, ColumnType, offset: Int) {
    let publicName = String(field.name.dropFirst())
    guard field.name.hasPrefix("_"), !fields.contains(where: { $0.name == publicName }) else {
      return (field.name, try supported(field, as: field.name), 0)
    }
    if fields.contains(where: { $0.name == "_$observationRegistrar" }) {
      // Observed, unless it is a wrapper that Observation was told to ignore.
      do { return (publicName, try supported(field, as: publicName), 0) } catch {
        guard let (inner, offset) = onlyPart(of: field) else { throw error }
        return (publicName, inner, offset)
      }
    }
    guard mayBeWrapper(field.type) else {
      return (field.name, try supported(field, as: field.name), 0)
    }
    if !(field.type is any XTColumnValue.Type), let (inner, offset) = onlyPart(of: field) {
      return (publicName, inner, offset)
    }
    return (publicName, try supported(field, as: publicName), 0)
  }

  private func supported(_ field: Reflection.Field, as name: String) throws -> ColumnType {
    do { return try ColumnType.of(field.type) } catch var error as XTError {
      error.message =
        "the property \(name) of \(typeName) is a \(TypeName.display(field.type)), which no column "
        + "can hold"
      error.column = name
      throw error
    }
  }

  /// A struct that is none of the types which a property would have without a wrapper.
  private func mayBeWrapper(_ type: Any.Type) -> Bool {
    guard ColumnType.scalar(type) == nil, !(type is AnyClass), !isStandardContainer(type),
      let parts = try? Reflection.fields(of: type)
    else { return false }
    return !parts.isEmpty
  }

  /// What a wrapper keeps where it has exactly one stored property.
  private func onlyPart(of field: Reflection.Field) -> (ColumnType, offset: Int)? {
    guard let parts = try? Reflection.fields(of: field.type), parts.count == 1, parts[0].isStrong,
      let inner = try? ColumnType.of(parts[0].type)
    else { return nil }
    return (inner, parts[0].offset)
  }

  private func isStandardContainer(_ type: Any.Type) -> Bool {
    String(reflecting: type).hasPrefix("Swift.")
  }
}
