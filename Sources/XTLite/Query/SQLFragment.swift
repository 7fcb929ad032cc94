/// SQL text with the values of its placeholders, in order.
struct SQLFragment: Hashable, Sendable {
  var text: String
  var values: [XTValue]

  init(_ text: String = "", _ values: [XTValue] = []) {
    self.text = text
    self.values = values
  }

  mutating func append(_ text: String) {
    self.text += text
  }

  mutating func append(_ other: SQLFragment) {
    text += other.text
    values += other.values
  }

  /// `count` placeholders with commas between them; no text for none.
  static func placeholders(_ count: Int) -> String {
    guard count > 0 else { return "" }
    return "?" + String(repeating: ", ?", count: count - 1)
  }
}
