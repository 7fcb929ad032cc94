import Foundation
import Observation
import XTLite

/// What the program shows: the newest notes, and what the typed text finds.
@MainActor
final class Notebook {
  let database: XTDatabase
  let list: XTLiveList<Note>
  private(set) var query = ""
  private(set) var found: [Found] = []
  /// Whether the search for `query` has answered.
  private(set) var hasFound = true
  private var searching: Task<Void, Never>?
  private let changed: @MainActor () -> Void

  /// Calls `changed` when there is something new to show.
  init(_ database: XTDatabase, changed: @escaping @MainActor () -> Void) throws {
    self.database = database
    self.changed = changed
    list = XTLiveList(
      database.table(Note.self).observe(orderBy: .desc(\.pkid), limit: 10)
        .noticingOtherPrograms(every: 0.2))
    follow()
  }

  /// Shows the list whenever it has changed.
  private func follow() {
    withObservationTracking {
      _ = (list.items.count, list.error == nil, list.difference)
    } onChange: { [weak self] in
      Task { @MainActor in
        guard let self else { return }
        self.follow()
        self.changed()
      }
    }
  }

  // MARK: What can be done

  /// Adds a note: its title is what stands before the first `:`, or all of it.
  func add(_ text: String) async throws {
    let parts = text.split(separator: ":", maxSplits: 1).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard let title = parts.first, !title.isEmpty else { return }
    let body = parts.count > 1 ? parts[1] : ""
    try await database.transaction {
      var note = Note()
      (note.title, note.body) = (title, body)
      try note.xt_insert()
    }
  }

  func remove(_ pkid: Int64) async throws -> Bool {
    try await database.transaction { try Note.xt_deleteModelWhere(\.pkid == pkid) > 0 }
  }

  /// Searches for the text as it is typed: what an earlier text finds too late is not shown. The
  /// search is live, too: a note that is added comes up in it, also by another program.
  func search(_ text: String) {
    query = text
    searching?.cancel()
    hasFound = text.isEmpty
    guard !text.isEmpty else {
      found = []
      return changed()
    }
    let results = database.observe { try Note.found(text, limit: 10) }
      .noticingOtherPrograms(every: 0.2)
    searching = Task { [weak self] in
      do {
        for try await found in results {
          guard let self, !Task.isCancelled else { return }
          (self.found, self.hasFound) = (found, true)
          self.changed()
        }
      } catch {
        self?.found = [Found(title: "error", excerpt: "\(error)")]
        self?.changed()
      }
    }
  }
}
