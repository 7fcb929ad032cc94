import Foundation

/// A statement's parameters, 1-based, for a loop that binds many of them: who holds the statement
/// need not count its references once more for each value.
struct Parameters {
  let pointer: OpaquePointer

  @inline(__always)
  func bindNull(at index: Int) throws {
    try check(sqlite3_bind_null(pointer, Int32(truncatingIfNeeded: index)))
  }

  @inline(__always)
  func bind(int64 value: Int64, at index: Int) throws {
    try check(sqlite3_bind_int64(pointer, Int32(truncatingIfNeeded: index), value))
  }

  /// - Parameter value: not NaN, of which SQLite would make NULL.
  @inline(__always)
  func bind(double value: Double, at index: Int) throws {
    try check(sqlite3_bind_double(pointer, Int32(truncatingIfNeeded: index), value))
  }

  /// Binds UTF-8 that stays where it is until the statement has run. At most `Int32.max` bytes.
  @inline(__always)
  func bind(text: UnsafeRawPointer, count: Int, at index: Int) throws {
    try check(
      xt_bind_text(
        pointer, Int32(truncatingIfNeeded: index), text, Int32(truncatingIfNeeded: count), 0))
  }

  /// Binds bytes that stay where they are until the statement has run. At most `Int32.max`.
  @inline(__always)
  func bind(blob: UnsafeRawPointer, count: Int, at index: Int) throws {
    try check(
      xt_bind_blob(
        pointer, Int32(truncatingIfNeeded: index), blob, Int32(truncatingIfNeeded: count), 0))
  }

  @inline(__always)
  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw refusal(code) }
  }

  @inline(never)
  private func refusal(_ code: Int32) -> any Error {
    BindingRefusal(code: code)
  }
}

/// SQLite did not take a value. `Statement.error(of:)` makes an `XTError` of it.
struct BindingRefusal: Error {
  let code: Int32
}
