/// A model in memory while it is read or written: where its stored properties are, and the object
/// where it is one. Valid while the model is held.
struct ModelMemory {
  let base: UnsafeRawPointer
  let object: AnyObject?
}

extension ModelMemory {
  /// - Parameters:
  ///   - place: where the value is, or the reference to the object.
  ///   - isObject: whether the model's type is a class.
  // Not `as AnyObject`: of a type that is not known when this is compiled, that is a search for
  // whatever the value might be bridged to.
  @inline(__always)
  init(at place: UnsafeRawPointer, isObject: Bool) {
    if isObject {
      let object = place.load(as: AnyObject.self)
      self.init(base: objectMemory(object), object: object)
    } else {
      self.init(base: place, object: nil)
    }
  }
}

/// Runs `body` with the model where it stands.
@inline(__always)
func withMemory<Model, Result>(
  _ model: inout Model, _ body: (ModelMemory) throws -> Result
) rethrows -> Result {
  try withUnsafeMutablePointer(to: &model) {
    try body(ModelMemory(at: UnsafeRawPointer($0), isObject: Model.self is AnyClass))
  }
}

/// Runs `body` with a model that is only read.
@inline(__always)
func withMemory<Model, Result>(
  of model: borrowing Model, _ body: (ModelMemory) throws -> Result
) rethrows -> Result {
  try withUnsafePointer(to: model) {
    try body(ModelMemory(at: UnsafeRawPointer($0), isObject: Model.self is AnyClass))
  }
}

/// Runs `body` with the address of a model's stored properties, its own for a value and the
/// object's for a class, and that of the model itself.
@inline(__always)
func withMutableMemory<Model, Result>(
  of model: inout Model,
  _ body: (UnsafeMutableRawPointer, UnsafeMutablePointer<Model>) throws -> Result
) rethrows -> Result {
  try withUnsafeMutablePointer(to: &model) { pointer in
    let raw = UnsafeMutableRawPointer(pointer)
    return try body(
      Model.self is AnyClass ? raw.load(as: UnsafeMutableRawPointer.self) : raw, pointer)
  }
}

/// Where an object's stored properties are; valid while the object is held.
@inline(__always)
func objectMemory(_ object: AnyObject) -> UnsafeRawPointer {
  UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
}
