import Foundation
import XTLite

/// One question asked of both sides: each side gives a number that must be the same.
struct Workload: Sendable {
  let name: String
  let summary: String
  /// Makes the two sides over files in a folder of their own, filled as the workload needs it.
  let prepare: @Sendable (Bench) throws -> (raw: () throws -> Int, xt: () throws -> Int)
}

/// Where and how large.
struct Bench {
  var folder: URL
  var scale: Double

  func count(_ full: Int) -> Int { max(1, Int(Double(full) * scale)) }

  /// Two files of the same content, one for each side, the tables made by XTLite.
  func pair(_ name: String, rows: Int) throws -> (RawDatabase, XTDatabase) {
    let raw = folder.appendingPathComponent("\(name)-raw.sqlite").path
    let xt = folder.appendingPathComponent("\(name)-xt.sqlite").path
    let database = try XTDatabase(path: xt)
    for path in [raw, xt] {
      let database = try XTDatabase(path: path)
      try database.table(Item.self).create()
      try database.table(ItemObject.self).create()
      if rows > 0 { try database.table(Item.self).insertList(Item.make(rows)) }
      try database.close()
    }
    return (try RawDatabase(path: raw), database)
  }
}

enum SQL {
  static let columns = "name, score, age, createTime, note, data, flag, nick"
  static let insert = """
    INSERT INTO Item (pkid, \(columns), xt_createTime, xt_updateTime)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  static let all = "SELECT pkid, \(columns) FROM Item WHERE xt_isDel = 0"
  static let byPkid = "SELECT pkid, \(columns) FROM Item WHERE pkid = ? AND xt_isDel = 0"
  static let update = """
    UPDATE Item SET name = ?, score = ?, age = ?, createTime = ?, note = ?, data = ?, flag = ?,
    nick = ?, xt_updateTime = ? WHERE pkid = ?
    """
}

extension Workload {
  static let all: [Workload] = [insertList, fetchAll, findByPkid, updateList, fetchObjects]

  static let insertList = Workload(name: "W1", summary: "insert 100,000 models, one list call") { bench in
    let (raw, database) = try bench.pair("W1", rows: 0)
    let items = Item.make(bench.count(100_000))
    let table = database.table(Item.self)
    return (
      raw: {
        try raw.run("DELETE FROM Item")
        let statement = try raw.statement(SQL.insert)
        try raw.run("BEGIN IMMEDIATE")
        let now = Date().timeIntervalSince1970
        for var item in items {
          sqlite3_bind_null(statement, 1)
          sqlite3_bind_double(statement, 10, now)
          sqlite3_bind_double(statement, 11, now)
          try item.bound(statement, 2) { try raw.check(sqlite3_step(statement)) }
          sqlite3_reset(statement)
        }
        try raw.run("COMMIT")
        return items.count
      },
      xt: {
        try table.deleteAll()
        return try table.insertList(items)
      }
    )
  }

  static let fetchAll = Workload(name: "W3", summary: "fetch 100,000 models") { bench in
    let (raw, database) = try bench.pair("W3", rows: bench.count(100_000))
    let table = database.table(Item.self)
    return (
      raw: { Item.checksum(try fetch(raw)) },
      xt: { Item.checksum(try table.findAll()) }
    )
  }

  private static func fetch(_ raw: RawDatabase) throws -> [Item] {
    let statement = try raw.statement(SQL.all)
    var items: [Item] = []
    while sqlite3_step(statement) == SQLITE_ROW { items.append(try Item(row: statement)) }
    sqlite3_reset(statement)
    return items
  }

  static let findByPkid = Workload(name: "W4", summary: "20,000 finds by pkid inside one read block") {
    bench in
    let rows = bench.count(100_000)
    let finds = bench.count(20_000)
    let (raw, database) = try bench.pair("W4", rows: rows)
    let table = database.table(Item.self)
    func pkid(_ index: Int) -> Int64 { Int64((index &* 7_919) % rows) + 1 }
    return (
      raw: {
        let statement = try raw.statement(SQL.byPkid)
        var sum = 0
        try raw.run("BEGIN")
        for index in 0..<finds {
          sqlite3_bind_int64(statement, 1, pkid(index))
          if sqlite3_step(statement) == SQLITE_ROW { sum &+= try Item(row: statement).checksum }
          sqlite3_reset(statement)
        }
        try raw.run("COMMIT")
        return sum
      },
      xt: {
        try database.read {
          var sum = 0
          for index in 0..<finds { sum &+= try table.find(pkid: pkid(index))?.checksum ?? 0 }
          return sum
        }
      }
    )
  }

  static let updateList = Workload(name: "W6", summary: "update 50,000 models by pkid, one list call") {
    bench in
    let rows = bench.count(50_000)
    let (raw, database) = try bench.pair("W6", rows: rows)
    let table = database.table(Item.self)
    let items = try table.findAll()
    return (
      raw: {
        let statement = try raw.statement(SQL.update)
        try raw.run("BEGIN IMMEDIATE")
        let now = Date().timeIntervalSince1970
        var count = 0
        for var item in items {
          sqlite3_bind_double(statement, 9, now)
          sqlite3_bind_int64(statement, 10, item.pkid ?? 0)
          try item.bound(statement, 1) { try raw.check(sqlite3_step(statement)) }
          sqlite3_reset(statement)
          count += Int(sqlite3_changes(raw.handle))
        }
        try raw.run("COMMIT")
        return count
      },
      xt: { try table.updateList(items) }
    )
  }

  static let fetchObjects = Workload(
    name: "W3c", summary: "fetch 100,000 objects of a class without pkid"
  ) { bench in
    let rows = bench.count(100_000)
    let (raw, database) = try bench.pair("W3c", rows: 0)
    let table = database.table(ItemObject.self)
    for path in [raw.path, database.path] {
      try XTDatabase(path: path).table(ItemObject.self).insertList(Item.make(rows).map(ItemObject.init))
    }
    return (
      raw: {
        let statement = try raw.statement(SQL.all.replacingOccurrences(of: "Item", with: "ItemObject"))
        var objects: [ItemObject] = []
        while sqlite3_step(statement) == SQLITE_ROW {
          objects.append(try ItemObject(row: statement))
        }
        sqlite3_reset(statement)
        return objects.reduce(objects.count) { $0 &+ $1.age &+ $1.note.utf8.count }
      },
      xt: { try table.findAll().reduce(rows) { $0 &+ $1.age &+ $1.note.utf8.count } }
    )
  }
}
