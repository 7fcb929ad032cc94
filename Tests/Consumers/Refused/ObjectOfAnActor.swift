// error: cannot exit actor-isolated context
import XTLite

final class Player: XTModel {
  var name = ""
  init() {}
}

actor Team {
  let captain = Player()

  func store(_ database: XTDatabase) async throws {
    try await database.write { _ = try self.captain.xt_insert() }
  }
}
