import Foundation
import Testing

@testable import XTLite

@Suite struct ObjectKeeperTests {
  // MARK: One object

  @Test func object_withoutRow_knowsNothing() {
    let keeper = ObjectKeeper()
    #expect(keeper.row(of: Thing()) == nil)
    #expect(keeper.count == 0)
  }

  @Test func row_isGivenBackAsItWasSet() {
    let keeper = ObjectKeeper()
    let (object, other) = (Thing(), Thing())
    for row in [KeptRow.sample(1), KeptRow(), .sample(2), KeptRow(pkid: -7, isDeleted: true)] {
      keeper.set(row, for: object)
      #expect(keeper.row(of: object) == row)
      #expect(keeper.row(of: other) == nil)
      #expect(keeper.count == 1)
    }
  }

  @Test func update_startsFromTheRowOrAnEmptyOne() {
    let keeper = ObjectKeeper()
    let object = Thing()
    keeper.update(object) { $0.pkid = 5 }
    keeper.update(object) { $0.updateTime = 2 }
    #expect(keeper.row(of: object) == KeptRow(pkid: 5, updateTime: 2))
  }

  @Test func removedRow_isForgotten_andLeavesTheOthers() {
    let keeper = ObjectKeeper()
    let objects = Thing.make(1_000)
    for (index, object) in objects.enumerated() { keeper.set(.sample(index), for: object) }
    for object in objects.prefix(500) { keeper.remove(object) }
    for (index, object) in objects.enumerated() {
      #expect(keeper.row(of: object) == (index < 500 ? nil : .sample(index)))
    }
    keeper.update(objects[0]) { $0.isDeleted = true }
    #expect(keeper.row(of: objects[0]) == KeptRow(isDeleted: true))
    keeper.remove(Thing())
  }

  // MARK: Life and death

  @Test func keptObject_diesWithItsLastReference() {
    let keeper = ObjectKeeper()
    var isGone = false
    var object: Thing? = Thing { isGone = true }
    weak let weakly = object
    keeper.set(.sample(1), for: object ?? Thing())
    object = nil
    #expect(isGone)
    #expect(weakly == nil)
  }

  @Test func newObjects_atDeadOnesAddresses_knowNothing() {
    let keeper = ObjectKeeper()
    var (dead, reused): (Set<ObjectIdentifier>, Int) = ([], 0)
    for round in 0..<20 {
      let objects = Thing.make(1_000)
      let addresses = Set(objects.map { ObjectIdentifier($0) })
      reused += dead.intersection(addresses).count
      dead.formUnion(addresses)
      for object in objects { #expect(keeper.row(of: object) == nil) }
      for (index, object) in objects.enumerated() { keeper.set(.sample(-index), for: object) }
      for (index, object) in objects.enumerated() {
        #expect(keeper.row(of: object) == .sample(-index))
      }
      // A sweep is what gives the dead ones' memory back.
      if round.isMultiple(of: 2) { keeper.sweep() }
    }
    // The address sanitizer sees to it that no address is.
    let isReusing = ObjectIdentifier(Thing()) == ObjectIdentifier(Thing())
    if isReusing { #expect(reused > 500) }
  }

  @Test func sweep_dropsTheDeadAndKeepsTheLiving() {
    let keeper = ObjectKeeper()
    var objects = Thing.make(100_000)
    for (index, object) in objects.enumerated() { keeper.set(.sample(index), for: object) }
    #expect(keeper.count == 100_000)
    // Every hundredth lives.
    objects = objects.enumerated().filter { $0.offset % 100 == 0 }.map(\.element)
    keeper.sweep()
    #expect(keeper.count == 1_000)
    for (index, object) in objects.enumerated() {
      #expect(keeper.row(of: object) == .sample(index * 100))
    }
    objects = []
    keeper.sweep()
    #expect(keeper.count == 0)
  }

  @Test func keeper_ofObjectsThatComeAndGo_doesNotGrow() {
    let keeper = ObjectKeeper()
    for round in 0..<100 {
      for (index, object) in Thing.make(1_000).enumerated() {
        keeper.set(.sample(round + index), for: object)
      }
    }
    #expect(keeper.count < 20_000)
  }

  @Test func sweep_isDue_whereMuchIsNew() {
    let keeper = ObjectKeeper()
    var objects = Thing.make(20_000)
    for object in objects { keeper.set(.sample(1), for: object) }
    keeper.sweep()
    for object in Thing.make(100) { keeper.set(.sample(2), for: object) }
    keeper.sweep(onlyIfDue: true)
    #expect(keeper.count == 20_100)
    objects = []
    // These come to other shards than the dead, at least in part; how many is the allocator's.
    objects = Thing.make(40_000)
    for object in objects { keeper.set(.sample(3), for: object) }
    keeper.sweep()
    #expect(keeper.count == 40_000)
    for object in objects { #expect(keeper.row(of: object) == .sample(3)) }
  }

  @Test func deinit_mayUseTheKeeper() {
    let keeper = ObjectKeeper()
    for _ in 0..<10_000 {
      let inner = Thing()
      let outer = Thing {
        keeper.set(.sample(3), for: inner)
        keeper.sweep()
      }
      keeper.set(.sample(1), for: inner)
      keeper.set(.sample(2), for: outer)
    }
    keeper.sweep()
    #expect(keeper.count == 0)
  }

  @Test func objectWithWeakReferences_isKeptLikeAnother() {
    let keeper = ObjectKeeper()
    var objects = Thing.make(1_000)
    let weakly = objects.map { WeakThing(thing: $0) }
    for (index, object) in objects.enumerated() { keeper.set(.sample(index), for: object) }
    keeper.sweep()
    for (index, object) in objects.enumerated() {
      #expect(keeper.row(of: object) == .sample(index))
      #expect(weakly[index].thing === object)
    }
    objects = []
    #expect(weakly.allSatisfy { $0.thing == nil })
    keeper.sweep()
    #expect(keeper.count == 0)
  }

  // MARK: Threads

  @Test func threads_eachWithItsObjects_meetOnlyTheirOwnRows() {
    let keeper = ObjectKeeper()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<20 {
        let objects = Thing.make(500)
        for (index, object) in objects.enumerated() {
          #expect(keeper.row(of: object) == nil)
          keeper.set(.sample(thread * 1_000_000 + round * 1_000 + index), for: object)
        }
        if thread == 0 { keeper.sweep() }
        for (index, object) in objects.enumerated() {
          #expect(
            keeper.row(of: object) == .sample(thread * 1_000_000 + round * 1_000 + index))
        }
      }
    }
    keeper.sweep()
    #expect(keeper.count == 0)
  }

  @Test func threads_updatingTheSameObjects_loseNothing() {
    let keeper = ObjectKeeper()
    let objects = Thing.make(100)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<50 {
        for object in objects { keeper.update(object) { $0.pkid = ($0.pkid ?? 0) + 1 } }
      }
    }
    for object in objects { #expect(keeper.row(of: object)?.pkid == 200) }
  }

  @Test func objects_thatDieWhileAnotherThreadSweeps_goOnce() {
    let keeper = ObjectKeeper()
    let (made, gone) = (50_000, Counter())
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      if thread == 0 {
        for index in 0..<made {
          let object = Thing { gone.increment() }
          keeper.set(.sample(index), for: object)
        }
      } else {
        for _ in 0..<200 { keeper.sweep() }
      }
    }
    #expect(gone.value == made)
    keeper.sweep()
    #expect(keeper.count == 0)
  }
}

/// Something to keep rows beside.
private final class Thing: @unchecked Sendable {
  private let atEnd: (() -> Void)?
  private let ballast = (1, 2, 3, 4)

  init(atEnd: (() -> Void)? = nil) { self.atEnd = atEnd }

  deinit { atEnd?() }

  static func make(_ count: Int) -> [Thing] { (0..<count).map { _ in Thing() } }
}

private struct WeakThing {
  weak var thing: Thing?
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func increment() { count.withLock { $0 += 1 } }
}

extension KeptRow: Equatable {
  /// The columns are the same.
  public static func == (left: KeptRow, right: KeptRow) -> Bool {
    left.pkid == right.pkid && left.createTime == right.createTime
      && left.updateTime == right.updateTime && left.isDeleted == right.isDeleted
      && left.database == right.database
  }

  fileprivate static func sample(_ number: Int) -> KeptRow {
    KeptRow(
      pkid: Int64(number), createTime: Double(number) / 2, updateTime: Double(number) * 3,
      isDeleted: number.isMultiple(of: 2), database: UInt32(truncatingIfNeeded: number & 7))
  }
}
