import Dispatch
import Foundation

/// One open file: its pools of connections, and what other rooms keep beside it. Shared by all
/// `XTDatabase` values on the file.
final class DatabaseCore: Sendable {
  /// Unique in the process.
  let identity: UInt64
  let file: DatabaseFile
  let configuration: XTConfiguration
  /// One connection: whoever has it writes.
  let writers: ConnectionPool
  /// Beside the writer in WAL; the writer's own pool where a reader would stand in its way.
  let readers: ConnectionPool
  /// Runs the writing blocks of the async forms, so that none holds a thread of Swift's own pool.
  let writerQueue: DispatchQueue
  /// Runs the reading blocks of the async forms, each on a thread of its own.
  let readerQueue: DispatchQueue
  let attachments = Mutex(Attachments())
  let waitLimit: Double

  private static let lastIdentity = Mutex<UInt64>(0)

  /// Opens the file, or throws why it can't be; a nil path is a database in memory.
  init(path: String?, configuration: XTConfiguration) throws {
    let label =
      configuration.label ?? path.map { ($0 as NSString).lastPathComponent } ?? "in memory"
    let file = DatabaseFile(path: path, label: label)
    let settings = try configuration.connectionSettings(path: path)
    let clock = SchemaClock()
    self.file = file
    self.configuration = configuration
    waitLimit = configuration.waitLimit
    writers = ConnectionPool(file, capacity: 1) {
      try Self.connect(file, settings, clock, isReader: false)
    }
    let readsBeside = path != nil && (configuration.readOnly || configuration.journalMode == .wal)
    readers =
      readsBeside
      ? ConnectionPool(file, capacity: configuration.maximumReaders) {
        try Self.connect(file, settings, clock, isReader: true)
      } : writers
    writerQueue = DispatchQueue(label: "XTLite \(label)")
    readerQueue = DispatchQueue(label: "XTLite readers of \(label)", attributes: .concurrent)
    identity = Self.lastIdentity.withLock { last in
      last += 1
      return last
    }
    // The first connection makes the file and proves that it is a database.
    let first = configuration.readOnly ? readers : writers
    first.give(try first.take(.opening, limit: 0))
    file.wasOpened()
  }

  private static func connect(
    _ file: DatabaseFile, _ settings: ConnectionSettings, _ clock: SchemaClock, isReader: Bool
  ) throws -> Connection {
    var settings = settings
    settings.isReader = isReader
    if !file.isInMemory {
      settings.path = file.path
      settings.mayCreate = file.mayCreate
    }
    return try Connection(settings, schemaClock: clock)
  }

  var label: String { file.label }

  // MARK: Having all of it

  /// Waits until nobody uses the file, and holds everyone back until `letGo`: the caller has all
  /// connections.
  ///
  /// - Returns: The writer's place.
  /// - Throws: `locked` where a block still ran at the busy limit; everything then goes on.
  func holdBack(_ kind: AccessKind) throws -> Loan {
    let place = try writers.takePlace(kind, limit: waitLimit)
    guard readers !== writers else { return place }
    do {
      try readers.holdBack(kind, limit: waitLimit)
    } catch {
      writers.give(place)
      throw error
    }
    return place
  }

  /// Ends what `holdBack` began.
  func letGo(_ place: Loan) {
    if readers !== writers { readers.letGo() }
    writers.give(place)
  }

  /// Closes every connection: no lock is held on the file afterwards. For who holds everyone back,
  /// and gives a place without a connection back then.
  func disconnect(_ place: Loan) {
    // The writer last: SQLite then puts the log into the file and removes it.
    if readers !== writers { readers.closeIdle() }
    writers.discard(place)
  }

  /// Closes everything for good. For who holds everyone back, or where nobody can come.
  func close(_ place: Loan? = nil) {
    attachments.withLock { $0 = Attachments() }
    if readers !== writers { readers.close() }
    if let place { writers.discard(place) }
    writers.close()
  }
}
