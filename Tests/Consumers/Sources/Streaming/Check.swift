import Foundation

/// Ends the program where a condition doesn't hold.
func check(_ condition: Bool, _ what: String, line: Int = #line) {
  guard !condition else { return }
  print("line \(line): \(what)")
  exit(1)
}
