import XTLite

/// A row whose words are found.
package struct SearchedRow: XTModel {
  package var pkid: Int64?
  package var key = 0
  package var text = ""

  package init() {}

  init(key: Int, text: String) {
    self.key = key
    self.text = text
  }

  package static var xt_keywords: XTKeywordMap { [\SearchedRow.key: .unique] }
  package static var xt_search: XTSearch { XTSearch([\SearchedRow.text]) }
}

/// A program that writes rows which are searched, in every way, until it is killed.
package struct SearchWriter {
  package static let words = ["apple", "pie", "crust", "cherry"]

  private let database: XTDatabase

  package init(path: String) throws {
    database = try XTDatabase(path: path)
  }

  /// - Parameter report: Told of each transaction that was committed.
  package func run(report: (Int) -> Void) throws {
    var number = 0
    while true {
      number += 1
      try database.transaction { try write() }
      report(number)
    }
  }

  private func write() throws {
    let table = database.table(SearchedRow.self)
    for _ in 0..<Int.random(in: 1...20) {
      let text = (0..<Int.random(in: 0...6)).map { _ in Self.words.randomElement() ?? "" }
        .joined(separator: " ")
      let key = Int.random(in: 0..<200)
      var row = SearchedRow(key: key, text: text)
      switch Int.random(in: 0..<6) {
      case 0, 1: try table.upsert(&row, by: \.key)
      case 2: try table.insertOrReplace(&row)
      case 3: try table.delete(where: \.key == key)
      case 4: try database.execute("REPLACE INTO SearchedRow (key, text) VALUES (\(key), \(text))")
      default: try table.update(where: \.key > key, .set(\.text, to: text))
      }
    }
  }
}
