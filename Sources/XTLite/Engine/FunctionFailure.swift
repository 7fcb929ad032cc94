import Foundation

/// What a function of the program's own threw, kept for the error of the statement that it ended:
/// SQLite carries the message only.
struct FunctionFailure {
  let function: String
  let error: any Error
  /// As SQLite has it.
  let message: String

  init(_ error: any Error, function: String) {
    self.function = function
    self.error = error
    let text = XTError.text(of: error)
    // A C string ends at a NUL.
    message = String(text.prefix { $0 != "\0" })
  }
}

extension Connection {
  /// The statement's error as the function threw it, where it is that. SQLite's message alone could
  /// be mistaken for one of SQLite's own.
  func explained(_ error: XTError) -> XTError {
    guard let failure = functionFailure, error.code == SQLITE_ERROR,
      error.message == failure.message
    else { return error }
    let thrown = failure.error as? XTError
    var error = error
    error.kind = thrown?.kind ?? .sqlite
    error.hint = thrown?.hint ?? "thrown by the SQL function \(failure.function)"
    error.table = thrown?.table
    error.column = thrown?.column
    return error
  }
}

extension XTError {
  /// What any error says, without its SQL and its place where it is one of ours.
  static func text(of error: any Error) -> String {
    if let error = error as? XTError { return error.message }
    return (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
  }
}
