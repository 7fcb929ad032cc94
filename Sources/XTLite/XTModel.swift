/// A type that has a table and every verb on it.
///
/// Conforming needs nothing but an `init()`, which states the default of every property:
///
/// ```swift
/// struct Person: XTModel {
///   var pkid: Int64?
///   var name = ""
///   var age = 0
/// }
///
/// var kobe = Person(name: "mamba", age: 24)
/// try kobe.xt_insert()
/// let adults = try Person.xt_findWhere(\.age >= 18)
/// ```
///
/// Structs and classes conform. Every stored property is a column unless it is in ``xt_ignored``;
/// a property of a type that no column can hold makes the first use throw `unsupportedProperty`.
/// A class declares its options as `class var`, so that a subclass can add to them.
public protocol XTModel: SendableMetatype {
  /// An instance whose property values are the defaults of the columns. It is called now and then
  /// to learn those values, so it should have no side effects.
  init()

  /// The name of the table: by default the type's own name, `Outer_Inner` where it is nested and
  /// `Box_Int` where it is generic.
  static var xt_tableName: String { get }

  /// Properties that are no columns. In what is read they keep the value that `init()` gives.
  static var xt_ignored: XTKeyPaths { get }

  /// SQL added to the definition of single columns, such as `[\Person.name: .unique]`.
  static var xt_keywords: XTKeywordMap { get }

  /// Columns that have another name than their property, such as `[\Person.id: "person_id"]`.
  static var xt_columnNames: XTNameMap { get }

  /// The model's own key, of one property or several. One integer property takes the place of
  /// `pkid`; any other key stands beside it and is unique.
  static var xt_primaryKey: XTKeyPaths { get }

  /// Indexes that are made with the table, or later where the table lacks them.
  static var xt_indexes: [XTIndex] { get }

  /// Constraints over several columns, written into the table when it is made.
  static var xt_constraints: [XTConstraint] { get }

  /// The properties whose words are found by `xt_search`, and how a text is taken apart into words.
  /// None by default.
  static var xt_search: XTSearch { get }
}

extension XTModel {
  /// The type's own name.
  public static var xt_tableName: String { TypeName.tableName(of: Self.self) }
  /// None.
  public static var xt_ignored: XTKeyPaths { [] }
  /// None.
  public static var xt_keywords: XTKeywordMap { [:] }
  /// Each column has its property's name.
  public static var xt_columnNames: XTNameMap { [:] }
  /// None beside `pkid`.
  public static var xt_primaryKey: XTKeyPaths { [] }
  /// None.
  public static var xt_indexes: [XTIndex] { [] }
  /// None.
  public static var xt_constraints: [XTConstraint] { [] }
  /// None.
  public static var xt_search: XTSearch { .none }
}
