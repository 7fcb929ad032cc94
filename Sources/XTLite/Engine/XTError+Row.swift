extension XTError {
  /// Whether it is about the row that was to be written, and not about the file.
  var isOfRow: Bool {
    if case .constraint = kind { return true }
    return kind == .valueOutOfRange || [SQLITE_TOOBIG, SQLITE_MISMATCH].contains(code)
  }
}
