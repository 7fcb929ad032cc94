import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// JSON without a general coder beside the same by Foundation's.
  @Suite struct DirectJSONTests {
    /// Both ways to write and to read one type.
    struct Ways<Value: RandomValue> {
      let codec: any FieldCodec

      init() throws {
        let type = try ColumnType.of(Value.self)
        try #require(type.kind == .directJSON, "\(Value.self)")
        codec = try #require(type.codec)
      }

      /// nil where that is given up.
      func directText(_ value: Value) -> String? {
        var writer = JSONWriter()
        // What was given up before must leave nothing behind.
        writer.append(word: "x")
        writer.beginParts()
        writer.append(word: "y")
        writer.clear()
        return withUnsafePointer(to: value) { codec.write(at: $0, to: &writer) }
          ? String(decoding: writer.bytes, as: UTF8.self) : nil
      }

      func generalText(_ value: Value) throws -> String {
        let stored = try withUnsafePointer(to: value) { try codec.value(at: $0) }
        return try #require(stored.string)
      }

      func direct(_ text: [UInt8]) -> Value? {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let isRead = text.withUnsafeBufferPointer { codec.read($0, at: memory, assigning: false) }
        return isRead ? memory.move() : nil
      }

      func general(_ text: String) throws -> Value {
        try JSONText.decode(Value.self, from: text)
      }
    }

    /// Calls `body` with each kind of container of each scalar, and with deeper ones.
    private func forEachType(_ body: (any RandomValue.Type) throws -> Void) throws {
      func containers<Element: RandomValue>(_: Element.Type) -> [any RandomValue.Type] {
        [
          [Element].self, Set<Element>.self, [String: Element].self, [Int: Element].self,
          [Element?].self, [[Element]].self, [String: [Element]].self, [[String: Element?]].self,
          [[Int: Element]].self, Set<Set<Element>>.self, [Set<Element>].self,
        ]
      }
      let scalars: [any RandomValue.Type] = [
        String.self, Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self,
        UInt8.self, UInt16.self, UInt32.self, UInt64.self, Double.self, Float.self, Date.self,
        UUID.self, Data.self,
      ]
      let deeper: [any RandomValue.Type] = [
        [[[String]]].self, [String: [Int: [Double?]]].self, [[[Int]?]?].self, [Int??].self,
        [String: Set<[String: Date]>].self, Set<[String: String]>.self, Set<Int?>.self,
        [String: String?].self,
      ]
      for type in scalars.flatMap({ containers($0) }) + deeper { try body(type) }
    }

    @Test func randomValues_areWrittenAsFoundationWritesThem_andReadBack() throws {
      var numbers = SplitMix(state: 1)
      func check<Value: RandomValue>(_: Value.Type) throws {
        let ways = try Ways<Value>()
        for _ in 0..<60 {
          let value = Value.random(&numbers)
          let expected = try ways.generalText(value)
          let text = ways.directText(value)
          #expect(text == expected, "\(Value.self)")
          let own = ways.direct(Array(expected.utf8))
          // A text for an infinite number is rare enough for the general decoder.
          if own == nil {
            #expect(expected.contains("inf\""), "\(Value.self): gave up \(expected)")
          }
          let foundation = try ways.general(expected)
          #expect((own ?? foundation) == foundation, "\(Value.self): \(expected)")
          let again = try #require(ways.directText(own ?? value))
          #expect(try ways.general(again) == foundation, "\(Value.self): \(again)")
        }
      }
      try forEachType { try check($0) }
    }

    @Test func spoiledTexts_areReadAsFoundationReadsThem_orGivenUp() throws {
      var numbers = SplitMix(state: 2)
      var (read, refused) = (0, 0)
      func check<Value: RandomValue>(_: Value.Type) throws {
        let ways = try Ways<Value>()
        for _ in 0..<120 {
          let written = try ways.generalText(Value.random(&numbers))
          let bytes = numbers.spoil(Array(written.utf8))
          guard let own = ways.direct(bytes) else {
            refused += 1
            continue
          }
          read += 1
          let text = String(decoding: bytes, as: UTF8.self)
          #expect(Array(text.utf8) == bytes, "what is no UTF-8 was repaired")
          let foundation = try? ways.general(text)
          #expect(own == foundation, "\(Value.self): \(text)")
          // Zero has a sign, which == does not see. Where two dictionaries are equal and yet ordered
          // otherwise inside, the texts of sets differ.
          if !"\(Value.self)".contains("Set") {
            #expect(ways.directText(own) == foundation.flatMap(ways.directText), "\(text)")
          }
        }
      }
      try forEachType { try check($0) }
      #expect(read > 1_000)
      #expect(refused > 1_000)
    }

    @Test func numbers_ofAnyBitPattern_areFoundationsShortestText() throws {
      var numbers = SplitMix(state: 3)
      func check<Number: RandomValue & BinaryFloatingPoint>(_: Number.Type) throws {
        let ways = try Ways<[Number]>()
        for _ in 0..<200 {
          let values = (0..<100).map { _ in Number.random(&numbers) }.filter(\.isFinite)
          let text = try JSONText.encode(values)
          #expect(ways.directText(values) == text)
          let read = try #require(ways.direct(Array(text.utf8)))
          #expect(read.map(\.sign) == values.map(\.sign))
          #expect(read == values)
        }
      }
      try check(Double.self)
      try check(Float.self)
    }

    @Test func decimals_ofAnyLength_areReadToTheLastBit() throws {
      var numbers = SplitMix(state: 4)
      func digits(_ count: Int) -> String {
        (0..<count).map { _ in "\(Int.random(in: 0...9, using: &numbers))" }.joined()
      }
      func check<Number: RandomValue & BinaryFloatingPoint>(_: Number.Type) throws {
        let ways = try Ways<[Number]>()
        var read = 0
        for _ in 0..<20_000 {
          var text = Bool.random(using: &numbers) ? "-" : ""
          text += digits(Int.random(in: 1...20, using: &numbers))
          if Bool.random(using: &numbers) {
            text += "." + digits(Int.random(in: 1...20, using: &numbers))
          }
          if Int.random(in: 0..<3, using: &numbers) == 0 {
            text += ["e", "E", "e+", "e-"][Int.random(in: 0..<4, using: &numbers)]
            text += "\(Int.random(in: 0...50, using: &numbers))"
          }
          guard let own = ways.direct(Array("[\(text)]".utf8)) else { continue }
          read += 1
          let foundation = try? ways.general("[\(text)]")
          #expect(own == foundation, "\(text)")
          #expect(own.first?.sign == foundation?.first?.sign, "\(text)")
        }
        #expect(read > 10_000)
      }
      try check(Double.self)
      try check(Float.self)
    }
  }
}
