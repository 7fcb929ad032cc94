/// The index of one table's words as it should be in the file.
///
/// The full-text table keeps no texts: it has those of a view, which gives what the index holds. That
/// is the model's rows, but for the moments inside of a statement at which a row and its entry
/// differ: rows of which that is so stand in a small table, with the texts that the index holds of
/// them, and the triggers empty it.
///
/// So an entry can be taken out at any time by what is indexed, and not by what a trigger was told:
/// rows that a REPLACE takes away fire no trigger; what an OR IGNORE refuses has fired one; a
/// program's own trigger may have changed the row once more. And since an OR REPLACE holds for the
/// statements of the triggers too, a row that is put in has to be out of the view meanwhile, or the
/// full-text table would first take out what it does not have.
struct SearchIndex: Sendable {
  /// The columns that are searched, with the names that they have in the full-text table.
  struct Field: Sendable {
    let column: Column
    let name: String
  }

  let table: String
  let mapping: ModelMapping
  let engine: FullTextEngine
  let fields: [Field]
  let tokenizer: XTSearchTokenizer
  /// The tokenizer's name and arguments, for who takes texts apart as the index does.
  let tokenizerWords: [String]
  let prefixes: [Int]
  /// One for each field; nil where all are 1.
  let weights: [Double]?

  /// The full-text table's name.
  let name: String
  var quotedName: String { quoted(name) }
  var pendingName: String { "\(name)_pending" }
  var viewName: String { "\(name)_rows" }
  var sizesName: String { "\(name)_docsize" }

  static func name(for table: String) -> String { "\(table)_search" }

  /// - Throws: What is wrong with the model's declaration; nil where there is none.
  init?(_ mapping: ModelMapping, table: String) throws {
    let search = mapping.modelType.xt_search
    guard search.isDeclared else { return nil }
    self.table = table
    self.mapping = mapping
    engine = search.engine
    name = Self.name(for: table)
    tokenizer = search.tokenizer
    tokenizerWords = try engine.words(of: search.tokenizer)
    var names: Set<SQLiteName> = Set(
      ["rank", "rowid", "docid", "tokenize", "content", "prefix", name].map(SQLiteName.init))
    var fields: [Field] = []
    for reference in search.columns {
      let column = try reference.column(in: mapping)
      try Self.checkText(column, mapping, table)
      guard !fields.contains(where: { $0.column === column }) else {
        throw XTError(
          .schema, "\(mapping.typeName).xt_search names \(column.name) twice", table: table,
          column: column.name)
      }
      // Some names mean something else to a full-text table.
      var name = column.name
      while !names.insert(SQLiteName(name)).inserted { name += "_" }
      fields.append(Field(column: column, name: name))
    }
    self.fields = fields
    prefixes = Array(Set(search.prefixes)).sorted()
    if let length = prefixes.first(where: { !(1...999).contains($0) }) {
      throw XTError(
        .valueOutOfRange, "a prefix of \(length) characters in \(mapping.typeName).xt_search",
        hint: "1 to 999", table: table)
    }
    weights = try Self.weights(search.weights, fields, mapping, table)
  }

  private static func checkText(
    _ column: Column, _ mapping: ModelMapping, _ table: String
  ) throws {
    let type = column.type
    guard type.storageClass == .text, !type.isJSON, !type.isDecimal,
      type.kind == .string
        || type.kind == .coded
    else {
      throw XTError(
        .schema,
        "\(mapping.typeName).xt_search names \(column.name), which is no text but"
          + " \(TypeName.display(type.swiftType))",
        hint: "a search finds the words of String and String? properties", table: table,
        column: column.name)
    }
  }

  private static func weights(
    _ entries: [(column: ColumnReference, weight: Double)], _ fields: [Field],
    _ mapping: ModelMapping, _ table: String
  ) throws -> [Double]? {
    var weights = fields.map { _ in 1.0 }
    for entry in entries {
      let column = try entry.column.column(in: mapping)
      guard let index = fields.firstIndex(where: { $0.column === column }) else {
        throw XTError(
          .schema,
          "\(mapping.typeName).xt_search gives \(column.name) a weight and does not search it",
          hint: "name it among the properties too", table: table, column: column.name)
      }
      guard entry.weight.isFinite, entry.weight >= 0 else {
        throw XTError(
          .valueOutOfRange,
          "\(entry.weight) is no weight: \(column.name) of"
            + " \(mapping.typeName).xt_search", hint: "0 or more", table: table,
          column: column.name)
      }
      weights[index] = entry.weight
    }
    return weights.allSatisfy { $0 == 1 } ? nil : weights
  }
}
