import Foundation
import Testing

@testable import XTLite

private struct Owner: XTModel {
  var pkid: Int64?
  var name = ""

  static var xt_tableName: String { "DifferenceOwner" }
}

private struct Note: XTModel {
  var pkid: Int64?
  var code = ""
  var age = 7
  var ratio = 0.5
  var isOn = true
  var nick: String?
  var made = Date()
  var key = UUID()
  var image = Data([1])
  var tags: [String] = []
  var owner: Int64?

  static var xt_tableName: String { "DifferenceNote" }
  static var xt_keywords: XTKeywordMap {
    [
      \Note.code: "UNIQUE COLLATE NOCASE", \Note.age: "CHECK (age >= 0)",
      \Note.nick: "DEFAULT 'x, (y)'",
    ]
  }
  static var xt_indexes: [XTIndex] {
    [
      XTIndex(\Note.age, .desc(\Note.code)), XTIndex(\Note.nick, unique: true, scope: .live),
    ]
  }
  static var xt_constraints: [XTConstraint] {
    [
      .unique(\Note.age, \Note.nick, onConflict: .replace), .check("ratio < 1 OR age > 'A'"),
      .foreignKey(\Note.owner, references: Owner.self, onDelete: .cascade, deferrable: true),
    ]
  }
}

/// The same table as an older program had it.
private struct OlderNote: XTModel {
  var pkid: Int64?
  var code = ""
  var age = ""
  var ratio: Double?
  var isOn = false
  var nick: String?
  var gone = 1

  static var xt_tableName: String { "DifferenceNote" }
  static var xt_keywords: XTKeywordMap { [\OlderNote.nick: "UNIQUE"] }
  static var xt_indexes: [XTIndex] { [XTIndex(\OlderNote.gone, name: "old")] }
}

private struct Grown: XTModel {
  var ratio = 0.5
  var code = ""
  var age = 7
  var nick: String?
  var made = Date()
  var owner: Int64?

  static var xt_keywords: XTKeywordMap {
    [\Grown.code: .unique, \Grown.age: "NOT NULL CHECK (age >= 0)"]
  }
  static var xt_indexes: [XTIndex] { [XTIndex(\Grown.age, .desc(\Grown.code))] }
  static var xt_constraints: [XTConstraint] {
    [
      .unique(\Grown.age, \Grown.nick), .check("ratio < age OR code > 'A'"),
      .foreignKey(\Grown.owner, references: Owner.self, onDelete: .cascade),
    ]
  }
}

private final class Thing: XTModel {
  var title = ""

  static var xt_tableName: String { "DifferenceThing" }
  required init() {}
}

private struct Album: XTModel {
  var id = 0
  var title = ""
  var artist: Int?
  var price = 0.5

  static var xt_tableName: String { "Album" }
  static var xt_columnNames: XTNameMap {
    [\Album.id: "AlbumId", \Album.title: "Title", \Album.artist: "ArtistId"]
  }
  static var xt_primaryKey: XTKeyPaths { [\Album.id] }
  static var xt_indexes: [XTIndex] { [XTIndex(\Album.artist)] }
  static var xt_constraints: [XTConstraint] {
    [.foreignKey(\Album.artist, references: Artist.self, \.id)]
  }
}

private struct Artist: XTModel {
  var id = 0

  static var xt_tableName: String { "Artist" }
  static var xt_columnNames: XTNameMap { [\Artist.id: "ArtistId"] }
  static var xt_primaryKey: XTKeyPaths { [\Artist.id] }
}

private struct Pair: XTModel {
  var left = 0
  var right = 0
  var note: String?

  static var xt_primaryKey: XTKeyPaths { [\Pair.left, \Pair.right] }
}

@Suite struct XTDifferenceTests {
  private func texts(_ differences: [XTDifference]) -> [String] { differences.map(\.description) }

  @Test func tableAsTheModelIs_hasNone() throws {
    let test = try TestDatabase()
    try test.table(Note.self).create()
    try test.table(Note.self, named: "Note_2").create()
    try test.table(Thing.self).create()
    try test.table(Pair.self).create()
    var found: [XTDifference] = []
    let sql = try test.statements {
      found = try test.database.differences(
        for: [Note.self, Owner.self, Thing.self, Pair.self])
      found += try test.database.differences(for: Note.self, named: "Note_2")
    }
    #expect(texts(found) == [])
    #expect(sql.allSatisfy { !$0.hasPrefix("CREATE") && !$0.hasPrefix("INSERT") })
  }

  @Test func tableWithAdditions_hasNone() throws {
    let test = try TestDatabase()
    try test.table(Owner.self).create()
    try test.outside(
      """
      CREATE TABLE Grown (pkid INTEGER PRIMARY KEY AUTOINCREMENT, ratio REAL NOT NULL DEFAULT 0.5,
        xt_createTime REAL, xt_updateTime REAL, xt_isDel BOOLEAN NOT NULL DEFAULT 0);
      INSERT INTO xtlite_tables VALUES ('Grown', 'Grown')
      """)
    try test.table(Grown.self).insertList([Grown(), Grown(code: "b")])
    #expect(try test.columns(of: "Grown").contains("made"))
    #expect(try texts(test.database.differences(for: [Grown.self])) == [])
  }

  @Test func olderTable_tellsEachDifferenceOnce() throws {
    let test = try TestDatabase { $0.automaticAdditions = false }
    try test.table(OlderNote.self).create()
    let differences = try test.database.differences(for: [Note.self])
    #expect(
      Set(differences.map(\.subject)) == [
        .column("made"), .column("key"), .column("image"), .column("tags"), .column("owner"),
        .column("gone"), .collation("code"), .unique(["code"]), .type("age"),
        .defaultValue("age"), .nullability("ratio"), .defaultValue("ratio"),
        .defaultValue("isOn"), .defaultValue("nick"), .unique(["nick"]),
        .unique(["age", "nick"]), .check("age >= 0"), .check("ratio < 1 OR age > 'A'"),
        .foreignKey(["owner"]), .index(["age", "code"]), .index(["nick"]), .index(["gone"]),
      ])
    #expect(differences.count == Set(differences.map(\.subject)).count)
    let texts = texts(differences)
    #expect(
      texts.contains("DifferenceNote.age, type: TEXT in the file, INTEGER in the model"))
    #expect(texts.contains("DifferenceNote.ratio, NULL: NULL in the file, NOT NULL in the model"))
    #expect(
      texts.contains(
        "DifferenceNote.gone: `gone` INTEGER NOT NULL DEFAULT 1 in the file, nothing in the model"))
    #expect(
      texts.contains(
        "DifferenceNote, index gone: INDEX `old` (`gone`) in the file, nothing in the model"))
  }

  @Test func missingTable_isOneDifference() throws {
    let test = try TestDatabase()
    let differences = try test.database.differences(for: [Thing.self, Owner.self])
    #expect(differences.map(\.subject) == [.table, .table])
    #expect(differences.first?.model.hasSuffix(".Thing") == true)
    #expect(
      differences.first?.description
        == "DifferenceThing: nothing in the file, `DifferenceThing` in the model")
    try test.table(Thing.self, named: "Thing_2").create()
    #expect(try test.database.differences(for: [Thing.self]) == [])
    #expect(try test.database.differences(for: Thing.self, named: "Thing_3").count == 1)
  }

  @Test func namedTables_areComparedToo() throws {
    let test = try TestDatabase()
    try test.table(Thing.self).create()
    try test.table(Thing.self, named: "Thing_2").create()
    try test.outside("ALTER TABLE Thing_2 ADD COLUMN extra")
    let differences = try test.database.differences(for: [Thing.self])
    #expect(differences.map(\.table) == ["Thing_2"])
    #expect(differences.map(\.subject) == [.column("extra")])
  }

  @Test(arguments: [
    """
    CREATE TABLE [Album] ([AlbumId] INTEGER NOT NULL, [Title] NVARCHAR(160)  NOT NULL,
      [ArtistId] INT, price NUMERIC(10,2) NOT NULL DEFAULT '.5',
      CONSTRAINT [PK_Album] PRIMARY KEY  ([AlbumId]),
      FOREIGN KEY ([ArtistId]) REFERENCES [Artist] ([ArtistId])
        ON DELETE NO ACTION ON UPDATE NO ACTION)
    """,
    """
    CREATE TABLE Album (AlbumID INTEGER PRIMARY KEY, 'Title' VARCHAR NOT NULL DEFAULT (''),
      ArtistId INTEGER REFERENCES artist, price DOUBLE PRECISION NOT NULL)
    """,
  ])
  func tableOfAnotherProgram_adopted_hasNone(definition: String) throws {
    let test = try TestDatabase(
      after: """
        CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY); \(definition);
        CREATE INDEX [IFK_AlbumArtistId] ON [Album] ([ArtistId])
        """)
    #expect(try texts(test.database.differences(for: [Album.self, Artist.self])) == [])
  }

  @Test func tableOfAnotherProgram_tellsWhatIsOtherwise() throws {
    let test = try TestDatabase(
      after: """
        CREATE TABLE Album (AlbumId INT PRIMARY KEY, Title TEXT, ArtistId TEXT,
          price REAL NOT NULL DEFAULT 9, extra INTEGER AS (1 + 1), UNIQUE (Title) ON CONFLICT IGNORE
          CHECK (Title <> 'a,b'));
        CREATE INDEX later ON Album (lower(Title)) WHERE price > 1;
        """.replacingOccurrences(
          of: "AS (1 + 1)", with: SQLiteLibrary.versionNumber < 3_031_000 ? "" : "AS (1 + 1)"))
    #expect(
      Set(try test.database.differences(for: [Album.self]).map(\.subject)) == [
        .primaryKey, .nullability("Title"), .type("ArtistId"), .defaultValue("price"),
        .column("extra"), .unique(["Title"]), .check("Title <> 'a,b'"), .foreignKey(["ArtistId"]),
        .index(["ArtistId"]), .index(["later"]),
      ])
  }

  @Test func compositeKeys_areTheSameInAnyForm() throws {
    for definition in [
      "left INTEGER NOT NULL, right INTEGER NOT NULL, note, PRIMARY KEY (right, left)",
      "left INT NOT NULL, right INT NOT NULL, note TEXT, UNIQUE (left, right)",
    ] {
      let test = try TestDatabase(after: "CREATE TABLE Pair (\(definition))")
      let differences = try test.database.differences(for: [Pair.self])
      #expect(texts(differences) == [])
    }
  }

  @Test func view_hasOnlyColumns() throws {
    let test = try TestDatabase(
      after: "CREATE TABLE t (a); CREATE VIEW DifferenceThing AS SELECT a, a AS title FROM t")
    #expect(
      try test.database.differences(for: [Thing.self]).map(\.subject) == [.column("a")])
  }
}

extension Grown {
  fileprivate init(code: String) {
    self.code = code
  }
}
