import Foundation
import Testing

@testable import XTLite

private typealias M = TypedMessage

/// Each expression's SQL beside what it gives in three rows: Ann (20), bob (30), ÉMILE (40).
@Suite struct ExpressionTests {
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

  // MARK: Operators

  @Test func arithmetic_isWrittenByPrecedence() throws {
    try check(M.xt.age + 1, "`age` + ?", [21, 31, 41])
    try check(M.xt.age + M.xt.count * 2, "`age` + `count` * ?", [22, 34, 46])
    try check((M.xt.age + M.xt.count) * 2, "(`age` + `count`) * ?", [42, 64, 86])
    try check(M.xt.age - (M.xt.count - 1), "`age` - (`count` - ?)", [20, 29, 38])
    try check(M.xt.age - M.xt.count - 1, "`age` - `count` - ?", [18, 27, 36])
    try check(M.xt.age / 3 % 4, "`age` / ? % ?", [2, 2, 1])
    try check(100 - M.xt.age, "? - `age`", [80, 70, 60])
    try check(-(M.xt.age + 1), "-(`age` + ?)", [-21, -31, -41])
    try check(-(-M.xt.age), "-(-`age`)", [20, 30, 40])
    try check(M.xt.score * 2 + 0.5, "`score` * ? + ?", [3.5, 5, -5.5])
    try check(M.xt.rate + M.xt.score, "`rate` + `score`", [4, nil, -2])
    try check(M.xt.score + M.xt.rate, "`score` + `rate`", [4, nil, -2])
    try check(M.xt.age.cast(to: Double.self) / 8, "CAST(`age` AS REAL) / ?", [2.5, 3.75, 5])
  }

  @Test func plus_ofTexts_isConcatenation() throws {
    try check(
      M.xt.name + "@" + M.xt.city, "`name` || ? || `city`",
      ["Ann@Paris", "bob@Paris", "ÉMILE@Rome"])
    try check(M.xt.name.concat(M.xt.city).length(), "length(`name` || `city`)", [8, 8, 9])
  }

  @Test func bits_areSQLs() throws {
    try check(M.xt.age.bitAnd(12), "`age` & ?", [4, 12, 8])
    try check(M.xt.age.bitOr(1), "`age` | ?", [21, 31, 41])
    try check(M.xt.age.shiftedLeft(1), "`age` << ?", [40, 60, 80])
    try check((M.xt.age + 1).shiftedRight(2), "`age` + ? >> ?", [5, 7, 10])
    try check(M.xt.age.bitAnd(12).bitOr(1), "(`age` & ?) | ?", [5, 13, 9])
    try check(M.xt.age.bitNot(), "~`age`", [-21, -31, -41])
  }

  @Test func decimals_areReckonedExactly() throws {
    try check(
      M.xt.price + (Decimal(string: "0.1") ?? 0), "xt_decimal_add(`price`, ?)",
      ["9.6", "10.1", "100.35"].compactMap { Decimal(string: $0) })
    try check(M.xt.price * 3, "xt_decimal_multiply(`price`, ?)", [28.5, 30, 300.75])
    try check(M.xt.price - 10, "xt_decimal_subtract(`price`, ?)", [-0.5, 0, 90.25])
    try check(M.xt.price / 4, "xt_decimal_divide(`price`, ?)", [2.375, 2.5, 25.0625])
    try check(M.xt.price > 9.75, "`price` COLLATE xt_decimal > ?", "bob ÉMILE")
    try check(M.xt.price + 1 < 11, "xt_decimal_add(`price`, ?) COLLATE xt_decimal < ?", "Ann")
    let query = sut.table(M.self).query()
    #expect(try query.columns(M.xt.price.sum()).all() == [119.75])
    #expect(try query.columns(M.xt.price.max()).all() == [100.25])
    #expect(
      try sut.table(M.self).select(M.xt.name, orderBy: .desc(M.xt.price))
        == ["ÉMILE", "bob", "Ann"])
  }

  @Test func comparisons_takeNilAndBothSorts() throws {
    try check(M.xt.age == 20, "`age` = ?", "Ann")
    try check(M.xt.age != 20, "`age` != ?", "bob ÉMILE")
    try check(M.xt.age < M.xt.limit, "`age` < `limit`", "Ann bob")
    try check(M.xt.age <= 30 && M.xt.age >= 30, "`age` <= ? AND `age` >= ?", "bob")
    try check(M.xt.content == nil, "`content` IS NULL", "bob")
    try check(M.xt.content != nil, "`content` IS NOT NULL", "Ann ÉMILE")
    try check(M.xt.rate == M.xt.score, "`rate` = `score`", "")
    try check(M.xt.score < M.xt.rate, "`score` < `rate`", "Ann ÉMILE")
    try check(M.xt.kind == .special, "`kind` = ?", "bob")
    try check(
      M.xt.createTime > Date(timeIntervalSince1970: 1_785_500_001), "`createTime` > ?",
      "bob ÉMILE")
    let nobody: Int? = nil
    try check(M.xt.age == nobody, "`age` IS NULL", "")
    try check((M.xt.age == 20) == M.xt.flag, "(`age` = ?) = `flag`", "Ann bob ÉMILE")
  }

  @Test func logic_needsFewParentheses() throws {
    let (young, paris) = (M.xt.age < 25, M.xt.city == "Paris")
    try check(young || paris && M.xt.age > 25, "`age` < ? OR `city` = ? AND `age` > ?", "Ann bob")
    try check((young || paris) && M.xt.age > 25, "(`age` < ? OR `city` = ?) AND `age` > ?", "bob")
    try check(!young, "NOT (`age` < ?)", "bob ÉMILE")
    try check(!(young || !paris), "NOT (`age` < ? OR NOT (`city` = ?))", "bob")
    try check(M.xt.flag && paris, "`flag` AND `city` = ?", "Ann")
    try check(!M.xt.flag, "NOT `flag`", "bob ÉMILE")
    #expect(try sut.table(M.self).find(where: M.xt.flag).map(\.name) == ["Ann"])
    #expect(try sut.table(M.self).find(where: \.flag && paris).map(\.name) == ["Ann"])
    #expect(try sut.table(M.self).find(where: paris && \.age > 25).map(\.name) == ["bob"])
    #expect(try sut.table(M.self).find(where: "age > \(25)" && paris).map(\.name) == ["bob"])
  }

  @Test func logic_ofThousands_isFlatForSQLite() throws {
    let chain = (1...4000).map { M.xt.age == $0 }.reduce(M.xt.age == 0, ||)
    #expect(try sut.table(M.self).count(where: chain) == 3)
  }

  @Test func nesting_withoutEnd_isAnErrorAndNoCrash() throws {
    var number = M.xt.age.xt_expression
    for _ in 0..<20_000 { number = XTCase(when: number > 1, then: number).else(2) }
    #expect(throws: XTError.self) { try sut.table(M.self).find(where: number > 1) }
    var predicate = M.xt.age > 3
    for _ in 0..<20_000 { predicate = !(predicate == M.xt.flag) }
    let error = #expect(throws: XTError.self) { try sut.table(M.self).find(where: predicate) }
    #expect(error?.message.contains("levels deep") == true)
    var query = sut.table(M.self).query().columns(M.xt.localID)
    for _ in 0..<20_000 {
      query = sut.table(M.self).query().where(M.xt.localID.in(query)).columns(M.xt.localID)
    }
    #expect(throws: XTError.self) { try query.all() }
    let other = sut.table(M.self).query().columns(M.xt.localID)
    query = other
    for _ in 0..<20_000 { query = query.limit(1).unionAll(other) }
    #expect(throws: XTError.self) { try query.all() }
  }

  @Test func tests_areSQLs() throws {
    try check(M.xt.content.isNull, "`content` IS NULL", "bob")
    try check(M.xt.content.is(nil), "`content` IS ?", "bob")
    try check(M.xt.content.isNot("x"), "`content` IS NOT ?", "Ann bob ÉMILE")
    try check(M.xt.age.between(20, 30), "`age` BETWEEN ? AND ?", "Ann bob")
    try check(
      M.xt.age.between(M.xt.count, M.xt.limit), "`age` BETWEEN `count` AND `limit`", "Ann bob")
    try check(M.xt.age.in([20, 40]), "`age` IN (?, ?)", "Ann ÉMILE")
    try check(M.xt.age.in([]), "`age` IN ()", "")
    try check(M.xt.age.notIn([20]), "`age` NOT IN (?)", "bob ÉMILE")
    try check(M.xt.content.in(["x", nil]), "`content` IN (?) OR `content` IS NULL", "bob")
    try check(M.xt.rate.in([1]), "`rate` IN (?)", "ÉMILE")
    try check((M.xt.age + 1).in(Set([21])), "`age` + ? IN (?)", "Ann")
    try check(M.xt.kind.in([.special]), "`kind` IN (?)", "bob")
  }

  @Test func texts_areSearched() throws {
    try check(M.xt.content.like("hello%"), "`content` LIKE ?", "Ann")
    try check(M.xt.content.notLike("hello%"), "`content` NOT LIKE ?", "ÉMILE")
    try check(
      M.xt.content.like("%" + "% off_".xt_escapedForLike, escape: "\\"),
      "`content` LIKE ? ESCAPE ?", "ÉMILE")
    try check(M.xt.name.glob("[A-Z]*"), "`name` GLOB ?", "Ann")
    try check(
      M.xt.content.glob("*" + "[x".xt_escapedForGlob), "`content` GLOB ?", "")
    try check(M.xt.name.regexp("^[a-z]{3}$"), "`name` REGEXP ?", "bob")
    try check(
      M.xt.name.contains("émi", caseInsensitive: true), "instr(xt_casefold(`name`), ?) > 0",
      "ÉMILE")
    try check(M.xt.name.startsWith("b"), "instr(`name`, ?) = 1", "bob")
    try check(
      M.xt.name.endsWith("nn"),
      "substr(CAST(`name` AS BLOB), -length(CAST(? AS BLOB))) = CAST(? AS BLOB)", "Ann")
    #expect("a%_\\".xt_escapedForLike == "a\\%\\_\\\\")
    #expect("a*?[".xt_escapedForGlob == "a[*][?][[]")
  }

  @Test func regexp_thatCannotBeRead_isAnError() throws {
    let error = #expect(throws: XTError.self) {
      try sut.table(M.self).find(where: M.xt.name.regexp("("))
    }
    #expect(error?.sql?.contains("REGEXP") == true)
  }

  @Test func collations_areSQLsAndOurs() throws {
    try check(M.xt.name.collate(.nocase) == "ANN", "`name` COLLATE NOCASE = ?", "Ann")
    try check(M.xt.name.collate(.binary) == "ANN", "`name` COLLATE BINARY = ?", "")
    try check(M.xt.name.collate(.rtrim) == "bob  ", "`name` COLLATE RTRIM = ?", "bob")
    try check(M.xt.name.collate(.unicode) == "émile", "`name` COLLATE xt_unicode = ?", "ÉMILE")
    #expect(
      try sut.table(M.self).select(M.xt.name, orderBy: .asc(M.xt.name.collate(.unicode)))
        == ["Ann", "bob", "ÉMILE"])
  }

  // MARK: Functions

  @Test func functionsOfText_areSQLs() throws {
    try check(M.xt.name.lower(), "lower(`name`)", ["ann", "bob", "École".isEmpty ? "" : "Émile"])
    try check(M.xt.name.upper(), "upper(`name`)", ["ANN", "BOB", "ÉMILE"])
    try check(M.xt.name.folded(), "xt_casefold(`name`)", ["ann", "bob", "émile"])
    try check(M.xt.name.length(), "length(`name`)", [3, 3, 5])
    try check(M.xt.content.length(), "length(`content`)", [11, nil, 8])
    try check(M.xt.name.trim("An"), "trim(`name`, ?)", ["", "bob", "ÉMILE"])
    try check(M.xt.name.ltrim("A"), "ltrim(`name`, ?)", ["nn", "bob", "ÉMILE"])
    try check(M.xt.name.rtrim("b"), "rtrim(`name`, ?)", ["Ann", "bo", "ÉMILE"])
    try check(M.xt.name.substr(2), "substr(`name`, ?)", ["nn", "ob", "MILE"])
    try check(M.xt.name.substr(1, 2), "substr(`name`, ?, ?)", ["An", "bo", "ÉM"])
    try check(M.xt.name.replace("n", with: "m"), "replace(`name`, ?, ?)", ["Amm", "bob", "ÉMILE"])
    try check(M.xt.name.instr("b"), "instr(`name`, ?)", [0, 1, 0])
    try check(M.xt.name.unicode(), "unicode(`name`)", [65, 98, 201])
    try check(M.xt.name.hex(), "hex(`name`)", ["416E6E", "626F62", "C3894D494C45"])
    try check(M.xt.name.quote(), "quote(`name`)", ["'Ann'", "'bob'", "'ÉMILE'"])
    try check(M.xt.rate.typeof(), "typeof(`rate`)", ["real", "null", "real"])
    try check(
      XTSQLFunction.printf("%d of %s", M.xt.age, M.xt.name), "printf(?, `age`, `name`)",
      ["20 of Ann", "30 of bob", "40 of ÉMILE"])
  }

  @Test func functionsOfNULL_areSQLs() throws {
    try check(M.xt.content.ifnull("-"), "ifnull(`content`, ?)", ["Hello World", "-", "50% off_"])
    try check(M.xt.rate.ifnull(M.xt.score), "ifnull(`rate`, `score`)", [2.5, 2.25, 1])
    try check(M.xt.age.nullif(20), "nullif(`age`, ?)", [nil, 30, 40])
    try check(
      XTSQLFunction.coalesce(M.xt.rate, M.xt.score.optional), "coalesce(`rate`, `score`)",
      [2.5, 2.25, 1])
    try check(
      XTSQLFunction.coalesce(M.xt.content, else: "?"), "coalesce(`content`, ?)",
      ["Hello World", "?", "50% off_"])
  }

  @Test func functionsOfNumbers_areSQLs() throws {
    try check(M.xt.score.abs(), "abs(`score`)", [1.5, 2.25, 3])
    try check(M.xt.score.round(1), "round(`score`, ?)", [1.5, 2.3, -3])
    try check(XTSQLFunction.max(M.xt.age, M.xt.limit), "max(`age`, `limit`)", [30, 100, 40])
    try check(
      XTSQLFunction.min(M.xt.age, M.xt.limit, M.xt.count), "min(`age`, `limit`, `count`)",
      [1, 2, 3])
    #expect(try sut.table(M.self).select(XTSQLFunction.random()).count == 3)
    try check(
      XTSQLFunction.call("abs", M.xt.score, as: Double.self), "`abs`(`score`)", [1.5, 2.25, 3])
  }

  @Test func case_isTheFirstThatIsTrue() throws {
    try check(
      XTCase(when: M.xt.age < 25, then: "young").when(M.xt.age < 35, then: "grown").else("old"),
      "CASE WHEN `age` < ? THEN ? WHEN `age` < ? THEN ? ELSE ? END", ["young", "grown", "old"])
    try check(
      XTCase(when: M.xt.age < 25, then: M.xt.name).end(), "CASE WHEN `age` < ? THEN `name` END",
      ["Ann", nil, nil])
    try check(
      XTSQLFunction.iif(M.xt.flag, M.xt.age, else: M.xt.count) * 2,
      "CASE WHEN `flag` THEN `age` ELSE `count` END * ?", [40, 4, 6])
  }

  @Test func casts_goByTheColumnTypeOfTheSwiftType() throws {
    try check(M.xt.age.cast(to: String.self), "CAST(`age` AS TEXT)", ["20", "30", "40"])
    try check(M.xt.score.cast(to: Int.self), "CAST(`score` AS INTEGER)", [1, 2, -3])
    try check((M.xt.age + 1).cast(to: Int?.self), "CAST(`age` + ? AS INTEGER)", [21, 31, 41])
  }

  @Test func dates_inATimeZone() throws {
    let zone = try #require(TimeZone(identifier: "Asia/Shanghai"))
    // 2026-07-31 12:13:20 UTC is 20:13:20 in Shanghai.
    try check(M.xt.createTime.year(in: zone), "xt_year(`createTime`, ?)", [2026, 2026, 2026])
    try check(M.xt.createTime.month(in: zone), "xt_month(`createTime`, ?)", [7, 8, 8])
    try check(M.xt.createTime.day(in: zone), "xt_day(`createTime`, ?)", [31, 1, 2])
    try check(M.xt.createTime.weekday(), "xt_weekday(`createTime`, ?)", [6, 7, 1])
    try check(M.xt.createTime.hour(in: zone), "xt_hour(`createTime`, ?)", [20, 20, 20])
    try check(M.xt.createTime.hour(), "xt_hour(`createTime`, ?)", [12, 12, 12])
    try check(M.xt.createTime.minute(), "xt_minute(`createTime`, ?)", [13, 13, 13])
    try check(M.xt.createTime.second(), "xt_second(`createTime`, ?)", [20, 20, 20])
    try check(
      M.xt.createTime.dayText(), "xt_date(`createTime`, ?)",
      ["2026-07-31", "2026-08-01", "2026-08-02"])
    try check(
      M.xt.createTime.strftime("%Y-%m"), "strftime(?, `createTime`, 'unixepoch')",
      ["2026-07", "2026-08", "2026-08"])
    try check(
      M.xt.createTime.adding(seconds: 60).minute(), "xt_minute(`createTime` + ?, ?)", [14, 14, 14])
    let distant = M.xt.createTime.adding(seconds: 1e300).year()
    #expect(throws: XTError.self) { try sut.table(M.self).select(distant) }
  }

  @Test func json_isReadByPath() throws {
    let f = JSONExtract.functionName
    try check(
      M.xt.home.json("$.city", as: String.self), "\(f)(`home`, ?)", ["上海", nil, nil])
    try check(M.xt.home.json("$.rooms[1]", as: Int.self), "\(f)(`home`, ?)", [2, nil, nil])
    try check(
      M.xt.home.json("$.rooms", as: [Int].self), "\(f)(`home`, ?)", [[1, 2], nil, nil])
    try check(M.xt.tags.json("$[0]", as: String.self), "\(f)(`tags`, ?)", ["a", nil, nil])
    try check(
      M.xt.tags.jsonArrayLength(), "\(JSONExtract.lengthName)(`tags`, ?)", [2, 0, 0])
  }

  @Test func json_ofOurOwn_answersAsSQLitesDoes() throws {
    let connection = try Connection(ConnectionSettings())
    defer { connection.close() }
    try JSONExtract.register(on: connection)
    let json = #"{"a":{"b":[1,2.5,"x",true,null,{"c":"d"}]},"e f":"g"}"#
    func ask(_ path: String) throws -> XTValue? {
      try connection.firstValue("SELECT xt_json_extract(?, ?)", [.text(json), .text(path)])
    }
    #expect(try ask("$.a.b[0]") == .integer(1))
    #expect(try ask("$.a.b[1]") == .real(2.5))
    #expect(try ask("$.a.b[#-4]") == .text("x"))
    #expect(try ask("$.a.b[3]") == .integer(1))
    #expect(try ask("$.a.b[4]") == .null)
    #expect(try ask("$.a.b[5]") == .text(#"{"c":"d"}"#))
    #expect(try ask(#"$."e f""#) == .text("g"))
    #expect(try ask("$.nope.b") == .null)
    #expect(try ask("$.a.b[9]") == .null)
    #expect(throws: XTError.self) { try ask("a") }
    #expect(throws: XTError.self) { try ask("$.a[") }
    #expect(
      try connection.firstValue("SELECT xt_json_array_length(?, '$.a.b')", [.text(json)])
        == .integer(6))
  }

  @Test func math_whereTheLibraryHasIt() throws {
    guard SQLiteLibrary.versionNumber >= 3_035_000,
      SQLiteLibrary.isBuilt(with: "ENABLE_MATH_FUNCTIONS")
    else {
      let error = #expect(throws: XTError.self) {
        try sut.table(M.self).select(M.xt.score.floor())
      }
      #expect(error?.message.contains("3.35.0") == true)
      return
    }
    try check(M.xt.score.floor(), "floor(`score`)", [1, 2, -3])
    try check(M.xt.score.ceil(), "ceil(`score`)", [2, 3, -3])
    try check(M.xt.score.sqrt().round(2), "round(sqrt(`score`), ?)", [1.22, 1.5, nil])
    try check(M.xt.age.pow(2), "pow(`age`, ?)", [400, 900, 1600])
  }

  @Test func raw_SQLIsTyped() throws {
    try check(
      XTExpression<Int>(sql: "age + \(1)") * 2, "(age + ?) * ?", [42, 62, 82])
  }
}
