import Foundation

/// Work of several parts, of which a `Progress` is told, and which it can cancel.
struct LongWork {
  let progress: Progress?

  private static let units: Int64 = 1_000

  init(_ progress: Progress?) {
    self.progress = progress
    progress?.totalUnitCount = Self.units
  }

  /// What tells of a part, itself from 0 to 1, that is this much of the whole.
  func part(_ start: Double, _ end: Double) -> (Double) throws -> Void {
    { fraction in
      if progress?.isCancelled == true { throw CancellationError() }
      let share = start + (end - start) * min(max(fraction, 0), 1)
      progress?.completedUnitCount = Int64(share * Double(Self.units))
    }
  }

  func finish() {
    progress?.completedUnitCount = Self.units
  }
}

extension XTDatabase {
  /// Runs a long call on a thread of its own. Cancelling the task cancels its progress.
  func onOwnThread(
    _ progress: Progress?, _ body: @escaping @Sendable (Progress) throws -> Void
  ) async throws {
    let progress = progress ?? Progress(totalUnitCount: 1)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        Thread.detachNewThread {
          continuation.resume(with: Result { try body(progress) })
        }
      }
    } onCancel: {
      progress.cancel()
    }
  }
}
