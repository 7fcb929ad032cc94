import Foundation

/// How far a salvage is, and whether it is still wanted.
final class SalvageProgress {
  private let progress: Progress?
  private var done: Int64 = 0

  init(_ progress: Progress?) {
    self.progress = progress
  }

  /// Each page is looked at, and later read.
  func begin(pages: Int) {
    // Foundation ends the program where a total becomes 0 that was not.
    progress?.totalUnitCount = max(2 * Int64(pages), 1)
  }

  func check() throws {
    if progress?.isCancelled == true {
      throw XTError(.interrupted, "the salvage was cancelled")
    }
  }

  func pageDone() throws {
    try check()
    done += 1
    guard let progress, done % 16 == 0, done < progress.totalUnitCount else { return }
    progress.completedUnitCount = done
  }

  func end() {
    guard let progress else { return }
    progress.completedUnitCount = progress.totalUnitCount
  }
}
