/// One thing in which a table in the file and its model disagree.
///
/// ```swift
/// @Test func fileOfVersion1_afterTheUpgrade_isAsTheModelsAre() throws {
///   try database.upgrade(Person.self, add: [\Person.nick], version: 2)
///   #expect(try database.differences(for: [Person.self, Order.self]) == [])
/// }
/// ```
public struct XTDifference: Sendable, Hashable {
  /// What they disagree on. Columns go by their names in the file, or in the model where the file
  /// has none.
  public enum Subject: Sendable, Hashable {
    /// The table itself: the file has none.
    case table
    /// A column that only one of them has.
    case column(String)
    /// A column's declared type.
    case type(String)
    /// Whether a column takes NULL.
    case nullability(String)
    /// What a column holds in a row that is inserted without it.
    case defaultValue(String)
    /// How a column's texts are compared.
    case collation(String)
    /// Any other clause of a column, such as GENERATED.
    case keywords(String)
    /// The table's primary key.
    case primaryKey
    /// Columns that no two rows may agree in.
    case unique([String])
    /// A condition that each row must meet, as SQL.
    case check(String)
    /// Columns that refer to another table.
    case foreignKey([String])
    /// An index over columns; one over expressions goes by its name.
    case index([String])
  }

  /// The model's name, with its module in front.
  public let model: String
  /// The table.
  public let table: String
  /// What they disagree on.
  public let subject: Subject
  /// What the file has there, as SQL; nil where it has no such thing.
  public let inFile: String?
  /// What the model has there, as SQL; nil where it has no such thing.
  public let inModel: String?
}

extension XTDifference: CustomStringConvertible {
  /// "Person.age, type: TEXT in the file, INTEGER in the model".
  public var description: String {
    "\(place): \(inFile ?? "nothing") in the file, \(inModel ?? "nothing") in the model"
  }

  private var place: String {
    switch subject {
    case .table: "\(table)"
    case .column(let name): "\(table).\(name)"
    case .type(let name): "\(table).\(name), type"
    case .nullability(let name): "\(table).\(name), NULL"
    case .defaultValue(let name): "\(table).\(name), default"
    case .collation(let name): "\(table).\(name), collation"
    case .keywords(let name): "\(table).\(name), keywords"
    case .primaryKey: "\(table), primary key"
    case .unique(let names): "\(table), unique \(names.joined(separator: ", "))"
    case .check: "\(table), check"
    case .foreignKey(let names): "\(table), foreign key \(names.joined(separator: ", "))"
    case .index(let names): "\(table), index \(names.joined(separator: ", "))"
    }
  }
}

extension XTDatabase {
  /// What the file and the models disagree on, so that a test can say that it is nothing.
  ///
  /// ```swift
  /// for difference in try database.differences(for: [Person.self, Order.self]) {
  ///   print(difference)   // Person.age, type: TEXT in the file, INTEGER in the model
  /// }
  /// ```
  ///
  /// Compared are each model's own table and every `named:` one that XTLite made of it: columns,
  /// types, NULL, defaults, collations, keywords, primary and unique keys, checks, foreign keys and
  /// indexes, in the file and in the model and the other way round. Names, and the SQL's blanks and
  /// quotes, make no difference; nor whether a constraint stands behind its column or behind all of
  /// them, or whether UNIQUE is a keyword or an index.
  ///
  /// In a table that another program made (or XTFMDB) some freedom is left: automatic columns that
  /// the model doesn't declare may be missing, a type is as good as another that keeps the same
  /// values (`NVARCHAR(20)` for TEXT, `NUMERIC` for REAL), and a default that only follows from
  /// `init()` may be missing. Of views and virtual tables the columns' names are compared.
  ///
  /// Nothing is written. A model of which only `named:` tables were made is not missed under its
  /// own name.
  ///
  /// - Parameter models: The models.
  /// - Returns: The differences, table by table in the order of `models`; empty where all agree.
  /// - Throws: What is wrong with a model; what any reading throws.
  public func differences(for models: [any XTModel.Type]) throws -> [XTDifference] {
    try noting {
      let mappings = try models.map { try ModelMapping.of($0) }
      return try comparing { comparison, connection in
        try mappings.flatMap { mapping in
          try comparison.tables(of: mapping, on: connection).flatMap {
            try comparison.differences(of: $0, mapping: mapping, on: connection)
          }
        }
      }
    }
  }

  /// What one `named:` table and the model disagree on; see the form for several models.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - name: The table.
  /// - Returns: The differences; empty where both agree.
  /// - Throws: As the form for several models.
  public func differences(for model: any XTModel.Type, named name: String) throws -> [XTDifference]
  {
    try noting {
      let mapping = try ModelMapping.of(model)
      return try comparing { try $0.differences(of: name, mapping: mapping, on: $1) }
    }
  }

  private func comparing<Result>(
    _ body: (SchemaDifference, Connection) throws -> Result
  ) throws -> Result {
    let comparison = SchemaDifference(automaticColumns: configuration.automaticColumns)
    return try reading { connection in
      try connection.inSnapshot { try body(comparison, connection) }
    }
  }
}
