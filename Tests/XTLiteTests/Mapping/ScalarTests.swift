import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Every scalar and its optional: the declared column, what stands in it, what comes back.
  @Suite struct ScalarTests {
    /// Checks `values` as themselves and as optionals with nil between them.
    private func check<Value: Defaulted & Equatable>(
      _ values: [Value], _ declared: String, _ stored: [String],
      _ location: SourceLocation = #_sourceLocation
    ) throws {
      let file = try TestDatabase()
      #expect(try file.roundTrip(values) == values, sourceLocation: location)
      #expect(try file.stored(Value.self) == stored, sourceLocation: location)
      let optionals = values.map(Optional.some) + [nil]
      #expect(try file.roundTrip(optionals) == optionals, sourceLocation: location)
      #expect(try file.stored(Value?.self) == stored + ["null|NULL"], sourceLocation: location)
      let types = try [One<Value>.self as any XTModel.Type, One<Value?>.self].map { model in
        let table = try ModelMapping.of(model).tableName
        return try file.definition(in: table)?.split(separator: "|").prefix(2).joined(
          separator: "|")
      }
      let isRequired = !(try ColumnType.of(Value.self)).isVolatile
      #expect(
        types == ["\(declared)|\(isRequired ? 1 : 0)", "\(declared)|0"], sourceLocation: location)
    }

    private func checkInteger<Number: FixedWidthInteger & Defaulted>(_: Number.Type) throws {
      let values = [Number.min, Number.min + 1, 0, 1, 2, Number.max - 1, Number.max]
      try check(values, "INTEGER", values.map { "integer|\($0)" })
    }

    @Test func bool_isZeroOrOne() throws {
      try check([false, true], "BOOLEAN", ["integer|0", "integer|1"])
    }

    @Test func integers_ofEveryWidth_keepTheirLimits() throws {
      try checkInteger(Int.self)
      try checkInteger(Int8.self)
      try checkInteger(Int16.self)
      try checkInteger(Int32.self)
      try checkInteger(Int64.self)
      try checkInteger(UInt8.self)
      try checkInteger(UInt16.self)
      try checkInteger(UInt32.self)
    }

    @Test func unsigned64_upToInt64Max_isItself() throws {
      let values: [UInt64] = [0, 1, UInt64(Int64.max)]
      try check(values, "INTEGER", values.map { "integer|\($0)" })
      try check(values.map(UInt.init), "INTEGER", values.map { "integer|\($0)" })
    }

    @Test(arguments: [UInt64(Int64.max) + 1, .max])
    func unsigned64_aboveInt64Max_throwsOnWriteAndLeavesNothing(_ value: UInt64) throws {
      let file = try TestDatabase()
      let table = file.table(One<UInt64>.self)
      try table.create()
      let error = mappingError { try file.roundTrip([1, value]) }
      #expect(error?.kind == .valueOutOfRange)
      #expect(error?.column == "value")
      #expect(error?.table == "One_UInt64")
      #expect(error?.message.contains("\(value)") == true)
      #expect(try table.count() == 0)
      #expect(
        mappingError { try file.roundTrip([UInt?.some(UInt(value))]) }?.kind == .valueOutOfRange)
    }

    @Test func doubles_keepEveryBit() throws {
      let values: [Double] = [
        0, 0.1, -1.5, 1e300, .leastNonzeroMagnitude, .leastNormalMagnitude,
        .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, .pi, 1 / 3, 9_007_199_254_740_994, .infinity, -.infinity,
      ]
      let file = try TestDatabase()
      let read = try file.roundTrip(values)
      #expect(read.map(\.bitPattern) == values.map(\.bitPattern))
      #expect(try file.stored(Double.self).allSatisfy { $0.hasPrefix("real|") })
      #expect(try file.roundTrip(values.map(Optional.some) + [nil]) == values + [nil])
    }

    @Test func floats_keepEveryBit() throws {
      let values: [Float] = [
        0, 0.1, -1.5, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi, 16_777_218, .infinity,
        -.infinity,
      ]
      let file = try TestDatabase()
      #expect(try file.roundTrip(values).map(\.bitPattern) == values.map(\.bitPattern))
      #expect(try file.roundTrip(values.map(Optional.some) + [nil]) == values + [nil])
      #expect(try file.roundTrip([CGFloat(0.1), -2]) == [0.1, -2])
      #expect(try file.roundTrip([CGFloat?.some(0.1), nil]) == [0.1, nil])
    }

    @Test func infinities_areRealsThatOtherProgramsSee() throws {
      let file = try TestDatabase()
      try file.roundTrip([Double.infinity, -.infinity])
      #expect(
        try file.stored(Double.self) == ["real|9.0e+999", "real|-9.0e+999"]
          || file.stored(Double.self) == ["real|Inf", "real|-Inf"])
      #expect(try file.seen("SELECT count(*) FROM `One_Double` WHERE `value` > 1e308") == ["1"])
    }

    @Test func nan_inEveryKindOfRealColumn_throwsAndWritesNothing() throws {
      let file = try TestDatabase()
      func refuse<Value: Defaulted>(
        _ good: Value, _ bad: Value, _ location: SourceLocation = #_sourceLocation
      ) throws {
        let table = file.table(One<Value>.self)
        try table.create()
        try table.deleteAll()
        // A list of which only the last can't be stored, a single row, and a change of a row.
        let list = mappingError(location) { try table.insertList([One(good), One(bad)]) }
        #expect(list?.kind == .valueOutOfRange, sourceLocation: location)
        #expect(list?.column == "value", sourceLocation: location)
        var one = One(bad)
        #expect(
          mappingError(location) { try table.insert(&one) }?.kind == .valueOutOfRange,
          sourceLocation: location)
        #expect(try table.count() == 0, sourceLocation: location)
        one.value = good
        try table.insert(&one)
        let before = try file.stored(Value.self)
        one.value = bad
        let update = mappingError(location) { try table.update(one) }
        #expect(update?.kind == .valueOutOfRange, sourceLocation: location)
        #expect(try file.stored(Value.self) == before, sourceLocation: location)
      }
      try refuse(1, Double.nan)
      try refuse(nil, Double?.some(.signalingNaN))
      try refuse(1, Float.nan)
      try refuse(nil, Float?.some(.nan))
      try refuse(1, CGFloat.nan)
      try refuse(nil, CGFloat?.some(.nan))
      try refuse(Date(), Date(timeIntervalSince1970: .nan))
      try refuse(nil, Date?.some(Date(timeIntervalSince1970: .nan)))
      try refuse(1, Decimal.nan)
      try refuse(nil, Decimal?.some(.nan))
      try refuse([1], [Double.nan])
      try refuse(["a": 1], ["a": Double.nan])
      try refuse([1], Set([Float.nan]))
      try refuse(nil, [Double]?.some([1, .nan]))
      try refuse([:], [Double.nan: 1])
      try refuse(.number(1), XTJSON.number(.nan))
      try refuse(.null, XTJSON.object(["a": [.number(.nan)]]))
    }

    @Test func nan_inACondition_throws() throws {
      let file = try TestDatabase()
      try file.roundTrip([1.5])
      let table = file.table(One<Double>.self)
      #expect(mappingError { try table.find(where: \.value == .nan) }?.kind == .valueOutOfRange)
      #expect(
        mappingError { try table.find(where: "value = \(Double.nan)") }?.kind == .valueOutOfRange)
      #expect(
        mappingError { try table.updateAll(.set(\.value, to: .nan)) }?.kind == .valueOutOfRange)
      #expect(
        mappingError { try file.table(One<UInt64>.self).find(where: \.value == .max) }?.kind
          == .valueOutOfRange)
      #expect(try table.findAll().map(\.value) == [1.5])
    }

    @Test func model_ofAllScalars_comesBackFromMemoryRowByRow() throws {
      let file = try TestDatabase()
      let table = file.table(AllScalars.self)
      var full = AllScalars.full
      var empty = AllScalars()
      try table.insert(&full)
      try table.insert(&empty)
      #expect(try table.findAll(orderBy: .asc(\.pkid)) == [full, empty])
      #expect(try table.find(pkid: 1) == full)
      #expect(try ModelMapping.of(AllScalars.self).coversMemory)
    }
  }
}

private struct AllScalars: XTModel, Equatable {
  var pkid: Int64?
  var flag = false
  var small: Int8 = 0
  var text = ""
  var byte: UInt8?
  var medium: Int16 = 0
  var optionalFlag: Bool?
  var word: UInt16?
  var number = 0
  var float: Float = 0
  var data = Data()
  var optionalText: String?
  var large: UInt64 = 0
  var optionalDouble: Double?
  var uuid: UUID?
  var date: Date?
  var url: URL?
  var int32: Int32?
  var decimal: Decimal = 0
  var optionalDecimal: Decimal?
  var optionalData: Data?
  var last: UInt32 = 0

  static var full: AllScalars {
    var full = AllScalars()
    full.flag = true
    full.small = -128
    full.text = "a text that is longer than fifteen bytes"
    full.byte = 255
    full.medium = 32_767
    full.optionalFlag = true
    full.word = 65_535
    full.number = .min
    full.float = 0.1
    full.data = Data(repeating: 7, count: 100)
    full.optionalText = ""
    full.large = 1 << 62
    full.optionalDouble = -0.1
    full.uuid = UUID()
    full.date = Date(timeIntervalSince1970: 1_000.5)
    full.url = URL(string: "https://example.org/a?b=c#d")
    full.int32 = .min
    full.decimal = 1.1
    full.optionalDecimal = -5
    full.optionalData = Data()
    full.last = .max
    return full
  }
}
