/// A record's list of types: how many values it has, and where each one is.
struct RecordHeader {
  /// SQLite's serial types.
  let types: [Int]
  /// Where the first value is in the payload.
  let bodyStart: Int

  /// - Parameters:
  ///   - payload: The payload's bytes, from its first. The types have to be in it; the values not.
  ///   - size: How long the whole payload is.
  /// - Returns: nil where it is no record of exactly that length.
  init?(_ payload: [UInt8], from start: Int = 0, size: Int) {
    guard let header = payload.varint(at: start), header.value <= UInt64(size), header.value > 0
    else { return nil }
    let end = start + Int(header.value)
    guard end <= payload.count else { return nil }
    var position = start + header.length
    var types: [Int] = []
    var length = Int(header.value)
    while position < end {
      guard let type = payload.varint(at: position), type.value <= UInt64(UInt32.max) else {
        return nil
      }
      let serial = Int(type.value)
      guard serial != 10, serial != 11, types.count < 32_767 else { return nil }
      types.append(serial)
      length += Self.length(of: serial)
      position += type.length
    }
    guard position == end, length == size else { return nil }
    self.types = types
    bodyStart = Int(header.value)
  }

  /// How many bytes a value of the type has in the record.
  static func length(of type: Int) -> Int {
    switch type {
    case 0, 8, 9: 0
    case 1...4: type
    case 5: 6
    case 6, 7: 8
    default: type >= 12 ? (type - 12) / 2 : 0
    }
  }
}

/// A record with its values, as ranges of the payload where they are long.
struct Record {
  enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text(Range<Int>)
    case blob(Range<Int>)
  }

  let payload: [UInt8]
  let types: [Int]
  let values: [Value]

  init?(_ payload: [UInt8]) {
    guard let header = RecordHeader(payload, size: payload.count) else { return nil }
    var position = header.bodyStart
    var values: [Value] = []
    values.reserveCapacity(header.types.count)
    for type in header.types {
      let length = RecordHeader.length(of: type)
      guard position + length <= payload.count else { return nil }
      switch type {
      case 0: values.append(.null)
      case 1...6:
        guard let number = payload.integer(at: position, length: length) else { return nil }
        values.append(.integer(number))
      case 7:
        guard let bits = payload.integer(at: position, length: 8) else { return nil }
        let number = Double(bitPattern: UInt64(bitPattern: bits))
        // SQLite gives NULL for what it can't have stored itself.
        values.append(number.isNaN ? .null : .real(number))
      case 8: values.append(.integer(0))
      case 9: values.append(.integer(1))
      default:
        let range = position..<(position + length)
        values.append(type % 2 == 0 ? .blob(range) : .text(range))
      }
      position += length
    }
    self.payload = payload
    types = header.types
    self.values = values
  }

  func text(_ index: Int, _ encoding: TextEncoding) -> String? {
    guard index < values.count, case .text(let range) = values[index] else { return nil }
    return encoding.decode(payload[range]).text
  }

  func integer(_ index: Int) -> Int64? {
    guard index < values.count, case .integer(let number) = values[index] else { return nil }
    return number
  }
}
