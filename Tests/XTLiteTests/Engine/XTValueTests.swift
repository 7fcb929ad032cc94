import Foundation
import Testing

@testable import XTLite

@Suite struct XTValueTests {
  static let samples: [XTValue] = [
    nil, 0, -5, .integer(.min), .integer(.max), 1.5, 1e20, .real(.infinity),
    .real(-.infinity), .real(.leastNonzeroMagnitude), "", "it's", "a\0b", "\0", "表 🏀 \"x\" `y`",
    "';DROP TABLE x;--", "'\u{301}", "a'\u{200D}b", "\u{301}'", "'\u{20E3}';'\u{FE0F}--",
    .blob(Data()), .blob(Data([0, 255, 16])),
  ]

  @Test(arguments: samples)
  func sqlLiteral_anyValue_isThatValueInSQL(_ value: XTValue) throws {
    let connection = try Connection(ConnectionSettings())
    #expect(try connection.firstValue("SELECT \(value.sqlLiteral)") == value)
  }

  @Test(arguments: samples)
  func sqlLiteral_inDefaultClause_fillsNewAndOldRows(_ value: XTValue) throws {
    let connection = try Connection(ConnectionSettings())
    try connection.executeScript(
      """
      CREATE TABLE t (a, b DEFAULT \(value.sqlLiteral));
      INSERT INTO t (a) VALUES (1);
      ALTER TABLE t ADD COLUMN c DEFAULT \(value.sqlLiteral);
      """)
    #expect(try connection.rows("SELECT b, c FROM t") == [[value, value]])
  }

  @Test(arguments: samples)
  func bind_anyValue_comesBackTheSame(_ value: XTValue) throws {
    let connection = try Connection(ConnectionSettings())
    #expect(try connection.firstValue("SELECT ?", [value]) == value)
    let type = try connection.firstValue("SELECT typeof(?)", [value])
    let names: [XTStorageClass: String] = [
      .null: "null", .integer: "integer", .real: "real", .text: "text", .blob: "blob",
    ]
    #expect(type?.string == names[value.storageClass])
  }

  @Test func literals_ofEachKind_makeTheStorageClass() {
    let values: [XTValue] = [1, 1.5, "x", true, false, nil]
    #expect(values == [.integer(1), .real(1.5), .text("x"), .integer(1), .integer(0), .null])
  }

  @Test func accessors_ofAnotherClass_areNil() {
    #expect(XTValue.integer(3).int64 == 3)
    #expect(XTValue.integer(3).double == 3)
    #expect(XTValue.real(3).int64 == nil)
    #expect(XTValue.text("x").string == "x")
    #expect(XTValue.text("x").data == nil)
    #expect(XTValue.blob(Data([1])).data == Data([1]))
    #expect(XTValue.null.isNull)
    #expect(XTValue.null.string == nil)
  }
}
