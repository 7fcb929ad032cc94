import Foundation
import Testing

@testable import XTLite

/// Verbs inside the callback of a row that is being read.
@Suite struct RowCallbackTests {
  private func filled() throws -> TestDatabase {
    let test = try TestDatabase()
    try test.table(Member.self).insertList((1...4).map { Member(name: "\($0)", age: $0) })
    return test
  }

  @Test(arguments: Place.allCases)
  func findOfTheSameShape_theOuterLoopGoesOnWhereItWas(place: Place) throws {
    let test = try filled()
    try place.run(test.database) { () throws in
      let table = test.table(Member.self)
      var seen: [String] = []
      try table.forEach(where: \.age > 0) { outer in
        #expect(try table.find(where: \.age > 0).count == 4)
        try Member.xt_forEachWhere(\.age > 2) { middle in
          try table.forEach(where: \.age > 3) { inner in
            seen.append(outer.name + middle.name + inner.name)
            try #require(seen.count < 20, "a loop begins anew")
          }
          #expect(try table.findFirst(where: \.age > 2)?.age == 3)
        }
        #expect(try table.find(pkid: 1)?.name == "1")
      }
      #expect(seen == ["134", "144", "234", "244", "334", "344", "434", "444"])
    }
  }

  @Test func findOfTheSameShape_isGivenBackWhereTheCallbackThrows() throws {
    struct Stop: Error {}
    let test = try filled()
    let table = test.table(Member.self)
    for _ in 0..<3 {
      #expect(throws: Stop.self) {
        try table.forEach(where: \.age > 0) { _ in
          try table.forEach(where: \.age > 0) { _ in throw Stop() }
        }
      }
    }
    #expect(try table.find(where: \.age > 0).count == 4)
    // Nothing still reads: the table can go.
    #expect(try table.drop())
  }

  @Test(arguments: Place.allCases.filter { $0 != .alone })
  func writesInTheCallback_changeTheirRowsAndEndTheLoopNowhere(place: Place) throws {
    let test = try filled()
    try place.run(test.database) { () throws in
      let table = test.table(Member.self)
      var seen: [String] = []
      try table.forEach(orderBy: .asc(\.name)) { member in
        seen.append(member.name)
        try #require(seen.count < 20, "the loop begins anew")
        var changed = member
        changed.age += 10
        try table.update(changed)
        try table.updateList([changed])
        #expect(try table.save(&changed) == .updated(pkids: [changed.pkid ?? 0]))
        if member.name == "2" { #expect(try table.delete(Member(pkid: 1))) }
      }
      #expect(seen == ["1", "2", "3", "4"])
      #expect(try table.findAll(orderBy: .asc(\.pkid)).map(\.age) == [12, 13, 14])
    }
  }

  @Test func writesInAListsSequence_areOfTheSameStatement() throws {
    let test = try filled()
    let table = test.table(Member.self)
    let members = try table.findAll()
    let changed = members.lazy.map { member in
      var member = member
      _ = try? table.update(member)
      var other = Member(name: "o\(member.name)")
      _ = try? table.upsert(&other, by: \.name)
      member.age *= 10
      return member
    }
    #expect(try table.updateList(changed) == 4)
    #expect(try table.findAll(orderBy: .asc(\.pkid)).map(\.age) == [10, 20, 30, 40, 0, 0, 0, 0])
    #expect(try table.upsertList(changed, by: \.name).allSatisfy { !$0.isInserted })
  }
}
