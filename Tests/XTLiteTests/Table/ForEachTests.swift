import Foundation
import Testing

@testable import XTLite

@Suite struct ForEachTests {
  struct Stop: Error {}

  let test: TestDatabase
  let samples: XTTable<Sample>

  init() throws {
    test = try TestDatabase()
    samples = test.table(Sample.self)
    try samples.insertList((0..<10).map { Sample("n\($0)", $0) { $0.isMember = $0.order > 6 } })
  }

  private func orders(_ run: ((Sample) throws -> Void) throws -> Void) throws -> [Int] {
    var orders: [Int] = []
    try run { orders.append($0.order) }
    return orders
  }

  @Test func forEach_givesWhatFindGives() throws {
    #expect(try orders { try samples.forEach($0) } == Array(0..<10))
    #expect(try orders { try samples.forEach(where: \.order > 7, $0) } == [8, 9])
    #expect(try orders { try samples.forEach(where: \.isMember, $0) } == [7, 8, 9])
    #expect(try orders { try samples.forEach(where: "`order` < \(2)", $0) } == [0, 1])
    #expect(
      try orders { try samples.forEach(orderBy: .desc(\.order), limit: 2, offset: 1, $0) } == [
        8, 7,
      ])
    try test.asCurrent { () throws in
      #expect(try orders { try Sample.xt_forEachWhere(\.order > 8, $0) } == [9])
      #expect(try orders { try Sample.xt_forEachWhere(nil, limit: 1, $0) } == [0])
    }
  }

  @Test func body_thatThrows_endsTheLoopAndComesOut() throws {
    var seen = 0
    #expect(throws: Stop.self) {
      try samples.forEach { sample in
        seen += 1
        if sample.order == 3 { throw Stop() }
      }
    }
    #expect(seen == 4)
    // The statement was reset: the next loop begins at the first row, and a write goes through.
    #expect(try orders { try samples.forEach(limit: 2, $0) } == [0, 1])
    try samples.deleteAll()
    #expect(try test.seen("SELECT count(*) FROM Sample") == ["0"])
  }

  @Test func body_thatThrowsAnErrorOfTheLibrary_seesNoRowTwice() throws {
    var seen = 0
    let error = #expect(throws: XTError.self) {
      try samples.forEach { _ in
        seen += 1
        try test.database.execute("DROP TABLE nowhere")
      }
    }
    #expect(error?.kind == .schema && seen == 1)
  }

  @Test func findsOfTheSameShape_insideTheBody_leaveTheLoopWhereItWas() throws {
    var seen: [Int] = []
    var inner: [Int] = []
    try samples.forEach(where: \.order < 5) { outer in
      seen.append(outer.order)
      inner += try samples.find(where: \.order < 5).map(\.order)
      try samples.forEach(where: \.order < 5) { _ throws in
        #expect(try samples.find(pkid: outer.pkid ?? 0)?.order == outer.order)
      }
      #expect(try samples.findFirst(where: \.order < 5)?.order == 0)
      #expect(try samples.find(pkids: [1, 2]).count == 2)
      _ = try samples.max(of: \.order, where: \.order < 5)
      _ = try samples.select(\.order, where: \.order < 5)
    }
    #expect(seen == [0, 1, 2, 3, 4])
    #expect(inner.count == 25)
  }

  @Test func loopInALoop_threeDeep_runsEachToItsEnd() throws {
    var count = 0
    try samples.forEach { _ in
      try samples.forEach { _ in
        try samples.forEach { _ in count += 1 }
      }
    }
    #expect(count == 1000)
  }

  @Test func writesInsideTheBody_areDone() throws {
    try test.database.transaction {
      try samples.forEach(where: \.order < 3, orderBy: .asc(\.order)) { sample in
        try samples.update(sample.renamed("seen"))
      }
    }
    #expect(try samples.count(where: \.name == "seen") == 3)
    try samples.forEach(where: \.name == "seen") { (sample) throws in
      #expect(try samples.delete(sample))
    }
    #expect(try samples.count() == 7)
  }

  @Test func rowsThatAreRead_areNotKept() throws {
    let objects = test.table(Counted.self)
    try objects.insertList((0..<500).map { _ in Counted() })
    let before = Counted.alive.withLock { $0 }
    var most = 0
    try objects.forEach { _ in
      most = max(most, Counted.alive.withLock { $0 } - before)
    }
    #expect((1...2).contains(most))
    #expect(Counted.alive.withLock { $0 } == before)
  }

  @Test func rowThatCannotBeRead_throwsAfterThoseBeforeIt() throws {
    try test.outside("UPDATE Sample SET `order` = 'x' WHERE pkid = 4")
    var seen = 0
    let error = #expect(throws: XTError.self) { try samples.forEach { _ in seen += 1 } }
    #expect(error?.kind == .decoding && error?.column == "order" && seen == 3)
  }
}

extension Sample {
  fileprivate func renamed(_ name: String) -> Sample {
    var copy = self
    copy.name = name
    return copy
  }
}

private final class Counted: XTModel {
  static let alive = Mutex(0)

  var number = 0

  init() { Self.alive.withLock { $0 += 1 } }

  deinit { Self.alive.withLock { $0 -= 1 } }
}
