/// A text that is looked for, in all properties or in one.
struct ScanPiece: Sendable {
  let text: String
  /// Nil for all.
  let field: Int?
}

/// Writes a query as what is true of a row's texts, for texts that are shorter than what a trigram
/// index can find.
struct ScanWriter {
  let index: SearchIndex
  private var pieces: [ScanPiece] = []
  private var isNeeded = false

  /// SQLite takes 32,766 in a statement, and the condition on the rows has some too.
  private static let mostValues = 30_000

  /// In place of a property: the one inside of another, in which nothing can be.
  private static let nowhere = -1

  init(index: SearchIndex) { self.index = index }

  /// - Returns: nil where the index can answer, or the query says nothing.
  mutating func question(_ node: XTSearchQuery.Node) throws -> SearchQuestion? {
    guard let condition = try condition(node, field: nil), isNeeded else { return nil }
    guard condition.values.count <= Self.mostValues else {
      throw XTError(
        .valueOutOfRange,
        "the search has \(pieces.count) texts, and some of less than three characters, for which"
          + " .trigram looks through each row",
        hint: "leave the short ones out, or search for less", table: index.table)
    }
    return SearchQuestion(form: .scan(condition), pieces: pieces)
  }

  private mutating func condition(
    _ node: XTSearchQuery.Node, field: Int?
  ) throws -> SQLFragment? {
    switch node {
    case .words(let text, _):
      return SQLFragment.joined(SearchQuestion.pieces(of: text).map { has($0, field) }, by: "AND")
    case .phrase(let text):
      return text.isEmpty ? nil : has(text, field)
    case .near(let texts, _):
      let parts = texts.filter { !$0.isEmpty }
      if let short = parts.first(where: { $0.unicodeScalars.count < 3 }) {
        throw XTError(
          .sqlite, "\"\(short)\" is too short to be found near another text by .trigram",
          hint: "give three characters or more", table: index.table)
      }
      if parts.contains(where: { $0.utf8.contains(0) }) {
        throw XTError(
          .sqlite, "a text with a NUL character can't be found near another one by .trigram",
          hint: "leave the NUL out", table: index.table)
      }
      return SQLFragment.joined(parts.map { has($0, field) }, by: "AND")
    case .all(let parts):
      return SQLFragment.joined(try parts.compactMap { try condition($0, field: field) }, by: "AND")
    case .any(let parts):
      return SQLFragment.joined(try parts.compactMap { try condition($0, field: field) }, by: "OR")
    case .not(let part):
      let before = pieces.count
      guard let condition = try condition(part, field: field) else { return nil }
      pieces.removeSubrange(before...)
      return SQLFragment("NOT \(condition.text)", condition.values)
    case .property(let reference, let part):
      let inner = try index.field(reference)
      return try condition(part, field: field == nil || field == inner ? inner : Self.nowhere)
    }
  }

  private mutating func has(_ piece: String, _ field: Int?) -> SQLFragment {
    // Of what a piece has behind a NUL the index knows nothing.
    if piece.unicodeScalars.count < 3 || piece.utf8.contains(0) { isNeeded = true }
    if field == Self.nowhere { return SQLFragment("0") }
    pieces.append(ScanPiece(text: piece, field: field))
    let fields = field.map { [index.fields[$0]] } ?? index.fields
    let folded = XTValue.text(TrigramFolding.folded(piece))
    let terms = fields.map {
      "instr(\(TrigramFolding.functionName)(ifnull(\($0.column.quotedName), '')), ?) > 0"
    }
    return SQLFragment(
      "(\(terms.joined(separator: " OR ")))", fields.map { _ in folded })
  }
}
