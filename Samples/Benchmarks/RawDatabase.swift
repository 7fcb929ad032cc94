import Foundation
import XTLite

/// The hand-written loop beside which everything is measured: the C API with kept statements, binds
/// without a copy, columns read by index straight into the struct, each with the checks of type and
/// NULL that a library has to make.
final class RawDatabase {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let handle: OpaquePointer
  let path: String
  private var statements: [String: OpaquePointer] = [:]

  init(path: String) throws {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
      throw Failure(description: "cannot open \(path)")
    }
    handle = opened
    self.path = path
    sqlite3_busy_timeout(handle, 10_000)
    try run("PRAGMA journal_mode = WAL")
    try run("PRAGMA synchronous = NORMAL")
    try run("PRAGMA foreign_keys = ON")
    for pragma in options.pragmas { try run("PRAGMA \(pragma)") }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  func statement(_ sql: String) throws -> OpaquePointer {
    if let known = statements[sql] { return known }
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      throw failure()
    }
    statements[sql] = prepared
    return prepared
  }

  /// The first column of the first row.
  func number(_ sql: String) throws -> Int {
    let statement = try statement(sql)
    try check(sqlite3_step(statement))
    defer { sqlite3_reset(statement) }
    return Int(sqlite3_column_int64(statement, 0))
  }

  func failure() -> Failure {
    Failure(description: String(cString: sqlite3_errmsg(handle)))
  }

  func check(_ code: Int32) throws {
    guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else { throw failure() }
  }
}

/// Binds without a copy: `text` must live until the statement has run.
@inline(__always)
func bind(_ statement: OpaquePointer, _ index: Int32, _ text: UnsafeBufferPointer<UInt8>) {
  text.withMemoryRebound(to: CChar.self) {
    _ = sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), nil)
  }
}

extension BenchItem {
  /// Binds the eight properties from parameter `first` on and runs `body` while they are bound.
  @inline(__always)
  func bound(_ statement: OpaquePointer, _ first: Int32, _ body: () throws -> Void) throws {
    sqlite3_bind_double(statement, first + 1, score)
    sqlite3_bind_int64(statement, first + 2, Int64(age))
    sqlite3_bind_int64(statement, first + 3, createTime)
    sqlite3_bind_int64(statement, first + 6, flag ? 1 : 0)
    var (name, note, nick) = (name, note, nick)
    try name.withUTF8 { name in
      bind(statement, first, name)
      try note.withUTF8 { note in
        bind(statement, first + 4, note)
        try data.withUnsafeBytes { data in
          sqlite3_bind_blob(statement, first + 5, data.baseAddress, Int32(data.count), nil)
          if nick == nil {
            sqlite3_bind_null(statement, first + 7)
            try body()
          } else {
            try nick?.withUTF8 { nick in
              bind(statement, first + 7, nick)
              try body()
            }
          }
        }
      }
    }
  }
}

extension Item {
  @inline(__always)
  init(row statement: OpaquePointer) throws {
    self.init(
      pkid: try optional(statement, 0, SQLITE_INTEGER).map { sqlite3_value_int64($0) },
      name: text(try value(statement, 1, SQLITE_TEXT)),
      score: sqlite3_value_double(try value(statement, 2, SQLITE_FLOAT)),
      age: Int(sqlite3_value_int64(try value(statement, 3, SQLITE_INTEGER))),
      createTime: sqlite3_value_int64(try value(statement, 4, SQLITE_INTEGER)),
      note: text(try value(statement, 5, SQLITE_TEXT)),
      data: blob(try value(statement, 6, SQLITE_BLOB)),
      flag: sqlite3_value_int64(try value(statement, 7, SQLITE_INTEGER)) != 0,
      nick: try optional(statement, 8, SQLITE_TEXT).map(text))
  }
}

extension PlainObject {
  @inline(__always)
  convenience init(row statement: OpaquePointer) throws {
    self.init()
    pkid = try optional(statement, 0, SQLITE_INTEGER).map { sqlite3_value_int64($0) }
    name = text(try value(statement, 1, SQLITE_TEXT))
    score = sqlite3_value_double(try value(statement, 2, SQLITE_FLOAT))
    age = Int(sqlite3_value_int64(try value(statement, 3, SQLITE_INTEGER)))
    createTime = sqlite3_value_int64(try value(statement, 4, SQLITE_INTEGER))
    note = text(try value(statement, 5, SQLITE_TEXT))
    data = blob(try value(statement, 6, SQLITE_BLOB))
    flag = sqlite3_value_int64(try value(statement, 7, SQLITE_INTEGER)) != 0
    nick = try optional(statement, 8, SQLITE_TEXT).map(text)
  }
}

extension ItemObject {
  @inline(__always)
  convenience init(row statement: OpaquePointer) throws {
    self.init()
    name = text(try value(statement, 1, SQLITE_TEXT))
    score = sqlite3_value_double(try value(statement, 2, SQLITE_FLOAT))
    age = Int(sqlite3_value_int64(try value(statement, 3, SQLITE_INTEGER)))
    createTime = sqlite3_value_int64(try value(statement, 4, SQLITE_INTEGER))
    note = text(try value(statement, 5, SQLITE_TEXT))
    data = blob(try value(statement, 6, SQLITE_BLOB))
    flag = sqlite3_value_int64(try value(statement, 7, SQLITE_INTEGER)) != 0
    nick = try optional(statement, 8, SQLITE_TEXT).map(text)
  }
}

@inline(__always)
func value(_ statement: OpaquePointer, _ index: Int32, _ type: Int32) throws
  -> OpaquePointer
{
  guard let value = sqlite3_column_value(statement, index), sqlite3_value_type(value) == type else {
    throw RawDatabase.Failure(description: "column \(index) is of another type")
  }
  return value
}

@inline(__always)
func optional(
  _ statement: OpaquePointer, _ index: Int32, _ type: Int32
) throws -> OpaquePointer? {
  guard let value = sqlite3_column_value(statement, index) else { return nil }
  let found = sqlite3_value_type(value)
  guard found == type || found == SQLITE_NULL else {
    throw RawDatabase.Failure(description: "column \(index) is of another type")
  }
  return found == SQLITE_NULL ? nil : value
}

@inline(__always)
func text(_ value: OpaquePointer) -> String {
  String(
    decoding: UnsafeBufferPointer(
      start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
}

@inline(__always)
private func blob(_ value: OpaquePointer) -> Data {
  sqlite3_value_blob(value).map { Data(bytes: $0, count: Int(sqlite3_value_bytes(value))) }
    ?? Data()
}
