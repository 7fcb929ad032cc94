// error: risks causing data races
import XTLite

final class Player: XTModel {
  var name = ""
  init() {}
}

func store(_ player: Player, _ database: XTDatabase) async throws {
  try await database.savepoint { _ = try player.xt_insert() }
}
