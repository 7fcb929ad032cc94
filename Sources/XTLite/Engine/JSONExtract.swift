import Foundation

/// Values inside of JSON texts: SQLite's own function where the library has it, else one that
/// answers the same.
enum JSONExtract {
  /// The function's name on the linked library.
  static let functionName = SQLiteLibrary.hasJSON ? "json_extract" : "xt_json_extract"
  static let lengthName = SQLiteLibrary.hasJSON ? "json_array_length" : "xt_json_array_length"

  static func register(on connection: Connection) throws {
    try connection.createFunction("xt_json_extract", arguments: 2) { values in
      guard let found = try find(values) else { return .null }
      return try found.value
    }
    try connection.createFunction("xt_json_array_length", arguments: 2) { values in
      guard let found = try find(values) else { return .null }
      if case .array(let elements) = found { return .integer(Int64(elements.count)) }
      return .integer(0)
    }
  }

  /// The JSON of what is at a path; nil where there is nothing.
  static func json(in json: XTValue, at path: XTValue) throws -> String? {
    guard let piece = try find(json, path) else { return nil }
    if case .real(_, let exact?) = piece { return DecimalText.text(of: exact) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(piece), as: UTF8.self)
  }

  private static func find(_ values: [ColumnValue]) throws -> Piece? {
    values.count == 2 ? try find(values[0].value, values[1].value) : nil
  }

  private static func find(_ json: XTValue, _ path: XTValue) throws -> Piece? {
    guard case .text(let json) = json, case .text(let path) = path else { return nil }
    guard let whole = try? JSONDecoder().decode(Piece.self, from: Data(json.utf8)) else {
      throw XTError(.sqlite, "malformed JSON")
    }
    return try whole.piece(at: path)
  }

  private indirect enum Piece: Codable {
    case null, flag(Bool), integer(Int64), text(String), array([Piece])
    /// With the number as it is written, as far as a decimal holds it.
    case real(Double, Decimal?)
    case object([String: Piece])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Int64.self) {
        self = .integer(number)
      } else if let number = try? container.decode(Double.self) {
        self = .real(number, Self.exact(number, try? container.decode(Decimal.self)))
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let elements = try? container.decode([Piece].self) {
        self = .array(elements)
      } else {
        self = .object(try container.decode([String: Piece].self))
      }
    }

    /// Beyond what a decimal holds it would be another number.
    private static func exact(_ number: Double, _ decimal: Decimal?) -> Decimal? {
      guard let decimal, let text = DecimalText.text(of: decimal), Double(text) == number
      else { return nil }
      return decimal
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .flag(let flag): try container.encode(flag)
      case .integer(let number): try container.encode(number)
      case .real(let number, _): try container.encode(number)
      case .text(let text): try container.encode(text)
      case .array(let elements): try container.encode(elements)
      case .object(let members): try container.encode(members)
      }
    }

    /// As SQLite has it: an array and an object are their text.
    var value: XTValue {
      get throws {
        switch self {
        case .null: return .null
        case .flag(let flag): return .integer(flag ? 1 : 0)
        case .integer(let number): return .integer(number)
        case .real(let number, _): return .real(number)
        case .text(let text): return .text(text)
        case .array, .object:
          let encoder = JSONEncoder()
          encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
          return .text(String(decoding: try encoder.encode(self), as: UTF8.self))
        }
      }
    }

    func piece(at path: String) throws -> Piece? {
      var piece = self
      for step in try JSONPath.steps(path) {
        switch (step, piece) {
        case (.member(let name), .object(let members)):
          guard let next = members[name] else { return nil }
          piece = next
        case (.element(let index), .array(let elements)):
          let place = index < 0 ? elements.count + index : index
          guard elements.indices.contains(place) else { return nil }
          piece = elements[place]
        default: return nil
        }
      }
      return piece
    }
  }
}

/// A path of SQLite's JSON functions, step by step.
enum JSONPath {
  enum Step: Equatable {
    case member(String)
    /// From the end where it is negative.
    case element(Int)
  }

  static func steps(_ path: String) throws -> [Step] {
    var rest = Substring(path)
    guard rest.popFirst() == "$" else { throw wrong(path) }
    var steps: [Step] = []
    while let sign = rest.popFirst() {
      switch sign {
      case ".":
        if rest.first == "\"" {
          rest.removeFirst()
          guard let end = rest.firstIndex(of: "\"") else { throw wrong(path) }
          steps.append(.member(String(rest[..<end])))
          rest = rest[end...].dropFirst()
        } else {
          let name = rest.prefix { $0 != "." && $0 != "[" }
          guard !name.isEmpty else { throw wrong(path) }
          steps.append(.member(String(name)))
          rest = rest.dropFirst(name.count)
        }
      case "[":
        guard let end = rest.firstIndex(of: "]") else { throw wrong(path) }
        let text = rest[..<end]
        rest = rest[end...].dropFirst()
        let isFromEnd = text.hasPrefix("#-")
        guard let number = Int(isFromEnd ? text.dropFirst(2) : text), number >= 0 else {
          throw wrong(path)
        }
        steps.append(.element(isFromEnd ? -number : number))
      default: throw wrong(path)
      }
    }
    return steps
  }

  private static func wrong(_ path: String) -> XTError {
    XTError(.sqlite, "bad JSON path: '\(path)'")
  }
}
