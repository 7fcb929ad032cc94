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
    if isScalar(type) { return false }
    guard path.insert(ObjectIdentifier(type)).inserted else { return true }
    defer { path.remove(ObjectIdentifier(type)) }
    if let container = type as? any StandardContainer.Type {
      return container.partTypes.contains { isUnbounded($0, &path) }
    }
    if type is any RawRepresentable.Type { return false }
    if type is AnyClass { return true }
    // An enum has no fields to look at; one that takes no pointer's room can't hold a nested value.
    guard let fields = try? Reflection.fields(of: type) else { return true }
    if fields.isEmpty { return size(of: type) >= MemoryLayout<UnsafeRawPointer>.size }
    return fields.contains { isUnbounded($0.type, &path) }
  }

  private static func isScalar(_ type: Any.Type) -> Bool {
    ColumnType.scalar(type) != nil
  }

  private static func size(of type: Any.Type) -> Int {
    func size<Value>(_: Value.Type) -> Int { MemoryLayout<Value>.size }
    return _openExistential(type, do: size)
  }

  /// - Throws: `ColumnFailure` where `value` reaches itself or is nested more deeply than the limit.
  static func check(_ value: Any) throws {
    var path: Set<ObjectIdentifier> = []
    try walk(value, depth: 0, &path)
  }

  private static func walk(_ value: Any, depth: Int, _ path: inout Set<ObjectIdentifier>) throws {
    guard depth <= limit else {
      throw ColumnFailure.notStorable(
        "it is nested more than \(limit) levels deep, which JSON readers refuse")
    }
    var mirror: Mirror? = Mirror(reflecting: value)
    if mirror?.displayStyle == .class {
      let identity = ObjectIdentifier(value as AnyObject)
      guard path.insert(identity).inserted else {
        throw ColumnFailure.notStorable(
          "it contains itself: an object of \(TypeName.display(Swift.type(of: value))) can be "
            + "reached from itself",
          hint: "Keep the reference that leads back out of the encoded properties.")
      }
      defer { path.remove(identity) }
      try walkChildren(&mirror, depth: depth, &path)
    } else {
      try walkChildren(&mirror, depth: depth, &path)
    }
  }

  private static func walkChildren(
    _ mirror: inout Mirror?, depth: Int, _ path: inout Set<ObjectIdentifier>
  ) throws {
    while let level = mirror {
      for child in level.children where !isScalar(Swift.type(of: child.value)) {
        try walk(child.value, depth: depth + levels(of: level.displayStyle), &path)
      }
      mirror = level.superclassMirror
    }
  }
}

/// How many levels of JSON a value of this style puts around what is in it: an enum writes the name
/// of its case and then that of the associated value.
private func levels(of style: Mirror.DisplayStyle?) -> Int {
  switch style {
  case .optional: 0
  case .enum: 2
  default: 1
  }
}

/// The standard library's containers, whose parts the runtime's records of fields do not show.
private protocol StandardContainer {
  static var partTypes: [Any.Type] { get }
}

extension Array: StandardContainer { static var partTypes: [Any.Type] { [Element.self] } }
extension ContiguousArray: StandardContainer { static var partTypes: [Any.Type] { [Element.self] } }
extension Set: StandardContainer { static var partTypes: [Any.Type] { [Element.self] } }
extension Dictionary: StandardContainer { static var partTypes: [Any.Type] { [Key.self, Value.self] } }
extension Optional: StandardContainer { static var partTypes: [Any.Type] { [Wrapped.self] } }
