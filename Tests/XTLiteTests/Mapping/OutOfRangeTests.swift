import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// What another program wrote and no property can hold: an error that names it, never a trap.
  @Suite struct OutOfRangeTests {
    private func refuse<Value: Defaulted>(
      _ expression: String, as type: Value.Type, _ kind: XTError.Kind = .valueOutOfRange,
      says text: String? = nil, _ location: SourceLocation = #_sourceLocation
    ) throws {
      let file = try TestDatabase()
      let error = mappingError(location) { try file.read(expression, as: type) }
      #expect(error?.kind == kind, "\(expression)", sourceLocation: location)
      #expect(error?.column == "value", sourceLocation: location)
      #expect(error?.table == (try file.table(One<Value>.self).name), sourceLocation: location)
      #expect(error?.message.contains(text ?? expression) == true, sourceLocation: location)
      #expect(error?.sql?.hasPrefix("SELECT") == true, sourceLocation: location)
      // Every way of reading says the same, and the row stays what it was.
      let before = try file.stored(type)
      let table = file.table(One<Value>.self)
      #expect(
        mappingError(location) { try table.findAll() }?.kind == kind, sourceLocation: location)
      #expect(
        mappingError(location) { try table.find(pkid: 1) }?.kind == kind, sourceLocation: location)
      #expect(
        mappingError(location) { try table.forEach { _ in } }?.kind == kind,
        sourceLocation: location)
      #expect(
        mappingError(location) { try table.select(\.value) }?.kind == kind,
        sourceLocation: location)
      #expect(try file.stored(type) == before, sourceLocation: location)
    }

    @Test(arguments: ["300", "-129", "9223372036854775807", "-9223372036854775808"])
    func int8_outOfRange_throws(_ number: String) throws {
      try refuse(number, as: Int8.self)
      try refuse(number, as: Int8?.self)
    }

    @Test(arguments: ["256", "300", "-1", "9223372036854775807"])
    func uint8_outOfRange_throws(_ number: String) throws {
      try refuse(number, as: UInt8.self)
      try refuse(number, as: UInt8?.self)
    }

    @Test(arguments: ["2147483648", "-2147483649", "9223372036854775807"])
    func int32_outOfRange_throws(_ number: String) throws {
      try refuse(number, as: Int32.self)
      try refuse(number, as: Int32?.self)
    }

    @Test func otherIntegers_outOfRange_throw() throws {
      try refuse("32768", as: Int16.self)
      try refuse("-32769", as: Int16?.self)
      try refuse("65536", as: UInt16.self)
      try refuse("-1", as: UInt16?.self)
      try refuse("4294967296", as: UInt32.self)
      try refuse("-1", as: UInt32?.self)
      try refuse("-1", as: UInt64.self)
      try refuse("-9223372036854775808", as: UInt?.self)
    }

    @Test func integers_thatFit_areReadFromReals() throws {
      let file = try TestDatabase()
      #expect(try file.read("300.0", as: Int.self) == 300)
      #expect(try file.read("-1", as: Int8.self) == -1)
      #expect(try file.read("9223372036854775807", as: Int64.self) == .max)
      #expect(try file.read("9223372036854775807", as: UInt64.self) == UInt64(Int64.max))
    }

    @Test func integer_fromFractionTextOrBlob_throws() throws {
      try refuse("1.5", as: Int.self, .decoding)
      try refuse("1e300", as: Int64?.self, .decoding, says: "1e+300")
      try refuse("9e999", as: Int.self, .decoding)
      try refuse("'twelve'", as: Int.self, .decoding)
      try refuse("''", as: Int?.self, .decoding)
      try refuse("X'00FF'", as: Int.self, .decoding)
    }

    @Test func bool_fromOtherThanZeroOrOne_throws() throws {
      try refuse("2", as: Bool.self, .decoding)
      try refuse("-1", as: Bool?.self, .decoding)
      try refuse("0.5", as: Bool.self, .decoding)
      try refuse("'true'", as: Bool.self, .decoding)
      #expect(try TestDatabase().read("1.0", as: Bool.self) == true)
    }

    @Test func reals_fromIntegers_readFine() throws {
      let file = try TestDatabase()
      // A column of another program's may be declared otherwise, or not at all.
      try file.outside(
        """
        CREATE TABLE `One_Double` (`pkid` INTEGER PRIMARY KEY, `value`);
        INSERT INTO `One_Double` (`value`) VALUES (3), (-1), (9007199254740993);
        CREATE TABLE `One_Float` (`pkid` INTEGER PRIMARY KEY, `value`);
        INSERT INTO `One_Float` (`value`) VALUES (3);
        CREATE TABLE `One_Date` (`pkid` INTEGER PRIMARY KEY, `value`);
        INSERT INTO `One_Date` (`value`) VALUES (86400);
        CREATE TABLE `One_Decimal` (`pkid` INTEGER PRIMARY KEY, `value`);
        INSERT INTO `One_Decimal` (`value`) VALUES (-9223372036854775808), (3.133), ('12.50');
        """)
      #expect(
        try file.table(One<Double>.self).findAll().map(\.value) == [3, -1, 9_007_199_254_740_992])
      #expect(try file.table(One<Float>.self).findAll().map(\.value) == [3])
      #expect(
        try file.table(One<Date>.self).findAll().map(\.value)
          == [Date(timeIntervalSince1970: 86_400)])
      #expect(
        try file.table(One<Decimal>.self).findAll().map { "\($0.value)" }
          == ["-9223372036854775808", "3.133", "12.5"])
    }

    @Test func float_beyondItsRange_throws() throws {
      try refuse("1e300", as: Float.self, .valueOutOfRange, says: "1e+300")
      try refuse("-1e39", as: Float?.self, .valueOutOfRange, says: "-1e+39")
      #expect(try TestDatabase().read("9e999", as: Float.self) == .infinity)
      #expect(try TestDatabase().read("1e-60", as: Float.self) == 0)
    }

    @Test func real_fromTextOrBlob_throws() throws {
      try refuse("'x'", as: Double.self, .decoding)
      try refuse("X'01'", as: Double?.self, .decoding)
      try refuse("'x'", as: Float.self, .decoding)
    }

    @Test func textAndBlob_ofAnotherClass_throw() throws {
      try refuse("X'61'", as: String.self, .decoding)
      try refuse("X'61'", as: String?.self, .decoding)
      try refuse("'text'", as: Data.self, .decoding)
      try refuse("5", as: Data?.self, .decoding)
      #expect(try TestDatabase().read("5", as: String.self) == "5")
    }

    @Test func null_inWhatIsNotOptional_throws() throws {
      func refuseNull<Value: Defaulted>(_: Value.Type) throws {
        let file = try TestDatabase()
        let name = try file.table(One<Value>.self).name
        try file.outside(
          "CREATE TABLE `\(name)` (`pkid` INTEGER PRIMARY KEY, `value`);"
            + "INSERT INTO `\(name)` (`value`) VALUES (NULL);")
        let error = mappingError { try file.table(One<Value>.self).findAll() }
        #expect(error?.kind == .decoding)
        #expect(error?.column == "value")
        #expect(error?.table == name)
        #expect(error?.message.contains("NULL") == true)
        #expect(try file.table(One<Value?>.self, named: name).count(where: "value IS NULL") == 1)
      }
      try refuseNull(String.self)
      try refuseNull(Int.self)
      try refuseNull(Int8.self)
      try refuseNull(UInt64.self)
      try refuseNull(Bool.self)
      try refuseNull(Double.self)
      try refuseNull(Float.self)
      try refuseNull(Data.self)
      try refuseNull(Date.self)
      try refuseNull(UUID.self)
      try refuseNull(URL.self)
      try refuseNull(Decimal.self)
      try refuseNull([Int].self)
      try refuseNull([String: Int].self)
      try refuseNull(XTJSON.self)
    }
  }
}
