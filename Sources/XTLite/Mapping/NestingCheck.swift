/// Guards Foundation's coders, which die of a value that reaches itself and of one that is nested
/// very deeply.
enum NestingCheck {
  /// The depth that JSON text may have: Foundation's decoder refuses more than 512.
  static let limit = 400

  /// Whether values of `type` can nest without a bound: a part of it is a class, an enum with
  /// payloads, an existential, or the type itself again.
  static func isNeeded(for type: Any.Type) -> Bool {
    var path: Set<ObjectIdentifier> = []
    return isUnbounded(type, &path)
  }

  private static func isUnbounded(_ type: Any.Type, _ path: inout Set<ObjectIdentifier>) -> Bool {
    if ColumnType.scalar(type) != nil { return false }
    guard path.insert(ObjectIdentifier(type)).inserted else { return true }
    defer { path.remove(ObjectIdentifier(type)) }
    if let container = type as? any StandardContainer.Type {
      return container.partTypes.contains { isUnbounded($0, &path) }
    }
    if type is any RawRepresentable.Type { return false }
    if type is AnyClass { return true }
    // An enum has no fields to look at; one that takes no pointer's room can't hold a nested value.
    guard let fields = try? Reflection.fields(of: type) else { return true }
    if fields.isEmpty { return Reflection.size(of: type) >= MemoryLayout<UnsafeRawPointer>.size }
    return fields.contains { isUnbounded($0.type, &path) }
  }

  /// How deeply the JSON of `value` nests.
  ///
  /// - Returns: the levels of arrays and objects, or nil where there are more than `levels`.
  /// - Throws: `ColumnFailure` where an object is reached from itself; what `value` throws where it
  ///   can't be encoded.
  static func depth<Value: Encodable>(of value: Value, upTo levels: Int) throws -> Int? {
    let walk = NestingWalk(limit: levels)
    do {
      try walk.visit(value, level: 0)
      return walk.deepest <= levels ? walk.deepest : nil
    } catch is NestingWalk.TooDeep {
      return nil
    }
  }

  /// Runs `body`, which goes through all levels of `value`, on a stack that has room for them.
  ///
  /// - Throws: `ColumnFailure` where `value` reaches itself or is nested more deeply than the
  ///   limit.
  static func within<Value: Encodable, Result>(
    _ value: Value, _ body: () throws -> Result
  ) throws -> Result {
    if try depth(of: value, upTo: DeepStack.shallow) != nil { return try body() }
    return try DeepStack.run {
      guard try depth(of: value, upTo: limit) != nil else { throw tooDeep }
      return try body()
    }
  }

  static var tooDeep: ColumnFailure {
    .notStorable("it is nested more than \(limit) levels deep, which JSON readers refuse")
  }

  static func cycle(_ type: Any.Type) -> ColumnFailure {
    .notStorable(
      "it contains itself: an object of \(TypeName.display(type)) can be reached from itself",
      hint: "leave the property that leads back out of what is encoded: out of CodingKeys, or in "
        + "xt_ignored")
  }
}

/// The standard library's containers, whose parts the runtime's records of fields do not show.
protocol StandardContainer {
  static var partTypes: [Any.Type] { get }
}

extension Array: StandardContainer { static var partTypes: [Any.Type] { [Element.self] } }
extension ContiguousArray: StandardContainer {
  static var partTypes: [Any.Type] { [Element.self] }
}
extension Set: StandardContainer { static var partTypes: [Any.Type] { [Element.self] } }
extension Dictionary: StandardContainer {
  static var partTypes: [Any.Type] { [Key.self, Value.self] }
}
extension Optional: StandardContainer { static var partTypes: [Any.Type] { [Wrapped.self] } }
