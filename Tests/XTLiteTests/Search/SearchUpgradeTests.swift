import Foundation
import Testing

@testable import XTLite

@Suite struct SearchUpgradeTests {
  private func expect(
    _ table: XTTable<SearchUpgraded>, _ word: String, _ count: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: Never.self, sourceLocation: sourceLocation) {
      let rows = try table.count(scope: .all)
      #expect(try table.search(word).count == count, sourceLocation: sourceLocation)
      #expect(try table.checkSearch() == rows, sourceLocation: sourceLocation)
    }
  }

  @Test func upgrade_add_keepsTheIndex() throws {
    let test = try TestDatabase()
    let old = test.table(SearchUpgradedOld.self, named: "SearchUpgraded")
    try old.insertList([SearchUpgradedOld(name: "first apple", text: "pie")])
    try test.database.upgrade { XTUpgrade(SearchUpgraded.self, to: 2) { $0.add(\.extra) } }
    let table = test.table(SearchUpgraded.self)
    // The model searches another column than the one before.
    expect(table, "pie", 0)
    expect(table, "apple", 1)
  }

  @Test func upgrade_renameChangeAndFill_areFollowed() throws {
    let test = try TestDatabase()
    let old = test.table(SearchUpgradedOld.self, named: "SearchUpgraded")
    try old.insertList([
      SearchUpgradedOld(name: "first apple", text: "pie"),
      SearchUpgradedOld(name: "second", text: "cake"),
    ])
    #expect(try old.search("pie").count == 1)
    try test.database.upgrade {
      XTUpgrade(SearchUpgraded.self, to: 2) {
        $0.rename("text", to: \.body)
        $0.add(\.extra)
        $0.fill(\.extra, everyRow: true) { _ in "filled" }
        $0.run("UPDATE SearchUpgraded SET name = 'third' WHERE name = 'second'")
      }
      XTUpgrade(SearchUpgraded.self, to: 3) { $0.change(\.extra) }
    }
    let table = test.table(SearchUpgraded.self)
    expect(table, "apple", 1)
    expect(table, "second", 0)
    expect(table, "third", 1)
    expect(table, "filled", 2)
    #expect(try table.findAll().map(\.body) == ["pie", "cake"])
    try test.database.execute("UPDATE SearchUpgraded SET extra = 'raw' WHERE pkid = 1")
    expect(table, "filled", 1)
    // A second time nothing is done.
    let statements = try test.statements {
      try test.database.upgrade { XTUpgrade(SearchUpgraded.self, to: 3) { $0.change(\.extra) } }
    }
    #expect(!statements.contains { $0.contains("VIRTUAL") })
  }

  @Test func upgrade_renameTableAndMerge_takeTheIndexAlong() throws {
    let test = try TestDatabase()
    let old = test.table(SearchUpgradedOld.self, named: "Former")
    try old.insertList([SearchUpgradedOld(name: "apple", text: "pie")])
    let side = test.table(SearchUpgradedOld.self, named: "Side")
    try side.insertList([SearchUpgradedOld(name: "pear", text: "pie")])
    try test.database.upgrade {
      XTUpgrade(SearchUpgraded.self, to: 2) {
        $0.renameTable(from: "Former")
        $0.add(\.extra)
        $0.add(\.body)
        $0.merge(from: "Side")
      }
    }
    let table = test.table(SearchUpgraded.self)
    expect(table, "apple", 1)
    expect(table, "pear", 1)
    #expect(try test.tables().contains { $0.hasPrefix("Former") || $0.hasPrefix("Side") } == false)
  }

  @Test func upgrade_dropOfASearchedColumn_works() throws {
    let test = try TestDatabase()
    let old = test.table(SearchUpgradedOld.self, named: "SearchUpgraded")
    try old.insertList([SearchUpgradedOld(name: "apple", text: "pie")])
    try test.database.upgrade {
      XTUpgrade(SearchUpgraded.self, to: 2) {
        $0.add(\.extra)
        $0.add(\.body)
        $0.drop("text")
      }
    }
    expect(test.table(SearchUpgraded.self), "apple", 1)
  }

  @Test func upgrade_thatFails_leavesTheIndex() throws {
    let test = try TestDatabase()
    let old = test.table(SearchUpgradedOld.self, named: "SearchUpgraded")
    try old.insertList([SearchUpgradedOld(name: "apple", text: "pie")])
    #expect(throws: XTError.self) {
      try test.database.upgrade {
        XTUpgrade(SearchUpgraded.self, to: 2) {
          $0.rename("text", to: \.body)
          $0.run("SELECT no_such_function()")
        }
      }
    }
    #expect(try old.search("pie").count == 1)
    #expect(try old.checkSearch() == 1)
  }

  @Test func plan_touchesNothing() throws {
    let test = try TestDatabase()
    let old = test.table(SearchUpgradedOld.self, named: "SearchUpgraded")
    try old.insertList([SearchUpgradedOld(name: "apple", text: "pie")])
    let plan = try test.database.upgradePlan {
      XTUpgrade(SearchUpgraded.self, to: 2) { $0.rename("text", to: \.body) }
    }
    #expect("\(plan)".contains("body"))
    #expect(try old.search("pie").count == 1)
    #expect(try old.checkSearch() == 1)
  }

  @Test func automaticAddition_keepsTheIndex() throws {
    let test = try TestDatabase()
    let old = test.table(SearchUpgradedOld.self, named: "SearchUpgraded")
    try old.insertList([SearchUpgradedOld(name: "apple", text: "pie")])
    // Its columns are not there yet: the search adds them, as a write does.
    let table = test.table(SearchUpgraded.self)
    expect(table, "apple", 1)
    try table.insertList([SearchUpgraded(name: "x", body: "y", extra: "apple")])
    expect(table, "apple", 2)
  }
}

struct SearchUpgradedOld: XTModel {
  var name = ""
  var text = ""
  static var xt_search: XTSearch {
    XTSearch([\SearchUpgradedOld.name, \SearchUpgradedOld.text])
  }
}

struct SearchUpgraded: XTModel {
  var name = ""
  var body = ""
  var extra = "none"
  static var xt_search: XTSearch { XTSearch([\SearchUpgraded.name, \SearchUpgraded.extra]) }
}
