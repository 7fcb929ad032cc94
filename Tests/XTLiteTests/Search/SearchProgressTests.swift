import Foundation
import Testing

@testable import XTLite

/// How far an index is that is made by the way, and what ends it.
@Suite struct SearchProgressTests {
  private let test: TestDatabase
  private let words: CountedWords
  private let table: XTTable<SearchCounted>
  private static let rows = 5_000

  init() throws {
    let words = CountedWords()
    self.words = words
    test = try TestDatabase { $0.add(tokenizer: words, named: "counted") }
    table = test.table(SearchCounted.self)
    try test.table(SearchCountedOld.self).insertList(
      (0..<Self.rows).map { SearchCountedOld(text: "row \($0)") })
  }

  private static let upgrades = [
    XTUpgrade(SearchCounted.self, to: 2) { $0.rename("text", to: \.body) }
  ]

  /// Nothing of an index, and the table as it was.
  private func expectNothingDone(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let columns = try test.columns(of: "SearchCounted")
    #expect(columns.contains("text") && !columns.contains("body"), sourceLocation: sourceLocation)
    #expect(
      try !test.tables().contains { $0.contains("_search") }, sourceLocation: sourceLocation)
  }

  @Test func upgrade_countsTheRowsOfTheIndex() throws {
    let progress = Progress(totalUnitCount: 7)
    let seen = Mutex<[[Int64]]>([])
    func note(_ progress: Progress, at count: Int) {
      words.at(count) {
        seen.withLock { $0.append([progress.totalUnitCount, progress.completedUnitCount]) }
      }
    }
    note(progress, at: 1)
    note(progress, at: 4_500)
    try test.database.upgrade(progress: progress) { Self.upgrades }
    let total = progress.totalUnitCount
    #expect(total >= 5_000 && progress.completedUnitCount == total)
    // Foreseen from the beginning.
    #expect(seen.withLock { $0 } == [[total, total - 5_000], [total, total - 1_000]])
    #expect(try table.checkSearch() == Self.rows)
    // One that is taken away and made anew.
    let again = Progress(totalUnitCount: 1)
    seen.withLock { $0 = [] }
    words.restart()
    note(again, at: 4_500)
    try test.database.upgrade(progress: again) {
      XTUpgrade(SearchCounted.self, to: 3) { $0.change(\.body) }
      XTUpgrade(SearchCounted.self, to: 4) { $0.run("UPDATE SearchCounted SET body = 'row'") }
    }
    #expect(again.totalUnitCount >= 5_000 && again.isFinished)
    #expect(seen.withLock { $0 } == [[again.totalUnitCount, again.totalUnitCount - 1_000]])
    #expect(try table.checkSearch() == Self.rows)
    #expect(words.count >= Self.rows)
  }

  @Test func upgrade_cancelledProgress_endsTheIndex() throws {
    let progress = Progress(totalUnitCount: 1)
    words.at(100) { progress.cancel() }
    #expect(throws: CancellationError.self) {
      try test.database.upgrade(progress: progress) { Self.upgrades }
    }
    #expect(words.count < Self.rows)
    try expectNothingDone()
  }

  @Test func upgrade_cancelledTask_endsTheIndex() async throws {
    let database = test.database
    try await expectCancelled { try await database.upgrade { Self.upgrades } }
    try expectNothingDone()
  }

  @Test func write_cancelledTask_endsTheIndexThatItMakes() async throws {
    let (database, table) = (test.database, test.table(SearchCountedSame.self))
    try await expectCancelled {
      try await database.write { try table.insertList([SearchCountedSame(text: "more")]) }
    }
    try expectNothingDone()
    try await database.write { _ = try table.insertList([SearchCountedSame(text: "more")]) }
    let rows = try await database.write { try table.checkSearch() }
    #expect(rows == Self.rows + 1)
  }

  @Test func search_cancelledTask_endsTheIndexThatItMakes() async throws {
    let (database, table) = (test.database, test.table(SearchCountedSame.self))
    try await expectCancelled { try await database.write { try table.searchCount("row") } }
    try expectNothingDone()
    let count = try await database.write { try table.searchCount("row") }
    #expect(count == Self.rows)
  }

  @Test func rebuild_cancelledTask_endsIt() async throws {
    let table = test.table(SearchCountedSame.self)
    #expect(try table.searchCount("row") == Self.rows)
    try await expectCancelled { try await table.rebuildSearch() }
    #expect(try table.checkSearch() == Self.rows)
  }

  /// Runs `body` in a task that is cancelled by the hundredth text that is taken apart.
  private func expectCancelled<T>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () async throws -> T
  ) async throws {
    let task = Mutex<Task<Void, any Error>?>(nil)
    words.restart()
    words.at(100) {
      while task.withLock({ $0 == nil }) { usleep(1_000) }
      task.withLock { $0?.cancel() }
    }
    let running = Task { _ = try await body() }
    task.withLock { $0 = running }
    await #expect(throws: CancellationError.self, sourceLocation: sourceLocation) {
      try await running.value
    }
    #expect((100..<Self.rows).contains(words.count), sourceLocation: sourceLocation)
  }
}

/// The words of each text, which are counted, and what is done at some of them.
private final class CountedWords: XTTokenizer {
  private let state = Mutex((count: 0, actions: [Int: @Sendable () -> Void]()))

  var count: Int { state.withLock { $0.count } }

  func restart() { state.withLock { $0 = (0, [:]) } }

  func at(_ count: Int, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.actions[count] = action }
  }

  func tokens(of text: String, for use: XTTokenUse) -> [XTToken] {
    let action = state.withLock { state in
      state.count += 1
      return state.actions[state.count]
    }
    action?()
    return text.split(separator: " ").map { XTToken(String($0), at: 0..<1) }
  }
}

private struct SearchCountedOld: XTModel {
  var pkid: Int64?
  var text = ""
  static var xt_tableName: String { "SearchCounted" }
}

private struct SearchCounted: XTModel {
  var pkid: Int64?
  var body = ""
  static var xt_search: XTSearch {
    XTSearch([\SearchCounted.body], tokenizer: .custom("counted"))
  }
}

private struct SearchCountedSame: XTModel {
  var pkid: Int64?
  var text = ""
  static var xt_tableName: String { "SearchCounted" }
  static var xt_search: XTSearch {
    XTSearch([\SearchCountedSame.text], tokenizer: .custom("counted"))
  }
}

extension SharedDatabaseTests {
  @Suite struct SearchRebuildTests {
    @Test func rebuild_byTheModel_isCancelledWithItsTask() async throws {
      let test = try TestDatabase()
      try XTDatabase.configure(test.database)
      try test.table(SearchNote.self).insertList(
        (0..<3_000).map { SearchNote(title: "row \($0)") })
      let progress = Progress(totalUnitCount: 1)
      try await SearchNote.xt_rebuildSearch(progress: progress)
      #expect(progress.totalUnitCount == 3_000 && progress.isFinished)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await SearchNote.xt_rebuildSearch()
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try SearchNote.xt_checkSearch() == 3_000)
    }
  }
}
