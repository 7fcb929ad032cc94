// The async blocks with objects that are not Sendable, as far as the language lets them through.
import Foundation
import XTLite

final class Player: XTModel {
  var name = ""
  var points = 0

  init() {}

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

struct Score: XTModel {
  var pkid: Int64?
  var player: Player?
  var points = 0

  static var xt_ignored: XTKeyPaths { [\Score.player] }
}

/// An actor that holds objects.
actor Team {
  private var players: [Player] = []
  private let database: XTDatabase

  init(_ database: XTDatabase) { self.database = database }

  /// Objects made inside a block belong to whoever gets them.
  func load() async throws {
    players = try await database.read { try Player.xt_findAll(orderBy: .asc(\.name)) }
  }

  /// Objects that the actor holds are saved on its own executor.
  func award(_ points: Int) async throws -> [Int64?] {
    try await database.inPlace {
      assertIsolated()
      for player in players {
        player.points += points
        try player.xt_update()
      }
      return players.map(\.pkid)
    }
  }

  var total: Int { players.reduce(0) { $0 + $1.points } }
}

/// A parameter belongs to the caller, so it is saved in place.
func save(_ player: Player, _ database: XTDatabase) async throws -> Int64 {
  try await database.inPlace { try player.xt_insert() }
}

@MainActor final class Board {
  var best = Player("best")

  func store(_ database: XTDatabase) async throws {
    let pkid = try await database.inPlace {
      MainActor.assertIsolated()
      return try best.xt_insert()
    }
    check(best.pkid == pkid, "the object learned its number")
    best.points += 1
    try await database.inPlace { try best.xt_update() }
  }
}

/// What a block captures, and nobody uses afterwards, is handed over to it.
func handOver(_ database: XTDatabase) async throws {
  let player = Player("handed over")
  let number = try await database.transaction {
    try player.xt_insert()
    return player.pkid
  }
  check(number != nil, "captured object")

  let another = try await database.write {
    let player = Player("made inside")
    try player.xt_insert()
    return player
  }
  check(another.name == "made inside" && another.pkid != nil, "object that came out")

  let list = [Player("x"), Player("y")]
  let inserted = try await database.savepoint { try Player.xt_insertList(list) }
  check(inserted == 2, "captured list")

  // What is needed later is copied first.
  let kept = Player("kept")
  let name = kept.name
  let found = try await database.read { try Player.xt_findFirstWhere(\.name == name) }
  check(found == nil && kept.name == "kept", "copied value")

  let condition: XTCondition<Player> = \.points == 0 && "name != \("z")"
  async let first = database.read { try Player.xt_countWhere(condition) }
  async let second = database.read { try Player.xt_findWhere(condition).count }
  let (one, two) = try await (first, second)
  check(one == two && one > 0, "a condition in two blocks at once")
}

@main struct Program {
  static func main() async throws {
    let database = try XTDatabase.inMemory()
    try XTDatabase.configure(database)
    try await handOver(database)
    let guest = Player("guest")
    check(try await save(guest, database) == guest.pkid, "parameter")
    try await Board().store(database)
    check(try Player.xt_findFirstWhere(\.name == "best")?.points == 1, "board")
    let team = Team(database)
    try await team.load()
    check(try await team.award(2).allSatisfy { $0 != nil }, "numbers")
    check(await team.total == 2 * Int(try Player.xt_count()) + 1, "points")
    check(try Player.xt_sumOf(\.points) == Int64(2 * (try Player.xt_count()) + 1), "stored points")

    // Task groups and detached tasks.
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await database.transaction {
            var score = Score()
            score.points = number
            return Int(try score.xt_insert())
          }
        }
      }
      var numbers: Set<Int> = []
      for try await number in group { numbers.insert(number) }
      check(numbers.count == 20, "tasks")
    }
    check(try Score.xt_sumOf(\.points) == 190, "sum")
    print("isolation: all good")
  }
}
