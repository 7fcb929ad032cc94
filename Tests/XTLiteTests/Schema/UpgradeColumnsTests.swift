import Foundation
import Testing

@testable import XTLite

private struct Box: XTModel {
  var pkid: Int64?
  var name = ""
  var size = 1
  var color = "red"
  static var xt_tableName: String { "UpBox" }
}

private struct UniqueBox: XTModel {
  var name = ""
  var size = 1
  var color = "red"
  static var xt_tableName: String { "UpBox" }
  static var xt_keywords: XTKeywordMap { [\UniqueBox.name: .unique, \UniqueBox.color: .noCase] }
}

private struct OptionalBox: XTModel {
  var name: String?
  var size: Double?
  var color: String?
  static var xt_tableName: String { "UpBox" }
}

private struct KeyedBox: XTModel {
  var number: Int64?
  var name = ""
  var size = 1
  var color = "red"
  static var xt_tableName: String { "UpBox" }
  static var xt_primaryKey: XTKeyPaths { [\KeyedBox.number] }
}

private struct BareBox: XTModel {
  var name = ""
  static var xt_tableName: String { "UpBox" }
}

/// Steps on the columns of one table.
struct UpgradeColumnsTests {
  private func boxes(_ rows: Int = 3, and script: String = "") throws -> TestDatabase {
    let database = try TestDatabase()
    try database.table(Box.self).create()
    for number in 0..<rows {
      try database.outside(
        "INSERT INTO UpBox (name, size, color) VALUES ('n\(number)', \(number), 'c\(number)')")
    }
    if !script.isEmpty { try database.outside(script) }
    return database
  }

  private func upgrade<Model: XTModel>(
    _ database: TestDatabase, _ type: Model.Type, to version: Int = 2,
    _ steps: (inout XTUpgradeSteps<Model>) -> Void
  ) throws {
    let upgrade = XTUpgrade(type, to: version, steps)
    try database.database.upgrade { upgrade }
    #expect(try database.seen("PRAGMA integrity_check") == ["ok"])
    #expect(try database.database.anyFunc(sql: "PRAGMA foreign_keys") == 1)
  }

  private func error<Model: XTModel>(
    _ database: TestDatabase, _ type: Model.Type, _ steps: (inout XTUpgradeSteps<Model>) -> Void
  ) throws -> XTError? {
    let before = try database.seen("SELECT * FROM sqlite_master")
    let upgrade = XTUpgrade(type, to: 2, steps)
    let error = schemaError { try database.database.upgrade { upgrade } }
    #expect(try database.seen("SELECT * FROM sqlite_master") == before)
    return error
  }

  private static let hangers = """
    CREATE INDEX by_size ON UpBox (size DESC, color);
    CREATE TABLE box_log (text);
    CREATE TRIGGER box_changed AFTER UPDATE OF size ON UpBox WHEN NEW.size > 0
      BEGIN INSERT INTO box_log VALUES (OLD.size || '>' || NEW.size); END;
    CREATE VIEW box_names AS SELECT name FROM UpBox;
    CREATE TABLE box_child (box INTEGER REFERENCES UpBox (pkid) ON DELETE CASCADE);
    INSERT INTO box_child SELECT pkid FROM UpBox;
    """

  @Test(arguments: [0, 3]) func change_tableThatMuchHangsOn_keepsAllOfIt(_ rows: Int) throws {
    let database = try boxes(rows, and: Self.hangers)
    let objects = "SELECT type, name, sql FROM sqlite_master WHERE name LIKE 'b%' ORDER BY name"
    let before = try database.seen(objects)
    try upgrade(database, UniqueBox.self) { $0.change(\.name, \.color) }
    #expect(try database.seen(objects) == before)
    #expect(try database.seen("SELECT count(*) FROM box_child") == ["\(rows)"])
    #expect(
      try database.seen("SELECT pkid, name, size, color FROM UpBox")
        == (0..<rows).map { "\($0 + 1)|n\($0)|\($0)|c\($0)" })
    try database.outside("INSERT INTO UpBox (name) VALUES ('new'); UPDATE UpBox SET size = 9")
    #expect(try database.seen("SELECT count(*) FROM box_log") == ["\(rows + 1)"])
    #expect(try database.seen("SELECT max(pkid) FROM UpBox") == ["\(rows + 1)"])
    #expect(throws: XTError.self) {
      try database.outside("INSERT INTO UpBox (name) VALUES ('new')")
    }
  }

  @Test func change_uniqueOverDuplicates_isRefusedAndNamesThem() throws {
    let database = try boxes(3, and: "UPDATE UpBox SET name = 'same' WHERE pkid > 1")
    let error = try error(database, UniqueBox.self) { $0.change(\.name) }
    #expect(error?.kind == .upgrade)
    #expect(error?.message.contains("'same' in 2 rows") == true)
    let index = try self.error(database, Box.self) { $0.addIndex(\.name, unique: true) }
    #expect(index?.message.contains("'same' in 2 rows") == true)
  }

  @Test func change_toOptionalAndBack_convertsWhatRowsHold() throws {
    let database = try boxes()
    try upgrade(database, OptionalBox.self) { $0.change(\.name, \.size, \.color) }
    #expect(try database.seen("SELECT typeof(size), size FROM UpBox LIMIT 1") == ["real|0.0"])
    try database.outside("UPDATE UpBox SET name = NULL, size = NULL, color = NULL WHERE pkid = 2")
    try upgrade(database, Box.self, to: 3) { $0.change(\.name, \.size, \.color) }
    #expect(
      try database.seen("SELECT typeof(size), size, name, color FROM UpBox")
        == ["integer|0|n0|c0", "integer|1||red", "integer|2|n2|c2"])
    let fresh = try boxes(0)
    #expect(try declaredColumns(database, "UpBox") == declaredColumns(fresh, "UpBox"))
  }

  @Test func change_ofTheCaseOfATextAlone_isAChange() throws {
    struct LoudBox: XTModel {
      var color = "RED"
      static var xt_tableName: String { "UpBox" }
    }
    let database = try boxes()
    try upgrade(database, LoudBox.self) { $0.change(\.color) }
    try database.outside("INSERT INTO UpBox (name) VALUES ('new')")
    #expect(try database.seen("SELECT color FROM UpBox WHERE name = 'new'") == ["RED"])
    #expect(
      try database.database.differences(for: [LoudBox.self]).allSatisfy {
        $0.subject != .defaultValue("color")
      })
  }

  /// Values that would throw at every later find.
  @Test func change_overValuesThatTheTypeHasNot_namesTheRow() throws {
    enum Shade: String, Codable { case c0, c1 }
    struct Typed: XTModel {
      var name = UUID()
      var size: Int8 = 0
      var color: Shade? = nil
      static var xt_tableName: String { "UpBox" }
    }
    let database = try boxes(3, and: "UPDATE UpBox SET size = 1000 WHERE pkid = 2")
    for step in [\Typed.name, \Typed.size, \Typed.color] as [PartialKeyPath<Typed>] {
      let error = try error(database, Typed.self) { $0.change(step) }
      #expect(error?.kind == .upgrade)
      #expect(error?.message.contains(" cannot follow the change of ") == true)
    }
    try database.outside(
      "UPDATE UpBox SET size = 7, color = 'c1',"
        + " name = '5f0c9e4a-6d1f-4a52-9b7e-0c8f6f4c1a2b'")
    try upgrade(database, Typed.self) { $0.change(\.name, \.size, \.color) }
    // In the one form that XTLite writes.
    #expect(
      try database.seen("SELECT DISTINCT name FROM UpBox")
        == ["5F0C9E4A-6D1F-4A52-9B7E-0C8F6F4C1A2B"])
    #expect(try database.table(Typed.self).findAll().map(\.color) == [.c1, .c1, .c1])
  }

  @Test func change_ofJSON_keepsWhatThisBuildDoesNotKnow() throws {
    struct Spec: Codable, Hashable { var size = 0 }
    struct Specified: XTModel {
      var name = Spec()
      static var xt_tableName: String { "UpBox" }
    }
    let text = #"{"size":3,"newer":[1,2]}"#
    let database = try boxes(1, and: "UPDATE UpBox SET name = '\(text)'")
    try upgrade(database, Specified.self) { $0.change(\.name) }
    #expect(try database.seen("SELECT name FROM UpBox") == [text])
    let bad = try boxes(1, and: "UPDATE UpBox SET name = 'no JSON'")
    #expect(try error(bad, Specified.self) { $0.change(\.name) }?.kind == .upgrade)
  }

  @Test func change_columnNamedInSingleQuotes_keepsTheRest() throws {
    let database = try TestDatabase(
      after: "CREATE TABLE UpBox ('pkid' INTEGER PRIMARY KEY, 'name' TEXT, 'odd one' TEXT, size);"
        + "INSERT INTO UpBox (name, 'odd one', size) VALUES ('n', 'kept', '5')")
    try upgrade(database, Box.self) {
      $0.change(\.size)
      $0.rename("odd one", to: \.color)
    }
    #expect(try database.seen("SELECT name, color, size FROM UpBox") == ["n|kept|5"])
  }

  @Test func change_withConversion_writesWhatItGives() throws {
    let database = try boxes()
    try upgrade(database, Box.self) {
      $0.change(\.size) { old in Int(old.int64 ?? 0) * 10 }
    }
    #expect(try database.seen("SELECT size FROM UpBox") == ["0", "10", "20"])
  }

  @Test func change_primaryKey_takesThePlaceOfPkid() throws {
    let database = try boxes()
    try upgrade(database, KeyedBox.self) { $0.add(\.number) }
    #expect(
      try database.seen("PRAGMA table_info(UpBox)").contains { $0.contains("|number|INTEGER|") })
    #expect(try !database.columns(of: "UpBox").contains("pkid"))
    #expect(try database.seen("SELECT number, name FROM UpBox") == ["1|n0", "2|n1", "3|n2"])
    var box = KeyedBox()
    #expect(try database.table(KeyedBox.self).insert(&box) == 4)
    // And back.
    try upgrade(database, Box.self, to: 3) {
      $0.drop("number")
      $0.addAutomaticColumns()
    }
    #expect(try database.seen("SELECT pkid, name FROM UpBox LIMIT 2") == ["1|n0", "2|n1"])
  }

  @Test(arguments: [0, 3]) func rename_withAllThatNamesIt_isFollowed(_ rows: Int) throws {
    let database = try boxes(
      rows,
      and: "ALTER TABLE UpBox ADD COLUMN weight INTEGER CHECK (weight > 0 OR weight IS NULL);"
        + "CREATE INDEX by_weight ON UpBox (weight) WHERE weight > 1;"
        + "CREATE TABLE heavy (w);"
        + "CREATE TRIGGER weighed AFTER UPDATE OF weight ON UpBox"
        + " BEGIN INSERT INTO heavy VALUES (NEW.weight); END;"
        + "UPDATE UpBox SET weight = pkid")
    struct Weighed: XTModel {
      var name = ""
      var mass: Int?
      static var xt_tableName: String { "UpBox" }
    }
    try upgrade(database, Weighed.self) { $0.rename("weight", to: \.mass) }
    #expect(
      try database.seen("SELECT mass FROM UpBox") == (0..<rows).map { "\($0 + 1)" })
    try database.outside("UPDATE UpBox SET mass = mass + 1")
    #expect(try database.seen("SELECT count(*) FROM heavy") == ["\(2 * rows)"])
    #expect(
      try database.seen("SELECT sql FROM sqlite_master WHERE name = 'by_weight'")
        .allSatisfy { !$0.contains("(weight") })
    #expect(throws: XTError.self) { try database.outside("INSERT INTO UpBox (mass) VALUES (0)") }
    // Done is done.
    try upgrade(database, Weighed.self, to: 3) { $0.rename("weight", to: \.mass) }
  }

  @Test func rename_targetAddedByItself_isDroppedUnlessRowsUseIt() throws {
    struct NewBox: XTModel {
      var name = ""
      var size = 1
      var colour = "blue"
      static var xt_tableName: String { "UpBox" }
    }
    let database = try boxes()
    try database.table(NewBox.self).autoCreateIfNotExist()
    // A verb adds the column first.
    try database.table(NewBox.self).updateAll(.set(\.size, to: 5))
    #expect(try database.columns(of: "UpBox").contains("colour"))
    try upgrade(database, NewBox.self) { $0.rename("color", to: \.colour) }
    #expect(try database.seen("SELECT colour FROM UpBox") == ["c0", "c1", "c2"])

    let used = try boxes()
    try used.table(NewBox.self).updateAll(.set(\.colour, to: "mine"))
    let error = try error(used, NewBox.self) { $0.rename("color", to: \.colour) }
    #expect(error?.kind == .upgrade)
    #expect(error?.message.contains("`color`") == true)
    #expect(error?.message.contains("`colour`") == true)
  }

  @Test(arguments: [0, 3]) func swap_twoColumns_exchangesTheirNames(_ rows: Int) throws {
    let database = try boxes(rows)
    try upgrade(database, Box.self) { $0.swap(\.name, \.color) }
    #expect(
      try database.seen("SELECT name, color FROM UpBox") == (0..<rows).map { "c\($0)|n\($0)" })
  }

  @Test(arguments: [0, 3]) func drop_columnWithItsIndex_keepsTheRest(_ rows: Int) throws {
    let database = try boxes(rows, and: "CREATE UNIQUE INDEX by_color ON UpBox (color)")
    try upgrade(database, BareBox.self) {
      $0.drop("color", "size")
      $0.drop("nobody")
    }
    #expect(try database.seen("SELECT name FROM UpBox") == (0..<rows).map { "n\($0)" })
    #expect(
      try database.columns(of: "UpBox") == [
        "pkid", "name", "xt_createTime", "xt_updateTime", "xt_isDel",
      ])
  }

  @Test func drop_whatAViewTriggerOrIndexNames_isRefusedByItsName() throws {
    let view = try boxes(1, and: "CREATE VIEW colors AS SELECT color FROM UpBox")
    #expect(try error(view, BareBox.self) { $0.drop("color") }?.message.contains("colors") == true)
    let trigger = try boxes(
      1,
      and: "CREATE TABLE l (t); CREATE TRIGGER colored AFTER INSERT ON UpBox"
        + " BEGIN INSERT INTO l VALUES (NEW.color); END")
    #expect(
      try error(trigger, BareBox.self) { $0.drop("color") }?.message.contains("colored") == true)
    let index = try boxes(1, and: "CREATE INDEX both ON UpBox (size, color)")
    #expect(try error(index, BareBox.self) { $0.drop("color") }?.message.contains("both") == true)
    try upgrade(index, BareBox.self) {
      $0.dropIndex("both")
      $0.drop("color")
    }
  }

  @Test(arguments: [0, 3]) func fill_touchesOnlyRowsThatHoldTheDefault(_ rows: Int) throws {
    let database = try boxes(rows)
    try upgrade(database, Box.self) {
      $0.fill(\.size) { row in (row["size"] as Int? ?? 0) + 100 }
    }
    // 1 is the default.
    #expect(
      try database.seen("SELECT size FROM UpBox") == (0..<rows).map { $0 == 1 ? "101" : "\($0)" })
    try upgrade(database, Box.self, to: 3) {
      $0.fill(\.size, everyRow: true) { row in (row["size"] as Int? ?? 0) + 1 }
    }
    let error = schemaError {
      try database.database.upgrade {
        XTUpgrade(Box.self, to: 2) { _ in }
        XTUpgrade(Box.self, to: 3) { _ in }
        XTUpgrade(Box.self, to: 4) {
          $0.fill(\.size, everyRow: true) { row in row["nothing"] as Int? ?? 0 }
        }
      }
    }
    #expect(error?.kind == (rows == 0 ? nil : .unknownColumn))
  }

  @Test(arguments: [0, 3]) func addAutomaticColumns_toAnothersTable_givesAll(_ rows: Int) throws {
    let database = try TestDatabase(after: "CREATE TABLE UpBox (name TEXT)")
    for number in 0..<rows {
      try database.outside("INSERT INTO UpBox (name) VALUES ('n\(number)')")
    }
    try upgrade(database, BareBox.self) { $0.addAutomaticColumns() }
    #expect(
      try database.seen("SELECT pkid, name, xt_isDel FROM UpBox")
        == (0..<rows).map { "\($0 + 1)|n\($0)|0" })
    #expect(try database.table(BareBox.self).softDelete(where: \.name == "n1") == min(rows, 1))
  }

  @Test func nil_writtenToAColumnThatIsStillNotNull_namesTheStep() throws {
    let database = try boxes()
    var box = OptionalBox()
    let error = schemaError { try database.table(OptionalBox.self).insert(&box) }
    #expect(error?.kind == .constraint(.notNull))
    #expect(error?.hint?.contains("$0.change(\\.name)") == true)
    let update = schemaError {
      try database.table(OptionalBox.self).updateAll(.set(\.color, to: nil))
    }
    #expect(update?.hint?.contains("$0.change(\\.color)") == true)
    try upgrade(database, OptionalBox.self) { $0.change(\.name, \.size, \.color) }
    try database.table(OptionalBox.self).insert(&box)
  }

  @Test func add_whatCannotBeAddedByItself_namesTheStepAndWorksInIt() throws {
    struct Coded: XTModel {
      var name = ""
      var code = ""
      static var xt_tableName: String { "UpBox" }
      static var xt_keywords: XTKeywordMap { [\Coded.code: .unique] }
    }
    let database = try boxes()
    var box = Coded()
    let error = schemaError { try database.table(Coded.self).insert(&box) }
    #expect(error?.kind == .upgrade)
    #expect(error?.hint?.contains("$0.change(\\.code)") == true)
    try upgrade(database, Coded.self) {
      $0.add(column: "code", "TEXT")
      $0.fill(\.code) { row in "code \(row["pkid"] as Int64? ?? 0)" }
      $0.change(\.code)
    }
    #expect(try database.seen("SELECT code FROM UpBox") == ["code 1", "code 2", "code 3"])
    try database.table(Coded.self).insert(&box)
  }
}
