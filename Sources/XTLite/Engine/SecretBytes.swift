/// Bytes of a key, erased before their memory is given back.
// @unchecked: written once by its init, only read afterwards.
final class SecretBytes: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer

  /// - Parameter fill: Writes all of the bytes.
  init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
    memory = .allocate(byteCount: count, alignment: 1)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    fill(memory)
  }

  deinit {
    xt_erase(memory.baseAddress, UInt(memory.count))
    memory.deallocate()
  }

  var count: Int { memory.count }

  func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(memory)) }
  }

  /// What SQLCipher takes for a key that is not to be derived: `x'…'` around the digits of the key
  /// and of its salt.
  static func raw(_ key: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer) -> SecretBytes {
    SecretBytes(count: 3 + 2 * (key.count + salt.count)) { memory in
      memory[0] = UInt8(ascii: "x")
      memory[1] = UInt8(ascii: "'")
      var position = 2
      func write(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
          memory[position] = digit(byte >> 4)
          memory[position + 1] = digit(byte & 15)
          position += 2
        }
      }
      write(key)
      write(salt)
      memory[position] = UInt8(ascii: "'")
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value &+ UInt8(ascii: "0") &+ (value > 9 ? 39 : 0)
  }

  /// The key and the salt whose digits are in `x'…'`, as SQLCipher itself reads it; nil for what a
  /// key is derived from.
  var rawKey: (key: SecretBytes, salt: [UInt8]?)? {
    withBytes { bytes in
      guard bytes.count == 67 || bytes.count == 99, bytes[0] | 0x20 == UInt8(ascii: "x"),
        bytes[1] == UInt8(ascii: "'"),
        bytes[2..<(bytes.count - 1)].allSatisfy({ Self.value(ofDigit: $0) != nil })
      else { return nil }
      func byte(_ index: Int) -> UInt8 {
        (Self.value(ofDigit: bytes[2 + 2 * index]) ?? 0) << 4
          | (Self.value(ofDigit: bytes[3 + 2 * index]) ?? 0)
      }
      let key = SecretBytes(count: 32) { key in
        for index in 0..<32 { key[index] = byte(index) }
      }
      return (key, bytes.count == 99 ? (32..<48).map(byte) : nil)
    }
  }

  private static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
