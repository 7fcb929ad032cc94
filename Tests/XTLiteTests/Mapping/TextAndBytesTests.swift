import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Texts and blobs come back byte for byte.
  @Suite struct TextAndBytesTests {
    static let texts = [
      "", " ", "a", "\0", "a\0b", "\0\0", "end\0", "it's", "\"quoted\"", "`tick`",
      "';DROP TABLE x;--",
      "?", "%", "_", ":name", "🏀", "👨‍👩‍👧‍👦", "🇨🇭🇯🇵", "é", "e\u{301}", "'\u{301}", "\u{301}",
      "\u{FEFF}bom", "\u{FFFD}", "\u{10FFFF}", "表", "العربية", "line\r\nline\n", "\\", "\u{1F}",
      String(repeating: "x", count: 15), String(repeating: "x", count: 16),
      String(repeating: "🏀", count: 3_000),
    ]

    private func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func texts_ofEveryKind_comeBackByteForByte() throws {
      let file = try TestDatabase()
      let read = try file.roundTrip(Self.texts)
      #expect(bytes(read) == bytes(Self.texts))
      let optionals = try file.roundTrip(Self.texts.map(Optional.some) + [nil])
      #expect(bytes(optionals.compactMap(\.self)) == bytes(Self.texts))
      #expect(optionals.last == .some(nil))
      #expect(
        try file.seen("SELECT length(CAST(`value` AS BLOB)) FROM `One_String` ORDER BY `pkid`")
          == Self.texts.map { "\($0.utf8.count)" })
      #expect(try file.seen("SELECT DISTINCT typeof(`value`) FROM `One_String`") == ["text"])
    }

    @Test func texts_areFoundByTheirBytes() throws {
      let file = try TestDatabase()
      try file.roundTrip(Self.texts)
      let table = file.table(One<String>.self)
      for text in Self.texts {
        let found = try table.find(where: \.value == text).map(\.value)
        #expect(bytes(found) == bytes([text]))
        #expect(try table.count(where: "value = \(text)") == 1)
      }
    }

    @Test func texts_insideJSON_comeBackByteForByte() throws {
      let file = try TestDatabase()
      #expect(bytes(try file.roundTrip([Self.texts])[0]) == bytes(Self.texts))
      let nested = Dictionary(uniqueKeysWithValues: Self.texts.enumerated().map { ("\($0)", $1) })
      let read = try file.roundTrip([nested])[0]
      #expect(read.mapValues { Array($0.utf8) } == nested.mapValues { Array($0.utf8) })
    }

    @Test func bridgedText_isStoredAsUTF8() throws {
      // A text that does not stand in memory as contiguous UTF-8.
      let foreign = NSString(string: "fünf ").appending("🏀\0")
      #expect(try TestDatabase().roundTrip([foreign]).first == "fünf 🏀\0")
    }

    /// Bytes that are no UTF-8: cut off, overlong, surrogates, beyond Unicode.
    static let invalid = [
      "FF", "C3", "61C3", "C328", "E28261", "F09F8F", "C080", "EDA080", "F4908080", "80", "6180",
    ]

    @Test(arguments: invalid)
    func invalidUTF8_throwsInEveryTextType_andIsNotWrittenOver(_ hex: String) throws {
      func refuse<Value: Defaulted>(
        _ prefix: String, _ suffix: String, _: Value.Type,
        _ location: SourceLocation = #_sourceLocation
      ) throws {
        let file = try TestDatabase()
        let expression = "CAST(X'\(prefix)\(hex)\(suffix)' AS TEXT)"
        let error = mappingError(location) { try file.read(expression, as: Value.self) }
        #expect(error?.kind == .decoding, sourceLocation: location)
        #expect(error?.column == "value", sourceLocation: location)
        #expect(
          try file.seen("SELECT hex(`value`) FROM `\(try file.table(One<Value>.self).name)`")
            == ["\(prefix)\(hex)\(suffix)"], sourceLocation: location)
      }
      try refuse("", "", String.self)
      try refuse("61", "62", String?.self)
      try refuse("", "", URL.self)
      // Repaired, each of these would read as something, and be lost with the next save.
      try refuse("5B22", "225D", [String].self)
      try refuse("5B22", "225D", [String]?.self)
      try refuse("7B2261223A22", "227D", [String: String].self)
      try refuse("5B22", "225D", Set<String>.self)
      try refuse("22", "22", XTJSON.self)
      try refuse("", "", AnyRawText.self)
      try refuse("", "", AnyOwnText?.self)
    }

    @Test func invalidUTF8_readAsData_isReadOnlyFromBlobs() throws {
      let file = try TestDatabase()
      #expect(try file.read("X'FF80'", as: Data.self) == Data([0xFF, 0x80]))
    }

    // Not stored: what stands in the bits of a Data, a leak check does not find.
    static var blobs: [Data] {
      [
        Data(), Data([0]), Data([0, 0]), Data([0xFF]), Data("text".utf8),
        Data(repeating: 1, count: 14),
        Data(repeating: 2, count: 15), Data(repeating: 3, count: 100_000),
        Data([1, 2, 3, 4])[2...],
      ]
    }

    @Test func blobs_ofEveryLength_comeBackByteForByte() throws {
      let file = try TestDatabase()
      #expect(try file.roundTrip(Self.blobs) == Self.blobs)
      let optionals = Self.blobs.map(Optional.some) + [nil]
      #expect(try file.roundTrip(optionals) == optionals)
      #expect(
        try file.seen("SELECT typeof(`value`) || length(`value`) FROM `One_Data`")
          == Self.blobs.map { "blob\($0.count)" })
    }

    @Test func emptyData_isNotNull() throws {
      let file = try TestDatabase()
      #expect(try file.roundTrip([Data?.some(Data()), nil]) == [Data(), nil])
      #expect(try file.stored(Data?.self) == ["blob|X''", "null|NULL"])
      let table = file.table(One<Data?>.self)
      #expect(try table.count(where: \.value == nil) == 1)
      #expect(try table.count(where: \.value == Data()) == 1)
      try table.updateAll(.set(\.value, to: Data()))
      #expect(try file.stored(Data?.self) == ["blob|X''", "blob|X''"])
    }

    @Test func emptyTextAndContainers_areNotNull() throws {
      let file = try TestDatabase()
      try file.roundTrip(["", nil] as [String?])
      #expect(try file.stored(String?.self) == ["text|''", "null|NULL"])
      try file.roundTrip([[], nil] as [[Int]?])
      #expect(try file.stored([Int]?.self) == ["text|'[]'", "null|NULL"])
      try file.roundTrip([[:], nil] as [[String: Int]?])
      #expect(try file.stored([String: Int]?.self) == ["text|'{}'", "null|NULL"])
      try file.roundTrip([Set(), nil] as [Set<String>?])
      #expect(try file.stored(Set<String>?.self) == ["text|'[]'", "null|NULL"])
      #expect(try file.table(One<[Int]?>.self).findAll().map(\.value) == [[], nil])
      #expect(try file.table(One<[String: Int]?>.self).findAll().map(\.value) == [[:], nil])
      #expect(try file.table(One<Set<String>?>.self).findAll().map(\.value) == [[], nil])
    }
  }
}

/// A type that takes any text as its raw value.
private struct AnyRawText: RawRepresentable, Defaulted {
  var rawValue: String
  init(rawValue: String) { self.rawValue = rawValue }
  init() { self.init(rawValue: "") }
}

/// A type that takes any text as its column's value.
private struct AnyOwnText: XTColumnValue, Defaulted {
  var text = ""
  init() {}
  static var xt_storageClass: XTStorageClass { .text }
  var xt_columnValue: XTValue { .text(text) }
  init(xt_columnValue value: XTValue) throws { text = value.string ?? "" }
}
