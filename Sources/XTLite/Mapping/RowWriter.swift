import Foundation

/// Binds a model's stored properties to a statement's parameters, straight from its memory.
struct RowWriter {
  let columns: [Column]
  private let accesses: ContiguousArray<FieldAccess>
  private let table: String

  /// - Parameter columns: declared columns, in the order of the parameters.
  init(_ columns: [Column], table: String) {
    self.columns = columns
    accesses = ContiguousArray(columns.compactMap(\.access))
    self.table = table
  }

  /// Binds every column of the model at `base` to the parameters from `first` on.
  ///
  /// The statement must be run before `buffer` is used for the next row.
  ///
  /// - Returns: the parameter after the last one that was bound.
  @inline(__always)
  func bind(
    from base: UnsafeRawPointer, to statement: Statement, at first: Int,
    through buffer: BindingBuffer
  ) throws -> Int {
    var sink = StatementSink(statement: statement, buffer: buffer, index: first)
    for index in accesses.indices {
      do {
        try accesses[index].write(from: base, to: &sink)
      } catch {
        throw located(error, index)
      }
      sink.index += 1
    }
    return sink.index
  }

  @inline(never)
  private func located(_ error: any Error, _ index: Int) -> any Error {
    if let failure = error as? ColumnFailure {
      return failure.error(table: table, column: columns[index].name)
    }
    guard var error = error as? XTError, error.kind == .valueOutOfRange else { return error }
    error.table = error.table ?? table
    error.column = error.column ?? columns[index].name
    return error
  }
}

/// Memory that texts and blobs stand in from their binding until the statement ran: the copy that
/// SQLite would make for each of them, with an allocation, is spared.
final class BindingBuffer {
  private let memory: UnsafeMutableRawPointer
  private let capacity: Int
  private var used = 0

  /// - Parameter capacity: bytes; what does not fit is left to SQLite to copy.
  init(capacity: Int = 4096) {
    self.capacity = capacity
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    memory.deallocate()
  }

  /// Forgets what was bound: the statement ran.
  @inline(__always)
  func reuse() {
    used = 0
  }

  @inline(__always)
  func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard bytes.count <= capacity - used, let source = bytes.baseAddress else { return nil }
    let target = memory + used
    target.copyMemory(from: source, byteCount: bytes.count)
    used += bytes.count
    return UnsafeRawPointer(target)
  }
}

private struct StatementSink: ValueSink {
  let statement: Statement
  let buffer: BindingBuffer
  var index: Int

  @inline(__always)
  func null() throws {
    try statement.bindNull(at: index)
  }

  @inline(__always)
  func integer(_ number: Int64) throws {
    try statement.bind(int64: number, at: index)
  }

  @inline(__always)
  func real(_ number: Double) throws {
    try statement.bind(double: number, at: index)
  }

  @inline(__always)
  func text(_ text: borrowing String) throws {
    let bound: Void? = try text.utf8.withContiguousStorageIfAvailable { bytes in
      let raw = UnsafeRawBufferPointer(bytes)
      if let copy = buffer.copy(raw) {
        try statement.bind(text: copy, count: raw.count, copying: false, at: index)
      } else {
        try statement.bind(.text(String(decoding: bytes, as: UTF8.self)), at: index)
      }
    }
    if bound == nil { try statement.bind(.text(copy text), at: index) }
  }

  @inline(__always)
  func blob(_ data: borrowing Data) throws {
    try data.withUnsafeBytes { bytes in
      if bytes.count > 0, let copy = buffer.copy(bytes) {
        try statement.bind(blob: copy, count: bytes.count, copying: false, at: index)
      } else {
        try statement.bind(.blob(copy data), at: index)
      }
    }
  }

  func value(_ value: XTValue) throws {
    if case .real(let number) = value, number.isNaN {
      throw ColumnFailure.notStorable("NaN cannot be stored")
    }
    try statement.bind(value, at: index)
  }
}
