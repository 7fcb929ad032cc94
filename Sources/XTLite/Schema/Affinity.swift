/// What SQLite makes of a value that goes into a column, by the column's declared type.
enum Affinity: Sendable {
  case integer, text, blob, real, numeric

  /// SQLite's rules, in their order.
  init(declaredType: String) {
    let type = declaredType.uppercased()
    func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
    if has("INT") {
      self = .integer
    } else if has("CHAR", "CLOB", "TEXT") {
      self = .text
    } else if type.isEmpty || has("BLOB") {
      self = .blob
    } else if has("REAL", "FLOA", "DOUB") {
      self = .real
    } else {
      self = .numeric
    }
  }

  /// Whether what a column of `other` takes comes back from this one as it was.
  func keeps(_ other: Affinity) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.integer, .numeric), (.integer, .real): true
    case (.numeric, .integer), (.numeric, .numeric), (.numeric, .real): true
    case (.text, .text), (.real, .real), (.blob, .blob): true
    default: false
    }
  }
}
