/// Which views and triggers of the file work: whether one still does after a step, SQLite alone can
/// say for sure.
struct SchemaHealth {
  struct Fault {
    let object: SchemaObject
    let reason: String
  }

  private(set) var faults: [Fault] = []

  init(on connection: Connection) throws {
    for object in try SchemaObject.all(["view", "trigger"], on: connection) {
      let statement =
        object.type == "view"
        ? "SELECT * FROM \(quoted(object.name)) LIMIT 0"
        : try Self.statement(firing: object.sql, on: object.table, connection)
      guard let statement else { continue }
      do {
        _ = try connection.prepare(statement, kept: false)
      } catch let error as XTError where error.code == 1 {
        faults.append(Fault(object: object, reason: error.message))
      }
    }
  }

  /// What is broken now and was not before.
  func newFault(since before: SchemaHealth) -> Fault? {
    let new = faults.filter { fault in
      !before.faults.contains {
        $0.object.type == fault.object.type && $0.object.name == fault.object.name
      }
    }
    // Triggers of one event fail together: the one that speaks of what is missing is meant.
    return new.first { fault in
      fault.reason.split(whereSeparator: { " .".contains($0) }).last.map { name in
        DeclarationToken.tokens(of: fault.object.sql).contains { $0.name == String(name) }
      } ?? false
    } ?? new.first
  }

  private static func statement(
    firing trigger: String, on table: String, _ connection: Connection
  ) throws -> String? {
    let words = DeclarationToken.tokens(of: trigger).dropFirst(3).lazy.compactMap(\.word)
    let events: Set = ["INSERT", "UPDATE", "DELETE"]
    guard let event = words.first(where: { events.contains($0) }) else { return nil }
    switch event {
    case "INSERT":
      return "EXPLAIN INSERT INTO \(quoted(table)) DEFAULT VALUES"
    case "DELETE":
      return "EXPLAIN DELETE FROM \(quoted(table))"
    default:
      let columns = try SchemaReader.columns(of: table, on: connection).filter(\.isWritable).map {
        "\(quoted($0.name)) = \(quoted($0.name))"
      }
      guard !columns.isEmpty else { return nil }
      return "EXPLAIN UPDATE \(quoted(table)) SET \(columns.joined(separator: ", "))"
    }
  }
}
