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
    var sink = StatementSink(
      parameters: statement.parameters, memory: buffer.memory, statement: statement, index: first)
    for index in accesses.indices {
      do {
        try accesses[index].write(from: base, to: &sink)
      } catch {
        throw located(error, index, statement)
      }
      sink.index += 1
    }
    return sink.index
  }

  @inline(never)
  private func located(_ error: any Error, _ index: Int, _ statement: Statement) -> any Error {
    if let failure = error as? ColumnFailure {
      return failure.error(table: table, column: columns[index].name)
    }
    if let refusal = error as? BindingRefusal { return statement.error(of: refusal) }
    guard var error = error as? XTError, error.kind == .valueOutOfRange else { return error }
    error.table = error.table ?? table
    error.column = error.column ?? columns[index].name
    return error
  }
}

/// Memory that texts and blobs stand in from their binding until the statement ran: the copy that
/// SQLite would make for each of them, with an allocation, is spared.
///
/// One allocation: each single verb makes one.
final class BindingBuffer: ManagedBuffer<BindingBuffer.Memory, UInt8> {
  /// A part of memory and how much of it is used, at an address of its own: binding a value takes a
  /// few instructions, and counting the buffer's references would be as many again.
  struct Memory {
    fileprivate let start: UnsafeMutableRawPointer
    fileprivate let capacity: Int
    fileprivate var used = 0
    /// Where JSON is written, before it is copied to its place among the texts.
    fileprivate var writer = JSONWriter()
  }

  /// - Parameter capacity: bytes; what does not fit is left to SQLite to copy.
  static func make(capacity: Int) -> BindingBuffer {
    let buffer = create(minimumCapacity: capacity) { buffer in
      Memory(
        start: buffer.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) },
        capacity: capacity)
    }
    return unsafeDowncast(buffer, to: BindingBuffer.self)
  }

  /// Valid as long as the buffer is.
  fileprivate var memory: UnsafeMutablePointer<Memory> {
    withUnsafeMutablePointerToHeader { $0 }
  }

  /// Forgets what was bound: the statement ran.
  @inline(__always)
  func reuse() {
    memory.pointee.used = 0
  }
}

extension BindingBuffer.Memory {
  @inline(__always)
  fileprivate mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard bytes.count <= capacity - used, let source = bytes.baseAddress else { return nil }
    let target = start + used
    target.copyMemory(from: source, byteCount: bytes.count)
    used += bytes.count
    return UnsafeRawPointer(target)
  }
}

/// Holds nothing: who binds holds the statement and the buffer.
private struct StatementSink: ValueSink {
  let parameters: Parameters
  let memory: UnsafeMutablePointer<BindingBuffer.Memory>
  /// For values that are bound by a copy.
  unowned(unsafe) let statement: Statement
  var index: Int

  @inline(__always)
  func null() throws {
    try parameters.bindNull(at: index)
  }

  @inline(__always)
  func integer(_ number: Int64) throws {
    try parameters.bind(int64: number, at: index)
  }

  @inline(__always)
  func real(_ number: Double) throws {
    try parameters.bind(double: number, at: index)
  }

  @inline(__always)
  func text(_ text: borrowing String) throws {
    let isBound = try text.utf8.withContiguousStorageIfAvailable { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      guard let copy = memory.pointee.copy(bytes) else { return false }
      try parameters.bind(text: copy, count: bytes.count, at: index)
      return true
    }
    if isBound != true { try bindCopy(.text(copy text)) }
  }

  @inline(__always)
  func blob(_ data: borrowing Data) throws {
    let isBound = try data.withUnsafeBytes { bytes in
      guard bytes.count > 0, let copy = memory.pointee.copy(bytes) else { return false }
      try parameters.bind(blob: copy, count: bytes.count, at: index)
      return true
    }
    if !isBound { try bindCopy(.blob(copy data)) }
  }

  @inline(__always)
  func json(_ write: (inout JSONWriter) -> Bool) throws -> Bool {
    memory.pointee.writer.clear()
    guard write(&memory.pointee.writer) else { return false }
    let bytes = memory.pointee.writer.bytes
    try bytes.withUnsafeBytes { bytes in
      if let copy = memory.pointee.copy(bytes) {
        try parameters.bind(text: copy, count: bytes.count, at: index)
      } else if let start = bytes.baseAddress {
        try statement.bind(text: start, count: bytes.count, copying: true, at: index)
      }
    }
    return true
  }

  func value(_ value: XTValue) throws {
    if case .real(let number) = value, number.isNaN {
      throw ColumnFailure.notStorable("NaN cannot be stored")
    }
    try bindCopy(value)
  }

  @inline(never)
  private func bindCopy(_ value: XTValue) throws {
    try statement.bind(value, at: index)
  }
}
