/// What is written and read as JSON without a general coder, with the text that Foundation's would
/// give (see `JSONText`): the scalars that JSON has or nearly has, and the standard library's
/// containers of them.
///
/// Either way may be given up at any point; Foundation's coder decides then. So only what is usual
/// has to be known here, and errors and odd texts are the same by themselves.
protocol DirectJSON: Codable, Hashable {
  func write(to writer: inout JSONWriter) throws(GaveUp)
  static func read(from reader: inout JSONReader) throws(GaveUp) -> Self

  // The loops over containers belong to the element's type, so that they are compiled for it.
  // Nothing is looked up per element then, though a container's own type is not known before run
  // time.
  static func write(_ array: [Self], to writer: inout JSONWriter) throws(GaveUp)
  static func write(_ set: Set<Self>, to writer: inout JSONWriter, inOrder: Bool) throws(GaveUp)
  static func write(
    _ members: [String: Self], to writer: inout JSONWriter, inOrder: Bool) throws(GaveUp)
  static func readArray(from reader: inout JSONReader) throws(GaveUp) -> [Self]
  static func readSet(from reader: inout JSONReader) throws(GaveUp) -> Set<Self>
  static func readMembers(from reader: inout JSONReader) throws(GaveUp) -> [String: Self]
}

/// This is for Foundation's coder to decide.
struct GaveUp: Error {}

/// A container of `DirectJSON`, as a column has it.
protocol DirectContainer: DirectJSON {
  /// Writes equal values as equal texts: a set's elements and a dictionary's members are ordered by
  /// theirs. Inside of other containers Foundation's order stands.
  func writeInOrder(to writer: inout JSONWriter) throws(GaveUp)
}

extension DirectJSON {
  static func write(_ array: [Self], to writer: inout JSONWriter) throws(GaveUp) {
    writer.append(UInt8(ascii: "["))
    var isFirst = true
    for element in array {
      writer.separate(&isFirst)
      try element.write(to: &writer)
    }
    writer.append(UInt8(ascii: "]"))
  }

  static func write(
    _ set: Set<Self>, to writer: inout JSONWriter, inOrder: Bool
  ) throws(GaveUp) {
    guard inOrder else { return try write(Array(set), to: &writer) }
    writer.append(UInt8(ascii: "["))
    writer.beginParts()
    for element in set {
      try element.write(to: &writer)
      writer.endPart()
    }
    writer.appendParts()
    writer.append(UInt8(ascii: "]"))
  }

  static func write(
    _ members: [String: Self], to writer: inout JSONWriter, inOrder: Bool
  ) throws(GaveUp) {
    try writeMembers(members, to: &writer, inOrder: inOrder)
  }

  static func readArray(from reader: inout JSONReader) throws(GaveUp) -> [Self] {
    var array: [Self] = []
    guard try reader.begin(UInt8(ascii: "["), UInt8(ascii: "]")) else { return array }
    array.reserveCapacity(reader.countElements())
    repeat {
      array.append(try read(from: &reader))
    } while try reader.goesOn(UInt8(ascii: "]"))
    return array
  }

  static func readSet(from reader: inout JSONReader) throws(GaveUp) -> Set<Self> {
    var set: Set<Self> = []
    guard try reader.begin(UInt8(ascii: "["), UInt8(ascii: "]")) else { return set }
    set.reserveCapacity(reader.countElements())
    repeat {
      guard set.insert(try read(from: &reader)).inserted else { throw GaveUp() }
    } while try reader.goesOn(UInt8(ascii: "]"))
    return set
  }

  static func readMembers(from reader: inout JSONReader) throws(GaveUp) -> [String: Self] {
    try readMembers(from: &reader, as: String.self)
  }
}

/// What dictionaries of any key have in common.
extension DirectJSON {
  @inline(__always)
  static func writeMembers<Key: DirectKey>(
    _ members: [Key: Self], to writer: inout JSONWriter, inOrder: Bool
  ) throws(GaveUp) {
    writer.append(UInt8(ascii: "{"))
    if inOrder {
      writer.beginParts()
      for (key, value) in members {
        key.writeName(to: &writer)
        try value.write(to: &writer)
        writer.endPart()
      }
      writer.appendParts()
    } else {
      var isFirst = true
      for (key, value) in members.sorted(by: { Key.precedes($0.key, $1.key) }) {
        writer.separate(&isFirst)
        key.writeName(to: &writer)
        try value.write(to: &writer)
      }
    }
    writer.append(UInt8(ascii: "}"))
  }

  @inline(__always)
  static func readMembers<Key: DirectKey>(
    from reader: inout JSONReader, as type: Key.Type
  ) throws(GaveUp) -> [Key: Self] {
    var members: [Key: Self] = [:]
    guard try reader.begin(UInt8(ascii: "{"), UInt8(ascii: "}")) else { return members }
    members.reserveCapacity(reader.countElements())
    repeat {
      let key = try Key.readName(from: &reader)
      let value = try read(from: &reader)
      // Of names that are there twice Foundation chooses one.
      guard members.updateValue(value, forKey: key) == nil else { throw GaveUp() }
    } while try reader.goesOn(UInt8(ascii: "}"))
    return members
  }
}

/// The keys that are names in JSON.
protocol DirectKey: Codable, Hashable {
  /// Writes the name and the colon.
  func writeName(to writer: inout JSONWriter)
  static func readName(from reader: inout JSONReader) throws(GaveUp) -> Self
  /// The order that Foundation has names in: of their bytes.
  static func precedes(_ first: Self, _ second: Self) -> Bool

  static func write<Value: DirectJSON>(
    _ members: [Self: Value], to writer: inout JSONWriter, inOrder: Bool) throws(GaveUp)
  static func readMembers<Value: DirectJSON>(
    from reader: inout JSONReader, of type: Value.Type
  ) throws(GaveUp) -> [Self: Value]
}

extension String: DirectKey {
  func writeName(to writer: inout JSONWriter) {
    writer.append(text: self)
    writer.append(UInt8(ascii: ":"))
  }

  static func readName(from reader: inout JSONReader) throws(GaveUp) -> String {
    let name = try reader.text()
    try reader.take(UInt8(ascii: ":"))
    return name
  }

  static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }

  static func write<Value: DirectJSON>(
    _ members: [String: Value], to writer: inout JSONWriter, inOrder: Bool
  ) throws(GaveUp) {
    try Value.write(members, to: &writer, inOrder: inOrder)
  }

  static func readMembers<Value: DirectJSON>(
    from reader: inout JSONReader, of type: Value.Type
  ) throws(GaveUp) -> [String: Value] {
    try Value.readMembers(from: &reader)
  }
}

extension Int: DirectKey {
  func writeName(to writer: inout JSONWriter) {
    writer.append(UInt8(ascii: "\""))
    writer.append(integer: self)
    writer.append(UInt8(ascii: "\""))
    writer.append(UInt8(ascii: ":"))
  }

  static func readName(from reader: inout JSONReader) throws(GaveUp) -> Int {
    try reader.take(UInt8(ascii: "\""))
    let name = try reader.integerAtOnce(Int.self)
    try reader.takeAtOnce(UInt8(ascii: "\""))
    try reader.take(UInt8(ascii: ":"))
    return name
  }

  static func precedes(_ first: Int, _ second: Int) -> Bool {
    String.precedes("\(first)", "\(second)")
  }

  static func write<Value: DirectJSON>(
    _ members: [Int: Value], to writer: inout JSONWriter, inOrder: Bool
  ) throws(GaveUp) {
    try Value.writeMembers(members, to: &writer, inOrder: inOrder)
  }

  static func readMembers<Value: DirectJSON>(
    from reader: inout JSONReader, of type: Value.Type
  ) throws(GaveUp) -> [Int: Value] {
    try Value.readMembers(from: &reader, as: Int.self)
  }
}
