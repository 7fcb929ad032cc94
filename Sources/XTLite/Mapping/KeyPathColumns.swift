/// Finds the stored property that a key path leads to.
///
/// Key paths are never compared with each other: `\Vehicle.plate == \Truck.plate` is false. A field
/// of a struct has an offset that its key path knows. Every other key path (of a class, of a
/// property with an observer or a wrapper) is tried out: values are put into the memory of a fresh
/// instance at each place where they fit, and the right place is the one that they are read back
/// from through the key path.
struct KeyPathColumns {
  /// A place in a model's memory that key paths may lead to.
  struct Place {
    let offset: Int
    let type: Any.Type
    let name: String
    let isVariable: Bool
  }

  let modelType: any XTModel.Type
  let places: [Place]

  /// - Returns: the index in `places`; nil where the key path leads to none of them.
  func place(of keyPath: AnyKeyPath) -> Int? {
    find(keyPath, in: modelType)
  }

  private func find<Model: XTModel>(_ keyPath: AnyKeyPath, in type: Model.Type) -> Int? {
    let valueType = Swift.type(of: keyPath).valueType
    if let direct = keyPath as? PartialKeyPath<Model>, let offset = MemoryLayout<Model>.offset(of: direct) {
      return places.firstIndex { $0.offset == offset && $0.type == valueType }
    }
    let candidates = places.indices.filter { places[$0].type == valueType }
    guard !candidates.isEmpty else { return nil }
    func root<Root>(_: Root.Type) -> Int? {
      func value<Value>(_: Value.Type) -> Int? {
        (keyPath as? KeyPath<Root, Value>).flatMap { tryOut($0, candidates, on: type) }
      }
      return _openExistential(valueType, do: value)
    }
    return _openExistential(Swift.type(of: keyPath).rootType, do: root)
  }

  private func tryOut<Model: XTModel, Root, Value>(
    _ keyPath: KeyPath<Root, Value>, _ candidates: [Int], on type: Model.Type
  ) -> Int? {
    guard Model() is Root else { return nil }
    let probes = ProbeValues.values(of: Value.self)
    guard probes.count > 1 else { return untried(keyPath, candidates) }
    let found = candidates.first { candidate in
      var model = Model()
      return withMutableModelMemory(&model) { base, model in
        let field = (base + places[candidate].offset).assumingMemoryBound(to: Value.self)
        return probes.allSatisfy { probe in
          let kept = field.move()
          field.initialize(to: probe)
          defer {
            field.deinitialize(count: 1)
            field.initialize(to: kept)
          }
          guard let root = model.pointee as? Root else { return false }
          return ProbeValues.areSame(root[keyPath: keyPath], probe)
        }
      }
    }
    return found ?? constant(keyPath, candidates, on: type)
  }

  /// A `let` of a class whose value is a constant is read from the program, not from the object.
  private func constant<Model: XTModel, Root, Value>(
    _ keyPath: KeyPath<Root, Value>, _ candidates: [Int], on type: Model.Type
  ) -> Int? {
    var model = Model()
    let matching = withMutableModelMemory(&model) { base, model in
      candidates.filter { candidate in
        guard !places[candidate].isVariable, let root = model.pointee as? Root else { return false }
        let field = (base + places[candidate].offset).assumingMemoryBound(to: Value.self)
        return ProbeValues.areSame(root[keyPath: keyPath], field.pointee)
      }
    }
    return matching.count == 1 ? matching.first : untried(keyPath, matching)
  }

  /// No values of the type can be made up (a reference, a closure): where the runtime knows the
  /// name that the key path was written with, that decides, else there must be only one candidate.
  private func untried(_ keyPath: AnyKeyPath, _ candidates: [Int]) -> Int? {
    let written = String(describing: keyPath)
    if let named = candidates.first(where: { written.hasSuffix(".\(places[$0].name)") }) { return named }
    return candidates.count == 1 && !(written.contains("<computed")) ? candidates.first : nil
  }
}

/// Runs `body` with the address of the model's stored properties: its own for a value, the
/// object's for a class.
@inline(__always)
func withMutableModelMemory<Model, Result>(
  _ model: inout Model, _ body: (UnsafeMutableRawPointer, UnsafeMutablePointer<Model>) throws -> Result
) rethrows -> Result {
  try withUnsafeMutablePointer(to: &model) { pointer in
    let raw = UnsafeMutableRawPointer(pointer)
    return try body(Model.self is AnyClass ? raw.load(as: UnsafeMutableRawPointer.self) : raw, pointer)
  }
}

/// The same for a model that is only read.
@inline(__always)
func withModelMemory<Model, Result>(
  _ model: borrowing Model, _ body: (UnsafeRawPointer) throws -> Result
) rethrows -> Result {
  try withUnsafePointer(to: model) { pointer in
    let raw = UnsafeRawPointer(pointer)
    return try body(Model.self is AnyClass ? raw.load(as: UnsafeRawPointer.self) : raw)
  }
}
