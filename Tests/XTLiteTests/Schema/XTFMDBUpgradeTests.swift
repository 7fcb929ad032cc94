import Foundation
import Testing

@testable import XTLite

/// Steps on a file as XTFMDB, the Objective-C library, wrote it.
@Suite struct XTFMDBUpgradeTests {
  private static var bytes: Data { Data((0..<100).map { UInt8($0) }) }

  private static func file(_ table: String = "OldPhoto", version: Int = 3) -> String {
    let automatic = """
      pkid INTEGER PRIMARY KEY AUTOINCREMENT DEFAULT '1',xt_createTime BIGINT NOT NULL  DEFAULT '0' ,\
      xt_updateTime BIGINT NOT NULL  DEFAULT '0' ,xt_isDel BOOLEAN NOT NULL  DEFAULT '0' ,
      """
    return """
      CREATE TABLE XTDBVersion ( \(automatic)version INTEGER NOT NULL  DEFAULT '0' UNIQUE );
      INSERT INTO XTDBVersion (version) VALUES ('\(version)');
      CREATE TABLE \(table) ( \(automatic)title TEXT NOT NULL  DEFAULT '' ,\
      image TEXT NOT NULL  DEFAULT '' ,tags TEXT NOT NULL  DEFAULT '' ,b1 TEXT);
      INSERT INTO \(table) (xt_createTime, title, image, tags) VALUES
        ('1528300060', 'eins', '\(bytes.base64EncodedString())', '["a"]'),
        ('1528300061', 'zwei', '', '')
      """
  }

  private func open(_ table: String = "OldPhoto") throws -> TestDatabase {
    try TestDatabase(after: Self.file(table))
  }

  private func check(_ test: TestDatabase) throws {
    let photos = try test.table(OldPhoto.self).findAll(orderBy: .asc(\.title))
    #expect(photos.map(\.title) == ["eins", "zwei"])
    #expect(photos.map(\.image) == [Self.bytes, nil])
    #expect(photos.map(\.tags) == [["a"], []])
    #expect(photos.map(\.xt_createTime?.timeIntervalSince1970) == [1_528_300_060, 1_528_300_061])
    #expect(try test.seen("PRAGMA integrity_check") == ["ok"])
  }

  @Test func change_ofBytes_writesThemAsBlobs() throws {
    let test = try open()
    try test.database.upgrade { XTUpgrade(OldPhoto.self, to: 4) { $0.change(\.image) } }
    #expect(try test.seen("SELECT typeof(image) FROM OldPhoto") == ["blob", "null"])
    #expect(try test.seen("SELECT tags FROM OldPhoto") == [#"["a"]"#, ""])
    try check(test)
    // And nil goes in now.
    var photo = OldPhoto()
    try test.table(OldPhoto.self).insert(&photo)
    #expect(try test.seen("SELECT typeof(image) FROM OldPhoto WHERE pkid = 3") == ["null"])
  }

  @Test func change_ofBytesThatAreNoBase64_namesTheRow() throws {
    let test = try open()
    try test.outside("UPDATE OldPhoto SET image = 'no base64' WHERE pkid = 2")
    let before = try test.seen("SELECT * FROM OldPhoto")
    let error = schemaError {
      try test.database.upgrade { XTUpgrade(OldPhoto.self, to: 4) { $0.change(\.image) } }
    }
    #expect(error?.kind == .upgrade)
    #expect(error?.message.contains("row 2") == true)
    #expect(try test.seen("SELECT * FROM OldPhoto") == before)
  }

  @Test func change_withConversion_getsTheBytes() throws {
    let test = try open()
    try test.database.upgrade {
      XTUpgrade(OldPhoto.self, to: 4) {
        $0.change(\.image) { old in
          guard case .blob(let bytes) = old else { return nil }
          return bytes
        }
      }
    }
    try check(test)
  }

  @Test func fill_seesWhatTheTextsMean_andWritesNilAsXTFMDBDid() throws {
    let test = try open()
    try test.database.upgrade {
      XTUpgrade(OldPhoto.self, to: 4) {
        $0.fill(\.title, everyRow: true) { row in
          let image: Data? = row["image"]
          let tags: [String]? = row["tags"]
          return "\(image?.count ?? 0) \(tags ?? [])"
        }
        $0.fill(\.image, everyRow: true) { _ in nil }
      }
    }
    #expect(
      try test.seen("SELECT title, image FROM OldPhoto") == [#"100 ["a"]|"#, "0 []|"])
    #expect(try test.table(OldPhoto.self).findAll().map(\.image) == [nil, nil])
  }

  /// Whatever tells that XTFMDB made the table goes, and with it what its texts mean.
  @Test(arguments: 0..<4) func automaticColumn_thatGoes_takesTheTextsAlong(_ way: Int) throws {
    let test = try open()
    try test.database.upgrade {
      XTUpgrade(OldPhoto.self, to: 4) {
        switch way {
        case 0: $0.change(\.xt_createTime)
        case 1: $0.drop("xt_updateTime")
        case 2: $0.rename("xt_isDel", to: "wasDeleted")
        default: $0.swap("xt_updateTime", "b1")
        }
      }
    }
    #expect(try test.seen("SELECT typeof(image) FROM OldPhoto") == ["blob", "null"])
    #expect(try test.seen("SELECT tags FROM OldPhoto") == [#"["a"]"#, "[]"])
    try check(test)
  }

  @Test func merge_intoATableOfXTLite_writesBlobs() throws {
    let test = try open("LegacyPhoto")
    try test.table(OldPhoto.self).create()
    try test.database.upgrade {
      XTUpgrade(OldPhoto.self, to: 4) {
        $0.add(column: "b1", "TEXT")
        $0.merge(from: "LegacyPhoto")
      }
    }
    #expect(try test.seen("SELECT typeof(image) FROM OldPhoto") == ["blob", "null"])
    try check(test)
  }

  @Test func renameTable_keepsTheMeaning() throws {
    let test = try open("LegacyPhoto")
    try test.database.upgrade {
      XTUpgrade(OldPhoto.self, to: 4) { $0.renameTable(from: "LegacyPhoto") }
    }
    try check(test)
  }

  // MARK: Its version

  @Test func version_thatXTFMDBHad_countsAlsoInABlock() throws {
    let test = try open()
    let upgrades = [
      XTUpgrade(OldPhoto.self, to: 2) {
        $0.rename("b0", to: "b1")
        $0.fill(\.title, everyRow: true) { _ in "never" }
      },
      XTUpgrade(OldPhoto.self, to: 3) {
        $0.add(\.title)
        $0.run("DELETE FROM OldPhoto")
      },
    ]
    #expect(try test.database.upgradePlan { upgrades }.isEmpty)
    #expect(try !test.database.upgrade { upgrades })
    try check(test)
    #expect(try test.seen("SELECT * FROM xtlite_versions") == ["OldPhoto|2", "OldPhoto|3"])
    #expect(try test.statements { try test.database.upgrade { upgrades } }.count == 1)
  }

  @Test func version_thatXTFMDBHad_stillTakesWhatItCouldNotDo() throws {
    let test = try open()
    try test.database.upgrade {
      XTUpgrade(OldPhoto.self, to: 3) {
        $0.change(\.image)
        $0.drop("b1")
        $0.addIndex(\.title)
      }
    }
    #expect(try !test.columns(of: "OldPhoto").contains("b1"))
    #expect(try test.seen("SELECT typeof(image) FROM OldPhoto") == ["blob", "null"])
    try check(test)
  }

  @Test func version_whoseColumnsAreMissing_isApplied() throws {
    let test = try open()
    try test.database.upgrade {
      XTUpgrade(OldPhoto.self, to: 2) { $0.rename("b1", to: "b2") }
      XTUpgrade(OldPhoto.self, to: 4) { $0.drop("b2") }
    }
    #expect(try !test.columns(of: "OldPhoto").contains("b1"))
    try check(test)
  }
}

private struct OldPhoto: XTModel {
  var pkid: Int64?
  var xt_createTime: Date?
  var title = ""
  var image: Data?
  var tags: [String] = []
}
