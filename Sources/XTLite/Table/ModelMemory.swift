import Foundation

/// A model in memory while a verb works on it: where its stored properties are, and the object where
/// it is one. Valid while the model is held.
struct ModelMemory {
  let base: UnsafeRawPointer
  let object: AnyObject?
}

extension ModelMemory {
  /// The memory of the model's automatic columns may be written: a value's through `inout`, and an
  /// object's always.
  private var mutableBase: UnsafeMutableRawPointer { UnsafeMutableRawPointer(mutating: base) }

  /// Tells a model what its row holds now. Nil leaves a column as it is.
  @inline(__always)
  func writeBack(
    pkid: Int64? = nil, createTime: Double? = nil, updateTime: Double? = nil, isDeleted: Bool? = nil,
    _ plan: TablePlan, _ rows: RowPlan
  ) throws {
    let mapping = plan.mapping
    if let pkid { try store(.integer(pkid), .pkid, mapping) }
    if let createTime, rows.shape.has(.createTime) { try store(.real(createTime), .createTime, mapping) }
    if let updateTime, rows.shape.has(.updateTime) { try store(.real(updateTime), .updateTime, mapping) }
    if let isDeleted, rows.shape.has(.isDel) { try store(.integer(isDeleted ? 1 : 0), .isDel, mapping) }
    guard let object, mapping.keepsRowBesideObject else { return }
    ObjectKeeper.shared.update(object) { row in
      if row.database != plan.settings.database, pkid == nil { row.pkid = nil }
      if let pkid { row.pkid = pkid }
      if let createTime { row.createTime = createTime }
      if let updateTime { row.updateTime = updateTime }
      if let isDeleted { row.isDeleted = isDeleted }
      row.database = plan.settings.database
    }
  }

  @inline(__always)
  private func store(_ value: XTValue, _ role: ColumnRole, _ mapping: ModelMapping) throws {
    guard let column = mapping.declared(role), let access = column.access else { return }
    do {
      try access.store(ValueInHand(value: value), in: mutableBase, assigning: true)
    } catch let failure as ColumnFailure {
      throw failure.error(table: mapping.tableName, column: column.name)
    }
  }

  /// What the object's automatic columns hold now, to give it back after a rollback; nil for a
  /// value, which the library cannot reach then.
  func restoring(_ mapping: ModelMapping) -> (() -> Void)? {
    guard let object else { return nil }
    let row = ObjectKeeper.shared.row(of: object)
    let declared = ColumnRole.automatic.compactMap { role -> (FieldAccess, XTValue)? in
      guard let access = mapping.declared(role)?.access,
        let value = try? access.value(from: objectMemory(object))
      else { return nil }
      return (access, value)
    }
    return {
      if let row {
        ObjectKeeper.shared.set(row, for: object)
      } else {
        ObjectKeeper.shared.remove(object)
      }
      let memory = UnsafeMutableRawPointer(mutating: objectMemory(object))
      for (access, value) in declared {
        try? access.store(ValueInHand(value: value), in: memory, assigning: true)
      }
    }
  }
}

extension ModelMapping {
  /// Whether an automatic column stands beside the objects of the class, since it declares none.
  var keepsRowBesideObject: Bool {
    isClass && ColumnRole.automatic.contains { declared($0) == nil }
  }
}
