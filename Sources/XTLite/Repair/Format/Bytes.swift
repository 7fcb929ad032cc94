/// Reading numbers as SQLite's files keep them, most significant byte first. Every read says nil
/// where the bytes end too early: what is read here may be anything.
extension Array where Element == UInt8 {
  @inline(__always)
  func uint8(at offset: Int) -> Int? {
    offset >= 0 && offset < count ? Int(self[offset]) : nil
  }

  @inline(__always)
  func uint16(at offset: Int) -> Int? {
    guard offset >= 0, offset <= count - 2 else { return nil }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }

  @inline(__always)
  func uint32(at offset: Int) -> Int? {
    guard offset >= 0, offset <= count - 4 else { return nil }
    return Int(self[offset]) << 24 | Int(self[offset + 1]) << 16
      | Int(self[offset + 2]) << 8 | Int(self[offset + 3])
  }

  /// A number of 1 to 9 bytes, with how many they are.
  func varint(at offset: Int) -> (value: UInt64, length: Int)? {
    guard offset >= 0 else { return nil }
    var value: UInt64 = 0
    var position = offset
    while position < offset + 8 {
      guard position < count else { return nil }
      let byte = self[position]
      value = value << 7 | UInt64(byte & 0x7F)
      position += 1
      if byte < 0x80 { return (value, position - offset) }
    }
    guard position < count else { return nil }
    return (value << 8 | UInt64(self[position]), 9)
  }

  /// A number of up to 8 bytes with a sign.
  func integer(at offset: Int, length: Int) -> Int64? {
    guard length > 0, length <= 8, offset >= 0, offset <= count - length else { return nil }
    var value: Int64 = self[offset] >= 0x80 ? -1 : 0
    for position in offset..<(offset + length) {
      value = value << 8 | Int64(self[position])
    }
    return value
  }

  var isAllZero: Bool { allSatisfy { $0 == 0 } }
}
