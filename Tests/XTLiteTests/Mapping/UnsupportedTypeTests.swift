import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Types that no column can hold: the first use throws, names the property and its type, and says
  /// the three ways out.
  @Suite struct UnsupportedTypeTests {
    private func refuse<Model: XTModel>(
      _ model: Model.Type, _ property: String, _ type: String,
      _ location: SourceLocation = #_sourceLocation
    ) throws {
      let file = try TestDatabase()
      let table = file.table(model)
      let uses: [(XTTable<Model>) throws -> Void] = [
        { _ = try $0.create() }, { _ = try $0.count() }, { _ = try $0.findAll() },
        { _ = try $0.insertList([Model()]) }, { _ = try $0.deleteAll() },
      ]
      for use in uses {
        let error = mappingError(location) { try use(table) }
        #expect(error?.kind == .unsupportedProperty, sourceLocation: location)
        #expect(error?.column == property, sourceLocation: location)
        #expect(error?.message.contains(" \(property) ") == true, sourceLocation: location)
        #expect(
          error?.message.contains(type) == true, "\(error?.message ?? "")", sourceLocation: location
        )
        for way in ["Codable", "XTColumnValue", "xt_ignored"] {
          #expect(error?.hint?.contains(way) == true, sourceLocation: location)
        }
      }
      #expect(try file.modelTables() == [], sourceLocation: location)
    }

    @Test func closures_areRefused() throws {
      try refuse(HasClosure.self, "run", "() -> ")
      try refuse(HasOptionalClosure.self, "run", "Optional")
    }

    @Test func tuples_areRefused() throws {
      try refuse(HasTuple.self, "pair", "(Swift.Int, Swift.String)")
    }

    @Test func existentials_areRefused() throws {
      try refuse(HasAny.self, "anything", "Any")
      try refuse(HasOptionalAny.self, "anything", "Any")
      try refuse(HasAnyObject.self, "object", "AnyObject")
      try refuse(HasProtocol.self, "named", "Named")
      try refuse(HasAnyCodable.self, "codable", "Codable")
      try refuse(HasMetatype.self, "type", "Type")
    }

    @Test func containersOfUnsupportedTypes_areRefused() throws {
      try refuse(HasAnyList.self, "list", "Array<Any>")
      try refuse(HasAnyMap.self, "map", "Dictionary<Swift.String, Any>")
      try refuse(HasClosureList.self, "list", "Array")
    }

    @Test func enumWithoutRawValueOrCodable_isRefused() throws {
      try refuse(HasEnum.self, "mood", "Mood")
    }

    @Test func structAndClassThatAreNotCodable_areRefused() throws {
      try refuse(HasStruct.self, "plain", "Plain")
      try refuse(HasClass.self, "object", "PlainObject")
      try refuse(HasOptionalClass.self, "object", "PlainObject")
      try refuse(HasSubstring.self, "part", "Substring")
      try refuse(HasCharacter.self, "letter", "Character")
    }

    @Test func nestedOptionals_areRefused() throws {
      try refuse(HasNestedOptional.self, "deep", "Optional<Swift.Optional<Swift.Int>>")
      try refuse(HasNestedOptionalStruct.self, "deep", "Optional")
    }

    @Test func wrapperThatCannotBeKept_isRefusedByItsPublicName() throws {
      try refuse(HasClosureWrapper.self, "work", "Deferred")
      try refuse(HasTwoPartWrapper.self, "value", "TwoParts")
    }

    @Test func inheritedProperty_isRefusedToo() throws {
      try refuse(InheritsPlain.self, "object", "PlainObject")
    }

    @Test func unsupportedProperties_thatAreIgnored_areFine() throws {
      let file = try TestDatabase()
      let table = file.table(IgnoresAll.self)
      var model = IgnoresAll()
      model.name = "x"
      try table.insert(&model)
      let read = try #require(try table.findFirst())
      #expect(read.name == "x")
      #expect(read.run() == 5)
      #expect(read.anything as? String == "default")
      #expect(read.named.name == "n")
    }

    @Test func model_withoutStoredProperties_isRefused() throws {
      let file = try TestDatabase()
      for error in [
        mappingError { try file.table(Nothing.self).count() },
        mappingError { try file.table(OnlyComputed.self).insertList([OnlyComputed()]) },
        mappingError { try file.table(OnlyIgnored.self).count() },
        mappingError { try file.table(EmptyClass.self).insert(EmptyClass()) },
      ] {
        #expect(error?.kind == .schema)
        #expect(error?.message.contains("no stored property") == true)
      }
      #expect(try file.modelTables() == [])
    }

    @Test func existentialInsideOfACodableType_isNoCrash() throws {
      // A field of an existential type has no parts to be looked at.
      #expect(try Reflection.fields(of: (any Named).self).isEmpty)
      #expect(try Reflection.fields(of: Any.self).isEmpty)
      #expect(try Reflection.fields(of: AnyObject.self).isEmpty)
      #expect(try Reflection.fields(of: (Int, String).self).isEmpty)
      #expect(try Reflection.fields(of: (() -> Void).self).isEmpty)
      #expect(try Reflection.fields(of: Int.Type.self).isEmpty)
      #expect(try Reflection.fields(of: Mood.self).isEmpty)
      let file = try TestDatabase()
      #expect(try file.roundTrip([HidesExistential(number: 5)])[0].number == 5)
    }
  }
}

private protocol Named { var name: String { get } }
private struct Name: Named { var name = "n" }
private enum Mood { case good, bad }
private struct Plain { var number = 0 }
private final class PlainObject {}

private struct HasClosure: XTModel { var number = 0; var run: () -> Int = { 5 } }
private struct HasOptionalClosure: XTModel { var run: ((Int) -> Void)? }
private struct HasTuple: XTModel { var pair = (1, "") }
private struct HasAny: XTModel { var anything: Any = 5 }
private struct HasOptionalAny: XTModel { var anything: Any? }
private struct HasAnyObject: XTModel { var object: AnyObject = PlainObject() }
private struct HasProtocol: XTModel { var named: any Named = Name() }
private struct HasAnyCodable: XTModel { var codable: any Codable = 5 }
private struct HasMetatype: XTModel { var type: Any.Type = Int.self }
private struct HasAnyList: XTModel { var list: [Any] = [] }
private struct HasAnyMap: XTModel { var map: [String: Any] = [:] }
private struct HasClosureList: XTModel { var list: [() -> Void] = [] }
private struct HasEnum: XTModel { var mood = Mood.good }
private struct HasStruct: XTModel { var plain = Plain() }
private struct HasClass: XTModel { var object = PlainObject() }
private struct HasOptionalClass: XTModel { var object: PlainObject? }
private struct HasSubstring: XTModel { var part: Substring = "" }
private struct HasCharacter: XTModel { var letter: Character = "a" }
private struct HasNestedOptional: XTModel { var deep: Int?? }
private struct HasNestedOptionalStruct: XTModel { var deep: [Int]?? }

@propertyWrapper private struct Deferred {
  var wrappedValue: () -> Int
}

@propertyWrapper private struct TwoParts {
  var wrappedValue: Int
  var other = 0
}

private struct HasClosureWrapper: XTModel { @Deferred var work = { 5 } }
private struct HasTwoPartWrapper: XTModel { @TwoParts var value = 5 }

private class PlainBase {
  var object = PlainObject()
  init() {}
}

private final class InheritsPlain: PlainBase, XTModel {
  var number = 0
  override init() {}
}

private struct IgnoresAll: XTModel {
  var pkid: Int64?
  var name = ""
  var run: () -> Int = { 5 }
  var anything: Any = "default"
  var named: any Named = Name()
  var pair = (1, "")

  static var xt_ignored: XTKeyPaths {
    [\IgnoresAll.run, \IgnoresAll.anything, \IgnoresAll.named, \IgnoresAll.pair]
  }
}

private struct Nothing: XTModel {}

private struct OnlyComputed: XTModel {
  var name: String { "" }
  static let number = 5
}

private struct OnlyIgnored: XTModel {
  var name = ""
  static var xt_ignored: XTKeyPaths { [\OnlyIgnored.name] }
}

private final class EmptyClass: XTModel {}

private struct HidesExistential: Codable, Defaulted {
  var number = 0
  var hidden: (any Named)?
  var opaque: Any?

  init() {}
  init(number: Int) { self.number = number }

  enum CodingKeys: CodingKey { case number }
}
