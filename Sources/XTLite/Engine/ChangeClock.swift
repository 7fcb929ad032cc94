/// A number that moves with each change of something, for others to compare without a lock.
///
/// The connections of one file share one for the schema, which moves when a change of it is
/// committed, so that the readers know when what they remember of tables is out of date.
final class ChangeClock: Sendable {
  private let word = AtomicWord()

  @inline(__always)
  var time: Int { Int(truncatingIfNeeded: word.value) }

  func advance() { word.advance() }
}
