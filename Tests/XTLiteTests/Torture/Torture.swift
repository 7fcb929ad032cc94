import Foundation

/// How much of the tests that try to break the library is run.
enum Torture {
  /// All of it where the environment has XTLITE_TORTURE, as in `make torture`; else a tenth.
  static let isFull = ProcessInfo.processInfo.environment["XTLITE_TORTURE"] != nil

  /// `count`, or a tenth of it.
  static func part(of count: Int) -> Int {
    isFull ? count : count / 10
  }
}
