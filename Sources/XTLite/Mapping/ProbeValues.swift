import Foundation

/// Values of any type, made to be recognized again: what key paths are resolved with.
enum ProbeValues {
  /// How many variants `values(of:)` is made of: two plain ones, an empty or zero one, and one that
  /// is often turned into another (negative, with blanks around it).
  private static let variants = 4

  /// Values of `type` that differ from each other, nil among them where the type has it. Fewer,
  /// down to none, where the type can't be made up.
  static func values<Value>(of type: Value.Type) -> [Value] {
    var values: [Value] = []
    for variant in 0..<variants {
      guard let value = make(type, variant), !values.contains(where: { areSame($0, value) })
      else { continue }
      values.append(value)
    }
    // A type of one value tells nothing.
    if values.count == 1, !(type is any ProbedOptional.Type) { return values }
    if let optional = type as? any ProbedOptional.Type, let empty = optional.empty as? Value {
      values.append(empty)
    }
    return values
  }

  /// The rounds in which the fields beside the one that is tried are given values.
  static let rounds = 0..<(variants + 2)

  /// Which value a field is given in a round: in the first rounds one of those that are tried, the
  /// next field the next one; in the last ones a value that no other field has.
  static func variant(ofField index: Int, inRound round: Int) -> Int {
    round < variants ? (index + round) % variants : variants + index * 2 + round - variants
  }

  /// Whether two values are the same, as far as that can be told.
  static func areSame<Value>(_ left: Value, _ right: Value) -> Bool {
    if let left = left as? any Equatable { return left.isSame(as: right) }
    if let left = left as? any ProbedOptional { return left.isSameOptional(as: right) }
    if Value.self is AnyClass { return (left as AnyObject) === (right as AnyObject) }
    if let left = left as? any ProbedContainer, let right = right as? any ProbedContainer {
      return left.probedCount == right.probedCount
    }
    guard let fields = try? Reflection.fields(of: Value.self), !fields.isEmpty else { return false }
    return withUnsafeBytes(of: left) { leftBytes in
      withUnsafeBytes(of: right) { rightBytes in
        guard let left = leftBytes.baseAddress, let right = rightBytes.baseAddress else {
          return true
        }
        return fields.allSatisfy { field in
          func same<Part>(_: Part.Type) -> Bool {
            areSame(
              (left + field.offset).assumingMemoryBound(to: Part.self).pointee,
              (right + field.offset).assumingMemoryBound(to: Part.self).pointee)
          }
          return field.isStrong && _openExistential(field.type, do: same)
        }
      }
    }
  }

  /// A value of `type`; nil where that variant can't be made up.
  static func make<Value>(_ type: Value.Type, _ variant: Int) -> Value? {
    if let scalar = ColumnType.scalar(type) {
      return try? ValueCoding.decode(scalar.probe(variant), as: type)
    }
    // By flatMap: nil of no type at all would be taken for a nil of an optional type.
    if let probed = type as? any ProbedOptional.Type {
      return probed.probe(variant).flatMap { $0 as? Value }
    }
    if let probed = type as? any ProbedContainer.Type {
      return probed.probe(variant).flatMap { $0 as? Value }
    }
    if let iterable = type as? any CaseIterable.Type {
      return oneCase(of: iterable, variant).flatMap { $0 as? Value }
    }
    if type is any RawRepresentable.Type, MemoryLayout<Value>.size == 1 {
      // An enum of one byte has at least two cases, numbered from zero.
      return withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { memory in
        memory[0] = UInt8(variant % 2)
        return memory.baseAddress?.assumingMemoryBound(to: Value.self).pointee
      }
    }
    if type == XTJSON.self { return XTJSON.integer(Int64(variant + 1)) as? Value }
    guard type is AnyClass else { return makeStruct(type, variant) }
    return (type as? any XTModel.Type).flatMap { $0.init() as? Value }
  }

  private static func oneCase<Value: CaseIterable>(of type: Value.Type, _ variant: Int) -> Any? {
    let cases = Array(type.allCases)
    return cases.isEmpty ? nil : cases[variant % cases.count]
  }

  private static func makeStruct<Value>(_ type: Value.Type, _ variant: Int) -> Value? {
    guard let fields = try? Reflection.fields(of: type), !fields.isEmpty,
      fields.allSatisfy({ $0.isStrong }), mayBePutTogether(type)
    else { return nil }
    return withUnsafeTemporaryAllocation(of: type, capacity: 1) { memory in
      guard let base = memory.baseAddress else { return nil }
      for (index, field) in fields.enumerated() {
        func start<Part>(_: Part.Type) -> Bool {
          guard let part = make(Part.self, variant) else { return false }
          (UnsafeMutableRawPointer(base) + field.offset).initializeMemory(as: Part.self, to: part)
          return true
        }
        guard _openExistential(field.type, do: start) else {
          for made in fields[..<index] { end(made, in: UnsafeMutableRawPointer(base)) }
          return nil
        }
      }
      return base.move()
    }
  }

  /// The standard library trusts what stands in its own types: a Substring of made-up indexes would
  /// read memory that is not its own.
  private static func mayBePutTogether(_ type: Any.Type) -> Bool {
    let name = String(reflecting: type)
    return !name.hasPrefix("Swift.") || name.hasPrefix("Swift.Range<")
      || name.hasPrefix("Swift.ClosedRange<")
  }

  private static func end(_ field: Reflection.Field, in base: UnsafeMutableRawPointer) {
    func end<Part>(_: Part.Type) {
      (base + field.offset).assumingMemoryBound(to: Part.self).deinitialize(count: 1)
    }
    _openExistential(field.type, do: end)
  }
}

extension ColumnType {
  fileprivate func probe(_ variant: Int) -> XTValue {
    // The numbers fit into a byte with a sign.
    let number: Int64 =
      switch variant {
      case 0: 90
      case 1: 37
      case 2: 0
      case 3: -45
      default: Int64(variant % 86 + 1)
      }
    let text =
      switch variant {
      case 2: ""
      case 3: " xt Probe "
      default: "xt probe \(variant)"
      }
    return switch kind {
    case .bool: .integer(Int64(variant % 2))
    case .double, .float: .real(Double(number) * 1.25)
    case .date: .real(Double(number) * 86_400)
    case .string: .text(text)
    case .data: .blob(Data(text.utf8))
    case .uuid: .text("00000000-0000-4000-8000-\(100_000_000_000 + variant)")
    case .url: .text("xt:probe\(variant)")
    case .decimal: .text("\(number)")
    default: .integer(number)
    }
  }
}

extension Equatable {
  fileprivate func isSame(as other: Any) -> Bool {
    (other as? Self) == self
  }
}

private protocol ProbedOptional {
  static var empty: Any { get }
  func isSameOptional(as other: Any) -> Bool
  static func probe(_ variant: Int) -> Any?
}

extension Optional: ProbedOptional {
  fileprivate static var empty: Any {
    let empty: Self = nil
    return empty as Any
  }

  fileprivate func isSameOptional(as other: Any) -> Bool {
    guard let other = other as? Self else { return false }
    return switch (self, other) {
    case (.none, .none): true
    case (.some(let left), .some(let right)): ProbeValues.areSame(left, right)
    default: false
    }
  }

  fileprivate static func probe(_ variant: Int) -> Any? {
    ProbeValues.make(Wrapped.self, variant).map { Self.some($0) as Any }
  }
}

private protocol ProbedContainer {
  var probedCount: Int { get }
  static func probe(_ variant: Int) -> Any?
}

// Every other value has one element where an element can be made up; the others are empty.
extension Array: ProbedContainer {
  fileprivate var probedCount: Int { count }

  fileprivate static func probe(_ variant: Int) -> Any? {
    guard variant.isMultiple(of: 2) else { return Self() }
    return ProbeValues.make(Element.self, 0).map { Self([$0]) }
  }
}

extension Set: ProbedContainer {
  fileprivate var probedCount: Int { count }

  fileprivate static func probe(_ variant: Int) -> Any? {
    guard variant.isMultiple(of: 2) else { return Self() }
    return ProbeValues.make(Element.self, 0).map { Self([$0]) }
  }
}

extension Dictionary: ProbedContainer {
  fileprivate var probedCount: Int { count }

  fileprivate static func probe(_ variant: Int) -> Any? {
    guard variant.isMultiple(of: 2) else { return Self() }
    guard let key = ProbeValues.make(Key.self, 0), let value = ProbeValues.make(Value.self, 0)
    else {
      return nil
    }
    return [key: value]
  }
}
