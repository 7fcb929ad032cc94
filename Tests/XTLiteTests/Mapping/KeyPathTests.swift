import Foundation
import Observation
import Testing

@testable import XTLite

extension MappingTests {
  /// Which column a key path leads to, in debug and as the optimizer leaves it.
  @Suite struct KeyPathTests {
    /// Checks every pair, and that no column was missed.
    private func check<Model: XTModel>(
      _: Model.Type, _ expected: [(AnyKeyPath, String)], all: Bool = true,
      _ location: SourceLocation = #_sourceLocation
    ) throws {
      let mapping = try ModelMapping.of(Model.self)
      for (keyPath, name) in expected {
        let column = mappingError0 { try mapping.column(for: keyPath).name }
        #expect(column == name, "\(keyPath)", sourceLocation: location)
      }
      if all {
        #expect(
          Set(expected.map(\.1)) == Set(mapping.columns.map(\.name)), sourceLocation: location)
      }
    }

    private func mappingError0(_ body: () throws -> String) -> String {
      do { return try body() } catch { return "\(error)" }
    }

    private func refuse<Model: XTModel>(
      _: Model.Type, _ keyPaths: [AnyKeyPath], _ location: SourceLocation = #_sourceLocation
    ) throws {
      let mapping = try ModelMapping.of(Model.self)
      for keyPath in keyPaths {
        let error = mappingError(location) { try mapping.column(for: keyPath) }
        #expect(error?.kind == .unknownColumn, "\(keyPath)", sourceLocation: location)
        #expect(error?.table == mapping.tableName, sourceLocation: location)
        #expect(error?.hint?.isEmpty == false, sourceLocation: location)
      }
    }

    @Test func struct_fields() throws {
      try check(
        Fields.self,
        [
          (\Fields.pkid, "pkid"), (\Fields.flag, "flag"), (\Fields.other, "other"),
          (\Fields.number, "number"), (\Fields.second, "second"), (\Fields.maybe, "maybe"),
          (\Fields.maybeToo, "maybeToo"), (\Fields.text, "text"), (\Fields.suit, "suit"),
          (\Fields.maybeSuit, "maybeSuit"), (\Fields.list, "list"), (\Fields.names, "names"),
          (\Fields.place, "place"), (\Fields.maybePlace, "maybePlace"), (\Fields.shape, "shape"),
          (\Fields.observed, "observed"), (\Fields.observedFlag, "observedFlag"),
          (\Fields.readOnly, "readOnly"), (\Fields.constant, "constant"), (\Fields.data, "data"),
          (\Fields.date, "date"), (\Fields.uuid, "uuid"), (\Fields.url, "url"),
          (\Fields.decimal, "decimal"), (\Fields.observedSuit, "observedSuit"),
          (\Fields.observedPlace, "observedPlace"), (\Fields.observedList, "observedList"),
          (\Fields.json, "json"), (\Fields.only, "only"),
        ])
    }

    @Test func openClass_fields() throws {
      let own: [(AnyKeyPath, String)] = [
        (\Open.flag, "flag"), (\Open.other, "other"), (\Open.number, "number"),
        (\Open.second, "second"), (\Open.maybe, "maybe"), (\Open.maybeToo, "maybeToo"),
        (\Open.text, "text"), (\Open.suit, "suit"), (\Open.maybeSuit, "maybeSuit"),
        (\Open.list, "list"), (\Open.place, "place"), (\Open.maybePlace, "maybePlace"),
        (\Open.observed, "observed"), (\Open.readOnly, "readOnly"), (\Open.constant, "constant"),
        (\Open.varying, "varying"), (\Open.date, "date"), (\Open.uuid, "uuid"), (\Open.url, "url"),
        (\Open.decimal, "decimal"), (\Open.data, "data"), (\Open.map, "map"), (\Open.set, "set"),
        (\Open.float, "float"), (\Open.byte, "byte"), (\Open.options, "options"),
        (\Open.reference, "reference"), (\Open.model, "model"), (\Open.json, "json"),
        (\Open.finalShape, "finalShape"), (\Open.range, "range"),
      ]
      try check(Open.self, own)
      // Through the key paths of the superclass and its own.
      try check(
        Sub.self,
        own + [
          (\Sub.flag, "flag"), (\Sub.number, "number"), (\Sub.constant, "constant"),
          (\Sub.extra, "extra"), (\Sub.extraFlag, "extraFlag"),
        ])
      let mapping = try ModelMapping.of(Sub.self)
      #expect(try mapping.column(for: \Open.number) === mapping.column(for: \Sub.number))
    }

    @Test func finalClass_fields() throws {
      try check(
        Final.self,
        [
          (\Final.flag, "flag"), (\Final.other, "other"), (\Final.number, "number"),
          (\Final.second, "second"), (\Final.constant, "constant"),
          (\Final.constantToo, "constantToo"),
          (\Final.shape, "shape"), (\Final.maybeShape, "maybeShape"),
          (\Final.reference, "reference"),
          (\Final.maybeReference, "maybeReference"), (\Final.observed, "observed"),
          (\Final.readOnly, "readOnly"),
        ])
    }

    @Test func genericClass_fields() throws {
      try check(
        GenericOpen<Int>.self,
        [
          (\GenericOpen<Int>.first, "first"), (\GenericOpen<Int>.second, "second"),
          (\GenericOpen<Int>.constant, "constant"), (\GenericOpen<Int>.constantToo, "constantToo"),
        ])
      try check(
        GenericOpen<String?>.self,
        [(\GenericOpen<String?>.first, "first"), (\GenericOpen<String?>.second, "second")],
        all: false)
    }

    @Test func observableClass_fields() throws {
      try check(
        Watched.self,
        [
          (\Watched.name, "name"), (\Watched.title, "title"), (\Watched.flag, "flag"),
          (\Watched.count, "count"), (\Watched.fixed, "fixed"),
        ])
      try refuse(Watched.self, [\Watched.both, \Watched.either, \Watched.length])
    }

    @Test func automaticColumnsBesideAnObject_haveKeyPaths() throws {
      let mapping = try ModelMapping.of(Open.self)
      #expect(try mapping.column(for: \Open.pkid).name == "pkid")
      #expect(try mapping.column(for: \Open.xt_createTime).name == "xt_createTime")
      #expect(try mapping.column(for: \Open.xt_updateTime).name == "xt_updateTime")
      #expect(try mapping.column(for: \Open.xt_isDel).name == "xt_isDel")
      #expect(try mapping.column(for: \Open.isGone).name == "xt_isDel")
      let file = try TestDatabase()
      let table = file.table(Final.self)
      let object = Final()
      try table.insert(object)
      #expect(try table.count(where: \.pkid == 1 && \.xt_createTime != nil && !\.xt_isDel) == 1)
      #expect(try table.findAll(orderBy: .desc(\.xt_updateTime), .asc(\.pkid)).count == 1)
    }

    @Test func computedProperties_areNoColumns() throws {
      // Each follows one stored property while the others hold what init() gives.
      try refuse(
        Fields.self,
        [
          \Fields.sum, \Fields.difference, \Fields.either, \Fields.both, \Fields.label,
          \Fields.negated,
          \Fields.nothing, \Fields.length, \Fields.isEmpty, \Fields.coalesced, \Fields.copy,
          \Fields.self, \Fields.mixed,
        ])
      try refuse(
        Open.self,
        [
          \Open.sum, \Open.either, \Open.both, \Open.label, \Open.negated, \Open.always,
          \Open.never,
          \Open.seven, \Open.coalesced, \Open.otherModel, \Open.description, \Open.hashText,
        ])
      // One that only forwards is its field.
      #expect(try ModelMapping.of(Open.self).column(for: \Open.forwarded).name == "text")
      #expect(try ModelMapping.of(Fields.self).column(for: \Fields.forwarded).name == "number")
    }

    @Test func nestedKeyPaths_areNoColumns_andAreNeverFollowed() throws {
      // Followed on a fresh instance, most of these would end the process.
      try refuse(
        Fields.self,
        [
          \Fields.place.city, \Fields.maybePlace?.city, \Fields.maybePlace!.city, \Fields.list[0],
          \Fields.names[3], \Fields.text.count, \Fields.text.isEmpty, \Fields.list.first!,
          \Fields.list.count, \Fields.maybe!, \Fields.date.timeIntervalSince1970,
          \Fields.observedList[5], \Fields[7],
        ])
      try refuse(
        Open.self,
        [
          \Open.place.city, \Open.maybePlace?.city, \Open.maybePlace!.city, \Open.list[9],
          \Open.model.size, \Open.text.count, \Open.maybe!, \Open.map["x"], \Open.map["x"]!,
          \Open.number.description, \Open.self.text.count,
        ])
      try refuse(Final.self, [\Final.maybeReference!.number, \Final.reference.number, \Final.self])
      let file = try TestDatabase()
      let table = file.table(Fields.self)
      #expect(mappingError { try table.find(where: \.place.city == "x") }?.kind == .unknownColumn)
      #expect(mappingError { try table.findAll(orderBy: .asc(\.list[0])) }?.kind == .unknownColumn)
      #expect(mappingError { try table.delete(where: \.sum == 0) }?.kind == .unknownColumn)
    }

    @Test func keyPathsOfOtherTypes_areNoColumns() throws {
      try refuse(
        Fields.self,
        [
          \Open.flag, \Final.number, \String.count, \Watched.name, \KeyedPlace.city, \Int.self,
          \[Int].[0],
        ])
      try refuse(Open.self, [\Sub.extra, \Fields.flag, \Final.number, \Watched.name])
      try refuse(Final.self, [\Open.number, \Fields.number])
      try refuse(Sub.self, [\Final.number, \OtherSub.extra])
    }

    @Test func closuresAndReferences_canBeIgnored() throws {
      let mapping = try ModelMapping.of(IgnoresReferences.self)
      #expect(mapping.columns.map(\.name) == ["name"])
      #expect(try ModelMapping.of(IgnoresClosures.self).columns.map(\.name) == ["name"])
    }

    @Test func probing_leavesNoTraceAndRunsNoObserver() throws {
      let mapping = try ModelMapping.of(Careful.self)
      #expect(try mapping.column(for: \Careful.handle).name == "handle")
      #expect(try mapping.column(for: \Careful.watched).name == "watched")
      #expect(Careful.observed.withLock(\.self) == 0)
      // What an object is destroyed with is what init() gave it, not what was tried.
      #expect(Careful.closed.withLock(\.self).allSatisfy { $0 == -1 })
    }
  }
}

private enum Suit: String { case hearts, spades, clubs }
private enum Single: String { case only }
private enum Shape: Codable { case dot, circle(Double), path([Int]) }
private struct KeyedPlace: Codable { var city = ""; var zip: Int? }
private struct Size: XTModel { var size = 1 }
private final class Reference: Codable { var number = 1 }
private struct Options: OptionSet, Codable { var rawValue = 0 }

private struct Fields: XTModel {
  var pkid: Int64?
  var flag = false
  var other = false
  var number = 0
  var second = 0
  var maybe: Int?
  var maybeToo: Int?
  var text = ""
  var suit = Suit.hearts
  var maybeSuit: Suit?
  var list: [Int] = []
  var names: [Int] = []
  var place = KeyedPlace()
  var maybePlace: KeyedPlace?
  var shape = Shape.dot
  var observed = 0 { didSet {} }
  var observedFlag = false { willSet {} }
  private(set) var readOnly = 0
  let constant = 5
  var data = Data()
  var date = Date()
  var uuid = UUID()
  var url: URL?
  var decimal = Decimal()
  var observedSuit = Suit.spades { didSet {} }
  var observedPlace = KeyedPlace() { didSet {} }
  var observedList: [Int] = [] { didSet {} }
  var json: XTJSON = nil
  var only = Single.only

  var sum: Int { number + second }
  var difference: Int { number - second }
  var either: Bool { flag || other }
  var both: Bool { flag && other }
  var label: String { text + (maybe.map(String.init) ?? "") }
  var negated: Bool { !flag }
  var nothing: Int { 0 }
  var length: Int { text.count }
  var isEmpty: Bool { text.isEmpty }
  var coalesced: Int { maybe ?? number }
  var copy: Fields { self }
  var mixed: Int { observed + list.count }
  var forwarded: Int { number }
  subscript(index: Int) -> Int { number + index }
}

private class Open: XTModel, CustomStringConvertible {
  var flag = false
  var other = true
  var number = 0
  var second = 0
  var maybe: Int?
  var maybeToo: Int?
  var text = ""
  var suit = Suit.hearts
  var maybeSuit: Suit?
  var list: [Int] = []
  var place = KeyedPlace()
  var maybePlace: KeyedPlace?
  var observed = 0 { didSet {} }
  private(set) var readOnly = 0
  let constant = 7
  let varying = UUID()
  var date = Date()
  var uuid = UUID()
  var url: URL?
  var decimal = Decimal()
  var data = Data()
  var map: [String: Int] = [:]
  var set: Set<Int> = []
  var float: Float = 0
  var byte: UInt8?
  var options = Options()
  var reference = Reference()
  var model = Size()
  var json: XTJSON = nil
  final var finalShape = Shape.dot
  var range = 0..<1

  var sum: Int { number + second + observed }
  var either: Bool { flag || !other }
  var both: Bool { other && !flag }
  var label: String { text + (url?.absoluteString ?? "") }
  var negated: Bool { !flag }
  var always: Bool { true }
  var never: Bool { false }
  var seven: Int { 7 }
  var coalesced: Int { maybe ?? number }
  var otherModel: Size { Size() }
  var description: String { text + "\(number)" }
  var hashText: String { text + suit.rawValue.prefix(0) + (maybe == nil ? "" : "x") }
  var forwarded: String { text }
  var isGone: Bool { xt_isDel }

  required init() {}
}

private class Sub: Open {
  var extra = 0
  var extraFlag = false
}

private final class OtherSub: Open {
  var extra = 0
}

private final class Final: XTModel {
  var flag = false
  var other = false
  var number = 0
  var second = 0
  let constant = 1
  let constantToo = 1
  var shape = Shape.dot
  var maybeShape: Shape?
  var reference = Reference()
  var maybeReference: Reference?
  var observed = 0 { didSet {} }
  private(set) var readOnly = 0
}

private class GenericOpen<Value: Defaulted>: XTModel {
  var first = Value()
  var second = Value()
  let constant = 1
  let constantToo = 1
  required init() {}
}

@Observable private final class Watched: XTModel {
  var name = ""
  var title = ""
  var flag = false
  var count = 0
  let fixed = 3
  var both: String { name + title }
  var either: Bool { flag || count > 0 }
  var length: Int { name.count }
}

private class IgnoresReferences: XTModel {
  final class Service {}

  var name = ""
  var service = Service()
  var maybeService: Service?
  var another: Service?
  var anything: Any?
  var run: () -> Int = { 5 }
  var alsoRun: () -> Int = { 6 }
  var pair: (Int, () -> Void) = (1, {})
  required init() {}

  class var xt_ignored: XTKeyPaths {
    [
      \IgnoresReferences.service, \IgnoresReferences.maybeService, \IgnoresReferences.another,
      \IgnoresReferences.anything, \IgnoresReferences.run, \IgnoresReferences.alsoRun,
      \IgnoresReferences.pair,
    ]
  }
}

private struct IgnoresClosures: XTModel {
  var run: (() -> Void)?
  var name = ""
  var other: (() -> Void)?
  var change: @Sendable (inout Int) async throws -> String = { _ in "" }

  static var xt_ignored: XTKeyPaths {
    [\IgnoresClosures.other, \IgnoresClosures.change, \IgnoresClosures.run]
  }
}

/// A class that does something with what it holds when it goes.
private class Careful: XTModel {
  static let closed = Mutex<[Int]>([])
  static let observed = Mutex(0)

  var handle = -1
  var watched = 0 { didSet { Self.observed.withLock { $0 += 1 } } }
  required init() {}

  deinit { Self.closed.withLock { [handle] in $0.append(handle) } }
}
