import Foundation

/// A model in memory while a verb works on it: where its stored properties are, and the object where
/// it is one. Valid while the model is held.
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

extension XTTable {
  @inline(__always)
  static var hasObjects: Bool { Model.self is AnyClass }

  @inline(__always)
  func withMemory<Result>(
    _ model: inout Model, _ body: (ModelMemory) throws -> Result
  ) throws -> Result {
    try withUnsafeMutablePointer(to: &model) {
      try body(ModelMemory(at: UnsafeRawPointer($0), isObject: Self.hasObjects))
    }
  }

  @inline(__always)
  func withMemory<Result>(
    of model: borrowing Model, _ body: (ModelMemory) throws -> Result
  ) throws -> Result {
    try withUnsafePointer(to: model) {
      try body(ModelMemory(at: UnsafeRawPointer($0), isObject: Self.hasObjects))
    }
  }
}

extension ModelMapping {
  /// Whether an automatic column stands beside the objects of the class, since it declares none.
  var keepsRowBesideObject: Bool {
    isClass && ColumnRole.automatic.contains { declared($0) == nil }
  }
}
