import Testing

@testable import XTLite

/// The verbs with a condition and an order in each of their forms.
@Suite struct FurtherConditionTests {
  private let test: TestDatabase
  private let tasks: XTTable<SearchTask>
  private let orders: [XTOrder<SearchTask>] = [.desc(\.age)]

  init() throws {
    test = try TestDatabase()
    tasks = test.table(SearchTask.self)
    try tasks.insertList((1...6).map { SearchTask(title: "t", age: $0, isDone: $0 % 2 == 1) })
  }

  @Test func find_flagOrPredicateWithAnArrayOfOrders_sortsByIt() throws {
    #expect(try tasks.find(where: SearchTask.xt.age > 3, orderBy: orders).map(\.age) == [6, 5, 4])
    #expect(try tasks.find(where: \.isDone, orderBy: orders, limit: 2).map(\.age) == [5, 3])
    try test.asCurrent { () throws -> Void in
      #expect(
        try SearchTask.xt_findWhere(SearchTask.xt.age > 3, orderBy: orders).map(\.age) == [6, 5, 4])
      #expect(try SearchTask.xt_findWhere(\.isDone, orderBy: orders).map(\.age) == [5, 3, 1])
    }
    #expect(
      try test.statements { _ = try tasks.find(where: SearchTask.xt.age > 3, orderBy: orders) }
        .contains { $0.contains("`age` > ?") && $0.hasSuffix("ORDER BY `age` DESC") })
  }

  @Test func select_conditionThatMayBeMissing_givesAllRowsWithoutIt() throws {
    var condition: XTCondition<SearchTask>?
    #expect(try tasks.select(SearchTask.xt.age, where: condition).count == 6)
    condition = \.age > 4
    #expect(try tasks.select(SearchTask.xt.age, where: condition, orderBy: .asc(\.age)) == [5, 6])
    try test.asCurrent { () throws -> Void in
      #expect(
        try SearchTask.xt_select(SearchTask.xt.age, SearchTask.xt.title, where: condition).count
          == 2)
      #expect(try SearchTask.xt_select(SearchTask.xt.age, where: nil).count == 6)
      #expect(try SearchTask.xt_select(SearchTask.xt.age, where: \.age > 5) == [6])
      #expect(try SearchTask.xt_select(SearchTask.xt.age, where: SearchTask.xt.age > 5) == [6])
    }
  }

  @Test(.enabled(if: SQLiteLibrary.versionNumber >= 3_035_000))
  func returning_flag_changesRowsInWhichItIsTrue() throws {
    let ages = try tasks.update(where: \.isDone, .add(\.age, 10), returning: SearchTask.xt.age)
    #expect(ages.sorted() == [11, 13, 15])
    #expect(try test.seen("SELECT age FROM SearchTask ORDER BY pkid").joined() == "11213415" + "6")
    let gone = try tasks.delete(where: \.isDone, returning: SearchTask.xt.age)
    #expect(gone.sorted() == [11, 13, 15])
    try test.asCurrent { () throws -> Void in
      try SearchTask.xt_updateAll(.set(\.isDone, to: true))
      let both = try SearchTask.xt_updateWhere(
        \.isDone, .set(\.title, to: "u"), returning: SearchTask.xt.title, SearchTask.xt.age)
      #expect(both.map { "\($0.0)\($0.1)" }.sorted() == ["u2", "u4", "u6"])
      let removed = try SearchTask.xt_deleteModelWhere(\.isDone, returning: SearchTask.xt.age)
      #expect(removed.sorted() == [2, 4, 6])
    }
    #expect(try tasks.isEmpty())
  }
}
