import Foundation
import XTLite

// Everything in this module is on the main actor unless it says otherwise. Models need say nothing.

struct Note: XTModel {
  var pkid: Int64?
  var text = ""
  var place = Place()
  var isDone = false
  var cached = ""

  static var xt_ignored: XTKeyPaths { [\Note.cached] }
  static let xt_keywords: XTKeywordMap = [\Note.text: .unique]
  static var xt_indexes: [XTIndex] { [XTIndex(\Note.isDone)] }
}

struct Place: Codable, Equatable {
  var city = ""
}

class Vehicle: XTModel {
  var plate = ""
  var wheels = 4

  required init() {}
}

// The subclass of a model says that it is not on the main actor.
nonisolated class Truck: Vehicle {
  var load = 0.5
}

final class Book: XTModel {
  var title = ""

  init() {}
}

/// What an app shows; it lives on the main actor.
final class Screen {
  var books: [Book] = []
  var notes: [Note] = []
  let database: XTDatabase

  init(_ database: XTDatabase) { self.database = database }

  func reload() async throws {
    notes = try await database.read { try Note.xt_findAll(orderBy: .asc(\.text)) }
    books = try await database.read { try Book.xt_findAll() }
  }

  /// Objects that the main actor holds are saved where they are.
  func rename(to title: String) async throws -> Int {
    try await database.inPlace {
      MainActor.assertIsolated()
      for book in books {
        book.title = title
        try book.xt_update()
      }
      return books.count
    }
  }
}
