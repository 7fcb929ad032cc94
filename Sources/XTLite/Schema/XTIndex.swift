/// An index of a model's table.
///
/// ```swift
/// static var xt_indexes: [XTIndex] {
///   [
///     XTIndex(\Person.age, .desc(\Person.name)),
///     XTIndex(\Person.email, unique: true, name: "one_live_email", scope: .live),
///   ]
/// }
/// ```
///
/// Indexes are made with the table; one that a table of XTLite's lacks is made at the first write
/// to it after opening. An index on the same columns under another name counts as this one.
public struct XTIndex: Sendable {
  let columns: [XTIndexColumn]
  let isUnique: Bool
  let name: String?
  let scope: XTScope

  /// An index over `columns`, in their order.
  ///
  /// - Parameters:
  ///   - columns: Key paths, or `.desc(\Person.name)` for a column in descending order. One that is
  ///     no column makes the first write throw `unknownColumn`.
  ///   - unique: Whether two rows may not hold the same values (NULL is never the same).
  ///   - name: The index's name in the file; by default it is made of the table and the columns. An
  ///     index's name belongs to the whole file: in a `named:` table the table's name is put in
  ///     front, and where another table has the name already a number behind.
  ///   - scope: `.live` and `.deleted` make a partial index over the rows that are not, or are,
  ///     softly deleted.
  public init<each Term: XTIndexTerm>(
    _ columns: repeat each Term, unique: Bool = false, name: String? = nil, scope: XTScope = .all
  ) {
    var list: [XTIndexColumn] = []
    repeat list.append((each columns).xt_indexColumn)
    self.columns = list
    isUnique = unique
    self.name = name
    self.scope = scope
  }
}

/// What an ``XTIndex`` is made of: a key path, or `.asc(…)` and `.desc(…)` of one.
public protocol XTIndexTerm {
  /// The column and its order.
  var xt_indexColumn: XTIndexColumn { get }
}

extension AnyKeyPath: XTIndexTerm {
  /// The column that the key path stands for, in ascending order.
  public var xt_indexColumn: XTIndexColumn { XTIndexColumn(.keyPath(self), isDescending: false) }
}

/// A column of an index with its order; see ``XTIndexTerm``.
public struct XTIndexColumn: XTIndexTerm, Sendable {
  let column: ColumnReference
  let isDescending: Bool

  init(_ column: ColumnReference, isDescending: Bool) {
    self.column = column
    self.isDescending = isDescending
  }

  /// The column itself.
  public var xt_indexColumn: XTIndexColumn { self }
}

extension XTIndexTerm where Self == XTIndexColumn {
  /// The property's column in ascending order, as the bare key path.
  public static func asc(_ keyPath: AnyKeyPath) -> XTIndexColumn {
    XTIndexColumn(.keyPath(keyPath), isDescending: false)
  }

  /// The property's column in descending order.
  public static func desc(_ keyPath: AnyKeyPath) -> XTIndexColumn {
    XTIndexColumn(.keyPath(keyPath), isDescending: true)
  }

  /// The column of that name in ascending order, for a property whose key path stands for none.
  public static func asc(column name: String) -> XTIndexColumn {
    XTIndexColumn(.name(name), isDescending: false)
  }

  /// The column of that name in descending order.
  public static func desc(column name: String) -> XTIndexColumn {
    XTIndexColumn(.name(name), isDescending: true)
  }
}
