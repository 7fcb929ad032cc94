// Another program's dates may be texts. They are read as dates, and written as numbers; to SQLite a
// text is greater than every number, so that a comparison would find all rows or none.
extension RowPlan {
  /// What may stand between a column and the values that it is compared with.
  private static let comparing: Set = [
    "=", "<", ">", "!", "IS", "NOT", "IN", "BETWEEN", "(", "SELECT", "VALUE", "FROM",
    PackedValues.tableWord,
  ]

  /// - Throws: `schema` where `fragment` compares a date that the file keeps as text with a number.
  func checkDates(in fragment: SQLFragment) throws {
    guard !shape.textDates.isEmpty else { return }
    let scanner = SQLScanner(fragment.text)
    let tokens = scanner.filter { !$0.isComment }
    var values = fragment.values[...]
    // The value of each parameter, by the place of its token.
    let bound = tokens.map { $0.kind == .parameter ? values.popFirst() : nil }
    func isNumber(_ place: Int) -> Bool {
      guard tokens.indices.contains(place), let value = bound[place] else { return false }
      let kind =
        if case .blob(let data) = value { PackedValues.firstClass(of: data) } else {
          value.storageClass
        }
      return kind == .real || kind == .integer
    }
    func text(_ place: Int) -> String {
      tokens.indices.contains(place) ? scanner.text(of: tokens[place]).uppercased() : ""
    }
    for place in tokens.indices where tokens[place].kind != .text {
      guard let name = scanner.name(of: tokens[place]).map(SQLiteName.init),
        let column = shape.textDates.first(where: { SQLiteName($0.name) == name })
      else { continue }
      var next = place + 1
      while Self.comparing.contains(text(next)) { next += 1 }
      var last = place - 1
      while ["=", "<", ">", "!"].contains(text(last)) { last -= 1 }
      let isCompared = next > place + 1 && isNumber(next) || last < place - 1 && isNumber(last)
      if isCompared { throw comparedDate(column) }
    }
  }

  /// - Throws: The same for columns that rows are found by.
  func checkDates(in columns: [Column]) throws {
    if let column = columns.first(where: { column in shape.textDates.contains { $0 === column } }) {
      throw comparedDate(column)
    }
  }

  private func comparedDate(_ column: Column) -> XTError {
    XTError(
      .schema,
      "`\(column.name)` of \(shape.table) holds dates as text, which can't be compared with a Date",
      hint: "declare the property as String, or as a type of your own that conforms to "
        + "XTColumnValue and keeps the text",
      table: shape.table, column: column.name)
  }
}
