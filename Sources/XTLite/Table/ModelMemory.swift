import Foundation

/// A model in memory while a verb works on it: where its stored properties are, and the object where
/// it is one. Valid while the model is held.
struct ModelMemory {
  let base: UnsafeRawPointer
  let object: AnyObject?
}

extension XTTable {
  @inline(__always)
  func withMemory<Result>(
    _ model: inout Model, _ body: (ModelMemory) throws -> Result
  ) throws -> Result {
    let object = Model.self is AnyClass ? model as AnyObject : nil
    return try withMutableModelMemory(&model) { base, _ in
      try body(ModelMemory(base: UnsafeRawPointer(base), object: object))
    }
  }

  @inline(__always)
  func withMemory<Result>(
    of model: Model, _ body: (ModelMemory) throws -> Result
  ) throws -> Result {
    let object = Model.self is AnyClass ? model as AnyObject : nil
    return try withModelMemory(model) { base in
      try body(ModelMemory(base: base, object: object))
    }
  }
}

extension ModelMapping {
  /// Whether an automatic column stands beside the objects of the class, since it declares none.
  var keepsRowBesideObject: Bool {
    isClass && ColumnRole.automatic.contains { declared($0) == nil }
  }
}
