import Foundation
import Testing

@testable import XTLite

private struct Crate: XTModel {
  var pkid: Int64?
  var label = ""
  var weight = 5
  var day: Date?

  static var xt_indexes: [XTIndex] { [XTIndex(\Crate.label)] }
}

private struct Ship: XTModel {
  var name = ""

  static var xt_tableName: String { "Ship" }
}

private struct Berth: XTModel {
  var ship: Int64?
  var place = ""

  static var xt_constraints: [XTConstraint] {
    [.foreignKey(\Berth.ship, references: Ship.self, \Ship.name)]
  }
}

@Suite struct TablesTests {
  private func create(_ face: Face, _ test: TestDatabase) throws -> Bool {
    face == .table ? try test.table(Crate.self).create() : try Crate.xt_createTable()
  }

  private func exists(_ face: Face, _ test: TestDatabase) throws -> Bool {
    face == .table ? try test.table(Crate.self).exists() : try Crate.xt_tableIsExist()
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func create_andDrop_sayWhetherTheyDid(face: Face, place: Place) throws {
    let test = try TestDatabase()
    try place.run(test.database) { () throws in
      #expect(try !exists(face, test))
      #expect(try create(face, test))
      #expect(try !create(face, test))
      #expect(try exists(face, test))
      let table = test.table(Crate.self)
      #expect(try face == .table ? !table.autoCreateIfNotExist() : !Crate.xt_autoCreateIfNotExist())
      #expect(try face == .table ? table.drop() : Crate.xt_dropTable())
      #expect(try face == .table ? !table.drop() : !Crate.xt_dropTable())
      #expect(try face == .table ? table.autoCreateIfNotExist() : Crate.xt_autoCreateIfNotExist())
      try table.insertList([Crate(label: "a")])
      #expect(try table.drop())
      #expect(try table.count() == 0)
      try table.insertList([Crate(label: "b")])
    }
    #expect(try test.seen("SELECT pkid, label FROM Crate") == ["1|b"])
    #expect(try test.seen("SELECT tbl_name FROM sqlite_master WHERE type = 'index'") == ["Crate"])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func alterAddColumn_addsTheOneColumn(face: Face, place: Place) throws {
    let test = try TestDatabase(
      after:
        "CREATE TABLE Crate (id INTEGER PRIMARY KEY, label TEXT); INSERT INTO Crate VALUES (1, 'a')"
    )
    try place.run(test.database) { () throws in
      for isNew in [true, false] {
        #expect(
          try face == .table
            ? test.table(Crate.self).alterAddColumn(\.weight) == isNew
            : Crate.xt_alterAddColumn(\.weight) == isNew)
      }
      let error = #expect(throws: XTError.self) {
        try test.table(Crate.self).alterAddColumn(\.label.count)
      }
      #expect(error?.kind == .unknownColumn)
    }
    #expect(try test.seen("SELECT * FROM Crate") == ["1|a|5"])
  }

  @Test func alterAddColumn_withoutAutomaticColumns_makesTheParentWithoutThem() throws {
    let test = try TestDatabase(after: "CREATE TABLE Berth (place TEXT)") {
      $0.automaticColumns = false
    }
    #expect(try test.table(Berth.self).alterAddColumn(\.ship))
    #expect(try test.columns(of: "Ship") == ["name"])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func alterRename_takesTheRowsAlong(face: Face, place: Place) throws {
    let test = try TestDatabase()
    try place.run(test.database) { () throws in
      let table = test.table(Crate.self)
      #expect(
        try face == .table ? !table.alterRename(to: "x") : !Crate.xt_alterRenameToNewTableName("x"))
      try table.insertList([Crate(label: "old")])
      #expect(
        try face == .table
          ? table.alterRename(to: "a b") : Crate.xt_alterRenameToNewTableName("a b"))
      #expect(try table.count() == 0)
      try table.insertList([Crate(label: "new")])
      #expect(try test.database.table(Crate.self, named: "a b").findAll().map(\.label) == ["old"])
      #expect(throws: XTError.self) { try table.alterRename(to: "a b") }
      #expect(throws: XTError.self) { try table.alterRename(to: "") }
    }
    #expect(try test.seen("SELECT label FROM `a b`") == ["old"])
    #expect(try test.seen("SELECT label FROM Crate") == ["new"])
  }

  @Test func create_rolledBack_isForgotten() throws {
    struct Stop: Error {}
    let test = try TestDatabase()
    let table = test.table(Crate.self)
    for _ in 0..<2 {
      #expect(throws: Stop.self) {
        try test.database.transaction {
          try table.insertList([Crate(label: "a")])
          try test.database.transaction {
            try table.drop()
            try table.create()
            throw Stop()
          }
        }
      }
      #expect(try !table.exists())
      #expect(try table.count() == 0)
    }
    try test.database.transaction {
      try table.create()
      try? test.database.transaction {
        try table.insertList([Crate(label: "lost")])
        throw Stop()
      }
      try table.insertList([Crate(label: "a")])
    }
    #expect(try test.seen("SELECT label FROM Crate") == ["a"])
  }

  @Test func tablesOfOneType_areKeptApart() throws {
    let test = try TestDatabase()
    let (first, second) = (test.table(Crate.self), test.table(Crate.self, named: "work&33-cur"))
    var crate = Crate(label: "a")
    try first.insert(&crate)
    crate.pkid = nil
    try second.insertList([crate, crate])
    try second.delete(where: \.pkid == 1)
    #expect(try first.count() == 1 && second.count() == 1)
    #expect(try second.update(where: nil, .set(\.label, to: "b")) == 1)
    #expect(try test.seen("SELECT label FROM `work&33-cur`") == ["b"])
    #expect(try second.name == "work&33-cur")
  }

  @Test func writing_whereAdditionsAreOff_makesNoTable() throws {
    let test = try TestDatabase { $0.automaticAdditions = false }
    let table = test.table(Crate.self)
    let error = #expect(throws: XTError.self) { try table.insertList([Crate()]) }
    #expect(error?.kind == .schema)
    #expect(try test.tables() == [])
    try table.create()
    try table.insertList([Crate()])
    #expect(try table.count() == 1)
  }
}
