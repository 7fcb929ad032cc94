/// What a verb did to a model's row, as far as the model is to know it. It knows when, too.
struct WrittenRow {
  /// No pkids where the model's own stays.
  var result: XTUpserted
  var createTime: Double?
  var isDeleted: Bool?

  var number: Int64? {
    switch result {
    case .inserted(let number): number
    case .updated(let numbers): numbers.first
    }
  }
}

/// What a model can be told of its row: the automatic columns that the table has, and where the
/// model keeps them.
final class TellingPlan: Sendable {
  /// Whether rows have a number.
  let hasNumber: Bool
  let hasCreateTime: Bool
  // Here and not beside it: another way through the writer would cost a retain per object.
  let time: UpdateTime
  let hasIsDel: Bool
  /// The properties that hold the columns which the table has.
  let number: Column?
  let createTime: Column?
  let updateTime: Column?
  let isDel: Column?
  /// Whether some stand beside the objects of the class, since it declares no such property.
  let areKept: Bool

  init(_ shape: TableShape) {
    let mapping = shape.mapping
    hasNumber = shape.number != nil
    hasCreateTime = shape.has(.createTime)
    time = UpdateTime(shape)
    hasIsDel = shape.has(.isDel)
    number = mapping.declared(.pkid)
    createTime = hasCreateTime ? mapping.declared(.createTime) : nil
    updateTime = time.isKept ? mapping.declared(.updateTime) : nil
    isDel = hasIsDel ? mapping.declared(.isDel) : nil
    areKept = !mapping.keptRoles.isEmpty
  }
}

extension ModelMemory {
  /// The memory of the model's automatic columns may be written: a value's through `inout`, and an
  /// object's always.
  private var mutableBase: UnsafeMutableRawPointer { UnsafeMutableRawPointer(mutating: base) }

  /// Tells the model what its row holds now.
  @inline(__always)
  func tell(_ row: WrittenRow, _ writer: TableWriter) throws {
    let columns = writer.rows.telling
    let number = columns.hasNumber ? row.number : nil
    if let number { try store(.integer(number), columns.number, writer) }
    if let createTime = row.createTime { try store(.real(createTime), columns.createTime, writer) }
    try store(.real(writer.time), columns.updateTime, writer)
    if let isDeleted = row.isDeleted {
      try store(.integer(isDeleted ? 1 : 0), columns.isDel, writer)
    }
    if let object, columns.areKept { keep(row, number, for: object, writer) }
  }

  @inline(__always)
  private func store(_ value: XTValue, _ column: Column?, _ writer: TableWriter) throws {
    guard let column, let access = column.access else { return }
    do {
      try access.store(ValueInHand(value: value), in: mutableBase, assigning: true)
    } catch let failure as ColumnFailure {
      throw failure.error(table: writer.plan.table, column: column.name)
    }
  }

  @inline(__always)
  private func keep(
    _ row: WrittenRow, _ number: Int64?, for object: AnyObject, _ writer: TableWriter
  ) {
    let columns = writer.rows.telling
    var kept = KeptRow()
    if !row.result.isInserted, let known = ObjectKeeper.shared.row(of: object) { kept = known }
    let database = writer.plan.settings.database
    if kept.database != database {
      // An update may find the row of another database's object by a unique key: the object is
      // still the other's then. One whose pkid was set by hand is everyone's.
      guard number != nil || kept.database == 0 else { return }
      if number != nil { kept = KeptRow() }
    }
    kept.database = database
    if let number { kept.pkid = number }
    if columns.hasCreateTime, let createTime = row.createTime { kept.createTime = createTime }
    if columns.time.isKept { kept.updateTime = writer.time }
    if let isDeleted = row.isDeleted { kept.isDeleted = isDeleted }
    ObjectKeeper.shared.set(kept, for: object)
  }
}

/// What an object's automatic columns held before a verb, to be given back after a rollback.
struct ObjectState {
  /// Held until the transaction ends: a weak reference would cost an allocation, and make every
  /// later use of the object slower.
  private let object: AnyObject
  private let kept: KeptRow?
  private let declared: [(access: FieldAccess, value: XTValue)]

  /// - Returns: nil for a value.
  init?(_ memory: ModelMemory, _ mapping: ModelMapping) {
    guard let object = memory.object else { return nil }
    self.object = object
    kept = ObjectKeeper.shared.row(of: object)
    declared = ColumnRole.automatic.compactMap { role in
      guard let access = mapping.declared(role)?.access,
        let value = try? access.value(from: memory.base)
      else { return nil }
      return (access, value)
    }
  }

  func restore() {
    if let kept {
      ObjectKeeper.shared.set(kept, for: object)
    } else {
      ObjectKeeper.shared.remove(object)
    }
    withExtendedLifetime(object) {
      let base = UnsafeMutableRawPointer(mutating: objectMemory(object))
      for (access, value) in declared {
        try? access.store(ValueInHand(value: value), in: base, assigning: true)
      }
    }
  }
}
