import Foundation

/// Collations and functions, registered on this connection alone.
extension Connection {
  typealias Comparison =
    @Sendable (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> ComparisonResult
  typealias Function = @Sendable ([ColumnValue]) throws -> XTValue

  /// Registers a collation over UTF-8 bytes, in place of one of the same name.
  func createCollation(_ name: String, _ compare: @escaping Comparison) throws {
    let box = Unmanaged.passRetained(Box(compare))
    let code = sqlite3_create_collation_v2(
      handle, name, SQLITE_UTF8, box.toOpaque(),
      { context, leftCount, left, rightCount, right in
        guard let context else { return 0 }
        let compare = Unmanaged<Box<Comparison>>.fromOpaque(context).takeUnretainedValue().value
        return Int32(compare(buffer(left, leftCount), buffer(right, rightCount)).rawValue)
      },
      { context in
        if let context { Unmanaged<Box<Comparison>>.fromOpaque(context).release() }
      })
    guard code == SQLITE_OK else {
      // SQLite calls the destructor only for what it took.
      box.release()
      throw XTError.last(of: handle, code: code, path: path)
    }
  }

  /// Registers an SQL function; nil arguments for any number of them. An error that it throws
  /// becomes the statement's.
  func createFunction(
    _ name: String, arguments: Int32?, isDeterministic: Bool = true,
    _ body: @escaping Function
  ) throws {
    let box = Unmanaged.passRetained(Box(body))
    let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
    // Unlike for a collation, SQLite calls the destructor also when it fails.
    let code = sqlite3_create_function_v2(
      handle, name, arguments ?? -1, flags, box.toOpaque(),
      { context, count, arguments in
        guard let context, let data = sqlite3_user_data(context) else { return }
        let body = Unmanaged<Box<Function>>.fromOpaque(data).takeUnretainedValue().value
        var values: [ColumnValue] = []
        for index in 0..<Int(count) {
          if let value = arguments?[index] { values.append(ColumnValue(pointer: value)) }
        }
        do {
          setResult(context, try body(values))
        } catch {
          sqlite3_result_error(context, String(describing: error), -1)
        }
      }, nil, nil,
      { context in
        if let context { Unmanaged<Box<Function>>.fromOpaque(context).release() }
      })
    guard code == SQLITE_OK else { throw XTError.last(of: handle, code: code, path: path) }
  }
}

/// A closure as an object, so that C can hold it.
private final class Box<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

private func buffer(_ pointer: UnsafeRawPointer?, _ count: Int32) -> UnsafeBufferPointer<UInt8> {
  UnsafeBufferPointer(
    start: pointer?.assumingMemoryBound(to: UInt8.self), count: pointer == nil ? 0 : Int(count))
}

private func setResult(_ context: OpaquePointer, _ value: XTValue) {
  switch value {
  case .null:
    sqlite3_result_null(context)
  case .integer(let value):
    sqlite3_result_int64(context, value)
  case .real(let value):
    sqlite3_result_double(context, value)
  case .text(var value):
    value.withUTF8 { bytes in
      guard let start = bytes.baseAddress, bytes.count <= Int32.max else {
        return xt_result_text(context, "", 0)
      }
      xt_result_text(context, start, Int32(bytes.count))
    }
  case .blob(let value):
    value.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, bytes.count <= Int32.max else {
        return sqlite3_result_zeroblob(context, 0)
      }
      xt_result_blob(context, start, Int32(bytes.count))
    }
  }
}
