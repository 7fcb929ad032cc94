import XTLite

/// A program that writes numbered batches, each one transaction over several tables, and tells of
/// each when it is committed. It may be killed at any moment.
package struct BatchWriter {
  let database: XTDatabase

  /// Older batches are deleted, so that pages are used again.
  package static let kept = 40

  /// How many accounts there are.
  package static let accounts = 10

  package init(path: String, journalMode: XTConfiguration.JournalMode) throws {
    var configuration = XTConfiguration()
    configuration.journalMode = journalMode
    configuration.synchronous = .full
    // Small enough that some batches write pages before their end.
    configuration.cacheSize = 32_768
    database = try XTDatabase(path: path, configuration: configuration)
  }

  /// Writes batches until it is killed; goes on after the last that is in the file.
  package func run(report: (Int) -> Void) throws {
    var number = try database.table(BatchHead.self).max(of: \.number) ?? 0
    while true {
      number += 1
      try write(number)
      report(number)
    }
  }

  /// Writes one batch.
  package func write(_ number: Int) throws {
    let (heads, parts) = (database.table(BatchHead.self), database.table(BatchPart.self))
    let accounts = database.table(BatchAccount.self)
    try database.transaction {
      let count = Self.parts(of: number)
      try parts.insertList((0..<count).map { BatchPart(batch: number, position: $0) })
      var head = BatchHead(number: number, parts: count)
      try heads.insert(&head)
      for (name, change) in Self.transfer(of: number) {
        var account = try accounts.findFirst(where: \.name == name) ?? BatchAccount(name: name)
        account.amount += change
        try accounts.save(&account)
      }
      let old = number - Self.kept
      try parts.delete(where: \.batch == old)
      try heads.delete(where: \.number == old)
    }
  }

  /// How many rows a batch has.
  package static func parts(of number: Int) -> Int {
    // Now and then more than the page cache takes.
    number % 11 == 0 ? 60 : 1 + number % 7
  }

  /// What a batch moves between two accounts.
  package static func transfer(of number: Int) -> [(name: String, change: Int)] {
    let (from, to) = (number % accounts, (number * 7 + 3) % accounts)
    return [("account \(from)", -number), ("account \(to)", number)]
  }
}

package struct BatchHead: XTModel, Equatable {
  package var pkid: Int64?
  package var number = 0
  package var parts = 0

  package static var xt_keywords: XTKeywordMap { [\BatchHead.number: .unique] }

  package init() {}

  init(number: Int, parts: Int) {
    self.number = number
    self.parts = parts
  }
}

package struct BatchPart: XTModel {
  package var pkid: Int64?
  package var batch = 0
  package var position = 0
  package var text = ""

  package init() {}

  init(batch: Int, position: Int) {
    self.batch = batch
    self.position = position
    text = String(repeating: "\(batch) ", count: 10 + (batch * 31 + position) % 400)
  }
}

package struct BatchAccount: XTModel {
  package var pkid: Int64?
  package var name = ""
  package var amount = 0

  package static var xt_keywords: XTKeywordMap { [\BatchAccount.name: .unique] }

  package init() {}

  init(name: String) {
    self.name = name
  }
}
