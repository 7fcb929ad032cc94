import Foundation
import Testing

@testable import XTLite

private struct Artist: XTModel, Equatable {
  var id = 0
  var name: String?

  static var xt_columnNames: XTNameMap { [\Artist.id: "ArtistId", \Artist.name: "Name"] }
  static var xt_primaryKey: XTKeyPaths { [\Artist.id] }
}

private struct Album: XTModel, Equatable {
  var id: Int64?
  var title = ""
  var artistID = 0

  static var xt_columnNames: XTNameMap {
    [\Album.id: "AlbumId", \Album.title: "Title", \Album.artistID: "ArtistId"]
  }
  static var xt_primaryKey: XTKeyPaths { [\Album.id] }
  static var xt_indexes: [XTIndex] { [XTIndex(\Album.artistID)] }
  static var xt_constraints: [XTConstraint] {
    [.foreignKey(\Album.artistID, references: Artist.self)]
  }
}

private struct Entry: XTModel, Equatable {
  var list = 0
  var track = 0
  var note: String?

  static var xt_tableName: String { "PlaylistTrack" }
  static var xt_columnNames: XTNameMap {
    [\Entry.list: "PlaylistId", \Entry.track: "TrackId"]
  }
  static var xt_primaryKey: XTKeyPaths { [\Entry.list, \Entry.track] }
  static var xt_ignored: XTKeyPaths { [\Entry.note] }
}

private final class Invoice: XTModel {
  var id = 0
  var date: TextDate?
  var total = 0.0

  static var xt_columnNames: XTNameMap {
    [\Invoice.id: "InvoiceId", \Invoice.date: "InvoiceDate", \Invoice.total: "Total"]
  }
  static var xt_primaryKey: XTKeyPaths { [\Invoice.id] }
  required init() {}
}

private struct DatedInvoice: XTModel {
  var id = 0
  var date: Date?
  var total = 0.0

  static var xt_tableName: String { "Invoice" }
  static var xt_columnNames: XTNameMap {
    [
      \DatedInvoice.id: "InvoiceId", \DatedInvoice.date: "InvoiceDate",
      \DatedInvoice.total: "Total",
    ]
  }
  static var xt_primaryKey: XTKeyPaths { [\DatedInvoice.id] }
}

/// A date as other programs often keep it, so that it is compared as what it is.
private struct TextDate: XTColumnValue, Equatable {
  var text: String

  static var xt_storageClass: XTStorageClass { .text }
  var xt_columnValue: XTValue { .text(text) }

  init(_ text: String) { self.text = text }
  init(xt_columnValue value: XTValue) throws { text = value.string ?? "" }
}

/// A file that another program made, with keys and names of its own, used as it is.
@Suite struct AdoptedFileTests {
  private static let script = """
    CREATE TABLE [Artist] ([ArtistId] INTEGER  NOT NULL, [Name] NVARCHAR(120),
      CONSTRAINT [PK_Artist] PRIMARY KEY  ([ArtistId]));
    CREATE TABLE [Album] ([AlbumId] INTEGER  NOT NULL, [Title] NVARCHAR(160)  NOT NULL,
      [ArtistId] INTEGER  NOT NULL, CONSTRAINT [PK_Album] PRIMARY KEY  ([AlbumId]),
      FOREIGN KEY ([ArtistId]) REFERENCES [Artist] ([ArtistId])
        ON DELETE NO ACTION ON UPDATE NO ACTION);
    CREATE INDEX [IFK_AlbumArtistId] ON [Album] ([ArtistId]);
    CREATE TABLE [PlaylistTrack] ([PlaylistId] INTEGER NOT NULL, [TrackId] INTEGER  NOT NULL,
      CONSTRAINT [PK_PlaylistTrack] PRIMARY KEY  ([PlaylistId], [TrackId]));
    CREATE TABLE [Invoice] ([InvoiceId] INTEGER  NOT NULL, [InvoiceDate] DATETIME  NOT NULL,
      [Total] NUMERIC(10,2)  NOT NULL, CONSTRAINT [PK_Invoice] PRIMARY KEY  ([InvoiceId]));
    INSERT INTO Artist VALUES (1, 'AC/DC'), (2, 'Accept'), (5, NULL);
    INSERT INTO Album VALUES (1, 'For Those About To Rock', 1), (4, 'Let There Be Rock', 1);
    INSERT INTO PlaylistTrack VALUES (1, 7), (1, 8), (2, 7);
    INSERT INTO Invoice VALUES (1, '2021-01-01 00:00:00', 1.98), (2, '2021-01-02 00:00:00', 4)
    """

  private func open() throws -> TestDatabase { try TestDatabase(after: Self.script) }

  /// The text of everything in the file.
  private func schema(_ test: TestDatabase) throws -> [String] {
    try test.seen("SELECT type, name, sql FROM sqlite_master ORDER BY name")
  }

  @Test func everyVerb_leavesTheSchemaAsItIs() throws {
    let test = try open()
    let before = try schema(test)
    let albums = test.table(Album.self)
    #expect(try albums.findAll().map(\.id) == [1, 4])
    #expect(try albums.find(pkid: 4)?.title == "Let There Be Rock")
    var new = Album(title: "Restless", artistID: 2)
    #expect(try albums.insert(&new) == 5)
    #expect(new.id == 5)
    new.title = "Restless and Wild"
    #expect(try albums.update(new) == 1)
    #expect(try albums.upsert(&new, by: \.title) == .updated(pkids: [5]))
    #expect(try albums.save(&new) == .updated(pkids: [5]))
    #expect(try albums.insertOrReplace(&new) == 5)
    var list = [Album(title: "x", artistID: 5), Album(id: 90, title: "y", artistID: 5)]
    try albums.insertList(&list)
    #expect(list.map(\.id) == [6, 90])
    #expect(try albums.updateAll(.add(\.artistID, 0)) == 5)
    #expect(try albums.delete(where: (\Album.id).in([6, 90])) == 2)
    #expect(
      try test.seen("SELECT * FROM Album") == [
        "1|For Those About To Rock|1", "4|Let There Be Rock|1", "5|Restless and Wild|2",
      ])
    var lost = Album(title: "z", artistID: 77)
    #expect(schemaErrorKind { try albums.insert(&lost) } == .constraint(.foreignKey))
    #expect(try schema(test) == before)
    #expect(try test.database.differences(for: [Album.self, Artist.self]) == [])
  }

  @Test func compositeKey_isTheIdentity() throws {
    let test = try open()
    let before = try schema(test)
    let entries = test.table(Entry.self)
    #expect(try entries.findAll().count == 3)
    var entry = Entry(list: 2, track: 8)
    #expect(try entries.save(&entry).isInserted)
    #expect(try !entries.save(&entry).isInserted)
    #expect(schemaErrorKind { try entries.insert(&entry) } == .constraint(.primaryKey))
    #expect(try !entries.insertOrIgnore(&entry))
    #expect(try entries.update(entry) == 1)
    #expect(try entries.delete(Entry(list: 1, track: 7)))
    #expect(try test.seen("SELECT * FROM PlaylistTrack") == ["1|8", "2|7", "2|8"])
    #expect(try schema(test) == before)
  }

  @Test func dateKeptAsText_byATypeOfItsOwn_isComparedAsText() throws {
    let test = try open()
    let invoices = test.table(Invoice.self)
    let last = TextDate("2021-01-02 00:00:00")
    #expect(try invoices.find(where: \.date >= last).map(\.id) == [2])
    #expect(try invoices.find(where: \.date < last).map(\.total) == [1.98])
    let new = Invoice()
    new.date = last
    new.total = 5.5
    #expect(try invoices.insert(new) == 3)
    #expect(new.id == 3 && new.pkid == 3 && new.xt_createTime == nil)
    #expect(
      try test.seen("SELECT * FROM Invoice WHERE InvoiceId = 3") == ["3|2021-01-02 00:00:00|5.5"])
  }

  /// To SQLite a text is greater than every number: all rows would be found, or none.
  @Test func dateKeptAsText_comparedWithADate_throws() throws {
    let test = try open()
    let table = test.table(DatedInvoice.self)
    let day = Date(timeIntervalSince1970: 1_609_459_200)
    #expect(try table.findAll(orderBy: .desc(\.date)).map(\.date).last == day)
    #expect(try table.max(of: \.date) == day + 86_400)
    for call in [
      { try table.count(where: \.date > day) }, { try table.count(where: \.date == day) },
      { try table.count(where: \.total > 1 && !((\DatedInvoice.date).in([day]))) },
      { try table.find(where: (\DatedInvoice.date).between(day, day)).count },
      { try table.find(where: "\(day) <= InvoiceDate").count },
      { try table.find(where: "[InvoiceDate] IS NOT \(day)").count },
      { try table.delete(where: \.date < day) },
      {
        try table.updateAll(.set(\.total, to: 1))
          + table.update(where: \.date > day, .add(\.total, 1))
      },
      { try table.update(DatedInvoice(), by: \.date) },
    ] as [() throws -> Int] {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .schema && error?.column == "InvoiceDate")
      #expect(error?.hint?.contains("XTColumnValue") == true)
    }
    #expect(try table.count(where: \.date != nil && \.total >= 1) == 2)
    #expect(try table.count(where: "InvoiceDate > \("2021-01-01 12:00:00")") == 1)
    #expect(try table.count(where: "date(InvoiceDate) = date(\(day), 'unixepoch')") == 1)
    #expect(try table.count(where: "'InvoiceDate' > \(1) AND \(1) = \(1)") == 2)
  }

  @Test func verbThatNeedsAnAutomaticColumn_namesTheStep() throws {
    let test = try open()
    let before = try schema(test)
    let table = test.table(Invoice.self)
    let invoice = try #require(try table.find(pkid: 1))
    for call in [
      { _ = try table.softDelete(invoice) }, { _ = try table.restore(invoice) },
      { _ = try table.softDelete(where: \.total > 1) }, { _ = try table.findAll(scope: .deleted) },
      { _ = try table.findAll(orderBy: .asc(\.xt_createTime)) },
      { _ = try table.find(where: "xt_updateTime > 0") },
      { try table.forEach(where: \.xt_isDel == false) { _ in } },
      { _ = try table.select(\.xt_updateTime) }, { _ = try table.max(of: \.xt_createTime) },
      { _ = try table.delete(where: "xt_isDel = 0") },
      { _ = try table.updateAll(.set(\.xt_isDel, to: true)) },
    ] as [() throws -> Void] {
      for _ in 1...2 {
        let error = #expect(throws: XTError.self) { try call() }
        #expect(error?.hint?.contains("$0.addAutomaticColumns()") == true, "\(error as Any)")
        #expect(error?.table == "Invoice")
      }
    }
    #expect(try schema(test) == before)
    #expect(try table.count() == 2)
  }
}
