#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// What a call does with a database, for messages and for what it may do.
enum AccessKind {
  case read, write, transaction, savepoint, inPlace, asCurrent
  /// A reading call that needs the writer's connection.
  case writerVerb
  case readVerb, writeVerb
  case opening, closing, whileClosed, suspension, moving, checkpoint
  case keyChange, restoring
  /// A transaction object has it, from its begin to its end.
  case begun
  case commit, rollback

  var name: String {
    switch self {
    case .read: "a read { } block"
    case .write: "a write { } block"
    case .transaction: "a transaction { } block"
    case .savepoint: "a savepoint { } block"
    case .inPlace: "an inPlace { } block"
    case .asCurrent: "an asCurrent { } block"
    case .readVerb, .writerVerb: "a reading call"
    case .writeVerb: "a writing call"
    case .opening: "configure()"
    case .closing: "close()"
    case .whileClosed: "a whileClosed { } block"
    case .suspension: "suspend()"
    case .moving: "a call that moves or removes the file"
    case .begun: "a transaction of begin()"
    case .checkpoint: "a checkpoint"
    case .keyChange: "changeKey()"
    case .restoring: "restore()"
    case .commit: "commit()"
    case .rollback: "rollback()"
    }
  }

  /// What to do about one that holds a connection for too long.
  var advice: String {
    switch self {
    case .suspension: "call resume() first"
    case .begun: "commit it, roll it back or let it go; use its own tables until then"
    default:
      "make that block shorter, or raise busyTimeout; a block must not wait for another "
        + "thread that uses the same database"
    }
  }
}

/// One call that runs on this thread.
///
/// References are not counted: the call that pushed the entry holds both objects until it pops it.
struct Access {
  let database: Unmanaged<XTDatabase>
  let core: Unmanaged<DatabaseCore>
  /// Nil where the call only makes a database the current one.
  let connection: Unmanaged<Connection>?

  @inline(__always)
  func isOf(_ other: DatabaseCore) -> Bool {
    core.toOpaque() == Unmanaged.passUnretained(other).toOpaque()
  }

  func uses(_ identifier: ObjectIdentifier) -> Bool {
    connection.map { ObjectIdentifier($0.takeUnretainedValue()) } == identifier
  }
}

/// The calls that run on one thread, innermost last.
///
/// Kept by a pthread key: a block inside a block finds its connection here, without a lock. Plain
/// memory and not an object: every call of every verb comes by.
struct AccessStack {
  private struct Storage {
    var entries: UnsafeMutablePointer<Access>
    var count = 0
    var capacity: Int
    /// Whether the watch keeps signals that are to be delivered.
    var hasSignals = false
    /// How many bodies of the program's run with something held that is no connection of a call's.
    var holds = 0
    /// Whether errors of the call that runs may come to nothing.
    var isAttempt = false
    /// Made when it is first needed.
    var watch: Unmanaged<ThreadWatch>?
  }

  private let storage: UnsafeMutablePointer<Storage>

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { context in
      AccessStack.free(context)
    }
    return key
  }()

  /// This thread's stack.
  @inline(__always)
  static var current: AccessStack {
    if let context = pthread_getspecific(key) {
      return AccessStack(storage: context.assumingMemoryBound(to: Storage.self))
    }
    return make()
  }

  @inline(never)
  private static func make() -> AccessStack {
    let capacity = 8
    let storage = UnsafeMutablePointer<Storage>.allocate(capacity: 1)
    storage.initialize(
      to: Storage(entries: .allocate(capacity: capacity), capacity: capacity))
    pthread_setspecific(key, storage)
    return AccessStack(storage: storage)
  }

  // A parameter that is optional on one platform and not on the other.
  private static func free(_ context: UnsafeMutableRawPointer?) {
    guard let storage = context?.assumingMemoryBound(to: Storage.self) else { return }
    storage.pointee.entries.deallocate()
    storage.pointee.watch?.release()
    storage.deallocate()
  }

  // MARK: Watching

  /// Whether signals wait for the end of the outermost call.
  @inline(__always)
  var hasSignals: Bool {
    get { storage.pointee.hasSignals }
    nonmutating set { storage.pointee.hasSignals = newValue }
  }

  /// Whether an error may be of a first try, after which another way is gone: nobody need know.
  var isAttempt: Bool {
    get { storage.pointee.isAttempt }
    nonmutating set { storage.pointee.isAttempt = newValue }
  }

  /// What the thread keeps for those who listen.
  var watch: ThreadWatch {
    if let watch = storage.pointee.watch { return watch.takeUnretainedValue() }
    let watch = ThreadWatch()
    storage.pointee.watch = .passRetained(watch)
    return watch
  }

  /// Whether this thread has something that a listener might wait for: a call's connection, or what
  /// is held around a body of the program's.
  var holdsSomething: Bool {
    storage.pointee.holds > 0 || entries.contains { $0.connection != nil }
  }

  /// Runs `body`, the program's own, with something held: nobody who listens is called meanwhile.
  func holding<T>(_ body: () throws -> T) rethrows -> T {
    storage.pointee.holds += 1
    defer { storage.pointee.holds -= 1 }
    return try body()
  }

  // MARK: The calls

  @inline(__always)
  var isEmpty: Bool { storage.pointee.count == 0 }

  @inline(__always)
  private var last: Access? {
    isEmpty ? nil : storage.pointee.entries[storage.pointee.count - 1]
  }

  /// The database of the innermost call.
  @inline(__always)
  var database: XTDatabase? { last?.database.takeUnretainedValue() }

  /// The connection that the innermost call of this database uses.
  @inline(__always)
  func connection(of core: DatabaseCore) -> Connection? {
    guard let last else { return nil }
    if last.isOf(core), let connection = last.connection {
      return connection.takeUnretainedValue()
    }
    return outerConnection(of: core)
  }

  @inline(never)
  private func outerConnection(of core: DatabaseCore) -> Connection? {
    outer(of: core)?.connection?.takeUnretainedValue()
  }

  /// The connection that writes, where a call around the innermost one has it.
  @inline(never)
  func writer(of core: DatabaseCore) -> Connection? {
    entries.lazy.filter { $0.isOf(core) }
      .compactMap { $0.connection?.takeUnretainedValue() }
      .last { !$0.isReader }
  }

  /// The innermost call of this database that has a connection, or that makes a transaction object
  /// the current database.
  private func outer(of core: DatabaseCore) -> Access? {
    entries.last { entry in
      guard entry.isOf(core) else { return false }
      return entry.connection != nil || entry.database._withUnsafeGuaranteedRef { $0.begun != nil }
    }
  }

  private var entries: UnsafeBufferPointer<Access> {
    UnsafeBufferPointer(start: storage.pointee.entries, count: storage.pointee.count)
  }

  /// The transaction object's database in whose asCurrent block this thread is, where none of its
  /// calls has the connection.
  @inline(__always)
  func begunDatabase(of core: DatabaseCore) -> XTDatabase? {
    isEmpty ? nil : outerBegunDatabase(of: core)
  }

  @inline(never)
  private func outerBegunDatabase(of core: DatabaseCore) -> XTDatabase? {
    guard let access = outer(of: core), access.connection == nil else { return nil }
    return access.database.takeUnretainedValue()
  }

  /// Whether this thread is inside a block or call of this database.
  func isInside(_ core: DatabaseCore) -> Bool { outer(of: core) != nil }

  /// Whether a call on this thread uses the connection.
  func uses(_ connection: ObjectIdentifier) -> Bool { self.connection(connection) != nil }

  /// The connection, where a call on this thread uses it.
  func connection(_ identifier: ObjectIdentifier) -> Connection? {
    entries.last { $0.uses(identifier) }?.connection?.takeUnretainedValue()
  }

  /// Whether the innermost call uses the connection.
  func isInnermost(_ identifier: ObjectIdentifier) -> Bool { last?.uses(identifier) ?? false }

  /// Whether the innermost call is one of this database.
  @inline(__always)
  func isInnermost(_ core: DatabaseCore) -> Bool {
    last?.isOf(core) ?? false
  }

  /// The caller holds `database` and `connection` until `pop`.
  @inline(__always)
  func push(_ database: XTDatabase, _ connection: Connection?) {
    if storage.pointee.count == storage.pointee.capacity { grow() }
    (storage.pointee.entries + storage.pointee.count).initialize(
      to: Access(
        database: .passUnretained(database), core: .passUnretained(database.core),
        connection: connection.map { .passUnretained($0) }))
    storage.pointee.count += 1
  }

  @inline(__always)
  func pop() {
    storage.pointee.count -= 1
  }

  @inline(never)
  private func grow() {
    let capacity = storage.pointee.capacity * 2
    let entries = UnsafeMutablePointer<Access>.allocate(capacity: capacity)
    entries.moveInitialize(from: storage.pointee.entries, count: storage.pointee.count)
    storage.pointee.entries.deallocate()
    storage.pointee.entries = entries
    storage.pointee.capacity = capacity
  }
}
