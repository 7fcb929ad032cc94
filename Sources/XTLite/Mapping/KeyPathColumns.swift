/// Finds the stored property that a key path leads to.
///
/// Key paths are never compared with each other: `\Vehicle.plate == \Truck.plate` is false. A field
/// of a struct has an offset that its key path knows, and one of a class a name. Every other key
/// path (of an open class, of a property with an observer or a wrapper) is tried out: values are
/// put into the memory of a fresh instance at each place where they fit, and the right place is the
/// one that they are read back from through the key path.
struct KeyPathColumns {
  /// A place in a model's memory that key paths may lead to.
  struct Place {
    /// The stored property's name, and that of the part of it which this is.
    let path: [String]
    let type: Any.Type
    let offset: Int

    var isWhole: Bool { path.count == 1 }
  }

  let modelType: any XTModel.Type
  let places: [Place]

  /// - Returns: the index in `places`; nil where the key path leads to none of them.
  func place(of keyPath: AnyKeyPath) -> Int? {
    find(keyPath, in: modelType)
  }

  /// Whether a key path starts at the model, and not at another type.
  func isOfModel(_ keyPath: AnyKeyPath) -> Bool {
    let model: Any = modelType.init()
    func isOf<Root>(_: Root.Type) -> Bool { model is Root }
    return _openExistential(type(of: keyPath).rootType, do: isOf)
  }

  private func find<Model: XTModel>(_ keyPath: AnyKeyPath, in type: Model.Type) -> Int? {
    let valueType = Swift.type(of: keyPath).valueType
    if let direct = keyPath as? PartialKeyPath<Model>,
      let offset = MemoryLayout<Model>.offset(of: direct)
    {
      // A property that takes no room has the offset of another, and not always the same one;
      // nothing tells two of a type apart.
      let hasRoom = Reflection.size(of: valueType) > 0
      let there = places.indices.filter {
        places[$0].type == valueType && (places[$0].offset == offset || !hasRoom)
      }
      return there.count == 1 ? there[0] : nil
    }
    let fitting = places.indices.filter { places[$0].type == valueType }
    func root<Root>(_: Root.Type) -> Int? {
      // A key path of another type.
      guard Model() is Root else { return nil }
      let text = KeyPathText(keyPath)
      let named = fitting.filter { places[$0].path.joined(separator: ".") == text.steps }
      if named.count == 1 { return named[0] }
      let candidates: [Int]
      if text.isOneComputed || !named.isEmpty {
        candidates = named.isEmpty ? fitting.filter { !isMemberOfMeta(places[$0]) } : named
      } else if let member = text.memberOfComputed {
        candidates = fitting.filter { isMemberOfMeta(places[$0]) && places[$0].path[1] == member }
      } else {
        return nil
      }
      func value<Value>(_: Value.Type) -> Int? {
        (keyPath as? KeyPath<Root, Value>).flatMap { tryOut($0, candidates, on: type) }
      }
      return _openExistential(valueType, do: value)
    }
    return fitting.isEmpty ? nil : _openExistential(Swift.type(of: keyPath).rootType, do: root)
  }

  private func isMemberOfMeta(_ place: Place) -> Bool {
    !place.isWhole
      && places.contains { $0.isWhole && $0.path[0] == place.path[0] && $0.type == XTMeta.self }
  }

  private func tryOut<Model: XTModel, Root, Value>(
    _ keyPath: KeyPath<Root, Value>, _ candidates: [Int], on type: Model.Type
  ) -> Int? {
    guard !candidates.isEmpty else { return nil }
    let made = ProbeValues.values(of: Value.self)
    var model = Model()
    return withMutableMemory(of: &model) { base, model in
      // Most of what is computed is something else already in a fresh instance. It is never called
      // with other values, of which its getter may not be able to make anything.
      guard let fresh = (model.pointee as? Root)?[keyPath: keyPath] else { return nil }
      let candidates = candidates.filter { candidate in
        let field = (base + places[candidate].offset).assumingMemoryBound(to: Value.self)
        return ProbeValues.areSame(field.pointee, fresh)
      }
      func follows(_ candidate: Int) -> Bool {
        let probes = made.count > 1 ? made : givenValues(at: candidate, of: type)
        return probes.count > 1
          && probes.allSatisfy { probe in
            with(probe, at: base + places[candidate].offset) {
              guard let root = model.pointee as? Root else { return false }
              return ProbeValues.areSame(root[keyPath: keyPath], probe)
            }
          }
      }
      return candidates.first { candidate in
        // What is made of several properties follows one of them while the others hold zero, are
        // equal, or cancel out: so the others are given values too, the candidate's own among them,
        // each of them another one. Only something that forwards does not notice.
        follows(candidate)
          && ProbeValues.rounds.allSatisfy { round in
            withOthers(than: candidate, round, in: base) { follows(candidate) }
          }
      }
    }
  }

  /// What `init()` gives a property whose type has no values that could be made up, where that is
  /// something else each time: a reference.
  private func givenValues<Model: XTModel, Value>(
    at place: Int, of type: Model.Type
  ) -> [Value] {
    func value() -> Value {
      withMemory(of: Model()) { memory in
        (memory.base + places[place].offset).assumingMemoryBound(to: Value.self).pointee
      }
    }
    let (first, second) = (value(), value())
    return ProbeValues.areSame(first, second) ? [] : [first, second]
  }

  /// Runs `body` while `value` is at `pointer`, in the place of what is there.
  private func with<Value, Result>(
    _ value: Value, at pointer: UnsafeMutableRawPointer, _ body: () -> Result
  ) -> Result {
    let field = pointer.assumingMemoryBound(to: Value.self)
    let kept = field.move()
    field.initialize(to: value)
    defer {
      field.deinitialize(count: 1)
      field.initialize(to: kept)
    }
    return body()
  }

  /// Runs `body` while all stored properties but the candidate's hold values that were made up, as
  /// far as they can be.
  private func withOthers(
    than candidate: Int, _ round: Int, in base: UnsafeMutableRawPointer, _ body: () -> Bool
  ) -> Bool {
    let others = places.filter {
      $0.isWhole && $0.path[0] != places[candidate].path[0] && !$0.path[0].hasPrefix("_$")
    }
    func run(_ index: Int) -> Bool {
      guard index < others.count else { return body() }
      func set<Value>(_: Value.Type) -> Bool {
        let variant = ProbeValues.variant(ofField: index, inRound: round)
        guard let value = ProbeValues.make(Value.self, variant) else { return run(index + 1) }
        return with(value, at: base + others[index].offset) { run(index + 1) }
      }
      return _openExistential(others[index].type, do: set)
    }
    return run(0)
  }
}
