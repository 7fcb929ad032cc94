/// What another room keeps beside a database: one object for a type and a name.
struct AttachmentKey: Hashable, Sendable {
  let type: ObjectIdentifier
  let name: String?
}

extension XTDatabase {
  /// The object kept for `key` as long as the database is open; made by `make` at the first call.
  ///
  /// `make` runs without a lock held; where two threads make one at the same time, the first that
  /// is done is kept. The object must not hold the database.
  func attachment<T: AnyObject & Sendable>(
    for key: AttachmentKey, make: () throws -> T
  ) rethrows -> T {
    if let found: T = core.attachments.withLock({ $0[key] as? T }) { return found }
    let made = try make()
    return core.attachments.withLock { attachments in
      if let other = attachments[key] as? T { return other }
      attachments[key] = made
      return made
    }
  }
}
