import Foundation
import Observation
import Testing

@testable import XTLite

@MainActor @Suite struct LiveListTests {
  let test: TestDatabase
  let people: XTTable<LivePerson>

  init() throws {
    test = try TestDatabase()
    people = test.table(LivePerson.self)
    try people.create()
  }

  struct Marked: XTModel, Identifiable {
    var id = ""
    var rank = 0
  }

  @Test func list_followsTheRows() async throws {
    let list = XTLiveList(people.observe(orderBy: .asc(\.age)))
    #expect(list.isLoading && list.items.isEmpty && list.error == nil)
    #expect(await until { !list.isLoading })
    #expect(list.items.isEmpty)
    try people.insertList([LivePerson("a", 1), LivePerson("b", 2), LivePerson("c", 3)])
    #expect(await until { list.items.count == 3 })
    #expect(list.difference.inserted == [0, 1, 2])
    try people.updateWhere(name: "a", age: 9)
    #expect(await until { list.items.map(\.name) == ["b", "c", "a"] })
    #expect(list.difference.moved.map(\.from) == [0] && list.difference.moved.map(\.to) == [2])
    #expect(list.difference.inserted == [] && list.difference.removed == [])
    try people.delete(where: \.name == "c")
    #expect(await until { list.items.map(\.name) == ["b", "a"] })
    #expect(list.difference.removed == [1] && list.difference.moved == [])
  }

  @Test func currentDatabase_isTheListsOwn() async throws {
    let list = try test.database.asCurrent { XTLiveList<LivePerson>(where: \.age > 17, limit: 1) }
    try people.insertList([LivePerson("a", 1), LivePerson("b", 20), LivePerson("c", 30)])
    #expect(await until { list.items.map(\.name) == ["b"] })
  }

  @Test func errorAndStart_areToldAndBeginAgain() async throws {
    let list = XTLiveList<LivePerson>(people.observe(where: "nothing = 1"))
    #expect(await until { list.error != nil })
    #expect(list.error is XTError)
    #expect(!list.isLoading)
    list.start()
    #expect(list.error == nil && list.isLoading)
    #expect(await until { list.error != nil })
  }

  @Test func stop_endsIt() async throws {
    let list = XTLiveList(people.observe())
    #expect(await until { !list.isLoading })
    list.stop()
    #expect(await until { LiveHub.of(test.database).counts.observers == 0 })
    try people.insertList([LivePerson("a")])
    list.start()
    #expect(await until { list.items.count == 1 })
  }

  @Test func listThatGoes_endsTheObservation() async throws {
    weak var weakList: XTLiveList<LivePerson>?
    do {
      let list = XTLiveList(people.observe())
      #expect(await until { !list.isLoading })
      weakList = list
    }
    #expect(await until { weakList == nil })
    #expect(await until { LiveHub.of(test.database).counts == (0, 0, 0) })
    test.database.expectNobodyObserves()
  }

  @Test func change_isToldToWhoTracksIt() async throws {
    let list = XTLiveList(people.observe())
    #expect(await until { !list.isLoading })
    let isTold = Flag()
    withObservationTracking {
      _ = list.items
    } onChange: {
      isTold.set(true)
    }
    try people.insertList([LivePerson("a")])
    #expect(await until { isTold.isSet })
  }

  @Test func listThatWasMadeTooEarly_beginsByStart() async throws {
    let (isThere, people) = (Flag(), people)
    try people.insertList([LivePerson("a", 1), LivePerson("b", 2)])
    let observation = XTObservation<[LivePerson]> {
      guard isThere.isSet else { throw XTError(.notConfigured, "there is no shared database yet") }
      return people.live(nil, [.asc(\.age)], limit: nil, offset: nil, .live)
    }
    let list = XTLiveList(observation)
    #expect(await until { list.error != nil })
    #expect((list.error as? XTError)?.kind == .notConfigured)
    list.start()
    #expect(await until { !list.isLoading })
    #expect(list.error != nil && list.items.isEmpty)
    isThere.set(true)
    list.start()
    #expect(await until { list.items.map(\.name) == ["a", "b"] })
    #expect(list.error == nil)
    // It knows the rows by the database that it has now.
    try people.updateWhere(name: "a", age: 9)
    #expect(await until { list.items.map(\.name) == ["b", "a"] })
    #expect(list.difference.moved.count == 1)
    // The observation itself, too.
    for try await rows in observation {
      #expect(rows.map(\.name) == ["b", "a"])
      break
    }
  }

  // MARK: Identity

  @Test func identity_isTheOneThatViewsUse() throws {
    let database = test.database
    #expect(
      LiveIdentity.list(of: [Marked(id: "x"), Marked(id: "y")], in: database)
        == [AnyHashable("x"), AnyHashable("y")])
    var person = LivePerson("a")
    try people.insert(&person)
    var renamed = person
    renamed.name = "b"
    let ids = LiveIdentity.list(
      of: [person, renamed, LivePerson("a"), LivePerson("b")], in: database)
    #expect(ids[0] == ids[1] && ids[2] != ids[3] && ids[0] != ids[2])
  }

  /// Each reading makes new objects; which rows they are is what counts.
  private func expectRowsOfObjects<Model: XTModel>(
    _ type: Model.Type, _ location: SourceLocation = #_sourceLocation, make: () -> Model
  ) throws {
    let table = test.table(type)
    try table.insertList((0..<3).map { _ in make() })
    let (first, second) = (try table.findAll(), try table.findAll())
    let ids = LiveIdentity.list(of: first, in: test.database)
    #expect(Set(ids).count == 3, sourceLocation: location)
    #expect(ids == LiveIdentity.list(of: second, in: test.database), sourceLocation: location)
    #expect(
      ids.reversed() == LiveIdentity.list(of: second.reversed(), in: test.database),
      sourceLocation: location)
  }

  @Test func identity_ofObjects_isTheirRow() throws {
    try expectRowsOfObjects(LiveNumberedObject.self) { LiveNumberedObject() }
    try expectRowsOfObjects(LiveObject.self) { LiveObject() }
    try expectRowsOfObjects(LiveIdentifiedObject.self) { LiveIdentifiedObject() }
  }

  @Test func listOfObjects_tellsWhatMoved() async throws {
    let objects = test.table(LiveObject.self)
    for size in 1...3 {
      let object = LiveObject()
      object.size = size
      try objects.insert(object)
    }
    let list = XTLiveList(objects.observe(orderBy: .asc(\.size)))
    #expect(await until { list.items.map(\.size) == [1, 2, 3] })
    try objects.update(where: \.size == 1, .set(\.size, to: 9))
    #expect(await until { list.items.map(\.size) == [2, 3, 9] })
    #expect(list.difference.moved.map(\.to) == [2])
    #expect(list.difference.inserted == [] && list.difference.removed == [])
  }

  @Test func differences_makeTheNewListOfTheOld() {
    var random = SplitMix(state: 8)
    for _ in 0..<2_000 {
      let old = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Int.random(in: 0...9, using: &random)
      }
      let new = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Int.random(in: 0...9, using: &random)
      }
      let difference = XTListDifference(from: old, to: new)
      let gone = Set(difference.removed + difference.moved.map(\.from))
      var made = old.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
      let arrived =
        difference.inserted.map { ($0, new[$0]) }
        + difference.moved.map { ($0.to, old[$0.from]) }
      for (place, value) in arrived.sorted(by: { $0.0 < $1.0 }) { made.insert(value, at: place) }
      #expect(made == new, "\(old) \(new) \(difference)")
      #expect(difference.isEmpty == (old == new))
    }
  }
}

extension XTTable<LivePerson> {
  fileprivate func updateWhere(name: String, age: Int) throws {
    try update(where: \.name == name, .set(\.age, to: age))
  }
}
