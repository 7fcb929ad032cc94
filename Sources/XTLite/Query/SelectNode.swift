/// A SELECT as a value.
struct SelectParts: Sendable {
  var commonTables: [CommonTable] = []
  var isDistinct = false
  /// What stands behind SELECT.
  var results: [SQLNode]
  /// The first stands behind FROM, the others are joined to it.
  var sources: [Source]
  var condition: ConditionNode?
  var groups: [SQLNode] = []
  var having: ConditionNode?
  var orders: [OrderNode] = []
  var limit: SQLNode?
  var offset: SQLNode?
  /// What is joined to the rows by UNION and its like; ORDER BY and LIMIT are of the whole.
  var compounds: [(word: String, select: SelectNode)] = []
  /// What its one source gives, where the results are all of that as they are.
  var core: SelectNode?
  /// Whether the statement around it compares its rows.
  var isCompared = false
  /// The first thing that was said in a place where it would have meant something else.
  var error: (any Error)?

  init(_ source: Source, results: [SQLNode] = []) {
    sources = [source]
    self.results = results
  }

  mutating func add(_ condition: ConditionNode) {
    self.condition = self.condition.map { .join($0, .and, condition) } ?? condition
  }

  /// Whether rows of the result are compared with each other, so that each value needs the collation
  /// that it is compared by.
  var comparesResults: Bool {
    isDistinct || isCompared || compounds.contains { $0.word != "UNION ALL" }
  }

  /// Whether each row of the tables makes one row of the result.
  var isPlain: Bool {
    !isDistinct && groups.isEmpty && having == nil && limit == nil && offset == nil
      && compounds.isEmpty
  }
}

/// The same where a tree needs it behind a reference.
final class SelectNode: Sendable {
  let parts: SelectParts
  /// Values of parameters in it.
  let given: GivenValues
  /// The database that it was made for; nil for any.
  let database: UInt64?
  /// How many levels of expressions and of other queries it is.
  let depth: Int
  /// How many pieces it is written in.
  let size: Int

  init(
    _ parts: SelectParts, given: GivenValues = GivenValues(),
    database: UInt64? = nil
  ) {
    self.given = given
    self.database = database
    let (depth, size) = (1 + parts.depth, 1 + parts.size)
    guard depth > SQLNode.maximumDepth || size > SQLNode.maximumSize else {
      self.parts = parts
      self.depth = depth
      self.size = size
      return
    }
    // What is too deep is let go here: the way down to free it would be too deep as well.
    self.parts = SelectParts(
      Source(table: .named(""), reference: TableReference(named: "")),
      results: [SQLNode(depth > SQLNode.maximumDepth ? SQLNode.tooDeep : SQLNode.tooLarge)])
    self.depth = 1
    self.size = 1
  }
}

extension SelectParts {
  fileprivate var depth: Int {
    let depths =
      expressions.map(\.depth) + conditions.map(\.depth) + queries.map(\.depth)
    return depths.max() ?? 0
  }

  fileprivate var size: Int {
    let sizes = expressions.map(\.size) + conditions.map(\.size) + queries.map(\.size)
    return sizes.reduce(0, +)
  }

  private var expressions: [SQLNode] { results + groups + orders.map(\.node) }

  private var conditions: [ConditionNode] {
    [condition, having].compactMap { $0 } + sources.compactMap(\.on)
  }

  private var queries: [SelectNode] {
    compounds.map(\.select) + commonTables.map(\.select)
      + sources.compactMap { if case .query(let select) = $0.table { select } else { nil } }
  }
}

extension SelectParts {
  /// The whole as the table that another SELECT reads from, and gives on.
  var asPart: SelectParts {
    var parts = self
    parts.commonTables = []
    parts.isCompared = true
    let core = SelectNode(parts)
    // By the name of its first table, so that an order can speak of that.
    var source = Source(table: .query(core), reference: sources[0].reference)
    source.scope = .all
    var outer = SelectParts(source, results: [SQLNode("*")])
    outer.core = core
    outer.commonTables = commonTables
    return outer
  }
}

/// A table that a SELECT reads from.
struct Source: Sendable {
  enum Table: Sendable {
    case model(any XTModel.Type, customName: String?)
    case named(String)
    /// A subquery, in the place of a table.
    case query(SelectNode)
  }

  let table: Table
  let reference: TableReference
  var scope: XTScope = .live
  /// "JOIN", "LEFT JOIN", "CROSS JOIN", "RIGHT JOIN", "FULL JOIN".
  var join = ""
  var on: ConditionNode?
}

extension Source {
  /// Whether the join gives rows of this table that have no partner in those before it.
  var leavesOutTheFirst: Bool { join == "RIGHT JOIN" || join == "FULL JOIN" }
}

/// A table of WITH.
struct CommonTable: Sendable {
  let name: String
  let columns: [String]
  let select: SelectNode
  /// Whether it reads from itself.
  var isRecursive = false
}

/// A term of ORDER BY.
struct OrderNode: Sendable {
  let node: SQLNode
  let isDescending: Bool
  var nulls: XTNulls?

  /// The same order of something else.
  func of(_ node: SQLNode) -> OrderNode {
    OrderNode(node: node, isDescending: isDescending, nulls: nulls)
  }
}
