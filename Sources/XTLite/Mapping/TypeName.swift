import Foundation

/// The table name that a Swift type gets by itself: its own name without its module, outer types
/// and generic arguments joined by `_`.
enum TypeName {
  /// `Outer.Inner` gives `Outer_Inner`, `Box<Int>` gives `Box_Int`.
  static func tableName(of type: Any.Type) -> String {
    components(String(reflecting: type)).joined(separator: "_")
  }

  /// As a person would write it in an error: `Outer.Inner`, `Box<Int>`, with the module in front.
  static func display(_ type: Any.Type) -> String {
    withoutContexts(String(reflecting: type))
  }

  private static func components(_ reflected: String) -> [String] {
    var result: [String] = []
    var path: [String] = []
    var current = ""
    func endName() {
      if !current.isEmpty { path.append(current) }
      current = ""
    }
    // A qualified name starts with its module; a name alone (a tuple label, say) has none.
    func endPath() {
      endName()
      result += path.count > 1 ? path.dropFirst() : path[...]
      path = []
    }
    for character in withoutContexts(reflected) {
      switch character {
      case ".": endName()
      case "<", ">", ",", "(", ")", " ", "-", "&", ":", "[", "]", "?": endPath()
      default: current.append(character)
      }
    }
    endPath()
    return result
  }

  /// Local and private types are reflected as `Module.(unknown context at $1a2b).Name`, with an
  /// address that differs from run to run, and members of extensions as `(extension in M):M.T`.
  private static func withoutContexts(_ reflected: String) -> String {
    var text = reflected
    while let start = text.range(of: "(unknown context at "),
      let end = text[start.upperBound...].range(of: ").")
    {
      text.removeSubrange(start.lowerBound..<end.upperBound)
    }
    while let start = text.range(of: "(extension in "),
      let end = text[start.upperBound...].range(of: "):")
    {
      text.removeSubrange(start.lowerBound..<end.upperBound)
    }
    return text
  }
}
