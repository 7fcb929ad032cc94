import Foundation
import Testing

@testable import XTLite

/// What an upgrade tells a Progress that has been used before.
@Suite struct UpgradeProgressTests {
  @Test(arguments: [0, 1, 100] as [Int64], [false, true])
  func upgrade_thatTouchesNoRow_finishesAnyProgress(total: Int64, isParent: Bool) throws {
    let test = try TestDatabase()
    try test.table(Dock.self).insertList([Dock(name: "a")])
    let progress = Progress(totalUnitCount: total)
    let parent = Progress(totalUnitCount: 10)
    if isParent { parent.addChild(progress, withPendingUnitCount: 10) }
    #expect(
      try test.database.upgrade(progress: progress) {
        XTUpgrade(Dock.self, to: 3) { $0.change(\.name) }
      })
    #expect(progress.totalUnitCount == 1 && progress.completedUnitCount == 1)
    #expect(progress.isFinished && progress.fractionCompleted == 1)
    if isParent { #expect(parent.fractionCompleted == 1) }
  }

  @Test func upgrade_givenAProgressThatIsDone_beginsAnew() throws {
    let test = try TestDatabase()
    try test.table(Dock.self).insertList((0..<30).map { Dock(name: "\($0)") })
    let progress = Progress(totalUnitCount: 100)
    progress.completedUnitCount = 100
    let seen = Mutex<[Int64]>([])
    try test.database.upgrade(progress: progress) {
      XTUpgrade(Dock.self, to: 2) {
        $0.fill(\.name, everyRow: true) { _ in
          seen.withLock { $0.append(progress.completedUnitCount) }
          return "x"
        }
      }
    }
    #expect(seen.withLock { $0.first } == 0)
    #expect(progress.totalUnitCount == 30 && progress.completedUnitCount == 30)
  }
}

private struct Dock: XTModel {
  var pkid: Int64?
  var name = ""
}
