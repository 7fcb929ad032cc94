import Foundation
import Testing

@testable import XTLite

private struct Book: XTModel, Equatable {
  var pkid: Int64?
  var title = ""
  var pages: Int?
}

private struct Song: XTModel, Equatable {
  var id = 0
  var title = ""

  static var xt_primaryKey: XTKeyPaths { [\Song.id] }
}

private struct Article: XTModel, Equatable {
  var title = ""
  var pages: Int?

  static var xt_tableName: String { "Book" }
  static var xt_keywords: XTKeywordMap { [\Article.title: .unique] }
}

private final class BookObject: XTModel {
  var title = ""
  var pages: Int?

  static var xt_tableName: String { "Book" }

  init() {}

  init(_ title: String) { self.title = title }
}

/// Writing to tables that another program made: the automatic columns they lack are left out.
@Suite struct OtherProgramsTablesTests {
  private static let plain = "CREATE TABLE Book (title TEXT, pages INTEGER)"

  @Test func everyVerb_leavesTheMissingColumnsOut() throws {
    let test = try TestDatabase(after: Self.plain)
    let table = test.table(Book.self)
    var book = Book(title: "a", pages: 1)
    let sql = try test.statements {
      try table.insert(&book)
      try table.insert(&book, only: \.title)
      try table.update(book)
      try table.update(book, by: \.title)
      try table.save(&book)
      try table.upsert(&book, by: \.title)
      try table.insertOrReplace(&book)
      try table.insertOrIgnore(&book)
      try table.insertList([book, book])
      try table.updateList([book])
      try table.update(where: \.title == "a", .add(\.pages, 1))
      try table.delete(book)
      try table.delete(where: \.pages > 100)
    }
    for word in ["xt_createTime", "xt_updateTime", "xt_isDel", "`pkid`", "CREATE", "ALTER"] {
      #expect(sql.filter { $0.contains(word) && !$0.hasPrefix("SELECT") } == [], "\(word)")
    }
    #expect(sql.contains("INSERT INTO `Book` (`title`, `pages`) VALUES (?, ?)"))
    #expect(try test.tables() == ["Book"])
    #expect(try test.columns(of: "Book") == ["title", "pages"])
  }

  /// Texts that differ may be equal by the file's collation, of which the model knows nothing.
  @Test(arguments: ["COLLATE NOCASE", "COLLATE RTRIM", "UNIQUE COLLATE nocase"])
  func update_byACollatedColumn_writesItToo(collation: String) throws {
    let test = try TestDatabase(
      after: """
        CREATE TABLE Book (title TEXT \(collation), pages INTEGER);
        INSERT INTO Book VALUES ('abc', 1);
        """)
    let title = collation.contains("RTRIM") ? "abc  " : "ABC"
    #expect(try test.table(Book.self).update(Book(title: title, pages: 2), by: \.title) == 1)
    #expect(try test.seen("SELECT title || '.', pages FROM Book") == ["\(title).|2"])
    if collation.hasPrefix("UNIQUE") {
      #expect(try test.table(Article.self).update(Article(title: "aBc", pages: 3)) == 1)
      #expect(try test.seen("SELECT title, pages FROM Book") == ["aBc|3"])
    }
  }

  @Test func value_isFoundByTheRowsNumber() throws {
    let test = try TestDatabase(after: "\(Self.plain); INSERT INTO Book VALUES ('x', 1), ('y', 2)")
    let table = test.table(Book.self)
    var book = Book(title: "z", pages: 3)
    #expect(try table.insert(&book) == 3)
    #expect(book.pkid == 3)
    let found = try #require(try table.findFirst(where: \.title == "y"))
    #expect(found.pkid == 2)
    #expect(try table.update(Book(pkid: 2, title: "Y", pages: nil)) == 1)
    var saved = Book(pkid: 1, title: "X")
    #expect(try table.save(&saved) == .updated(pkids: [1]))
    #expect(try table.upsert(&saved, by: \.pkid) == .updated(pkids: [1]))
    #expect(try table.delete(book))
    let object = try #require(try test.table(BookObject.self).findFirst(where: \.title == "Y"))
    #expect(object.pkid == 2)
    object.pages = 8
    #expect(try test.table(BookObject.self).update(object) == 1)
    #expect(object.xt_createTime == nil && object.xt_updateTime == nil)
    #expect(try test.seen("SELECT * FROM Book") == ["X|NULL", "Y|8"])
  }

  @Test func keyOfAnotherName_isThePkid() throws {
    let test = try TestDatabase(
      after: """
        CREATE TABLE Book (nr INTEGER PRIMARY KEY, title TEXT, pages INTEGER);
        INSERT INTO Book VALUES (7, 'x', 1)
        """)
    let table = test.table(Book.self)
    var book = Book(title: "y")
    #expect(try table.insert(&book) == 8)
    var chosen = Book(pkid: 50, title: "z")
    #expect(try table.insert(&chosen) == 50)
    #expect(throws: XTError.self) { try table.insert(&chosen) }
    #expect(try table.update(Book(pkid: 7, title: "X")) == 1)
    #expect(try table.delete(book))
    let object = BookObject("o")
    #expect(try test.table(BookObject.self).insert(object) == 51)
    #expect(try test.seen("SELECT * FROM Book") == ["7|X|NULL", "50|z|NULL", "51|o|NULL"])
  }

  @Test func softDeletion_andItsScopes_throw() throws {
    let test = try TestDatabase(after: "\(Self.plain); INSERT INTO Book VALUES ('x', 1)")
    let table = test.table(Book.self)
    let book = Book(pkid: 1)
    for call in [
      { try table.softDelete(book) }, { try table.restore(book) },
      { try table.softDelete(where: nil) > 0 },
      { try table.delete(where: nil, scope: .deleted) > 0 },
      { try table.updateAll(.set(\.pages, to: 2), scope: .deleted) > 0 },
      { try test.table(BookObject.self).softDelete(BookObject("x")) },
    ] as [() throws -> Bool] {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .schema && error?.column == "xt_isDel" && error?.hint != nil)
    }
    #expect(try test.seen("SELECT * FROM Book") == ["x|1"])
  }

  @Test func upsert_withoutRowTimes_works() throws {
    let test = try TestDatabase(
      after:
        "\(Self.plain); CREATE UNIQUE INDEX t ON Book (title); INSERT INTO Book VALUES ('x', 1)")
    let table = test.table(Article.self)
    #expect(
      try table.upsertList([Article(title: "x", pages: 2), Article(title: "y")], by: \.title) == [
        .updated(pkids: [1]), .inserted(pkid: 2),
      ])
    #expect(try table.update(Article(title: "y", pages: 5)) == 1)
    #expect(try test.seen("SELECT * FROM Book") == ["x|2", "y|5"])
  }

  // MARK: A property without a place

  @Test func propertyThatTheTableLacks_isNotLostWithoutAWord() throws {
    let test = try TestDatabase(
      after: "CREATE TABLE Book (title TEXT); INSERT INTO Book VALUES ('x')")
    let table = test.table(Book.self)
    var book = Book(title: "a", pages: 1)
    for call in [
      { try table.insert(&book) }, { try table.insertList([book]) }, { try table.save(&book) },
      { try table.upsert(&book, by: \.title) }, { try table.insertOrReplace(&book) },
      { try table.update(Book(pkid: 1)) }, { try table.updateList([Book(pkid: 1)]) },
      { try table.update(book, only: \.pages) }, { try table.update(book, by: \.pages) },
      { try table.insert(&book, only: \.title, \.pages) },
    ] as [() throws -> Void] {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .schema && error?.column == "pages")
      #expect(error?.hint?.contains("upgrade") == true)
    }
    #expect(try table.insert(&book, only: \.title) == 2)
    #expect(try table.update(Book(pkid: 1, title: "X"), only: \.title) == 1)
    #expect(try table.findAll().map(\.pages) == [nil, nil])
    // As soon as there is a place for it, all goes.
    try test.outside("ALTER TABLE Book ADD COLUMN pages INTEGER")
    #expect(try table.update(Book(pkid: 1, title: "X", pages: 6)) == 1)
    #expect(try test.seen("SELECT * FROM Book") == ["X|6", "a|NULL"])
  }

  @Test func propertyAddedByAnUpgrade_isWritten() throws {
    let test = try TestDatabase(
      after: "CREATE TABLE Book (title TEXT); INSERT INTO Book VALUES ('x')")
    let table = test.table(Book.self)
    #expect(throws: XTError.self) { try table.update(Book(pkid: 1)) }
    try test.database.upgrade(Book.self, add: [\Book.pages], version: 2)
    #expect(try table.update(Book(pkid: 1, title: "y", pages: 3)) == 1)
    #expect(try test.seen("SELECT * FROM Book") == ["y|3"])
  }

  @Test func additionsThatAreOff_loseNothingEither() throws {
    let test = try TestDatabase(after: nil) { $0.automaticAdditions = false }
    let table = test.table(Book.self)
    try table.create()
    try table.insertList([Book(title: "a")])
    try test.database.execute(
      "DROP TABLE Book; CREATE TABLE Book (pkid INTEGER PRIMARY KEY, title)")
    let error = #expect(throws: XTError.self) { try table.insertList([Book(title: "b")]) }
    #expect(error?.kind == .schema)
  }

  // MARK: Keys of other sorts

  private static let keys = [
    "id INTEGER PRIMARY KEY, title TEXT", "id INT PRIMARY KEY, title TEXT",
    "id INTEGER PRIMARY KEY DESC, title TEXT", "title TEXT, id INTEGER UNIQUE",
    "ID integer primary key, TITLE TEXT",
  ]

  @Test(arguments: keys + ["WITHOUT ROWID"])
  func ownIntegerKey_ofAnyForm_isTheRowsNumber(columns: String) throws {
    let definition =
      columns == "WITHOUT ROWID"
      ? "CREATE TABLE Song (id INTEGER PRIMARY KEY, title TEXT) WITHOUT ROWID"
      : "CREATE TABLE Song (\(columns))"
    let test = try TestDatabase(
      after: "\(definition); INSERT INTO Song (id, title) VALUES (70, 'x'), (30, 'y')")
    let table = test.table(Song.self)
    #expect(try table.update(Song(id: 30, title: "Y")) == 1)
    var song = Song(id: 5, title: "five")
    #expect(try table.insert(&song) == 5)
    #expect(try table.save(&song) == .updated(pkids: [5]))
    song.title = "FIVE"
    #expect(try table.upsert(&song) == .updated(pkids: [5]))
    #expect(try table.insertOrReplaceList([Song(id: 6, title: "six"), song]) == 2)
    #expect(throws: XTError.self) { try table.insert(&song) }
    #expect(try table.delete(Song(id: 70)))
    #expect(throws: XTError.self) { try table.update(Song(id: 1)) }
    #expect(try test.seen("SELECT id, title FROM Song ORDER BY id") == ["5|FIVE", "6|six", "30|Y"])
    // Where SQLite gives no numbers, one must be set.
    var unset = Song(title: "none")
    if columns.lowercased().hasPrefix("id integer primary key, ") {
      #expect(try table.insert(&unset) == 31)
    } else {
      let error = #expect(throws: XTError.self) { try table.insert(&unset) }
      #expect(error?.kind == .noIdentity && error?.column == "id")
      #expect(try table.count() == 3)
    }
  }

  @Test func rowsWithoutNumbers_areFoundByTheirKey() throws {
    let test = try TestDatabase(
      after: "CREATE TABLE Book (title TEXT PRIMARY KEY, pages INTEGER) WITHOUT ROWID")
    let table = test.table(Article.self)
    var article = Article(title: "a", pages: 1)
    #expect(try table.insert(&article) == 0)
    article.pages = 2
    #expect(try table.update(article) == 1)
    #expect(try table.save(&article) == .updated(pkids: []))
    #expect(
      try table.upsertList([article, Article(title: "b")]).map(\.isInserted) == [false, true])
    #expect(try table.insertOrReplace(&article) == 0)
    #expect(try table.updateList([article, Article(title: "b", pages: 9)]) == 2)
    #expect(throws: XTError.self) { try table.insert(&article) }
    #expect(try table.delete(article))
    #expect(try test.seen("SELECT * FROM Book") == ["b|9"])
    // A number is nothing to go by here.
    var book = Book(title: "c", pages: 1)
    try test.table(Book.self).insert(&book)
    #expect(book.pkid == nil)
    book.pkid = 1
    let error = #expect(throws: XTError.self) { try test.table(Book.self).update(book) }
    #expect(error?.kind == .noIdentity)
    #expect(try test.table(Book.self).update(book, by: \.title) == 1)
    let object = BookObject("d")
    try test.table(BookObject.self).insert(object)
    #expect(object.pkid == nil)
  }

  @Test func columnNamedPkid_thatNumbersNothing_isStillTheNumber() throws {
    let test = try TestDatabase(
      after: """
        CREATE TABLE Book (title TEXT, pages INTEGER, pkid INTEGER);
        INSERT INTO Book VALUES ('x', 1, 20), ('y', 2, 1)
        """)
    let table = test.table(Book.self)
    #expect(try table.update(Book(pkid: 20, title: "X")) == 1)
    #expect(try table.delete(Book(pkid: 1)))
    #expect(try test.seen("SELECT title FROM Book") == ["X"])
  }

  @Test func views_takeNoRows() throws {
    let test = try TestDatabase(
      after: "CREATE TABLE t (title, pages); CREATE VIEW Book AS SELECT * FROM t")
    let table = test.table(Book.self)
    var book = Book(title: "a")
    for call in [
      { try table.insert(&book) }, { try table.insertList([book]) }, { try table.deleteAll() },
      { try table.updateAll(.set(\.pages, to: 1)) }, { try table.save(&book) },
      { try table.drop() },
    ] as [() throws -> Void] {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .schema)
    }
  }
}
