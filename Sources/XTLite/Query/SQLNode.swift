/// How tight an operator binds, from the loosest to the tightest, as SQLite has it.
enum Precedence: Int, Comparable, Sendable {
  /// Text whose operators nobody knows.
  case unknown
  case or, and, not, equality, comparison, bitwise, additive, multiplicative, concatenation, collate
  case unary, atom

  static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }

  /// What the operand on the right of an operator that is read from the left must have at least.
  var tighter: Precedence { Precedence(rawValue: rawValue + 1) ?? .atom }
}

/// An expression as a tree: pieces of text, and what stands between them.
///
/// It knows nothing of the statement that it will stand in. ``SQLWriter`` writes it there: columns
/// with or without their table, parentheses where the operators around it ask for them.
final class SQLNode: Sendable {
  enum Piece: Sendable {
    case text(String)
    /// An operand, in parentheses where it binds looser than this.
    case node(SQLNode, atLeast: Precedence)
    case value(XTValue)
    /// - Parameter isCount: whether it is a number of rows.
    case parameter(ParameterKey, isCount: Bool)
    case column(QueryColumn)
    /// All columns of a model; stands behind SELECT alone.
    case model(TableReference)
    /// The values of an IN list, without the parentheses: the one form in which such a list stands.
    case values(ValueList)
    /// A subquery, without the parentheses.
    case select(SelectNode)
    case condition(ConditionNode)
    case order(OrderNode)
    /// The programmer's own text.
    case raw(SQLFragment)
  }

  let pieces: [Piece]
  let precedence: Precedence
  /// The collation of its values where it is not SQLite's own; see `Column.collation`.
  let collation: String?
  /// What the library must have.
  let need: LibraryNeed?
  /// The first thing that is wrong with a part.
  let error: (any Error)?
  /// Whether a part is the programmer's own text.
  let hasRawText: Bool
  /// How many levels of expressions and conditions it is.
  let depth: Int
  /// How many pieces it is written in. A part that is used twice is written twice, so that this may
  /// double with each level.
  let size: Int

  /// SQLite gives up at 1,000; the limit keeps Swift's stack out of it.
  static let maximumDepth = 300

  /// The most pieces of one expression: tens of megabytes of text, which nobody means.
  static let maximumSize = 5_000_000

  static var tooLarge: XTError {
    XTError(
      .sqlite, "the expression has more than \(maximumSize) parts",
      hint: "a part that is used twice counts twice; for a list of values there is in(_:)")
  }

  static var tooDeep: XTError {
    XTError(
      .sqlite, "the expression is nested more than \(maximumDepth) levels deep",
      hint: "a long chain of && alone, or of || alone, is no nesting")
  }

  init(
    _ pieces: [Piece], _ precedence: Precedence = .atom, collation: String? = nil,
    need: LibraryNeed? = nil, error: (any Error)? = nil
  ) {
    var depth = 0
    var size = pieces.count
    var error = error
    var hasRawText = false
    for piece in pieces {
      switch piece {
      case .node(let node, _):
        depth = max(depth, node.depth + 1)
        size += node.size
        error = error ?? node.error
        if node.hasRawText { hasRawText = true }
      case .condition(let node):
        depth = max(depth, node.depth + 1)
        size += node.size
        error = error ?? node.error
        if node.hasRawText { hasRawText = true }
      case .order(let order):
        depth = max(depth, order.node.depth + 1)
        size += order.node.size
        error = error ?? order.node.error
        if order.node.hasRawText { hasRawText = true }
      case .select(let select):
        depth = max(depth, select.depth + 1)
        size += select.size
      case .raw: hasRawText = true
      default: break
      }
    }
    if depth > Self.maximumDepth || size > Self.maximumSize {
      self.pieces = [.text("NULL")]
      self.error = error ?? (depth > Self.maximumDepth ? Self.tooDeep : Self.tooLarge)
      depth = 0
      size = 1
    } else {
      self.pieces = pieces
      self.error = error
    }
    self.precedence = precedence
    self.collation = collation
    self.hasRawText = hasRawText
    self.need = need
    self.depth = depth
    self.size = size
  }

  /// A part that could not be made.
  convenience init(_ error: any Error) {
    self.init([.text("NULL")], error: error)
  }

  convenience init(_ text: String) {
    self.init([.text(text)])
  }

  /// A condition as an expression.
  convenience init(_ condition: ConditionNode) {
    self.init([.condition(condition)], condition.precedence)
  }

  /// A value of any type that a column can hold.
  static func value<V>(_ value: V, column: String? = nil) -> SQLNode {
    do {
      return SQLNode([.value(try boundValue(of: value, column: column))])
    } catch {
      return SQLNode(error)
    }
  }

  /// A value that may be nil, of a type that may be an optional itself.
  static func value<V>(optional value: V?, column: String? = nil) -> SQLNode {
    guard let value else { return SQLNode([.value(.null)]) }
    return .value(value, column: column)
  }

  static func make(_ make: () throws -> SQLNode) -> SQLNode {
    do { return try make() } catch { return SQLNode(error) }
  }
}

extension SQLNode {
  /// The one column that it is; nil where it is anything else.
  var column: QueryColumn? {
    if pieces.count == 1, case .column(let column) = pieces[0] { column } else { nil }
  }

  /// The model whose columns it stands for.
  var model: TableReference? {
    if pieces.count == 1, case .model(let reference) = pieces[0] { reference } else { nil }
  }

  /// The condition that it is.
  var condition: ConditionNode {
    if pieces.count == 1, case .condition(let condition) = pieces[0] { return condition }
    return ConditionNode(self)
  }

  /// What it is without its name, and the name that a result of it goes by, quoted: that of a column,
  /// or the one that it was given.
  var named: (value: SQLNode, name: String?) {
    if let ownName, case .node(let value, _) = pieces[0] { return (value, ownName) }
    return (self, column?.quotedName)
  }

  /// The name that it was given, quoted.
  var ownName: String? {
    guard pieces.count == 2, case .node = pieces[0], case .text(let text) = pieces[1],
      text.hasPrefix(Self.nameWord)
    else { return nil }
    return String(text.dropFirst(Self.nameWord.count))
  }

  /// The same by a name of its own, as a result.
  func named(_ name: String) -> SQLNode {
    SQLNode([.node(self, atLeast: .unknown), .text(Self.nameWord + quoted(name))], .unknown)
  }

  private static let nameWord = " AS "

  /// With the collation that its values are compared by, where it is not SQLite's own.
  var compared: SQLNode {
    guard let collation else { return self }
    return SQLNode([.node(self, atLeast: .collate), .text(" COLLATE \(collation)")], .collate)
  }

  /// The same with another collation, or none.
  func collated(_ collation: String?) -> SQLNode {
    SQLNode(pieces, precedence, collation: collation, need: need, error: error)
  }
}

// MARK: Operators

extension SQLNode {
  static func infix(
    _ left: SQLNode, _ sign: String, _ right: SQLNode, _ precedence: Precedence,
    collation: String? = nil
  ) -> SQLNode {
    SQLNode(
      [
        .node(left, atLeast: precedence), .text(" \(sign) "),
        .node(right, atLeast: precedence.tighter),
      ], precedence, collation: collation)
  }

  /// Two sides of a comparison, which stand in parentheses where they are comparisons themselves.
  static func comparing(_ left: SQLNode, _ sign: Comparison, _ right: SQLNode) -> SQLNode {
    comparing(left, sign.rawValue, right)
  }

  static func comparing(_ left: SQLNode, _ sign: String, _ right: SQLNode) -> SQLNode {
    let isLeft = left.collation != nil
    return SQLNode(
      [
        .node(isLeft ? left.compared : left, atLeast: .bitwise), .text(" \(sign) "),
        .node(isLeft ? right : right.compared, atLeast: .bitwise),
      ], .equality)
  }

  /// A comparison with a value: nil is NULL, and is tested for.
  static func comparing<V>(_ left: SQLNode, _ sign: Comparison, value: V) -> SQLNode {
    make {
      let value = try boundValue(of: value, column: left.column?.name)
      if value == .null, let test = sign.withNull { return left.followed(by: test) }
      return comparing(left, sign, SQLNode([.value(value)]))
    }
  }

  /// A comparison with a value that may be nil, of a type that may be an optional itself.
  static func comparing<V>(_ left: SQLNode, _ sign: Comparison, optional value: V?) -> SQLNode {
    if let value { return comparing(left, sign, value: value) }
    return comparing(left, sign, value: XTValue.null)
  }

  /// "… IS NULL" and its like.
  func followed(by text: String) -> SQLNode {
    SQLNode([.node(self, atLeast: .bitwise), .text(" \(text)")], .equality)
  }

  /// A function's call.
  static func call(
    _ name: String, _ arguments: [SQLNode], collation: String? = nil, need: LibraryNeed? = nil
  ) -> SQLNode {
    SQLNode(
      [.text("\(name)(")] + list(arguments) + [.text(")")], collation: collation, need: need)
  }

  /// Nodes with commas between them.
  static func list(_ nodes: [SQLNode]) -> [Piece] {
    var pieces: [Piece] = []
    for (index, node) in nodes.enumerated() {
      if index > 0 { pieces.append(.text(", ")) }
      pieces.append(.node(node, atLeast: .unknown))
    }
    return pieces
  }
}
