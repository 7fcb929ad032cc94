/// The standard library's containers with models in them, as JSON.

extension Array: ModelBridged {
  static var canBridge: Bool { ModelJSON.canBridge(Element.self) }

  func appendJSON(to text: inout String, _ path: inout NestingPath) throws {
    try path.inside { path in
      text += "["
      for (index, element) in enumerated() {
        if index > 0 { text += "," }
        try ModelJSON.append(element, to: &text, &path)
      }
      text += "]"
    }
  }

  static func read(_ node: JSONNode) throws -> [Element] {
    guard case .array(let elements) = node.kind else { throw ModelJSON.mismatch(node, self) }
    return try elements.map { try ModelJSON.read($0, as: Element.self) }
  }
}

extension Set: ModelBridged {
  static var canBridge: Bool { ModelJSON.canBridge(Element.self) }

  /// Equal sets give equal texts: the elements are ordered by theirs.
  func appendJSON(to text: inout String, _ path: inout NestingPath) throws {
    let elements = try path.inside { path in
      try map { element in
        var text = ""
        try ModelJSON.append(element, to: &text, &path)
        return text
      }
    }
    let ordered = elements.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    text += "[\(ordered.joined(separator: ","))]"
  }

  static func read(_ node: JSONNode) throws -> Set<Element> {
    Set(try [Element].read(node))
  }
}

/// Keys that are texts or integers are the names of an object's members; any others stand before
/// their values in an array, as Codable dictionaries have it.
extension Dictionary: ModelBridged {
  static var canBridge: Bool { ModelJSON.canBridge(Key.self) && ModelJSON.canBridge(Value.self) }

  private static var hasNames: Bool { Key.self == String.self || Key.self == Int.self }

  func appendJSON(to text: inout String, _ path: inout NestingPath) throws {
    let hasNames = Self.hasNames
    let members = try path.inside { path in
      try map { key, value in
        var name = ""
        if hasNames {
          name.appendJSON("\(key)")
        } else {
          try ModelJSON.append(key, to: &name, &path)
        }
        var text = ""
        try ModelJSON.append(value, to: &text, &path)
        return (name: name, value: text)
      }
    }
    let ordered = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map { hasNames ? "\($0.name):\($0.value)" : "\($0.name),\($0.value)" }
      .joined(separator: ",")
    text += hasNames ? "{\(ordered)}" : "[\(ordered)]"
  }

  static func read(_ node: JSONNode) throws -> [Key: Value] {
    var result: [Key: Value] = [:]
    switch node.kind {
    case .object(let members) where hasNames:
      for (name, member) in members {
        guard let key = name as? Key ?? Int(name) as? Key else {
          throw ModelJSON.mismatch(node, self)
        }
        result[key] = try ModelJSON.read(member, as: Value.self)
      }
    case .array(let elements) where !hasNames && elements.count.isMultiple(of: 2):
      for index in stride(from: 0, to: elements.count, by: 2) {
        let key = try ModelJSON.read(elements[index], as: Key.self)
        result[key] = try ModelJSON.read(elements[index + 1], as: Value.self)
      }
    default: throw ModelJSON.mismatch(node, self)
    }
    return result
  }
}

extension Optional: ModelBridged {
  static var canBridge: Bool { ModelJSON.canBridge(Wrapped.self) }

  func appendJSON(to text: inout String, _ path: inout NestingPath) throws {
    if let self { try ModelJSON.append(self, to: &text, &path) } else { text += "null" }
  }

  static func read(_ node: JSONNode) throws -> Wrapped? {
    node.isNull ? nil : try ModelJSON.read(node, as: Wrapped.self)
  }
}
