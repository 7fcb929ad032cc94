import Foundation

/// One column of the current row.
///
/// Valid until the statement's next step or reset, under the connection's turn. Taking SQLite's
/// value object once and asking it for everything spares a range check and a lock per question.
struct ColumnValue {
  let pointer: OpaquePointer

  @inline(__always)
  init(pointer: OpaquePointer) {
    self.pointer = pointer
  }

  /// One of SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_BLOB, SQLITE_NULL.
  @inline(__always)
  var rawType: Int32 { sqlite3_value_type(pointer) }

  @inline(__always)
  var storageClass: XTStorageClass { XTStorageClass(rawValue: rawType) ?? .null }

  @inline(__always)
  var isNull: Bool { rawType == SQLITE_NULL }

  @inline(__always)
  var int64: Int64 { sqlite3_value_int64(pointer) }

  @inline(__always)
  var double: Double { sqlite3_value_double(pointer) }

  /// The text's bytes; empty for NULL. A number is converted to text by SQLite.
  @inline(__always)
  var utf8: UnsafeBufferPointer<UInt8> {
    guard let text = sqlite3_value_text(pointer) else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(pointer)))
  }

  /// The blob's bytes; empty, with a nil base address, for a blob of length zero and for NULL.
  @inline(__always)
  var bytes: UnsafeRawBufferPointer {
    guard let start = sqlite3_value_blob(pointer) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(pointer)))
  }

  /// The bytes of a text or a blob; 0 for everything else.
  @inline(__always)
  var size: Int {
    let type = rawType
    return type == SQLITE_TEXT || type == SQLITE_BLOB ? Int(sqlite3_value_bytes(pointer)) : 0
  }

  /// A copy that outlives the row.
  var value: XTValue {
    switch storageClass {
    case .integer: .integer(int64)
    case .real: .real(double)
    case .text: .text(String(decoding: utf8, as: UTF8.self))
    case .blob: .blob(Data(bytes))
    case .null: .null
    }
  }
}
