import Testing

@testable import XTLite

struct SearchTask: XTModel, Equatable {
  var pkid: Int64?
  var title = ""
  var age = 0
  var isDone = false
  static var xt_search: XTSearch { XTSearch([\SearchTask.title]) }
}

extension [XTHit<SearchTask>] {
  fileprivate var ages: [Int] { map(\.model.age) }
}

/// A search goes together with whatever a find takes.
@Suite struct SearchConditionTests {
  private let test: TestDatabase
  private let tasks: XTTable<SearchTask>
  private let orders: [XTOrder<SearchTask>] = [.desc(\.age)]

  init() throws {
    test = try TestDatabase()
    tasks = test.table(SearchTask.self)
    try tasks.insertList(
      (1...6).map { SearchTask(title: $0 > 5 ? "pear" : "an Apple", age: $0, isDone: $0 % 2 == 1) })
  }

  @Test func search_flag_findsRowsInWhichItIsTrue() throws {
    #expect(try tasks.search("apple", where: \.isDone).ages == [1, 3, 5])
    #expect(try tasks.search(query: .all("apple"), where: \.isDone, limit: 2).ages == [1, 3])
    #expect(
      try tasks.search(raw: "apple", where: \.isDone, orderBy: .desc(\.age)).ages == [5, 3, 1])
    #expect(try tasks.searchCount("apple", where: \.isDone) == 3)
    #expect(try tasks.searchCount(query: .all("apple"), where: \.isDone) == 3)
  }

  @Test func search_predicate_findsRowsForWhichItIsTrue() throws {
    let title = SearchTask.xt.title.lower()
    #expect(try tasks.search("apple", where: title == "an apple", limit: 2).ages == [1, 2])
    #expect(
      try tasks.search("apple", where: SearchTask.xt.age * 2 > 6, orderBy: .desc(\.age)).ages
        == [5, 4])
    #expect(try tasks.search(query: .all("apple"), where: SearchTask.xt.isDone).ages == [1, 3, 5])
    #expect(try tasks.search(raw: "apple", where: !SearchTask.xt.isDone).ages == [2, 4])
    #expect(try tasks.searchCount("apple", where: title == "an apple") == 5)
    #expect(try tasks.searchCount(query: .all("apple"), where: SearchTask.xt.isDone) == 3)
  }

  @Test func search_arrayOfOrders_sortsByIt() throws {
    #expect(try tasks.search("apple", orderBy: orders).ages == [5, 4, 3, 2, 1])
    #expect(try tasks.search("apple", where: \.age > 3, orderBy: orders).ages == [5, 4])
    #expect(try tasks.search("apple", where: \.isDone, orderBy: orders, offset: 1).ages == [3, 1])
    #expect(
      try tasks.search("apple", where: SearchTask.xt.age < 3, orderBy: orders).ages == [2, 1])
    #expect(try tasks.search(query: .all("apple"), orderBy: orders, limit: 1).ages == [5])
    #expect(try tasks.search(raw: "apple", where: \.isDone, orderBy: orders).ages == [5, 3, 1])
    // None at all: the best first.
    #expect(try tasks.search("apple", orderBy: []).ages == [1, 2, 3, 4, 5])
  }

  @Test func search_ofTheType_takesTheSame() throws {
    try test.asCurrent { () throws -> Void in
      let predicate = SearchTask.xt.age > 3
      #expect(try SearchTask.xt_search("apple", where: \.isDone).ages == [1, 3, 5])
      #expect(try SearchTask.xt_search("apple", where: predicate).ages == [4, 5])
      #expect(
        try SearchTask.xt_search("apple", where: SearchTask.xt.title.lower() == "a").ages == [])
      #expect(try SearchTask.xt_search("apple", orderBy: orders, limit: 2).ages == [5, 4])
      #expect(
        try SearchTask.xt_search("apple", where: \.isDone, orderBy: orders).ages == [5, 3, 1])
      #expect(try SearchTask.xt_search("apple", where: predicate, orderBy: orders).ages == [5, 4])
      #expect(try SearchTask.xt_searchWhere(.all("apple"), where: \.isDone).ages == [1, 3, 5])
      #expect(try SearchTask.xt_searchWhere(.all("apple"), where: predicate).ages == [4, 5])
      #expect(
        try SearchTask.xt_searchWhere(.all("apple"), orderBy: orders).ages == [5, 4, 3, 2, 1])
      #expect(try SearchTask.xt_searchRaw("apple", where: \.isDone).ages == [1, 3, 5])
      #expect(try SearchTask.xt_searchRaw("apple", where: predicate).ages == [4, 5])
      #expect(try SearchTask.xt_searchRaw("apple", orderBy: orders).ages == [5, 4, 3, 2, 1])
      #expect(try SearchTask.xt_searchCount("apple", where: \.isDone) == 3)
      #expect(try SearchTask.xt_searchCount("apple", where: predicate) == 2)
      #expect(try SearchTask.xt_searchCountWhere(.all("apple"), where: \.isDone) == 3)
      #expect(try SearchTask.xt_searchCountWhere(.all("apple"), where: predicate) == 2)
    }
  }

  @Test func search_conditionIsPartOfTheStatement() throws {
    _ = try tasks.search("apple", where: \.isDone)
    for predicate in [SearchTask.xt.age > 3, SearchTask.xt.title.lower() == "a"] {
      let statements = try test.statements { _ = try tasks.search("apple", where: predicate) }
      #expect(statements.contains { $0.contains(predicate.sql) }, "\(statements)")
    }
    let statements = try test.statements {
      _ = try tasks.search("apple", where: \.isDone, orderBy: orders)
    }
    #expect(statements.contains { $0.contains("`isDone`") && $0.contains("`age` DESC") })
  }
}
