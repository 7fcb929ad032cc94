/// A key path as the runtime describes it: `\Person.name`, `\Person.home?.city`, and for what has a
/// getter `\Person.<computed 0x1234 (String)>`.
///
/// Its steps are known from there without calling anything; a key path through an empty array, say,
/// ends the process when it is followed.
struct KeyPathText {
  /// What stands behind the root type: `name`, `home?.city`.
  let steps: Substring

  init(_ keyPath: AnyKeyPath) {
    let text = keyPath.debugDescription
    let root = "\\\(type(of: keyPath).rootType)."
    steps = text.hasPrefix(root) ? text.dropFirst(root.count) : text[...]
  }

  /// The key path is one getter: that of a computed or observed property, or of an open class.
  var isOneComputed: Bool {
    steps.hasPrefix("<computed") && endOfComputed == steps.endIndex
  }

  /// The stored property's name behind one getter; nil for a key path of another kind.
  var memberOfComputed: Substring? {
    guard steps.hasPrefix("<computed"), steps[endOfComputed...].first == "." else { return nil }
    return steps[endOfComputed...].dropFirst()
  }

  private var endOfComputed: Substring.Index {
    var depth = 0
    var index = steps.startIndex
    while index < steps.endIndex {
      let character = steps[index]
      index = steps.index(after: index)
      // The type stands in parentheses; it may have angles, and arrows, of its own.
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == ">", depth == 0 { break }
    }
    return index
  }
}
