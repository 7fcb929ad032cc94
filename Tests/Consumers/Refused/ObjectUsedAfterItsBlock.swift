// error: risks causing data races
import XTLite

final class Player: XTModel {
  var name = ""
  init() {}
}

func store(_ database: XTDatabase) async throws -> String {
  let player = Player()
  try await database.transaction {
    _ = try player.xt_insert()
  }
  return player.name
}
