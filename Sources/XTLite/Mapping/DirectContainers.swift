/// The standard library's containers of what is written and read as JSON directly.

extension Array: DirectJSON where Element: DirectJSON {
  func write(to writer: inout JSONWriter) throws(GaveUp) {
    try Element.write(self, to: &writer)
  }

  static func read(from reader: inout JSONReader) throws(GaveUp) -> [Element] {
    try Element.readArray(from: &reader)
  }
}

extension Array: DirectContainer where Element: DirectJSON {
  func writeInOrder(to writer: inout JSONWriter) throws(GaveUp) {
    try write(to: &writer)
  }
}

extension Set: DirectJSON where Element: DirectJSON {
  func write(to writer: inout JSONWriter) throws(GaveUp) {
    try Element.write(self, to: &writer, inOrder: false)
  }

  static func read(from reader: inout JSONReader) throws(GaveUp) -> Set<Element> {
    try Element.readSet(from: &reader)
  }
}

extension Set: DirectContainer where Element: DirectJSON {
  func writeInOrder(to writer: inout JSONWriter) throws(GaveUp) {
    try Element.write(self, to: &writer, inOrder: true)
  }
}

extension Dictionary: DirectJSON where Key: DirectKey, Value: DirectJSON {
  func write(to writer: inout JSONWriter) throws(GaveUp) {
    try Key.write(self, to: &writer, inOrder: false)
  }

  static func read(from reader: inout JSONReader) throws(GaveUp) -> [Key: Value] {
    try Key.readMembers(from: &reader, of: Value.self)
  }
}

extension Dictionary: DirectContainer where Key: DirectKey, Value: DirectJSON {
  func writeInOrder(to writer: inout JSONWriter) throws(GaveUp) {
    try Key.write(self, to: &writer, inOrder: true)
  }
}

extension Optional: DirectJSON where Wrapped: DirectJSON {
  func write(to writer: inout JSONWriter) throws(GaveUp) {
    if let self { try self.write(to: &writer) } else { writer.append(word: "null") }
  }

  static func read(from reader: inout JSONReader) throws(GaveUp) -> Wrapped? {
    try reader.isNull() ? nil : try Wrapped.read(from: &reader)
  }
}
