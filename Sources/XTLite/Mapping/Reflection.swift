/// The Swift runtime's own record of a type's stored properties: names, types and offsets.
///
/// These entry points stand behind `Mirror`; they are exported on Linux and on Apple's systems.
/// This file alone names them, and checks them once against `MemoryLayout.offset(of:)`.
enum Reflection {
  /// One stored property, inherited ones included.
  struct Field {
    let name: String
    let type: Any.Type
    /// Bytes from the start of the value, or of the object for a class.
    let offset: Int
    let isVariable: Bool
    /// False for `weak` and `unowned`, whose memory does not hold a plain reference.
    let isStrong: Bool
  }

  /// The stored properties of a struct or class, superclass's first; none of any other type.
  ///
  /// - Throws: `XTError` of kind `unsupportedProperty` where this runtime's records can't be
  ///   trusted.
  static func fields(of type: Any.Type) throws -> [Field] {
    guard isTrusted else {
      throw XTError(
        .unsupportedProperty,
        "this Swift runtime describes the layout of types in a way that XTLite does not know",
        hint: "use an XTLite that was released for this version of Swift")
    }
    // Asked for the parts of an existential, the runtime looks for a value and finds no memory.
    guard metadataKind(type) == MetadataKind.class || metadataKind(type) == MetadataKind.struct
    else {
      return []
    }
    return uncheckedFields(of: type)
  }

  /// The bytes that a value of `type` takes.
  static func size(of type: Any.Type) -> Int {
    func size<Value>(_: Value.Type) -> Int { MemoryLayout<Value>.size }
    return _openExistential(type, do: size)
  }

  private static func uncheckedFields(of type: Any.Type) -> [Field] {
    (0..<childCount(type)).map { index in
      var metadata = ChildMetadata(name: nil, freeName: nil, isStrong: false, isVariable: false)
      let fieldType = childMetadata(type, index, &metadata)
      defer { metadata.freeName?(metadata.name) }
      return Field(
        name: metadata.name.map { String(cString: $0) } ?? "",
        type: fieldType,
        offset: childOffset(type, index),
        isVariable: metadata.isVariable,
        isStrong: metadata.isStrong)
    }
  }

  private struct Known {
    var flag: Bool
    let text: String?
    var number: Double
    weak var object: AnyObject?
  }

  private final class KnownObject {
    var small: UInt8 = 7
    let large: Int64 = 9
  }

  private static let isTrusted: Bool = {
    let fields = uncheckedFields(of: Known.self)
    guard metadataKind(Known.self) == MetadataKind.struct,
      metadataKind(KnownObject.self) == MetadataKind.class,
      fields.map(\.name) == ["flag", "text", "number", "object"],
      fields.map(\.isVariable) == [true, false, true, true],
      fields.map(\.isStrong) == [true, true, true, false],
      fields[0].type == Bool.self, fields[1].type == String?.self, fields[2].type == Double.self,
      fields[0].offset == MemoryLayout<Known>.offset(of: \.flag),
      fields[1].offset == MemoryLayout<Known>.offset(of: \.text),
      fields[2].offset == MemoryLayout<Known>.offset(of: \.number)
    else { return false }
    let inObject = uncheckedFields(of: KnownObject.self)
    guard inObject.map(\.name) == ["small", "large"] else { return false }
    let object = KnownObject()
    return withExtendedLifetime(object) {
      let base = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
      return base.load(fromByteOffset: inObject[0].offset, as: UInt8.self) == 7
        && base.load(fromByteOffset: inObject[1].offset, as: Int64.self) == 9
    }
  }()
}

private enum MetadataKind {
  static let `class`: UInt = 0
  static let `struct`: UInt = 0x200
}

private struct ChildMetadata {
  var name: UnsafePointer<CChar>?
  var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong: Bool
  var isVariable: Bool
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func childCount(_: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func childMetadata(
  _: Any.Type, _ index: Int, _ metadata: UnsafeMutablePointer<ChildMetadata>
) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func childOffset(_: Any.Type, _ index: Int) -> Int

@_silgen_name("swift_getMetadataKind")
private func metadataKind(_: Any.Type) -> UInt
