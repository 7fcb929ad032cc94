// Events as lines to read.

extension XTEvent: CustomStringConvertible {
  /// What happened, without the database and without bound values.
  public var description: String { text(withValues: false) }

  /// As the printing listener shows it: the database in brackets, and the values where they were
  /// asked for.
  var line: String { "[\(source?.label ?? "SQLite")] \(text(withValues: true))" }

  private func text(withValues: Bool) -> String {
    switch self {
    case .error(let error, _): "error: \(error)"
    case .statement(let statement, _): statement.text(withValues)
    case .slowStatement(let statement, _): "slow: " + statement.text(withValues)
    case .performance(let performance, _): performance.description
    case .opened(let isReader, let nanoseconds, let source):
      "opened a \(isReader ? "reader" : "writer") of \(source.path) in "
        + Nanoseconds.text(nanoseconds)
    case .busyWait(let nanoseconds, _):
      "waited \(Nanoseconds.text(nanoseconds)) for another connection's lock"
    case .warning(let warning, _): "warning: \(warning)"
    case .sqliteLog(let code, let message): "log (\(code)): \(message)"
    case .damaged(let error, _): "damaged: \(error)"
    }
  }
}

extension XTEvent.Statement {
  func text(_ withValues: Bool) -> String {
    let text = withValues ? sqlWithValues ?? sql : sql
    var parts = [count == 1 ? text.shortened : "\(count) × \(text.shortened)"]
    if rows > 0 { parts.append(rows == 1 ? "1 row" : "\(rows) rows") }
    parts.append(Nanoseconds.text(nanoseconds))
    return parts[0] + "  -- " + parts[1...].joined(separator: ", ")
  }
}

extension String {
  /// A list of thousands of parameters tells nobody anything.
  var shortened: String {
    utf8.count <= 2_000 ? self : "\(prefix(1_500))… (\(utf8.count) bytes)"
  }
}

enum Nanoseconds {
  /// Nanoseconds in the unit that suits them: "950 ns", "12.3 µs", "4.56 ms", "1.23 s".
  static func text(_ nanoseconds: UInt64) -> String {
    let units = [("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)]
    let value = Double(nanoseconds)
    let (name, size) = units.last { value >= $0.1 } ?? units[0]
    let number = value / size
    let digits = size == 1 ? 0 : number < 10 ? 2 : number < 100 ? 1 : 0
    let scale = [1.0, 10.0, 100.0][digits]
    let rounded = (number * scale).rounded() / scale
    return digits == 0 ? "\(Int(rounded)) \(name)" : "\(rounded) \(name)"
  }
}
