import Foundation
import XTLite

/// The job, step by step. Each prints what it did and how long that took.
struct World {
  let files = WorldFiles()
  var countries: [Country] = []
  var subdivisions: [Subdivision] = []
  var languages: [Language] = []
  var currencies: [Currency] = []
  var codePoints: [CodePoint] = []

  mutating func load() throws {
    countries = try timed("read countries") { try files.values("3166-1", of: Country.self) }
    subdivisions = try timed("read subdivisions") {
      try files.values("3166-2", of: Subdivision.self)
    }
    languages = try timed("read languages") { try files.values("639-3", of: Language.self) }
    currencies = try timed("read currencies") { try files.values("4217", of: Currency.self) }
    codePoints = try timed("read characters") { try files.codePoints() }

    for subdivision in subdivisions { subdivision.country = String(subdivision.code.prefix(2)) }
    let catalogs = files.translations("3166-1")
    for index in countries.indices {
      countries[index].names = catalogs.names(of: countries[index].name)
    }
    print("the countries have names in \(catalogs.count) languages")
  }

  mutating func insert() throws {
    // With `&` each value gets its pkid and its times; objects get theirs in any case.
    try timed("insert countries") { try Country.xt_insertList(&countries) }
    try timed("insert subdivisions") { try Subdivision.xt_insertList(subdivisions) }
    try timed("insert languages") { try Language.xt_insertList(languages) }
    try timed("insert currencies") { try Currency.xt_insertList(currencies) }
    try timed("insert characters") { try CodePoint.xt_insertList(codePoints) }
  }

  func insertAgain() throws {
    let before = try rowsInAll()
    let results = [
      try timed("upsert countries") { try Country.xt_upsertList(countries, by: \.alpha2) },
      try timed("upsert subdivisions") { try Subdivision.xt_upsertList(subdivisions, by: \.code) },
      try timed("upsert languages") { try Language.xt_upsertList(languages) },
      try timed("upsert currencies") { try Currency.xt_upsertList(currencies, by: \.code) },
      try timed("upsert characters") { try CodePoint.xt_upsertList(codePoints) },
    ].joined()
    let inserted = results.count { if case .inserted = $0 { true } else { false } }
    print("\(results.count - inserted) updated, \(inserted) inserted;", terminator: " ")
    print("rows before \(before), after \(try rowsInAll())")
  }

  func deleteAndRestore() throws {
    let gone = try Language.xt_softDeleteWhere(\.type == .constructed)
    print("softly deleted \(gone) constructed languages; found now:", terminator: " ")
    print(try Language.xt_countWhere(\.type == .constructed))
    let esperanto = try Language.xt_findFirstWhere(\.alpha3 == "epo", scope: .deleted)
    let isBack = try esperanto?.xt_restore() ?? false
    print("restored \(esperanto?.name ?? "nothing"): \(isBack); found now:", terminator: " ")
    print(try Language.xt_findWhere(\.type == .constructed).map(\.name))
  }

  func upgrade() throws {
    try timed("upgrade currencies to version 2") {
      try XTDatabase.shared.upgrade(
        CurrencyVersion2.self, add: [\CurrencyVersion2.names, \CurrencyVersion2.isNational],
        version: 2)
    }
    let catalogs = files.translations("4217")
    var currencies = try CurrencyVersion2.xt_findAll()
    for index in currencies.indices {
      currencies[index].names = catalogs.names(of: currencies[index].name)
    }
    try timed("update currencies") { try CurrencyVersion2.xt_updateList(currencies) }
    let others = try CurrencyVersion2.xt_updateWhere(
      (\CurrencyVersion2.code).startsWith("X"), .set(\.isNational, to: false))
    let yen = try CurrencyVersion2.xt_findFirstWhere(\.code == "JPY")
    let yenNames = ["ja", "ko", "ru", "he", "uk"].compactMap { yen?.names[$0] }
    print("\(others) currencies are no nation's; JPY is called", yenNames.joined(separator: ", "))
    print("the first version of the type still reads \(try Currency.xt_findAll().count) rows")
  }

  func answerQuestions() throws {
    for (number, question) in zip(1..., Question.all) {
      print("\n\(number). \(question.text)")
      for line in question.sql.split(separator: "\n") { print("   sql  \(line)") }
      let clock = ContinuousClock()
      let start = clock.now
      let answer = try question.answer()
      let time = clock.now - start
      for line in answer { print("   =    \(line)") }
      print("   in   \(milliseconds(time)) ms")
    }
  }

  private func rowsInAll() throws -> Int {
    try Country.xt_count(scope: .all) + Subdivision.xt_count(scope: .all)
      + Language.xt_count(scope: .all) + Currency.xt_count(scope: .all)
      + CodePoint.xt_count(scope: .all)
  }
}

@discardableResult
private func timed<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
  let clock = ContinuousClock()
  let start = clock.now
  let result = try body()
  let time = milliseconds(clock.now - start)
  let size = (result as? Int) ?? (result as? any Collection)?.count
  print(what.padding(toLength: 32, withPad: " ", startingAt: 0), terminator: "")
  print(size.map { "\($0) rows in " } ?? "", time, " ms", separator: "")
  return result
}

private func milliseconds(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  return String(format: "%.1f", Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
}
