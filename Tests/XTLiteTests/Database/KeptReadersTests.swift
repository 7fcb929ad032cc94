import Foundation
import Testing

@testable import XTLite

/// Says how often it is asked for something, and whether it was ended.
private final class Keeper: ReaderKeeper {
  private let looks = Mutex(0)
  private let error = Mutex<(any Error)?>(nil)
  private let answer: @Sendable (_ look: Int) -> UInt?

  init(_ answer: @escaping @Sendable (_ look: Int) -> UInt?) { self.answer = answer }

  var uses: UInt? {
    answer(
      looks.withLock { looks in
        looks += 1
        return looks
      })
  }

  var lookCount: Int { looks.withLock { $0 } }
  var reason: XTError? { error.withLock { $0 as? XTError } }

  func end(_ error: any Error) { self.error.withLock { $0 = error } }
}

@Suite struct KeptReadersTests {
  private let sut = KeptReaders()

  @Test func keeper_isEndedWhereNobodyAsksIt() {
    sut.setPatience(0.06)
    let idle = Keeper { _ in 1 }
    let busy = Keeper { UInt($0) }
    let reading = Keeper { _ in nil }
    // Asked at every fifth look, with four between.
    let slow = Keeper { UInt($0 / 5) }
    for keeper in [idle, busy, reading, slow] { #expect(sut.admit(keeper, limit: 4)) }
    #expect(eventually { idle.reason != nil && busy.lookCount > 40 && slow.lookCount > 40 })
    #expect(idle.reason?.kind == .interrupted && idle.reason?.message.contains("0.06 s") == true)
    #expect(busy.reason == nil && reading.reason == nil && slow.reason == nil)
  }

  @Test func keepers_areNoMoreThanTheLimit() {
    let keepers = (0..<3).map { _ in Keeper { _ in 0 } }
    #expect(!sut.admit(keepers[0], limit: 0))
    #expect(sut.admit(keepers[0], limit: 2) && sut.admit(keepers[1], limit: 2))
    #expect(!sut.admit(keepers[2], limit: 2))
    sut.remove(ObjectIdentifier(keepers[0]))
    #expect(sut.admit(keepers[2], limit: 2) && sut.count == 2)
  }

  @Test func whoNeedsTheFileAlone_endsAllAndAdmitsNone() {
    let keepers = (0..<2).map { _ in Keeper { _ in 0 } }
    #expect(sut.admit(keepers[0], limit: 2))
    sut.endAll(for: .suspension)
    #expect(keepers[0].reason?.message.contains("suspend()") == true)
    sut.remove(ObjectIdentifier(keepers[0]))
    #expect(!sut.admit(keepers[1], limit: 2))
    sut.letGo()
    #expect(sut.admit(keepers[1], limit: 2))
  }
}
