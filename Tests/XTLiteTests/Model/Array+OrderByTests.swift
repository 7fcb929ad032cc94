import Foundation
import Testing

@testable import XTLite

private struct Runner: XTModel, Equatable {
  var name = ""
  var age = 0
  var nick: String?
}

@Suite struct OrderByTests {
  private let runners = [
    Runner(name: "a", age: 3, nick: "z"), Runner(name: "b", age: 1),
    Runner(name: "c", age: 3, nick: "y"),
    Runner(name: "d", age: 2), Runner(name: "e", age: 1, nick: "y"),
  ]

  private func names(_ runners: [Runner]) -> String { runners.map(\.name).joined() }

  @Test func orderBy_isStableInBothDirections() {
    #expect(names(runners.xt_orderBy(\.age)) == "bedac")
    #expect(names(runners.xt_orderBy(\.age, descending: true)) == "acdbe")
    #expect(names(runners.xt_orderBy(\.name, descending: true)) == "edcba")
    #expect(names(runners) == "abcde")
  }

  @Test func orderBy_nilComesBeforeAllOthersAsInSQL() throws {
    #expect(names(runners.xt_orderBy(\.nick)) == "bdcea")
    #expect(names(runners.xt_orderBy(\.nick, descending: true)) == "acebd")
    let test = try TestDatabase()
    let table = test.table(Runner.self)
    try table.insertList(runners)
    #expect(try table.findAll(orderBy: .asc(\.nick), .asc(\.name)) == runners.xt_orderBy(\.nick))
  }

  @Test func orderBy_ofNothing_isNothing() {
    #expect([Runner]().xt_orderBy(\.age) == [])
  }

  @Test func orderBy_objects_keepsThem() {
    let vessels = [Vessel("b"), Ferry("a"), Vessel("c")]
    #expect(
      vessels.xt_orderBy(\.name).map(ObjectIdentifier.init)
        == [vessels[1], vessels[0], vessels[2]].map(ObjectIdentifier.init))
  }
}
