/// Where the elements of a tuple are in its memory: one behind the other, each at the next address
/// that its alignment allows, as in a struct. A tuple of one element is that element.
struct TupleLayout {
  /// The bytes up to the end of the elements so far.
  private(set) var size = 0

  /// Takes one more element behind the others.
  ///
  /// - Returns: the bytes from the start of the tuple to that element.
  mutating func append<Element>(_ type: Element.Type) -> Int {
    let alignment = MemoryLayout<Element>.alignment
    let offset = (size + alignment - 1) / alignment * alignment
    size = offset + MemoryLayout<Element>.size
    return offset
  }

  /// - Throws: `unsupportedProperty` where this is not how the runtime lays the tuple out.
  func check<Whole>(_ type: Whole.Type) throws {
    guard size == MemoryLayout<Whole>.size, Self.isTrusted else {
      throw XTError(
        .unsupportedProperty,
        "this Swift runtime lays out \(TypeName.display(type)) in a way that XTLite does not know",
        hint: "use an XTLite that was released for this version of Swift")
    }
  }

  private static let isTrusted: Bool = {
    typealias Known = (UInt8, Int64, (Bool, Double?), Int32)
    var layout = TupleLayout()
    let offsets = [
      layout.append(UInt8.self), layout.append(Int64.self), layout.append((Bool, Double?).self),
      layout.append(Int32.self),
    ]
    return offsets == [
      MemoryLayout<Known>.offset(of: \.0), MemoryLayout<Known>.offset(of: \.1),
      MemoryLayout<Known>.offset(of: \.2), MemoryLayout<Known>.offset(of: \.3),
    ] && layout.size == MemoryLayout<Known>.size
  }()
}
