/// The prepared statements that a connection keeps: by slot number, and by text.
///
/// One that is in use is never handed out. Both sides are bounded; past the bound the half that
/// was used longest ago goes.
struct StatementCache {
  // The hot side: a slot's number is an index.
  private var slots: ContiguousArray<Statement?> = []
  private var slotCount = 0
  // Numbers beyond the array, in programs that make very many keys.
  private var farSlots: [Int: Statement] = [:]
  private var texts: [ExactText: Statement] = [:]
  /// How many statements were handed out.
  private let clock: ConnectionCounters

  init(_ counters: ConnectionCounters) {
    clock = counters
  }

  private static let nearSlots = 1 << 16
  private static let slotLimit = 1000
  private static let textLimit = 100

  /// The slot's statement, unless it is in use.
  @inline(__always)
  func idle(_ slot: Int) -> Statement? {
    if slot < slots.count {
      guard let statement = slots[slot], !statement.isBusy else { return nil }
      return statement
    }
    return idleFar(slot)
  }

  @inline(never)
  private func idleFar(_ slot: Int) -> Statement? {
    guard let statement = farSlots[slot], !statement.isBusy else { return nil }
    return statement
  }

  /// The text's statement, unless it is in use.
  func idle(_ text: ExactText) -> Statement? {
    guard let statement = texts[text], !statement.isBusy else { return nil }
    return statement
  }

  @inline(__always)
  mutating func markUsed(_ statement: Statement) {
    statement.lastUse = clock.count(.used)
    statement.isBusy = true
  }

  /// Keeps the statement for the slot, unless that has one.
  mutating func insert(_ statement: Statement, for slot: Int) {
    if slotCount >= Self.slotLimit { evictSlots() }
    if slot < Self.nearSlots {
      while slots.count <= slot { slots.append(nil) }
      guard slots[slot] == nil else { return }
      slots[slot] = statement
    } else {
      guard farSlots[slot] == nil else { return }
      farSlots[slot] = statement
    }
    slotCount += 1
  }

  /// Keeps the statement for the text, unless that has one.
  mutating func insert(_ statement: Statement, for text: ExactText) {
    guard texts[text] == nil else { return }
    if texts.count >= Self.textLimit {
      let limit = Self.median(of: texts.values)
      texts = texts.filter { $0.value.isBusy || $0.value.lastUse > limit }
    }
    texts[text] = statement
  }

  /// Forgets every statement that nobody uses.
  mutating func removeIdle() {
    for index in slots.indices where slots[index]?.isBusy == false { slots[index] = nil }
    farSlots = farSlots.filter { $0.value.isBusy }
    texts = texts.filter { $0.value.isBusy }
    slotCount = slots.count { $0 != nil } + farSlots.count
  }

  mutating func removeAll() {
    slots = []
    farSlots = [:]
    texts = [:]
    slotCount = 0
  }

  /// How many statements are kept.
  var count: Int { slotCount + texts.count }

  private mutating func evictSlots() {
    let limit = Self.median(of: slots.lazy.compactMap { $0 } + Array(farSlots.values))
    for index in slots.indices {
      if let statement = slots[index], !statement.isBusy, statement.lastUse <= limit {
        slots[index] = nil
      }
    }
    farSlots = farSlots.filter { $0.value.isBusy || $0.value.lastUse > limit }
    slotCount = slots.count { $0 != nil } + farSlots.count
  }

  private static func median(of statements: some Sequence<Statement>) -> UInt {
    let uses = statements.map(\.lastUse).sorted()
    return uses.isEmpty ? 0 : uses[uses.count / 2]
  }
}
