import Foundation

/// Values of any type, made to be recognized again: what key paths are resolved with.
enum ProbeValues {
  /// Values of `type` that differ from each other: two made up, the empty one, and nil where the
  /// type has them. Fewer, down to none, where the type can't be made up.
  static func values<Value>(of type: Value.Type) -> [Value] {
    var values = [make(type, 0), make(type, 1)].compactMap { $0 }
    // A type of one value tells nothing.
    if values.count == 2, areSame(values[0], values[1]) { values.removeLast() }
    if let optional = type as? any ProbedOptional.Type, let empty = optional.empty as? Value {
      values.append(empty)
    }
    return values
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

  /// One of two values of `type`; nil where none can be made up.
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
        memory[0] = UInt8(variant)
        return memory.baseAddress?.assumingMemoryBound(to: Value.self).pointee
      }
    }
    if type == XTJSON.self { return XTJSON.integer(Int64(variant + 1)) as? Value }
    guard type is AnyClass else { return makeStruct(type, variant) }
    return (type as? any XTModel.Type).flatMap { $0.init() as? Value }
  }

  private static func oneCase<Value: CaseIterable>(of type: Value.Type, _ variant: Int) -> Any? {
    Array(type.allCases.prefix(variant + 1)).last
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
    switch kind {
    case .bool: .integer(variant == 0 ? 1 : 0)
    case .double, .float: .real(variant == 0 ? 90.5 : 37.25)
    case .date: .real(variant == 0 ? 86_400 : 172_800)
    case .string: .text(variant == 0 ? "xt probe one" : "xt probe two")
    case .data: .blob(Data([90, UInt8(variant)]))
    case .uuid:
      .text("00000000-0000-4000-8000-00000000000\(variant)")
    case .url: .text("xt:probe\(variant)")
    case .decimal: .text(variant == 0 ? "90.5" : "37.25")
    default: .integer(variant == 0 ? 90 : 37)
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

// The first value has one element where an element can be made up; the second is empty.
extension Array: ProbedContainer {
  fileprivate var probedCount: Int { count }

  fileprivate static func probe(_ variant: Int) -> Any? {
    guard variant == 0 else { return Self() }
    return ProbeValues.make(Element.self, 0).map { Self([$0]) }
  }
}

extension Set: ProbedContainer {
  fileprivate var probedCount: Int { count }

  fileprivate static func probe(_ variant: Int) -> Any? {
    guard variant == 0 else { return Self() }
    return ProbeValues.make(Element.self, 0).map { Self([$0]) }
  }
}

extension Dictionary: ProbedContainer {
  fileprivate var probedCount: Int { count }

  fileprivate static func probe(_ variant: Int) -> Any? {
    guard variant == 0 else { return Self() }
    guard let key = ProbeValues.make(Key.self, 0), let value = ProbeValues.make(Value.self, 0)
    else {
      return nil
    }
    return [key: value]
  }
}
