/// What an ``XTUpgrade`` does with a table, step after step.
///
/// A step whose work is done already, by a verb or by another program, does nothing; only `swap`,
/// `run`, `change` with a conversion and `fill` of every row can't tell.
public struct XTUpgradeSteps<Model: XTModel>: Sendable {
  private(set) var steps: [UpgradeStep] = []

  // MARK: Columns

  /// Adds the columns of properties. Each row gets the property's default, or the value of an
  /// `init()` of its own where that gives a new one each time.
  ///
  /// Where SQLite can't add a column to a table that is there (a primary key, REFERENCES with a
  /// default), the table is made anew around its rows.
  public mutating func add(_ properties: PartialKeyPath<Model>...) {
    steps += properties.map { .add(.keyPath($0)) }
  }

  /// Adds a column that is no property of the model any more, so that the steps of later versions
  /// find it.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - declaration: What stands behind the name, such as `"TEXT NOT NULL DEFAULT ''"`.
  public mutating func add(column name: String, _ declaration: String) {
    steps.append(.addColumn(name, declaration: declaration))
  }

  /// Gives a column the name of a property. It keeps its declaration: ``change(_:)`` takes the
  /// model's.
  ///
  /// Where the old name is gone and the new one is there it counts as done. Where both are there,
  /// the new one goes if it was added by itself and still holds its default in every row; else the
  /// upgrade throws.
  public mutating func rename(_ column: String, to property: PartialKeyPath<Model>) {
    steps.append(.rename(column, to: .property(.keyPath(property))))
  }

  /// Gives a column a name that is, or once was, in the model.
  public mutating func rename(_ column: String, to newName: String) {
    steps.append(.rename(column, to: .name(newName)))
  }

  /// Exchanges the names of two columns.
  public mutating func swap(_ first: PartialKeyPath<Model>, _ second: PartialKeyPath<Model>) {
    steps.append(.swap(.property(.keyPath(first)), .property(.keyPath(second))))
  }

  /// Exchanges the names of two columns.
  public mutating func swap(_ first: String, _ second: String) {
    steps.append(.swap(.name(first), .name(second)))
  }

  /// Removes columns with what they hold, and the indexes over nothing else.
  public mutating func drop(_ columns: String...) {
    steps += columns.map { .drop($0) }
  }

  /// Declares columns as the model does now: type, nullability, default, keywords, and the keys and
  /// constraints that they are in.
  ///
  /// What rows hold is converted where a read of the property takes it, and to SQLite's own rules: a
  /// text that is a number becomes one. NULL becomes the default of a property that is not optional.
  /// A value that is none of the property's is an error that names it.
  public mutating func change(_ properties: PartialKeyPath<Model>...) {
    steps.append(.change(properties.map { .keyPath($0) }, conversion: nil))
  }

  /// Declares a column as the model does now, with what each row holds made of what it held.
  ///
  /// ```swift
  /// $0.change(\.age) { old in Int(old.string ?? "") ?? 0 }
  /// ```
  public mutating func change<Value>(
    _ property: KeyPath<Model, Value>,
    converting convert: @escaping @Sendable (_ old: XTValue) throws -> Value
  ) {
    steps.append(
      .change([.keyPath(property)]) { try ValueCoding.value(of: try convert($0)) })
  }

  /// Sets a column of rows that still hold the default with which it was added, or NULL.
  ///
  /// - Parameters:
  ///   - property: The column.
  ///   - everyRow: Whether it is set in all rows, whatever they hold.
  ///   - value: Gives the value for a row.
  public mutating func fill<Value>(
    _ property: KeyPath<Model, Value>, everyRow: Bool = false,
    _ value: @escaping @Sendable (XTUpgradeRow) throws -> Value
  ) {
    steps.append(
      .fill(.keyPath(property), everyRow: everyRow) {
        try ValueCoding.value(of: try value($0))
      })
  }

  /// Adds the automatic columns that another program's table lacks: the times and the mark of soft
  /// deletion; `pkid` too where its rows have no key.
  public mutating func addAutomaticColumns() {
    steps.append(.addAutomaticColumns)
  }

  // MARK: Indexes

  /// Adds an index over properties, unless there is one.
  public mutating func addIndex<each Term: XTIndexTerm>(
    _ columns: repeat each Term, unique: Bool = false, name: String? = nil, scope: XTScope = .all
  ) {
    steps.append(.addIndex(XTIndex(repeat each columns, unique: unique, name: name, scope: scope)))
  }

  /// Adds an index over one property, unless there is one.
  public mutating func addIndex(
    _ column: PartialKeyPath<Model>, unique: Bool = false, name: String? = nil,
    scope: XTScope = .all
  ) {
    steps.append(
      .addIndex(XTIndex(column as AnyKeyPath, unique: unique, name: name, scope: scope)))
  }

  /// Removes an index by its name.
  public mutating func dropIndex(_ name: String) {
    steps.append(.dropIndex(name))
  }

  /// Removes the indexes over exactly these columns, whatever they are called.
  public mutating func dropIndex(on properties: PartialKeyPath<Model>...) {
    steps.append(.dropIndexOver(properties.map { .property(.keyPath($0)) }))
  }

  // MARK: Tables

  /// Gives the table that had another name the model's. What refers to it follows.
  ///
  /// The versions that the table had under its old name count.
  public mutating func renameTable(from name: String) {
    steps.append(.renameTable(from: name))
  }

  /// Moves the rows of another table into the model's own, or into the one table that the upgrade is
  /// for, with new numbers, and drops the other.
  ///
  /// - Parameters:
  ///   - table: The other table. Where there is none the step counts as done.
  ///   - conflict: What becomes of a row that breaks a constraint; by default the upgrade throws.
  ///   - keepsTable: Whether the other table stays as it is.
  public mutating func merge(
    from table: String, onConflict conflict: XTConstraint.Conflict? = nil, keepsTable: Bool = false
  ) {
    steps.append(.merge(from: table, conflict: conflict, keepsTable: keepsTable))
  }

  // MARK: SQL

  /// Runs SQL, one statement or several, once: for the model's own table, or the one table that the
  /// upgrade is for.
  public mutating func run(_ sql: XTSQL) {
    steps.append(.run(sql))
  }

  /// Runs SQL for each table of the model.
  ///
  /// ```swift
  /// $0.run { table in "UPDATE \(identifier: table) SET age = age * 12" }
  /// ```
  public mutating func run(_ sql: @escaping @Sendable (_ table: String) throws -> XTSQL) {
    steps.append(.runForEach(sql))
  }
}
