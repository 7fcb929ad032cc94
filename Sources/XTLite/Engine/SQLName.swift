/// Names of functions and collations, as SQLite compares them.
enum SQLName {
  /// Whether SQLite takes the two for one: by bytes, but for the case of A to Z.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count
      && zip(left.utf8, right.utf8).allSatisfy { lowered($0) == lowered($1) }
  }

  /// - Throws: Where it is no name, or begins as the library's own do.
  static func validate(_ name: String, of kind: String) throws {
    guard !name.isEmpty, name.utf8.count <= 255, !name.utf8.contains(0) else {
      throw XTError(
        .sqlite, "\"\(name.prefix(50))\" is no name for a \(kind)",
        hint: "1 to 255 bytes, without a NUL character")
    }
    if name.utf8.prefix(3).map(lowered) == Array("xt_".utf8) {
      throw XTError(
        .sqlite, "the \(kind) \(name) has a name of the library's own",
        hint: "names that begin with xt_ are XTLite's; choose another")
    }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
