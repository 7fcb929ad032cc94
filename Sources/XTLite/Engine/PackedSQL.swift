/// The SQL of one statement that has more values than the library takes parameters: they are bound
/// as one, and each `?` takes its own out of that.
///
/// To SQLite `xt_item(?1, 3)` is a constant, as a parameter is: an index serves it, and it has no
/// affinity.
struct PackedSQL {
  let text: String
  let valueCount: Int

  /// - Returns: nil for SQL that numbers or names its parameters.
  init?(_ sql: String) {
    let bytes = Array(sql.utf8)
    var packed: [UInt8] = []
    packed.reserveCapacity(bytes.count * 4)
    var end = 0
    var count = 0
    for token in SQLScanner(sql) where token.kind == .parameter {
      guard token.range.count == 1 else { return nil }
      packed += bytes[end..<token.range.lowerBound]
      packed += PackedValues.item(count).utf8
      end = token.range.upperBound
      count += 1
    }
    packed += bytes[end...]
    guard count > 0 else { return nil }
    text = String(decoding: packed, as: UTF8.self)
    valueCount = count
  }
}

extension XTError {
  /// Whether the library takes fewer parameters than the statement has.
  var isOfManyParameters: Bool {
    kind == .sqlite && code == SQLITE_ERROR && message.hasPrefix("too many SQL variables")
  }
}
