import Foundation

/// Makes models of a statement's rows. The columns' places in the row and in memory are settled
/// once per statement; per row there is one flat loop over raw memory.
struct RowReader {
  /// The columns that go into stored properties, in memory and in the row.
  private let accesses: ContiguousArray<FieldAccess>
  private let indexes: ContiguousArray<Int>
  private let columns: [Column]
  private let standIns: StandIns
  /// Places in the row of columns whose value the program has as a constant.
  private let constants: [(index: Int, column: Column)]
  /// Where in the row the columns are that an object doesn't declare.
  private let kept: KeptColumns?
  private let mapping: ModelMapping
  private let table: String
  private let database: UInt32
  private let startsEmpty: Bool

  /// Places in the row of the automatic columns that are kept beside an object; -1 for none.
  struct KeptColumns {
    var pkid = -1
    var createTime = -1
    var updateTime = -1
    var isDel = -1

    mutating func set(_ role: ColumnRole, to index: Int) {
      switch role {
      case .pkid: pkid = index
      case .createTime: createTime = index
      case .updateTime: updateTime = index
      case .isDel: isDel = index
      case .property: break
      }
    }
  }

  /// - Parameters:
  ///   - columns: the columns that stand at the beginning of each row, in its order.
  ///   - indexes: their places in the row, where that is not their order.
  ///   - kept: where the automatic columns are that objects keep beside themselves.
  init(
    _ mapping: ModelMapping, columns: [Column], indexes: [Int]? = nil, kept: KeptColumns? = nil,
    standIns: StandIns = StandIns(), table: String, database: UInt32
  ) {
    self.mapping = mapping
    self.table = table
    self.database = database
    self.standIns = standIns
    self.kept = kept
    let placed = Array(zip(indexes ?? Array(columns.indices), columns))
    let readBack = placed.filter(\.1.isReadBack)
    self.columns = readBack.map(\.1)
    self.indexes = ContiguousArray(readBack.map(\.0))
    accesses = ContiguousArray(readBack.compactMap(\.1.access))
    constants = placed.filter { !$0.1.isReadBack }.map { (index: $0.0, column: $0.1) }
    startsEmpty = mapping.coversMemory && columns.count == mapping.columns.count && indexes == nil
  }

  /// Steps, and puts the model of the row into `place`.
  ///
  /// - Returns: false where there is no row any more.
  @inline(__always)
  func next<Model: XTModel>(_ place: inout ModelPlace<Model>, of statement: Statement) throws
    -> Bool
  {
    guard try statement.step() else { return false }
    try read(&place, from: statement)
    return true
  }

  /// Puts the model of the current row into `place`.
  @inline(__always)
  func read<Model: XTModel>(_ place: inout ModelPlace<Model>, from statement: Statement) throws {
    if startsEmpty {
      try place.fill { try initialize($0, from: statement) }
    } else {
      place.fill { $0.initializeMemory(as: Model.self, to: Model()) }
      try place.change { try assign($0, from: statement) }
    }
  }

  /// Starts the life of the current row's model in memory that holds nothing yet; it still holds
  /// nothing where that throws.
  func make<Model: XTModel>(
    _ type: Model.Type, at place: UnsafeMutableRawPointer, from statement: Statement
  ) throws {
    if startsEmpty { return try initialize(place, from: statement) }
    place.initializeMemory(as: Model.self, to: Model())
    do {
      try assign(place, from: statement)
    } catch {
      place.assumingMemoryBound(to: Model.self).deinitialize(count: 1)
      throw error
    }
  }

  /// The models of all rows from here on.
  @inline(never)
  func models<Model: XTModel>(_ type: Model.Type, from statement: Statement) throws -> [Model] {
    var rows = RowMemory<Model>(isKept: kept != nil)
    if startsEmpty {
      while try statement.step() {
        try initialize(UnsafeMutableRawPointer(rows.place()), from: statement)
        rows.keep()
      }
    } else {
      while try statement.step() {
        let place = rows.freshPlace()
        rows.keep()
        try assign(UnsafeMutableRawPointer(place), from: statement)
      }
    }
    return rows.takeAll()
  }

  /// Starts the life of a model in memory that holds nothing yet; it still holds nothing where that
  /// throws.
  @inline(__always)
  private func initialize(_ base: UnsafeMutableRawPointer, from statement: Statement) throws {
    for index in accesses.indices {
      do {
        try accesses[index].store(statement.column(index), in: base, assigning: false)
      } catch {
        if fill(index, of: statement, in: base, assigning: false) { continue }
        for begun in 0..<index { accesses[begun].destroy(in: base) }
        throw located(error, index, statement)
      }
    }
  }

  /// Assigns the row's columns to a model that `init()` made; `place` holds the value, or the
  /// reference to the object.
  @inline(__always)
  private func assign(_ place: UnsafeMutableRawPointer, from statement: Statement) throws {
    let base = mapping.isClass ? place.load(as: UnsafeMutableRawPointer.self) : place
    for index in accesses.indices {
      do {
        try accesses[index].store(statement.column(indexes[index]), in: base, assigning: true)
      } catch {
        guard fill(index, of: statement, in: base, assigning: true) else {
          throw located(error, index, statement)
        }
      }
    }
    if !constants.isEmpty { try compareConstants(statement) }
    if let kept { keep(kept, ofObjectAt: base, from: statement) }
  }

  /// Puts what the stored value stands for into the field at `index`, where it stands for another.
  ///
  /// - Returns: whether the field has been given a value.
  @inline(never)
  private func fill(
    _ index: Int, of statement: Statement, in base: UnsafeMutableRawPointer, assigning: Bool
  ) -> Bool {
    let stored = statement.column(indexes[index])
    guard let meaning = standIns.meaning(of: stored, in: columns[index], mapping) else {
      return false
    }
    do {
      try accesses[index].store(ValueInHand(value: meaning), in: base, assigning: assigning)
      return true
    } catch {
      return false
    }
  }

  @inline(never)
  private func compareConstants(_ statement: Statement) throws {
    for (index, column) in constants {
      let value = statement.column(index).value
      if value.isNull, standIns.readsNullAsFresh(column) { continue }
      do {
        try column.compareWithConstant(value)
      } catch let failure as ColumnFailure {
        throw failure.error(table: table, column: column.name, sql: statement.sql)
      }
    }
  }

  @inline(__always)
  private func keep(
    _ places: KeptColumns, ofObjectAt object: UnsafeRawPointer, from statement: Statement
  ) {
    @inline(__always)
    func value(_ index: Int) -> ColumnValue? {
      guard index >= 0 else { return nil }
      let value = statement.column(index)
      return value.isNull ? nil : value
    }
    let row = KeptRow(
      pkid: value(places.pkid)?.int64, createTime: value(places.createTime)?.double,
      updateTime: value(places.updateTime)?.double,
      isDeleted: value(places.isDel).map { $0.int64 != 0 } ?? false, database: database)
    Unmanaged<AnyObject>.fromOpaque(object)._withUnsafeGuaranteedRef {
      ObjectKeeper.shared.set(row, for: $0)
    }
  }

  @inline(never)
  private func located(_ error: any Error, _ index: Int, _ statement: Statement) -> any Error {
    guard let failure = error as? ColumnFailure else { return error }
    return failure.error(table: table, column: columns[index].name, sql: statement.sql)
  }
}
