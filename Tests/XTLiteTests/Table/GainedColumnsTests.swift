import Foundation
import Testing

@testable import XTLite

private struct GainedParcel: XTModel {
  var code = ""
  var weight = 0

  static var xt_tableName: String { "Parcel" }
  static var xt_primaryKey: XTKeyPaths { [\GainedParcel.code] }
}

private final class GainedObject: XTModel {
  var code = ""

  static var xt_tableName: String { "Parcel" }
  init() {}
}

/// Another program's table becomes able to mark rows as deleted while this one has it open.
@Suite struct GainedColumnsTests {
  private typealias P = GainedParcel
  let sut: TestDatabase
  private var parcels: XTTable<GainedParcel> { sut.table(GainedParcel.self) }

  init() throws {
    sut = try TestDatabase(
      after: """
        CREATE TABLE Parcel (code TEXT PRIMARY KEY, weight INTEGER NOT NULL DEFAULT 0);
        INSERT INTO Parcel VALUES ('a', 1), ('b', 2), ('c', 3);
        """)
  }

  private func mark() throws {
    try sut.outside(
      """
      ALTER TABLE Parcel ADD COLUMN xt_isDel INTEGER NOT NULL DEFAULT 0;
      UPDATE Parcel SET xt_isDel = 1 WHERE code = 'b';
      """)
  }

  @Test func softDeletion_thatAThirdProgramAdds_isSeenByTheNextFind() throws {
    let query = parcels.query().where(P.xt.weight > 0).orderBy(.asc(\.code))
    for _ in 0..<3 {
      #expect(try parcels.findAll().count == 3)
      #expect(try query.all().count == 3)
      #expect(try query.count() == 3)
    }
    try mark()
    #expect(try query.all().map(\.code) == ["a", "c"])
    #expect(try query.count() == 2)
    #expect(try parcels.findAll(orderBy: .asc(\.code)).map(\.code) == ["a", "c"])
    #expect(try parcels.count() == 2)
    #expect(try !parcels.has(where: \.code == "b"))
    #expect(try parcels.max(of: \.weight, where: \.weight < 3) == 1)
    let codes: [String] = try parcels.select(\GainedParcel.code, orderBy: .asc(\.code))
    #expect(codes == ["a", "c"])
    #expect(try parcels.find(pkid: 2) == nil)
    #expect(try parcels.find(where: nil, scope: .deleted).map(\.code) == ["b"])
    var seen: [String] = []
    try parcels.forEach(orderBy: .asc(\.code)) { seen.append($0.code) }
    #expect(seen == ["a", "c"])
  }

  @Test func softDeletion_thatAThirdProgramAdds_isSeenByWritesWithACondition() throws {
    #expect(try parcels.delete(where: \.code == "z") == 0)
    #expect(try parcels.update(where: \.code == "z", .set(\.weight, to: 1)) == 0)
    try mark()
    #expect(try parcels.update(where: \.weight > 0, .add(\.weight, 10)) == 2)
    #expect(try parcels.delete(where: \.weight > 0) == 2)
    #expect(try sut.seen("SELECT code, weight FROM Parcel") == ["b|2"])
  }

  @Test func softDeletion_here_isSeenByAReaderThatKnewTheTable() throws {
    for _ in 0..<2 { #expect(try parcels.findAll().count == 3) }
    #expect(schemaError { try parcels.softDelete(where: \.code == "a") }?.kind == .schema)
    try sut.outside("ALTER TABLE Parcel ADD COLUMN xt_isDel INTEGER NOT NULL DEFAULT 0")
    #expect(try parcels.softDelete(where: \.code == "a") == 1)
    #expect(try parcels.findAll().count == 2)
    #expect(try sut.table(GainedObject.self).findAll().count == 2)
  }
}
