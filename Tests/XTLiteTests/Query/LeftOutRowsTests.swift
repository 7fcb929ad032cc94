import Foundation
import Testing

@testable import XTLite

private struct Owner: XTModel {
  var pkid: Int64?
  var name = ""
}

/// Not made by anybody.
private struct Ghost: XTModel {
  var pkid: Int64?
  var ownerID: Int64 = 0
  var name = ""
}

private struct OldPet: XTModel {
  var pkid: Int64?
  var ownerID: Int64 = 0

  static var xt_tableName: String { "Pet" }
}

/// The same table, before it has the other columns.
private struct Pet: XTModel {
  var pkid: Int64?
  var ownerID: Int64 = 0
  var title = "init"
  var born = Date(timeIntervalSince1970: 5)

  static var xt_tableName: String { "Pet" }
}

/// Knows no number of its rows, and may hold nothing at all.
private struct Remark: XTModel {
  var text: String?
  var ownerID: Int64?
}

/// What a left join leaves out of a row is not made up from what stands for NULL in rows.
@Suite struct LeftOutRowsTests {
  let sut: TestDatabase

  init() throws {
    sut = try TestDatabase()
    try sut.table(Owner.self).insertList([Owner(name: "Ann"), Owner(name: "Bob")])
    try sut.table(OldPet.self).insertList([OldPet(ownerID: 1)])
  }

  private var owners: XTTable<Owner> { sut.table(Owner.self) }
  private var withPets: XTQuery<Owner, (Owner, Pet?)> {
    owners.query().leftJoin(Pet.self, on: Pet.xt.ownerID == Owner.xt.pkid)
      .orderBy(.asc(\.pkid))
  }

  @Test func column_ofATableThatIsMissing_isNil() throws {
    let query = owners.query().leftJoin(Ghost.self, on: Ghost.xt.ownerID == Owner.xt.pkid)
    let error = #expect(throws: XTError.self) {
      try query.columns(Owner.xt.name, Ghost.xt.name).all()
    }
    #expect(error?.kind == .decoding)
    #expect(error?.hint?.contains(".optional") == true)
    let rows = try query.columns(Owner.xt.name, Ghost.xt.name.optional).all()
    #expect(rows.map(\.0) == ["Ann", "Bob"])
    #expect(rows.allSatisfy { $0.1 == nil })
    #expect(try query.all().allSatisfy { $0.1 == nil })
  }

  @Test func column_thatTheFileLacks_isMadeUpForRowsThatAreThere() throws {
    let titles = withPets.columns(Owner.xt.name, Pet.xt.title)
    let first = try titles.first()
    #expect(first?.1 == "init")
    #expect(throws: XTError.self) { try titles.all() }
    #expect(throws: XTError.self) { try withPets.columns(Pet.xt.born).all() }
    let known = withPets.where(Pet.xt.pkid.isNotNull)
    #expect(try known.columns(Pet.xt.title, Pet.xt.born).all().map(\.0) == ["init"])
    #expect(try known.columns(Pet.xt.born).distinct().all() == [Pet().born])
    #expect(try withPets.columns(Pet.xt.title).limit(1).all() == ["init"])
    let pets = try withPets.all()
    #expect(pets.map(\.1?.title) == ["init", nil])
  }

  @Test func column_thatTheFileLacks_isMadeUpAlsoInGroupsAndByDecodable() throws {
    struct Row: Decodable, Equatable {
      var name: String
      var title: String?
    }
    let grouped = withPets.columns(Pet.xt.title, Owner.xt.pkid.count()).groupBy(Owner.xt.pkid)
    #expect(try grouped.first()?.0 == "init")
    #expect(throws: XTError.self) { try grouped.all() }
    let rows = try withPets.columns(Owner.xt.name, Pet.xt.title.optional).all(as: Row.self)
    #expect(rows.map(\.name) == ["Ann", "Bob"])
    #expect(try withPets.columns(Owner.xt.name).all(as: String.self) == ["Ann", "Bob"])
  }

  @Test func union_neverMakesUpAValue() throws {
    let titles = withPets.columns(Pet.xt.title).orderBy()
    #expect(throws: XTError.self) { try titles.unionAll(titles).all() }
  }

  @Test func row_ofNullsAlone_isThere() throws {
    let remarks = sut.table(Remark.self)
    try sut.database.execute(
      "CREATE TABLE Remark (text TEXT, ownerID INTEGER); INSERT INTO Remark VALUES (NULL, NULL)")
    let nothing = try remarks.query().columns(Remark.xt.all, Remark.xt.pkid).all()
    #expect(nothing.map(\.0.text) == [nil])
    let query = owners.query().leftJoin(
      Remark.self, on: Remark.xt.text.isNull && Owner.xt.name == "Ann"
    ).orderBy(.asc(\.pkid))
    let rows = try query.all()
    #expect(rows.map { $0.1 != nil } == [true, false])
    let all = try query.columns(Owner.xt.name, Remark.xt.all).first()
    #expect(all?.1.text == nil)
    #expect(throws: XTError.self) { try query.columns(Owner.xt.name, Remark.xt.all).all() }
  }
}
