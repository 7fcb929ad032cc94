/// One bit that a thread sets and others read, without a lock.
final class Flag: Sendable {
  private let word = AtomicWord()

  @inline(__always)
  var isSet: Bool { word.value != 0 }

  @inline(__always)
  func set(_ value: Bool) { word.set(value ? 1 : 0) }
}
