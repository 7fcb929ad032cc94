import Testing

@testable import XTLite

/// What is observed goes together with whatever a find takes, by a table and by the type.
@Suite struct ObservedConditionsTests {
  private let test: TestDatabase
  private let tasks: XTTable<SearchTask>
  private let orders: [XTOrder<SearchTask>] = [.desc(\.age)]

  init() throws {
    test = try TestDatabase()
    tasks = test.table(SearchTask.self)
    try tasks.insertList((1...6).map { SearchTask(title: "t", age: $0, isDone: $0 % 2 == 1) })
  }

  private func ages(_ observation: XTObservation<[SearchTask]>) -> Watching<[Int]> {
    Watching(observation, as: { $0.map(\.age) })
  }

  @Test func tablesObservations_takeEachKindOfCondition() async throws {
    let lists = [
      (ages(tasks.observe(where: \.isDone, orderBy: .asc(\.age))), [1, 3, 5], [1, 3, 5, 7]),
      (ages(tasks.observe(where: \.isDone, orderBy: orders)), [5, 3, 1], [7, 5, 3, 1]),
      (ages(tasks.observe(where: SearchTask.xt.title.lower() == "t", limit: 1)), [1], [1]),
      (ages(tasks.observe(where: SearchTask.xt.age > 4, orderBy: orders)), [6, 5], [7, 6, 5]),
      (ages(tasks.observe(where: SearchTask.xt.isDone, orderBy: .desc(\.age), limit: 1)), [5], [7]),
      (ages(tasks.observe(where: \.age > 5, orderBy: orders)), [6], [7, 6]),
      (ages(tasks.observe(orderBy: orders, limit: 2)), [6, 5], [7, 6]),
    ]
    let counts = [
      (Watching(tasks.observeCount(where: \.isDone)), 3, 4),
      (Watching(tasks.observeCount(where: SearchTask.xt.age * 2 > 6)), 3, 4),
    ]
    for (watching, before, _) in lists { #expect(await watching.gets(before)) }
    for (watching, before, _) in counts { #expect(await watching.gets(before)) }
    try tasks.insertList([SearchTask(title: "t", age: 7, isDone: true)])
    for (watching, _, after) in lists { #expect(await watching.gets(after)) }
    for (watching, _, after) in counts { #expect(await watching.gets(after)) }
  }

  @Test func typesObservations_areOfTheCurrentDatabase() async throws {
    let predicate = SearchTask.xt.age > 4
    let (lists, counts, model) = try test.asCurrent {
      (
        [
          (ages(SearchTask.xt_observe()), [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 7]),
          (ages(SearchTask.xt_observe(where: \.age > 5)), [6], [6, 7]),
          (ages(SearchTask.xt_observe(where: \.isDone)), [1, 3, 5], [1, 3, 5, 7]),
          (
            ages(SearchTask.xt_observe(where: \.isDone, orderBy: orders)), [5, 3, 1], [7, 5, 3, 1]
          ),
          (ages(SearchTask.xt_observe(where: predicate)), [5, 6], [5, 6, 7]),
          (ages(SearchTask.xt_observe(where: predicate, orderBy: orders)), [6, 5], [7, 6, 5]),
          (ages(SearchTask.xt_observe(orderBy: orders, limit: 1, offset: 1)), [5], [6]),
        ],
        [
          (Watching(SearchTask.xt_observeCount()), 6, 7),
          (Watching(SearchTask.xt_observeCount(where: \.age > 5)), 1, 2),
          (Watching(SearchTask.xt_observeCount(where: \.isDone)), 3, 4),
          (Watching(SearchTask.xt_observeCount(where: predicate)), 2, 3),
        ],
        Watching(SearchTask.xt_observe(pkid: 7), as: { $0?.age })
      )
    }
    for (watching, before, _) in lists { #expect(await watching.gets(before)) }
    for (watching, before, _) in counts { #expect(await watching.gets(before)) }
    #expect(await model.gets(nil))
    try tasks.insertList([SearchTask(title: "t", age: 7, isDone: true)])
    for (watching, _, after) in lists { #expect(await watching.gets(after)) }
    for (watching, _, after) in counts { #expect(await watching.gets(after)) }
    #expect(await model.gets(7))
    try tasks.delete(where: \.age == 7)
    #expect(await model.gets(nil))
  }

  @MainActor @Test func lists_takeEachKindOfCondition() async throws {
    let lists = try test.asCurrent {
      [
        (XTLiveList<SearchTask>(where: \.isDone), [1, 3, 5]),
        (XTLiveList<SearchTask>(where: \.isDone, orderBy: orders), [5, 3, 1]),
        (XTLiveList<SearchTask>(where: SearchTask.xt.age > 4), [5, 6]),
        (XTLiveList<SearchTask>(where: SearchTask.xt.age > 4, orderBy: orders), [6, 5]),
        (XTLiveList<SearchTask>(orderBy: orders, limit: 2), [6, 5]),
      ]
    }
    for (list, expected) in lists {
      #expect(await until { list.items.map(\.age) == expected })
    }
  }

  // MARK: Searches

  @Test func search_isFollowed() async throws {
    let watching = Watching(
      test.database.observe { try SearchTask.xt_search("new").map(\.model.title) })
    #expect(await watching.gets([]))
    try tasks.insertList([SearchTask(title: "new one", age: 8)])
    #expect(await watching.gets(["new one"]))
    try tasks.update(where: \.age == 8, .set(\.title, to: "old"))
    #expect(await watching.gets([]))
    #expect(watching.error == nil)
  }

  /// Nothing is written where something is only watched.
  @Test func search_indexThatIsYetToBeMade_endsWithASchemaError() async throws {
    try test.outside("DROP TABLE SearchTask_search")
    let observation = test.database.observe { try SearchTask.xt_searchCount("t") }
    let watching = Watching(observation)
    #expect(await until { watching.isOver })
    #expect((watching.error as? XTError)?.kind == .schema)
    // Any search outside of it makes the index.
    #expect(try tasks.searchCount("t") == 6)
    #expect(await Watching(observation).gets(6))
  }
}
