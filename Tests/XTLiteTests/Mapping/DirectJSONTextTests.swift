import Foundation
import Testing

@testable import XTLite

extension MappingTests.DirectJSONTests {
  @Test(arguments: [
    "", " ", "null", "[", "]", "{", "}", "[]", "{}", " [ ] ", "\t{\n}\r", "[] x", "[]]", "[][]",
    "[,]", "[1,]", "[,1]", "[1 2]", "[1,,2]", "[1", "[1,", "{,}", #"{"a"}"#, #"{"a":}"#,
    #"{"a":1,}"#, #"{"a" 1}"#, #"{a:1}"#, #"{"a":1 "b":2}"#, #"{"a":1,"a":2}"#, #"{"1":1,"1":2}"#,
    #"{" 1":1}"#, #"{"-0":1}"#, #"{"9223372036854775808":1}"#,
    #"{"é":1,"e\u0301":2}"#, #"{"\u00e9":1,"é":2}"#, "[1,1]", "[1,1.0]", "[[1],[1]]",
    // Numbers.
    "[0]", "[-0]", "[-0.0]", "[00]", "[01]", "[-01]", "[+1]", "[--1]", "[-]", "[1.]", "[.5]",
    "[1.0]", "[1.5]", "[1e2]", "[1E+2]", "[1e]", "[1e+]", "[100e-2]", "[0e5]", "[0.0e5]", "[0x10]",
    "[1_000]", "[1e400]", "[-1e400]", "[1e-400]", "[0e-400]", "[5e-324]", "[2e-324]", "[1e39]",
    "[1e-46]", "[3.4028236e38]", "[127]", "[128]", "[-128]", "[-129]", "[255]", "[256]", "[65536]",
    "[9223372036854775807]", "[9223372036854775808]", "[-9223372036854775808]",
    "[-9223372036854775809]", "[18446744073709551615]", "[18446744073709551616]",
    "[99999999999999999999999999]", "[0.1000000000000000055511151231257827021181583404541015625]",
    "[9007199254740993]", "[123456789012345678e-17]", "[1e22]", "[1e23]", "[123456789012345e22]",
    "[1e999999999999999999999]", "[0.000000000000000000000000000001]", "[16777217]", "[NaN]",
    "[Infinity]", "[inf]", #"["inf"]"#, #"["-inf"]"#, #"["+inf"]"#, #"["nan"]"#, #"["1"]"#,
    #"["INF"]"#,
    // Words.
    "[true]", "[false]", "[tru]", "[truex]", "[True]", "[null]", "[nul]", "[nullnull]",
    "[true,null]",
    // Texts.
    #"["]"#, #"["a]"#, #"["\"]"#, #"["a"]"#, #"['a']"#, #"["\u0000"]"#, #"["\u00"]"#,
    #"["\u00zz"]"#,
    #"["\ud83d\ude00"]"#, #"["\uD83D\uDE00"]"#, #"["\ud83d"]"#, #"["\ude00"]"#,
    #"["\ude00\ud83d"]"#,
    #"["\ud83dx"]"#, #"["\ud83d\n"]"#, #"["\ud83d\u0041"]"#, #"["\q"]"#, #"["\/"]"#, #"["/"]"#,
    #"["\b\f\n\r\t\"\\"]"#, "[\"\t\"]", "[\"\n\"]", "[\"\u{0}\"]", "[\"\u{1F}\"]", "[\"\u{7F}\"]",
    "[\"\u{2028}\u{2029}\u{FEFF}\u{FFFF}\"]", "\u{FEFF}[]", "\u{FEFF}[1]", "[\u{A0}1]", "[1\u{0}]",
    "[1]\u{0}", "\u{0}[1]", "[\u{0}1\u{0}]\u{0}", #""text""#, "5", "true",
    #"["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]"#, #"["e621e1f8-c36c-495a-93fc-0c247a3e6e5f"]"#,
    #"["E621E1F8C36C495A93FC0C247A3E6E5F"]"#, #"["E621E1F8-C36C-495A-93FC-0C247A3E6E5"]"#,
    #"["E621E1F8-C36C-495A-93FC-0C247A3E6E5FF"]"#, #"["E621E1F8-C36C-495A-93FC-0C247A3E6E5G"]"#,
    #"["\u00456 21E1F8-C36C-495A-93FC-0C247A3E6E5F"]"#,
    #"["\u0045621E1F8-C36C-495A-93FC-0C247A3E6E5F"]"#,
    #"["AQ=="]"#, #"["AQ="]"#, #"["AQ"]"#, #"["A Q=="]"#, #"["AQ==\n"]"#, #"["AQ\/="]"#,
  ])
  func text_isTakenOrRefused_asFoundationDoes(_ text: String) {
    func check<Value: RandomValue>(_: Value.Type) {
      let own = Result { try ValueCoding.decode(.text(text), as: Value.self) }
      let foundation = Result { try JSONText.decode(Value.self, from: text) }
      switch (own, foundation) {
      case (.success(let own), .success(let foundation)):
        #expect(own == foundation, "\(Value.self)")
      case (.failure(let own as ColumnFailure), .failure(let foundation as ColumnFailure)):
        #expect(own.kind == foundation.kind && own.message == foundation.message, "\(Value.self)")
      default:
        Issue.record("\(Value.self): \(own) is not \(foundation)")
      }
    }
    let types: [any RandomValue.Type] = [
      [String].self, [Bool].self, [Int].self, [Int8].self, [UInt8].self, [UInt64].self,
      [Double].self, [Float].self, [Date].self, [UUID].self, [Data].self, [Int?].self, [[Int]].self,
      Set<Int>.self, Set<[Double]>.self, [String: Int].self, [String: [String]].self,
      [Int: Int].self, [Int: Double?].self,
    ]
    for type in types { check(type) }
  }

  @Test func refusedValues_failAsFoundationHasIt() {
    func check<Value: RandomValue>(_ value: Value, _ message: String) {
      let error = #expect(throws: ColumnFailure.self) { try ValueCoding.value(of: value) }
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
    check([1, Double.nan], "NaN")
    check(["a": Float.nan], "NaN")
    check([[Double?.some(.nan)]], "NaN")
    check(Set([Double.nan]), "NaN")
    check([Date(timeIntervalSince1970: .nan)], "cannot be encoded as JSON")
    check([3: Date(timeIntervalSince1970: .infinity)], "cannot be encoded as JSON")
  }

  @Test func everyKindOfContainer_standsInTheFileAsFoundationWritesIt() throws {
    func check<Value: Defaulted & Equatable>(
      _ value: Value, _ json: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
      let file = try TestDatabase()
      #expect(try ColumnType.of(Value.self).kind == .directJSON, sourceLocation: location)
      #expect(try file.roundTrip([value]) == [value], sourceLocation: location)
      let table = try file.table(One<Value>.self).name
      let stored = try file.seen("SELECT typeof(`value`) || ' ' || `value` FROM `\(table)`")
      #expect(stored == ["text \(json)"], sourceLocation: location)
      #expect(
        try file.roundTrip([nil, value] as [Value?]) == [nil, value], sourceLocation: location)
      let optional = try file.table(One<Value?>.self).name
      #expect(
        try file.seen("SELECT typeof(`value`) FROM `\(optional)` ORDER BY `pkid`") == [
          "null", "text",
        ], sourceLocation: location)
    }
    let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    try check(["b/\"\\\n\u{1}\u{7F}é😀", ""], #"["b/\"\\\n\u0001"# + "\u{7F}é😀\",\"\"]")
    try check([true, false], "[true,false]")
    try check([Int.min, 0, .max], "[-9223372036854775808,0,9223372036854775807]")
    try check([UInt64.max], "[18446744073709551615]")
    try check([1, -0.0, 0.1, 1e16, 1e-7], "[1,-0,0.1,1e+16,1e-07]")
    try check([Double.leastNonzeroMagnitude, 1e300, .infinity], #"[5e-324,1e+300,"inf"]"#)
    try check([Float(0.1), 16_777_216, -.infinity], #"[0.1,16777216,"-inf"]"#)
    try check([Date(timeIntervalSince1970: 1_700_000_000.5)], "[1700000000.5]")
    try check([id], #"["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]"#)
    try check([Data([1]), Data()], #"["AQ==",""]"#)
    try check([1, nil] as [Int?], "[1,null]")
    try check([[1], []], "[[1],[]]")
    try check([Int](), "[]")
    try check([String: Int](), "{}")
    try check(Set<Int>(), "[]")
    try check(Set([10, 9, -1]), "[-1,10,9]")
    try check(Set(["b", "a", "B"]), #"["B","a","b"]"#)
    try check(["b": 1, "a": 2, "B": 3], #"{"B":3,"a":2,"b":1}"#)
    // By the text of the member: the quote behind the name comes after a blank in it.
    try check(["a": 1, "a b": 2], #"{"a b":2,"a":1}"#)
    try check([10: "x", 9: "y", -1: "z"], #"{"-1":"z","10":"x","9":"y"}"#)
    // By the bytes of the names, as Foundation has it inside.
    try check([["a": 1, "a b": 2]], #"[{"a":1,"a b":2}]"#)
    try check(["k": ["é": 1, "z": 2, "Z": 3, "😀": 4]], #"{"k":{"Z":3,"z":2,"é":1,"😀":4}}"#)
    try check([Set([7])], "[[7]]")
  }

  @Test func longTexts_areWrittenAndReadWhole() throws {
    let file = try TestDatabase()
    let lists = [(0..<5_000).map { "element \($0)" }, [], [String(repeating: "\n", count: 9_000)]]
    #expect(try file.roundTrip(lists) == lists)
    #expect(try file.stored([String].self) == lists.map { "text|'\(try JSONText.encode($0))'" })
  }

  @Test func bytesThatAreNoUTF8_areRefused() throws {
    let file = try TestDatabase()
    for bytes in ["5B22FF225D", "5B22C3225D", "5B22EDA080225D", "5B225C6EFF225D", "FF5B5D"] {
      let error = mappingError { try file.read("CAST(X'\(bytes)' AS TEXT)", as: [String].self) }
      #expect(error?.message == "the text is not UTF-8")
    }
    #expect(mappingError { try file.read("X'5B5D'", as: [String].self) }?.kind == .decoding)
    #expect(mappingError { try file.read("5", as: [Int].self) }?.kind == .decoding)
  }

  @Test func valueThatReplacesAnother_isReadIntoItsPlace() throws {
    let file = try TestDatabase()
    let table = file.table(TagList.self)
    let list = TagList()
    list.tags = ["a", "b"]
    list.counts = ["a": 1]
    try table.insert(list)
    try file.outside(#"UPDATE `TagList` SET `tags` = '[ "c" , "\u0064" ]', `counts` = NULL"#)
    let read = try #require(try table.findFirst())
    #expect(read.tags == ["c", "d"])
    #expect(read.counts == nil)
  }
}

private final class TagList: XTModel {
  var tags = ["initial"]
  var counts: [String: Int]? = ["initial": 0]

  init() {}
  static var xt_tableName: String { "TagList" }
}
