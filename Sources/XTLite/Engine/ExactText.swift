import Foundation

/// A text as a key, compared byte for byte as SQLite does.
///
/// Swift's own `==` takes composed and decomposed letters for the same.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
  }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.withBytes { left in
      right.withBytes { right in
        guard left.count == right.count else { return false }
        guard let left = left.baseAddress, let start = right.baseAddress else { return true }
        return memcmp(left, start, right.count) == 0
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  private func withBytes<T>(_ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
    // A text that has no such bytes was made one that has at the beginning.
    text.utf8.withContiguousStorageIfAvailable(body)
      ?? Array(text.utf8).withUnsafeBufferPointer(body)
  }
}
