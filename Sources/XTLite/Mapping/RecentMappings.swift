/// The mappings that were used last, found without a lock: whoever asks an object for its pkid
/// needs one.
///
/// A mapping lives for ever once it is made, so one that another thread has just replaced here may
/// still be used.
// @unchecked: the words are only reached by atomic operations.
struct RecentMappings: @unchecked Sendable {
  private static let count = 64

  /// Each is a mapping's address, or 0.
  private let words: UnsafeMutablePointer<UInt>

  init() {
    words = .allocate(capacity: Self.count)
    words.initialize(repeating: 0, count: Self.count)
  }

  @inline(__always)
  func find(_ type: ObjectIdentifier) -> ModelMapping? {
    guard let address = UnsafeRawPointer(bitPattern: xt_atomic_load_word(word(of: type))) else {
      return nil
    }
    let mapping = Unmanaged<ModelMapping>.fromOpaque(address).takeUnretainedValue()
    return mapping.typeIdentity == type ? mapping : nil
  }

  func note(_ mapping: ModelMapping) {
    xt_atomic_store_word(
      word(of: mapping.typeIdentity),
      UInt(bitPattern: Unmanaged.passUnretained(mapping).toOpaque()))
  }

  @inline(__always)
  private func word(of type: ObjectIdentifier) -> UnsafeMutablePointer<UInt> {
    words + Int(truncatingIfNeeded: UInt(bitPattern: type) >> 4) & (Self.count - 1)
  }
}
