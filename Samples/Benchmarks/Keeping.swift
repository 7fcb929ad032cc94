import Foundation
import XTLite

// What an object that declares no automatic column costs: its pkid and times are kept beside it.
// The loop beside which that is measured does the same with one dictionary behind one lock.

/// Rows beside objects, as one would write it first: found by the object's identity, checked by a
/// weak reference, dead entries swept as the dictionary grows.
final class RawKeeper: @unchecked Sendable {
  struct Row {
    var pkid: Int64?
    var createTime: Double?
    var updateTime: Double?
    var isDeleted = false
    var database: UInt32 = 0
  }

  private struct Entry {
    weak var object: AnyObject?
    var row: Row
  }

  private let lock: UnsafeMutablePointer<PlatformLock>
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var limit = 1_024

  #if canImport(Darwin)
    typealias PlatformLock = os_unfair_lock
  #else
    typealias PlatformLock = pthread_mutex_t
  #endif

  init() {
    lock = .allocate(capacity: 1)
    lock.initialize(to: PlatformLock())
    #if !canImport(Darwin)
      pthread_mutex_init(lock, nil)
    #endif
  }

  @inline(__always)
  private func withLock<T>(_ body: () -> T) -> T {
    #if canImport(Darwin)
      os_unfair_lock_lock(lock)
      defer { os_unfair_lock_unlock(lock) }
    #else
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
    #endif
    return body()
  }

  @inline(__always)
  func set(_ row: Row, for object: AnyObject) {
    withLock {
      if entries.count >= limit { sweep() }
      entries[ObjectIdentifier(object)] = Entry(object: object, row: row)
    }
  }

  @inline(__always)
  func row(of object: AnyObject) -> Row? {
    withLock {
      guard let entry = entries[ObjectIdentifier(object)], entry.object === object else {
        return nil
      }
      return entry.row
    }
  }

  @inline(never)
  private func sweep() {
    entries = entries.filter { $0.value.object != nil }
    limit = max(1_024, entries.count * 2)
  }
}

extension Workload {
  static let keeping: [Workload] = [
    keep("keep", "100,000 objects: set and get of what is kept beside each", threads: 1),
    keep("keep2", "keep on 2 threads, 50,000 objects each", threads: 2),
    keep("keepS", "keep where 100,000 objects have just died", threads: 1, startsEmpty: false),
    keepPkid,
  ]

  @inline(__always)
  private static func keep(
    _ name: String, _ summary: String, threads: Int, startsEmpty: Bool = true
  ) -> Workload {
    Workload(name: name, summary: summary) { bench in
      var (raw, xt) = (RawKeeper(), ObjectKeeper())
      let objects = Objects(count: bench.count(100_000), threads: threads)
      return Sides(
        raw: {
          let raw = raw
          return objects.sum(objects.raw) { index, object in
            raw.set(
              RawKeeper.Row(pkid: Int64(index), createTime: 1, updateTime: 2, database: 1),
              for: object)
            return Int(raw.row(of: object)?.pkid ?? -1)
          }
        },
        xt: {
          let xt = xt
          return objects.sum(objects.xt) { index, object in
            xt.set(
              KeptRow(pkid: Int64(index), createTime: 1, updateTime: 2, database: 1), for: object)
            return Int(xt.row(of: object)?.pkid ?? -1)
          }
        },
        setUp: {
          if startsEmpty { (raw, xt) = (RawKeeper(), ObjectKeeper()) }
          objects.makeAgain()
        })
    }
  }

  private static let keepPkid = Workload(
    name: "keepP", summary: "keep by way of the property pkid"
  ) { bench in
    let raw = RawKeeper()
    let objects = Objects(count: bench.count(100_000), threads: 1)
    return Sides(
      raw: {
        objects.sum(objects.raw) { index, object in
          var row = raw.row(of: object) ?? RawKeeper.Row()
          row.pkid = Int64(index)
          raw.set(row, for: object)
          return Int(raw.row(of: object)?.pkid ?? -1)
        }
      },
      xt: {
        objects.sum(objects.xt) { index, object in
          object.pkid = Int64(index)
          return Int(object.pkid ?? -1)
        }
      },
      setUp: objects.makeAgain)
  }
}

/// New objects for each repetition, and other ones for each side: an object that a weak reference
/// has pointed to is a slower one for ever.
private final class Objects: @unchecked Sendable {
  private let count: Int
  private let threads: Int
  private(set) var raw: [ItemObject] = []
  private(set) var xt: [ItemObject] = []

  init(count: Int, threads: Int) {
    self.count = count
    self.threads = threads
  }

  func makeAgain() {
    (raw, xt) = ([], [])
    raw = (0..<count).map { _ in ItemObject() }
    xt = (0..<count).map { _ in ItemObject() }
  }

  /// The sum of what `body` gives for each of the objects, on as many threads as were asked for.
  @inline(__always)
  func sum(_ objects: [ItemObject], _ body: @Sendable (Int, ItemObject) -> Int) -> Int {
    let share = (objects.count + threads - 1) / threads
    @inline(__always) func part(_ thread: Int) -> Int {
      var sum = 0
      for index in thread * share..<min((thread + 1) * share, objects.count) {
        sum &+= body(index, objects[index])
      }
      return sum
    }
    if threads == 1 { return part(0) }
    nonisolated(unsafe) var sums = [Int](repeating: 0, count: threads)
    sums.withUnsafeMutableBufferPointer { sums in
      nonisolated(unsafe) let sums = sums
      withoutActuallyEscaping(part) { part in
        nonisolated(unsafe) let part = part
        DispatchQueue.concurrentPerform(iterations: threads) { sums[$0] = part($0) }
      }
    }
    return sums.reduce(0, &+)
  }
}
