/// What another room keeps beside a database: one object for a type and a name.
struct AttachmentKey: Hashable, Sendable {
  let type: ObjectIdentifier
  let name: ExactText?

  @inline(__always)
  init(type: ObjectIdentifier, name: String?) {
    self.type = type
    self.name = name.map(ExactText.init)
  }
}

extension XTDatabase {
  /// The object kept for `key` as long as the database is open; made by `make` at the first call.
  ///
  /// `make` runs without a lock held; where two threads make one at the same time, the first that
  /// is done is kept. The object must not hold the database.
  @inline(__always)
  func attachment<T: AnyObject & Sendable>(
    for key: AttachmentKey, make: () throws -> T
  ) rethrows -> T {
    if let found = core.attachments.withLock({ $0.find(key, as: T.self) }) { return found }
    let made = try make()
    return core.attachments.withLock { attachments in
      if let other = attachments.find(key, as: T.self) { return other }
      attachments.insert(made, for: key)
      return made
    }
  }
}

/// The objects that are kept. Every verb looks one up.
struct Attachments {
  /// An object whose key has no name.
  private struct Entry {
    let type: ObjectIdentifier
    let object: any AnyObject & Sendable
  }

  /// In open addressing, half full at most: a dictionary's hash would take ten times as long.
  private var unnamed: ContiguousArray<Entry?> = ContiguousArray(repeating: nil, count: 16)
  private var unnamedCount = 0
  private var named: [AttachmentKey: any AnyObject & Sendable] = [:]

  /// - Returns: nil where there is none, or one of another class.
  @inline(__always)
  func find<T: AnyObject>(_ key: AttachmentKey, as type: T.Type) -> T? {
    guard key.name == nil else { return named[key] as? T }
    guard let entry = unnamed[place(of: key.type)], Swift.type(of: entry.object) == type else {
      return nil
    }
    // The line above has compared the classes; the cast that asks for them is slower.
    return unsafeDowncast(entry.object, to: type)
  }

  mutating func insert(_ object: any AnyObject & Sendable, for key: AttachmentKey) {
    guard key.name == nil else {
      named[key] = object
      return
    }
    if unnamedCount * 2 >= unnamed.count { grow() }
    let place = place(of: key.type)
    if unnamed[place] == nil { unnamedCount += 1 }
    unnamed[place] = Entry(type: key.type, object: object)
  }

  /// Where the type's entry is, or else the free place where it would go.
  @inline(__always)
  private func place(of type: ObjectIdentifier) -> Int {
    let mask = unnamed.count - 1
    var place = Int(truncatingIfNeeded: UInt(bitPattern: type) >> 4) & mask
    while let entry = unnamed[place], entry.type != type { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    let old = unnamed
    unnamed = ContiguousArray(repeating: nil, count: old.count * 2)
    for case let entry? in old { unnamed[place(of: entry.type)] = entry }
  }
}
