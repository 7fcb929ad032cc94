extension TableShape {
  /// UNIQUE spans soft-deleted rows too, which a caller cannot see: the error says so.
  @inline(never)
  func explained(_ error: any Error) -> any Error {
    guard var error = error as? XTError, error.hint == nil, has(.isDel) else { return error }
    switch error.kind {
    case .constraint(.primaryKey):
      error.hint = "the number is taken; leave it nil to have the next one, or use save or upsert"
      return error
    case .constraint(.unique): break
    default: return error
    }
    error.hint =
      "soft-deleted rows count too: a row that scope .live does not show may hold the "
      + "value; for a key among live rows only, declare "
      + "XTIndex(…, unique: true, scope: .live) in xt_indexes instead"
    return error
  }
}
