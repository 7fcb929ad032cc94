import Foundation
import XTLite

/// One of many that work on a file at the same time: in threads, in processes.
///
/// It knows what must be in its own rows, and what must hold for those that all share.
package final class MixedWorker {
  private let name: String
  private let path: String
  private let configuration: XTConfiguration
  private var database: XTDatabase
  private var numbers: SeededNumbers
  /// What must be in the file of its own: keys and values.
  private var rows: [String: Int] = [:]
  private var objects: [MixedObject] = []
  private var keys = 0

  /// What it has done.
  package private(set) var summary = Summary()

  package struct Summary: Sendable {
    package var steps = 0
    package var rows = 0
    package var objects = 0
    package var increments = 0
    package var cancelled = 0
    package var undone = 0

    package init() {}

    package static func + (a: Summary, b: Summary) -> Summary {
      var sum = a
      sum.steps += b.steps
      sum.rows += b.rows
      sum.objects += b.objects
      sum.increments += b.increments
      sum.cancelled += b.cancelled
      sum.undone += b.undone
      return sum
    }
  }

  /// - Parameters:
  ///   - name: Unique among all that work on the file.
  ///   - seed: Decides about its steps.
  package init(
    path: String, configuration: XTConfiguration, name: String, seed: UInt64
  ) throws {
    self.name = name
    self.path = path
    self.configuration = configuration
    numbers = SeededNumbers(seed: seed)
    database = try XTDatabase(path: path, configuration: configuration)
  }

  /// Makes what all share; once for a file.
  package static func prepare(_ database: XTDatabase) throws {
    let accounts = (0..<MixedAccount.count).map { MixedAccount(number: $0) }
    try database.table(MixedAccount.self).insertList(accounts)
    try database.table(MixedCounter.self).insertList([MixedCounter(name: "shared")])
  }

  /// Works until the time, then sees whether all is there.
  package func run(until end: Date) throws {
    repeat {
      try step()
      summary.steps += 1
    } while Date() < end
    try check()
    summary.rows = rows.count
    summary.objects = objects.count
    try database.close()
  }

  private var table: XTTable<MixedRow> { database.table(MixedRow.self) }

  private func newRow(_ mark: String = "") -> MixedRow {
    keys += 1
    return MixedRow(
      owner: name, key: "\(name) \(mark)\(keys)", value: .random(in: 0..<1000, using: &numbers))
  }

  private func anyKey() -> String? { rows.keys.randomElement(using: &numbers) }

  private func remember(_ row: MixedRow) { rows[row.key] = row.value }

  // MARK: Steps

  private func step() throws {
    switch Int.random(in: 0..<100, using: &numbers) {
    case 0..<10: try insert()
    case 10..<15: try insertList()
    case 15..<25: try update()
    case 25..<33: try upsert()
    case 33..<40: try delete()
    case 40..<50: try transfer()
    case 50..<58: try increment()
    case 58..<66: try readBlock()
    case 66..<74: try find()
    case 74..<79: try stream()
    case 79..<84: try innerRollback()
    case 84..<88: try outerRollback()
    case 88..<91: try writeObject()
    case 91..<95: try asynchronous()
    case 95..<98: try cancelled()
    default: try disturb()
    }
  }

  private func insert() throws {
    if rows.count > 300 { return try deleteMany() }
    var row = newRow()
    let pkid = try table.insert(&row)
    remember(row)
    guard try table.find(pkid: pkid)?.key == row.key else {
      throw Broken("\(name): pkid \(pkid) is another's")
    }
  }

  private func insertList() throws {
    if rows.count > 300 { return try deleteMany() }
    var list = (0..<Int.random(in: 1..<20, using: &numbers)).map { _ in newRow() }
    try table.insertList(&list)
    list.forEach(remember)
    guard Set(list.compactMap(\.pkid)).count == list.count else {
      throw Broken("\(name): a list with the same pkid twice")
    }
  }

  private func update() throws {
    guard let key = anyKey() else { return }
    guard var row = try table.findFirst(where: \.key == key) else {
      throw Broken("\(name): \(key) is lost")
    }
    row.value = .random(in: 0..<1000, using: &numbers)
    row.text = MixedRow.text(row.key, row.value)
    try table.update(row)
    remember(row)
  }

  private func upsert() throws {
    var row = newRow()
    let known = anyKey()
    if Bool.random(using: &numbers), let known {
      row.key = known
      row.text = MixedRow.text(row.key, row.value)
    }
    let result = try table.upsert(&row, by: \.key)
    if case .inserted = result, row.key == known { throw Broken("\(name): \(row.key) was lost") }
    remember(row)
  }

  private func delete() throws {
    guard let key = anyKey() else { return }
    guard try table.delete(where: \.key == key) == 1 else {
      throw Broken("\(name): \(key) was lost")
    }
    rows[key] = nil
  }

  private func deleteMany() throws {
    let keys = Array(rows.keys.prefix(200))
    guard try table.delete(where: (\MixedRow.key).in(keys)) == keys.count else {
      throw Broken("\(name): rows were lost")
    }
    for key in keys { rows[key] = nil }
  }

  private func transfer() throws {
    let amount = Int.random(in: 1..<50, using: &numbers)
    let from = Int.random(in: 0..<MixedAccount.count, using: &numbers)
    let to = Int.random(in: 0..<MixedAccount.count, using: &numbers)
    try database.transaction { try move(amount, from: from, to: to) }
  }

  private func move(_ amount: Int, from: Int, to: Int) throws {
    let accounts = database.table(MixedAccount.self)
    let changed =
      try accounts.update(where: \.number == from, .add(\.amount, -amount))
      + accounts.update(where: \.number == to, .add(\.amount, amount))
    guard changed == 2 else { throw Broken("\(name): an account is lost") }
  }

  /// Reads, then writes what it has read: two at a time would lose one.
  private func increment() throws {
    try database.transaction {
      let counters = database.table(MixedCounter.self)
      guard var counter = try counters.findFirst(where: \.name == "shared") else {
        throw Broken("the counter is lost")
      }
      counter.value += 1
      try counters.update(counter)
    }
    summary.increments += 1
  }

  private func readBlock() throws {
    try database.read {
      let rowsBefore = try table.count()
      try checkAccounts()
      try database.read { try checkAccounts() }
      try checkOwnRows()
      guard try table.count() == rowsBefore else { throw Broken("a snapshot moved") }
    }
  }

  private func find() throws {
    guard let key = anyKey() else { return }
    guard let row = try table.findFirst(where: \.key == key), row.value == rows[key], row.isWhole
    else { throw Broken("\(name): \(key) is lost or wrong") }
    guard try !table.has(where: \.key == "\(name) never") else { throw Broken("a row of nobody") }
  }

  /// A loop over the rows of all, with a question for each of some.
  private func stream() throws {
    var seen = 0
    try table.forEach(limit: 400) { row in
      guard row.isWhole else { throw Broken("a torn row: \(row.key)") }
      seen += 1
      if seen % 50 == 0 { _ = try table.find(pkid: row.pkid ?? 0) }
    }
  }

  private struct Undone: Error {}

  private func innerRollback() throws {
    var row = newRow()
    let byRequest = Bool.random(using: &numbers)
    let other = newRow("undone ")
    try database.transaction {
      try table.insert(&row)
      do {
        try database.savepoint {
          try table.insertList([other])
          try move(7, from: 0, to: 1)
          try table.delete(where: \.key == row.key)
          if byRequest { try database.rollback() } else { throw Undone() }
        }
      } catch is Undone {}
      guard try !table.has(where: \.key == other.key) else { throw Broken("an undone row") }
    }
    remember(row)
    summary.undone += 1
  }

  private func outerRollback() throws {
    let list = (0..<10).map { _ in newRow("undone ") }
    do {
      try database.transaction {
        try table.insertList(list)
        try table.delete(where: \.owner == name)
        try move(13, from: 2, to: 3)
        throw Undone()
      }
    } catch is Undone {}
    summary.undone += 1
    guard try !table.has(where: \.key == list[0].key) else { throw Broken("an undone row") }
  }

  private func writeObject() throws {
    let table = database.table(MixedObject.self)
    if objects.count > 50 {
      let object = objects.removeLast()
      guard try table.delete(object) else { throw Broken("\(name): an object's row is lost") }
      return
    }
    if let object = objects.randomElement(using: &numbers) {
      object.value += 1
      try table.update(object)
    }
    let object = MixedObject(owner: name, value: .random(in: 0..<1000, using: &numbers))
    do {
      try database.transaction {
        try table.insert(object)
        if Bool.random(using: &numbers) { throw Undone() }
      }
      objects.append(object)
    } catch is Undone {
      guard object.pkid == nil else { throw Broken("an object keeps an undone pkid") }
    }
  }

  private func asynchronous() throws {
    let database = database
    let (row, other) = (newRow(), newRow())
    let isInPlace = Bool.random(using: &numbers)
    try waiting {
      if isInPlace {
        try await database.inPlace {
          try database.table(MixedRow.self).insertList([row, other])
        }
      } else {
        try await database.transaction {
          try database.table(MixedRow.self).insertList([row, other])
        }
      }
    }
    remember(row)
    remember(other)
    let key = row.key
    let found = try waiting {
      try await database.read {
        try database.table(MixedRow.self).count(where: \.key == key)
      }
    }
    guard found == 1 else { throw Broken("\(name): \(key) is lost") }
  }

  private func cancelled() throws {
    let database = database
    let list = (0..<100).map { _ in newRow("cancelled ") }
    let delay = UInt32.random(in: 0..<3000, using: &numbers)
    let inserted = try cancelling(after: delay) {
      try await database.transaction { try database.table(MixedRow.self).insertList(list) }
    }
    let count = try table.count(where: (\MixedRow.key).startsWith("\(name) cancelled "))
    guard count == (inserted ?? 0) else {
      throw Broken("\(name): \(count) rows of a transaction that gave \(inserted ?? 0)")
    }
    if inserted == nil {
      summary.cancelled += 1
    } else {
      try table.delete(where: (\MixedRow.key).startsWith("\(name) cancelled "))
    }
  }

  /// What is rare in a program's life, and must not harm the others.
  private func disturb() throws {
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0: database.purge()
    case 1: database.releaseMemory()
    case 2:
      try database.suspend()
      usleep(1000)
      database.resume()
    case 3:
      try database.whileClosed { url in
        guard FileManager.default.fileExists(atPath: url.path) else {
          throw Broken("the file is gone")
        }
      }
    case 4: try database.execute("PRAGMA wal_checkpoint(PASSIVE)")
    case 5: try database.write { _ = try database.execute("ANALYZE") }
    default:
      try database.close()
      database = try XTDatabase(path: path, configuration: configuration)
      // Where no other worker of the process had the file open meanwhile, it is another database to
      // the objects of the one that was closed.
      objects = try database.table(MixedObject.self).find(where: \.owner == name)
    }
  }

  // MARK: What must hold

  private func checkAccounts() throws {
    let accounts = database.table(MixedAccount.self)
    guard try accounts.sum(of: \.amount) == Int64(MixedAccount.count * MixedAccount.start) else {
      throw Broken("the sum of the accounts changed")
    }
  }

  private func checkOwnRows() throws {
    let found = try table.find(where: \.owner == name)
    guard found.allSatisfy(\.isWhole) else { throw Broken("\(name): a torn row") }
    let pairs = Dictionary(found.map { ($0.key, $0.value) }) { _, _ in -1 }
    guard pairs == rows, found.count == rows.count else {
      let wrong = Set(pairs.map { "\($0)" }).symmetricDifference(rows.map { "\($0)" })
      throw Broken("\(name): \(found.count) rows instead of \(rows.count): \(wrong.prefix(5))")
    }
  }

  private func check() throws {
    try checkAccounts()
    try checkOwnRows()
    let values = try database.table(MixedObject.self).find(where: \.owner == name).map(\.value)
    guard values.sorted() == objects.map(\.value).sorted() else {
      throw Broken("\(name): objects are not as their rows")
    }
  }
}
