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
    _ name: String, arguments: Int?, isDeterministic: Bool = true,
    _ body: @escaping Function
  ) throws {
    let box = Unmanaged.passRetained(FunctionBox(name, owner, body))
    let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
    // Unlike for a collation, SQLite calls the destructor also when it fails.
    try check(
      sqlite3_create_function_v2(
        handle, name, argumentCount(arguments), flags, box.toOpaque(),
        { context, count, arguments in
          guard let context, let box: FunctionBox<Function> = functionBox(of: context) else {
            return
          }
          box.giveResult(context) { try box.body(values(count, arguments)) }
        }, nil, nil,
        { context in
          if let context { Unmanaged<FunctionBox<Function>>.fromOpaque(context).release() }
        }))
  }

  /// Registers an SQL aggregate function; `start` makes the state of a group.
  ///
  /// - Parameter standsOverWindows: whether its states can take rows back, so that it may also stand
  ///   over a window where the library has any.
  func createAggregate(
    _ name: String, arguments: Int?, standsOverWindows: Bool = false,
    _ start: @escaping @Sendable () -> Accumulation
  ) throws {
    let box = Unmanaged.passRetained(FunctionBox(name, owner, start))
    var value: (@convention(c) (OpaquePointer?) -> Void)?
    var inverse:
      (@convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void)?
    if standsOverWindows {
      value = { context in
        guard let context, let box: AggregateBox = functionBox(of: context) else { return }
        let group = groupState(in: context)
        if group?.hasFailed == true { return }
        box.giveResult(context) { try (group ?? box.body()).result() }
      }
      inverse = { context, count, arguments in
        guard let context, let box: AggregateBox = functionBox(of: context) else { return }
        change(context, box) { try $0.takeBack(values(count, arguments).map(\.value)) }
      }
    }
    try check(
      xt_create_aggregate(
        handle, name, argumentCount(arguments), SQLITE_UTF8, box.toOpaque(),
        { context, count, arguments in
          guard let context, let box: AggregateBox = functionBox(of: context) else { return }
          change(context, box) { try $0.step(values(count, arguments).map(\.value)) }
        },
        { context in
          guard let context, let box: AggregateBox = functionBox(of: context) else { return }
          // Called once for each group, also where the statement was ended midway.
          let state = groupPlace(in: context, creating: false)?.pointee
          let group = state.map { Unmanaged<Accumulation>.fromOpaque($0).takeRetainedValue() }
          if group?.hasFailed == true { return }
          box.giveResult(context) { try (group ?? box.body()).result() }
        }, value, inverse,
        { context in
          if let context { Unmanaged<AggregateBox>.fromOpaque(context).release() }
        }))
  }

  /// Takes a function away. One of SQLite's own that it had replaced does not come back.
  func removeFunction(_ name: String, arguments: Int?) throws {
    try check(
      sqlite3_create_function_v2(
        handle, name, argumentCount(arguments), SQLITE_UTF8, nil, nil, nil, nil, nil))
  }

  /// Takes a collation away. One of SQLite's own that it had replaced does not come back.
  func removeCollation(_ name: String) throws {
    try check(sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, nil, nil, nil))
  }

  private func argumentCount(_ count: Int?) -> Int32 {
    Int32(truncatingIfNeeded: count ?? -1)
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw XTError.last(of: handle, code: code, path: path) }
  }
}

private typealias AggregateBox = FunctionBox<@Sendable () -> Accumulation>

/// A function's closure as an object, so that C can hold it, with the way to its connection.
private final class FunctionBox<Body> {
  let name: String
  let body: Body
  private let owner: StatementOwner

  init(_ name: String, _ owner: StatementOwner, _ body: Body) {
    self.name = name
    self.owner = owner
    self.body = body
  }

  func giveResult(_ context: OpaquePointer, _ make: () throws -> XTValue) {
    do {
      let value = try make()
      if case .real(let number) = value, number.isNaN {
        throw XTError(
          .valueOutOfRange, "the SQL function \(name) gave NaN",
          hint: "SQLite would make NULL of it; give .null where that is meant")
      }
      setResult(context, value)
    } catch {
      giveError(context, error)
    }
  }

  func giveError(_ context: OpaquePointer, _ error: any Error) {
    let failure = FunctionFailure(error, function: name)
    owner.connection?.functionFailure = failure
    sqlite3_result_error(context, failure.message, -1)
  }
}

private func functionBox<Body>(of context: OpaquePointer) -> FunctionBox<Body>? {
  guard let data = sqlite3_user_data(context) else { return nil }
  return Unmanaged<FunctionBox<Body>>.fromOpaque(data).takeUnretainedValue()
}

private func values(
  _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) -> [ColumnValue] {
  var values: [ColumnValue] = []
  for index in 0..<Int(count) {
    if let value = arguments?[index] { values.append(ColumnValue(pointer: value)) }
  }
  return values
}

/// Where SQLite keeps the reference to a group's state; nil without memory, and where there was no
/// row and `creating` is false.
private func groupPlace(
  in context: OpaquePointer, creating: Bool
) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
  let size = creating ? Int32(MemoryLayout<UnsafeMutableRawPointer?>.size) : 0
  return sqlite3_aggregate_context(context, size)?
    .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
}

/// A group's state; nil where it has had no row.
private func groupState(in context: OpaquePointer) -> Accumulation? {
  groupPlace(in: context, creating: false)?.pointee.map {
    Unmanaged<Accumulation>.fromOpaque($0).takeUnretainedValue()
  }
}

/// Changes a group's state, which is made where there is none yet.
private func change(
  _ context: OpaquePointer, _ box: AggregateBox, _ body: (Accumulation) throws -> Void
) {
  guard let place = groupPlace(in: context, creating: true) else {
    return sqlite3_result_error_nomem(context)
  }
  if place.pointee == nil { place.pointee = Unmanaged.passRetained(box.body()).toOpaque() }
  guard let group = groupState(in: context) else { return }
  do {
    try body(group)
  } catch {
    group.hasFailed = true
    box.giveError(context, error)
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
      guard bytes.count <= Int32.max else { return sqlite3_result_error_toobig(context) }
      guard let start = bytes.baseAddress else { return xt_result_text(context, "", 0) }
      xt_result_text(context, start, Int32(bytes.count))
    }
  case .blob(let value):
    value.withUnsafeBytes { bytes in
      guard bytes.count <= Int32.max else { return sqlite3_result_error_toobig(context) }
      guard let start = bytes.baseAddress else { return sqlite3_result_zeroblob(context, 0) }
      xt_result_blob(context, start, Int32(bytes.count))
    }
  }
}
