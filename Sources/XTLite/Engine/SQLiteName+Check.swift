extension SQLiteName {
  /// Looks at the name of a function or a collation that a program wants to have.
  ///
  /// - Throws: Where it is no name, or begins as the library's own do.
  static func check(_ name: String, of kind: String) throws {
    guard !name.isEmpty, name.utf8.count <= 255, !name.utf8.contains(0) else {
      throw XTError(
        .sqlite, "\"\(name.prefix(50))\" is no name for a \(kind)",
        hint: "1 to 255 bytes, without a NUL character")
    }
    if SQLiteName(name).hasPrefix(SQLiteName("xt_")) {
      throw XTError(
        .sqlite, "the \(kind) \(name) has a name of the library's own",
        hint: "names that begin with xt_ are XTLite's; choose another")
    }
  }
}
