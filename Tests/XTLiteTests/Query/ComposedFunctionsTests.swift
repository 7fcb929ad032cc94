import Foundation
import Testing

@testable import XTLite

private typealias M = TypedMessage

/// Functions whose arguments are expressions as well as values, and of values that may be nil
/// already. In three rows: Ann (20, Paris), bob (30, Paris), ÉMILE (40, Rome).
@Suite struct ComposedFunctionsTests {
  let sut: TestDatabase

  init() throws {
    sut = try .typed()
  }

  private func check<E: XTExpressible>(
    _ expression: E, _ sql: String, _ rows: [E.Value], _ location: SourceLocation = #_sourceLocation
  ) throws where E.Value: Equatable {
    #expect(expression.sql == sql, sourceLocation: location)
    let found = try sut.table(M.self).select(expression, orderBy: .asc(\.localID))
    #expect(found == rows, sourceLocation: location)
  }

  /// A condition, and the names of the rows for which it is true.
  private func check(
    _ predicate: XTPredicate, _ sql: String, _ names: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(predicate.sql == sql, sourceLocation: location)
    let found = try sut.table(M.self).find(where: predicate, orderBy: .asc(\.localID))
    #expect(found.map(\.name).joined(separator: " ") == names, sourceLocation: location)
  }

  // MARK: Values that may be nil already

  @Test func case_ofWhatMayBeNil_isNoDoubleOptional() throws {
    let content: [String?] = ["Hello World", nil, nil]
    try check(
      XTCase(when: M.xt.age < 35, then: M.xt.content).end(),
      "CASE WHEN `age` < ? THEN `content` END", content)
    try check(
      M.xt.city.case("Paris", then: M.xt.content).end(),
      "CASE `city` WHEN ? THEN `content` END", content)
  }

  @Test func nullif_ofWhatMayBeNil_isNoDoubleOptional() throws {
    try check(
      M.xt.content.nullif("50% off_"), "nullif(`content`, ?)", ["Hello World", nil, nil])
    try check(M.xt.rate.nullif(M.xt.score), "nullif(`rate`, `score`)", [2.5, nil, 1])
    try check(
      M.xt.content.nullif(M.xt.content), "nullif(`content`, `content`)", [nil, nil, nil])
  }

  @Test func json_asAnOptional_isNoDoubleOptional() throws {
    try check(
      M.xt.home.json("$.city", as: String?.self), "\(JSONExtract.functionName)(`home`, ?)",
      ["上海", nil, nil])
    try check(
      M.xt.home.json("$.rooms[0]", as: Int?.self), "\(JSONExtract.functionName)(`home`, ?)",
      [1, nil, nil])
  }

  // MARK: Texts

  @Test func functionsOfText_takeExpressions() throws {
    try check(
      M.xt.name.instr(M.xt.name.substr(2, 1)), "instr(`name`, substr(`name`, ?, ?))", [2, 2, 2])
    try check(M.xt.name.instr(M.xt.content), "instr(`name`, `content`)", [0, nil, 0])
    try check(M.xt.content.instr("o"), "instr(`content`, ?)", [5, nil, 5])
    try check(
      M.xt.city.replace("Paris", with: M.xt.name), "replace(`city`, ?, `name`)",
      ["Ann", "bob", "Rome"])
    try check(
      M.xt.name.replace(M.xt.name, with: M.xt.city), "replace(`name`, `name`, `city`)",
      ["Paris", "Paris", "Rome"])
    try check(
      M.xt.name.substr(M.xt.count, 2), "substr(`name`, `count`, ?)", ["An", "ob", "IL"])
    try check(M.xt.name.substr(M.xt.count), "substr(`name`, `count`)", ["Ann", "ob", "ILE"])
    try check(M.xt.name.concat("!"), "`name` || ?", ["Ann!", "bob!", "ÉMILE!"])
    try check(
      M.xt.name.concat(M.xt.content), "`name` || `content`",
      ["AnnHello World", nil, "ÉMILE50% off_"])
    try check(
      M.xt.content.concat(M.xt.name), "`content` || `name`",
      ["Hello WorldAnn", nil, "50% off_ÉMILE"])
    try check(
      M.xt.name.concat(" of ").concat(M.xt.city), "`name` || ? || `city`",
      ["Ann of Paris", "bob of Paris", "ÉMILE of Rome"])
    try check(M.xt.name.concat("  ").trim(), "trim(`name` || ?)", ["Ann", "bob", "ÉMILE"])
    try check(
      XTSQLFunction.printf("%s %d %.1f", M.xt.name, 5, 0.5), "printf(?, `name`, ?, ?)",
      ["Ann 5 0.5", "bob 5 0.5", "ÉMILE 5 0.5"])
    try check(
      XTSQLFunction.call("substr", M.xt.name, 2, 1, as: String.self), "`substr`(`name`, ?, ?)",
      ["n", "o", "M"])
  }

  @Test func patterns_areExpressions() throws {
    try check(M.xt.name.like(M.xt.name.lower()), "`name` LIKE lower(`name`)", "Ann bob ÉMILE")
    try check(M.xt.content.like(M.xt.content), "`content` LIKE `content`", "Ann ÉMILE")
    try check(M.xt.name.notLike(M.xt.content), "`name` NOT LIKE `content`", "Ann ÉMILE")
    try check(M.xt.name.glob(M.xt.name.lower()), "`name` GLOB lower(`name`)", "bob")
    try check(
      M.xt.name.regexp(M.xt.name.substr(1, 1) + "o"), "`name` REGEXP substr(`name`, ?, ?) || ?",
      "bob")
    try check(M.xt.name.regexp(M.xt.content), "`name` REGEXP `content`", "")
  }

  @Test func regexp_ofNothing_isInEachText() throws {
    try check(M.xt.content.regexp(""), "`content` REGEXP ?", "Ann ÉMILE")
  }

  @Test func match_isForTablesOfFullTextSearch() throws {
    #expect(M.xt.name.match("Ann").sql == "`name` MATCH ?")
    #expect(M.xt.name.match(M.xt.city).sql == "`name` MATCH `city`")
    try sut.outside("CREATE VIRTUAL TABLE notes USING fts4(body)")
    try sut.outside("INSERT INTO notes (body) VALUES ('one two'), ('three')")
    let notes = XTTableName("notes")
    let body = notes.column("body", as: String.self)
    #expect(
      try sut.database.query(notes).where(body.match("two")).columns(body).all() == ["one two"])
  }

  // MARK: Numbers and NULL

  @Test func tests_takeAnExpressionBesideAValue() throws {
    try check(M.xt.age.between(M.xt.limit, 50), "`age` BETWEEN `limit` AND ?", "ÉMILE")
    try check(M.xt.age.between(10, M.xt.limit), "`age` BETWEEN ? AND `limit`", "Ann bob")
    try check(M.xt.score.between(1, M.xt.rate), "`score` BETWEEN ? AND `rate`", "Ann")
    try check(M.xt.score.between(M.xt.rate, 9), "`score` BETWEEN `rate` AND ?", "")
    try check(M.xt.score.between(M.xt.rate, M.xt.rate), "`score` BETWEEN `rate` AND `rate`", "")
    try check(M.xt.rate.between(1, M.xt.score), "`rate` BETWEEN ? AND `score`", "")
    try check(M.xt.rate.between(M.xt.score, 9), "`rate` BETWEEN `score` AND ?", "Ann ÉMILE")
    try check(M.xt.rate.between(1, M.xt.rate), "`rate` BETWEEN ? AND `rate`", "Ann ÉMILE")
    try check(M.xt.rate.is(M.xt.score), "`rate` IS `score`", "")
    try check(M.xt.score.is(M.xt.rate), "`score` IS `rate`", "")
    try check(M.xt.rate.isNot(M.xt.score), "`rate` IS NOT `score`", "Ann bob ÉMILE")
    try check(M.xt.score.isNot(M.xt.rate), "`score` IS NOT `rate`", "Ann bob ÉMILE")
    try check(M.xt.rate.is(M.xt.rate), "`rate` IS `rate`", "Ann bob ÉMILE")
  }

  @Test func functionsOfRows_takeValues() throws {
    try check(XTSQLFunction.max(M.xt.age, 25), "max(`age`, ?)", [25, 30, 40])
    try check(XTSQLFunction.min(M.xt.age, 25), "min(`age`, ?)", [20, 25, 25])
    try check(XTSQLFunction.max(M.xt.score, M.xt.rate), "max(`score`, `rate`)", [2.5, nil, 1])
    try check(XTSQLFunction.min(M.xt.rate, M.xt.score), "min(`rate`, `score`)", [1.5, nil, -3])
    try check(
      XTSQLFunction.max(M.xt.price, 9.75), "max(`price` COLLATE xt_decimal, ?)",
      [9.75, 10, 100.25])
    try check(M.xt.age.nullif(M.xt.limit - 70), "nullif(`age`, `limit` - ?)", [20, nil, 40])
    try check(M.xt.score.nullif(M.xt.rate), "nullif(`score`, `rate`)", [1.5, 2.25, -3])
    try check(
      M.xt.price.nullif(10), "nullif(`price` COLLATE xt_decimal, ?)", [9.5, nil, 100.25])
    let choice = "CASE WHEN `flag` THEN ? ELSE ? END"
    try check(XTSQLFunction.iif(M.xt.flag, "a", else: "b"), choice, ["a", "b", "b"])
    try check(
      XTSQLFunction.iif(M.xt.age > 25, M.xt.name, else: "b"),
      "CASE WHEN `age` > ? THEN `name` ELSE ? END", ["b", "bob", "ÉMILE"])
    try check(
      XTSQLFunction.iif(M.xt.age > 25, 7, else: M.xt.count),
      "CASE WHEN `age` > ? THEN ? ELSE `count` END", [1, 7, 7])
  }

  @Test func coalesce_endsInWhatIsNeverNil() throws {
    try check(
      XTSQLFunction.coalesce(M.xt.content, M.xt.name), "coalesce(`content`, `name`)",
      ["Hello World", "bob", "50% off_"])
    try check(
      XTSQLFunction.coalesce(M.xt.content, M.xt.content, M.xt.name),
      "coalesce(`content`, `content`, `name`)", ["Hello World", "bob", "50% off_"])
    try check(
      XTSQLFunction.coalesce(M.xt.rate, M.xt.rate, M.xt.rate, else: M.xt.score),
      "coalesce(`rate`, `rate`, `rate`, `score`)", [2.5, 2.25, 1])
    try check(
      XTSQLFunction.coalesce(M.xt.rate, M.xt.rate), "coalesce(`rate`, `rate`)", [2.5, nil, 1])
    try check(
      M.xt.content.ifnull(M.xt.content.upper()), "ifnull(`content`, upper(`content`))",
      ["Hello World", nil, "50% off_"])
  }

  @Test func shifts_takeExpressions() throws {
    try check(M.xt.age.shiftedLeft(M.xt.count), "`age` << `count`", [40, 120, 320])
    try check(M.xt.age.shiftedRight(M.xt.count), "`age` >> `count`", [10, 7, 5])
  }

  @Test func seconds_areSinceAnyDate() throws {
    let date = Date(timeIntervalSince1970: 1_785_500_000)
    try check(
      M.xt.createTime.seconds(since: M.xt.modifiedTime), "`createTime` - `modifiedTime`",
      [1_785_500_000, 1_785_586_400, 1_785_672_800])
    try check(M.xt.createTime.seconds(since: date), "`createTime` - ?", [0, 86_400, 172_800])
    let born = XTExpression<Date?>(nil)
    try check(M.xt.createTime.seconds(since: born), "`createTime` - ?", [nil, nil, nil])
    try check(
      M.xt.createTime.optional.seconds(since: date), "`createTime` - ?", [0, 86_400, 172_800])
  }

  @Test func mathematics_isTheLibrarys() throws {
    guard SQLiteLibrary.versionNumber >= 3_035_000,
      SQLiteLibrary.isBuilt(with: "ENABLE_MATH_FUNCTIONS")
    else {
      let error = #expect(throws: XTError.self) {
        try sut.table(M.self).select(M.xt.score.pow(M.xt.age))
      }
      #expect(error?.message.contains("3.35.0") == true)
      return
    }
    func check(
      _ expression: XTExpression<Double?>, _ sql: String, _ value: (Double) -> Double,
      _ location: SourceLocation = #_sourceLocation
    ) throws {
      #expect(expression.sql == sql, sourceLocation: location)
      let found = try sut.table(M.self).select(expression, orderBy: .asc(\.localID))
      for (found, count) in zip(found, [1.0, 2, 3]) {
        let distance = try abs(#require(found) - value(count))
        #expect(distance < 1e-12, sourceLocation: location)
      }
    }
    let count = M.xt.count
    try check(count.exp(), "exp(`count`)") { exp($0) }
    try check(count.ln(), "ln(`count`)") { log($0) }
    try check(count.log10(), "log10(`count`)") { log10($0) }
    try check(count.sin(), "sin(`count`)") { sin($0) }
    try check(count.cos(), "cos(`count`)") { cos($0) }
    try check(count.tan(), "tan(`count`)") { tan($0) }
    try check(count.pow(count), "pow(`count`, `count`)") { pow($0, $0) }
    try check(count.pow(M.xt.score.abs().ceil()), "pow(`count`, ceil(abs(`score`)))") {
      [1, 8, 27][Int($0) - 1]
    }
    try check(M.xt.age.mod(M.xt.score + 4), "mod(`age`, `score` + ?)") {
      [3.5, 5, 0][Int($0) - 1]
    }
  }

  @Test func collate_takesTheProgramsOwn() throws {
    let sut = try TestDatabase {
      $0.add(
        XTCollation("by length") { left, right in
          left.count == right.count
            ? .orderedSame : left.count < right.count ? .orderedAscending : .orderedDescending
        })
    }
    let table = sut.table(M.self)
    try table.insertList(["ccc", "dd", "aa", "b"].map { M(name: $0) })
    let name = M.xt.name.collate(.named("by length"))
    #expect((name == "zz").sql == "`name` COLLATE `by length` = ?")
    #expect(try table.find(where: name == "zz", orderBy: .asc(\.name)).map(\.name) == ["aa", "dd"])
    #expect(try table.select(M.xt.name, orderBy: .asc(name)).last == "ccc")
  }
}
