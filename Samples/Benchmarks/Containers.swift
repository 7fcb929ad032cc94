import Foundation
import XTLite

/// An item with a list and a dictionary, which stand in their columns as JSON.
struct ContainerItem: XTModel {
  var pkid: Int64?
  var name = ""
  var tags: [String] = []
  var counts: [String: Int] = [:]

  static func make(_ count: Int) -> [ContainerItem] {
    (0..<count).map { index in
      ContainerItem(
        name: "item number \(1_000_000 + index)",
        tags: (0..<10).map { "tag \($0) of \(index)" },
        counts: Dictionary(
          uniqueKeysWithValues: (0..<5).map { ("count \($0)", index &* 31 &+ $0) }))
    }
  }

  /// A number that two programs which read the same rows agree on.
  @inline(__always)
  var checksum: Int {
    var sum = name.utf8.count &+ tags.count &+ counts.count
    for tag in tags { sum &+= tag.utf8.count }
    for (key, count) in counts { sum &+= key.utf8.count &+ count }
    return sum
  }
}

/// Foundation's coders with XTLite's settings, kept from row to row.
private struct RawCoders {
  let encoder = JSONEncoder()
  let decoder = JSONDecoder()

  init() {
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    decoder.dateDecodingStrategy = .secondsSince1970
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }
}

extension Workload {
  static let insertContainers = Workload(
    name: "W8i", summary: "insert 20,000 models with [String] of 10 and [String: Int] of 5"
  ) { bench in
    let (raw, table) = try containers("W8i", bench)
    let items = ContainerItem.make(bench.count(20_000))
    let coders = RawCoders()
    return Sides(
      raw: { try insert(items, raw, coders) },
      xt: {
        let count = try table.insertList(items)
        try table.database.checkpoint()
        return count
      },
      setUp: {
        try raw.run("DELETE FROM ContainerItem")
        try table.deleteAll()
        try table.database.checkpoint()
      })
  }

  static let fetchContainers = Workload(
    name: "W8f", summary: "fetch 20,000 models with [String] of 10 and [String: Int] of 5"
  ) { bench in
    let (raw, table) = try containers("W8f", bench)
    let items = ContainerItem.make(bench.count(20_000))
    let coders = RawCoders()
    // Each side reads what the other wrote.
    _ = try insert(items, try RawDatabase(path: table.database.path), coders)
    try XTDatabase(path: raw.path).table(ContainerItem.self).insertList(items)
    return Sides(
      raw: { checksum(try fetch(raw, coders)) },
      xt: { checksum(try table.findAll()) })
  }

  /// Two files, the table in both made by XTLite.
  private static func containers(
    _ name: String, _ bench: Bench
  ) throws -> (RawDatabase, XTTable<ContainerItem>) {
    let paths = ["raw", "xt"].map {
      bench.folder.appendingPathComponent("\(name)-\($0).sqlite").path
    }
    for path in paths {
      let made = try XTDatabase(path: path)
      try made.table(ContainerItem.self).create()
      try made.close()
    }
    return (
      try RawDatabase(path: paths[0]), try XTDatabase(path: paths[1]).table(ContainerItem.self)
    )
  }

  private static func checksum(_ items: [ContainerItem]) -> Int {
    items.reduce(items.count) { $0 &+ $1.checksum }
  }

  private static func insert(
    _ items: [ContainerItem], _ raw: RawDatabase, _ coders: RawCoders
  ) throws -> Int {
    let statement = try raw.statement(
      """
      INSERT INTO ContainerItem (pkid, name, tags, counts, xt_createTime, xt_updateTime)
      VALUES (?, ?, ?, ?, ?, ?)
      """)
    try raw.run("BEGIN IMMEDIATE")
    let now = Date().timeIntervalSince1970
    for item in items {
      sqlite3_bind_null(statement, 1)
      sqlite3_bind_double(statement, 5, now)
      sqlite3_bind_double(statement, 6, now)
      var name = item.name
      try name.withUTF8 { name in
        bind(statement, 2, name)
        try coders.encoder.encode(item.tags).withUnsafeBytes { tags in
          bind(statement, 3, tags.assumingMemoryBound(to: UInt8.self))
          try coders.encoder.encode(item.counts).withUnsafeBytes { counts in
            bind(statement, 4, counts.assumingMemoryBound(to: UInt8.self))
            try raw.check(sqlite3_step(statement))
          }
        }
      }
      sqlite3_reset(statement)
    }
    try raw.run("COMMIT")
    return items.count
  }

  private static func fetch(_ raw: RawDatabase, _ coders: RawCoders) throws -> [ContainerItem] {
    let statement = try raw.statement(
      "SELECT pkid, name, tags, counts FROM ContainerItem WHERE xt_isDel = 0")
    var items: [ContainerItem] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      items.append(
        ContainerItem(
          pkid: try optional(statement, 0, SQLITE_INTEGER).map { sqlite3_value_int64($0) },
          name: text(try value(statement, 1, SQLITE_TEXT)),
          tags: try coders.decoder.decode(
            [String].self, from: json(try value(statement, 2, SQLITE_TEXT))),
          counts: try coders.decoder.decode(
            [String: Int].self, from: json(try value(statement, 3, SQLITE_TEXT)))))
    }
    sqlite3_reset(statement)
    return items
  }

  /// SQLite's own bytes: the decoder is done with them before the next step.
  @inline(__always)
  private static func json(_ value: OpaquePointer) -> Data {
    guard let bytes = sqlite3_value_text(value) else { return Data() }
    return Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes),
      count: Int(sqlite3_value_bytes(value)), deallocator: .none)
  }
}
