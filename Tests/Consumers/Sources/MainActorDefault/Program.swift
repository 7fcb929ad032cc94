import Foundation
import XTLite

@main struct Program {
  static func main() async throws {
    let database = try XTDatabase.inMemory()
    try XTDatabase.configure(database)

    // Synchronous, on the main actor.
    var note = Note(text: "a", place: Place(city: "東京"))
    try note.xt_insert()
    check(note.pkid == 1, "insert")
    check(try Note.xt_findWhere(\.text == "a" && !\.isDone).map(\.place.city) == ["東京"], "find")
    check(try Note.xt_countWhere(\.isDone) == 0, "flag")
    check(try Note.xt_maxOf(\.text) == "a", "max")
    let truck = Truck()
    truck.plate = "T 1"
    truck.load = 8
    try truck.xt_insert()
    let vehicle = Vehicle()
    vehicle.plate = "V 1"
    try vehicle.xt_insert()
    check(truck.pkid == 1 && vehicle.pkid == 1, "objects")
    check(try Truck.xt_findFirstWhere(\.load > 1 && \.wheels == 4)?.plate == "T 1", "subclass")
    check(try Vehicle.xt_count() == 1, "superclass")
    let adults: XTCondition<Note> = \.text != "z"
    let orders: [XTOrder<Note>] = [.desc(\.text)]

    // Asynchronous, off the main actor.
    let made: Int = try await database.transaction {
      try Note.xt_insertList((0..<50).map { Note(text: "n\($0)") })
    }
    check(made == 50, "transaction")
    let found = try await database.read { try Note.xt_findWhere(adults, orderBy: orders, limit: 2) }
    check(found.map(\.text) == ["n9", "n8"], "read")
    try await database.write {
      try database.execute("UPDATE Note SET isDone = 1 WHERE pkid > \(49)")
    }
    let done = try await database.savepoint { try Note.xt_findWhere(\.isDone) }
    check(done.count == 2, "savepoint")
    let books: [Book] = try await database.transaction {
      let books = (0..<3).map { _ in Book() }
      try Book.xt_insertList(books)
      return books
    }
    check(books.map(\.pkid) == [1, 2, 3], "objects made inside a block come out")

    let screen = Screen(database)
    try await screen.reload()
    check(screen.notes.count == 51 && screen.books.count == 3, "reload")
    check(try await screen.rename(to: "b") == 3, "inPlace")
    check(try Book.xt_countWhere(\.title == "b") == 3, "inPlace was stored")
    do {
      try await database.transaction {
        try Note.xt_deleteAll()
        throw CancellationError()
      }
      check(false, "the error was swallowed")
    } catch is CancellationError {
      check(try Note.xt_count() == 51, "rollback")
    }
    print("main actor by default: all good")
  }
}
