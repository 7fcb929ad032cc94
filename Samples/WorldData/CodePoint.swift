import XTLite

/// A line of the Unicode Character Database. Its number is the table's own integer key.
struct CodePoint: XTModel {
  /// What a character is made of, as a nested JSON value.
  struct Decomposition: Codable {
    var tag: String?
    var codes: [Int] = []
  }

  /// Optional, or U+0000 would count as a key that isn't set yet.
  var code: Int?
  /// The character itself; a surrogate has none.
  var text: String?
  var name = ""
  var category = ""
  var combiningClass = 0
  var direction = ""
  var decomposition: Decomposition?
  var decimalDigit: Int?
  var numericValue: Double?
  var isMirrored = false
  var oldName: String?
  var uppercase: Int?
  var lowercase: Int?
  var titlecase: Int?

  static var xt_primaryKey: XTKeyPaths { [\CodePoint.code] }
  static var xt_indexes: [XTIndex] { [XTIndex(\CodePoint.name)] }
}

extension CodePoint {
  /// Reads one line of UnicodeData.txt; nil where it isn't one.
  init?(line: Substring) {
    let fields = line.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 15, let code = Int(fields[0], radix: 16) else { return nil }
    self.code = code
    text = UInt32(exactly: code).flatMap(Unicode.Scalar.init).map { String($0) }
    name = fields[1]
    category = fields[2]
    combiningClass = Int(fields[3]) ?? 0
    direction = fields[4]
    decomposition = Decomposition(field: fields[5])
    decimalDigit = Int(fields[6])
    numericValue = Self.number(fields[8])
    isMirrored = fields[9] == "Y"
    oldName = fields[10].isEmpty ? nil : fields[10]
    uppercase = Int(fields[12], radix: 16)
    lowercase = Int(fields[13], radix: 16)
    titlecase = Int(fields[14], radix: 16)
  }

  /// `7` or `3/4`; nil where the field is empty.
  private static func number(_ field: String) -> Double? {
    let parts = field.split(separator: "/").compactMap { Double($0) }
    switch parts.count {
    case 1: return parts[0]
    case 2: return parts[0] / parts[1]
    default: return nil
    }
  }
}

extension CodePoint.Decomposition {
  /// `<super> 0032` or `0041 030A`; nil where the field is empty.
  fileprivate init?(field: String) {
    guard !field.isEmpty else { return nil }
    for word in field.split(separator: " ") {
      if word.hasPrefix("<") {
        tag = String(word.dropFirst().dropLast())
      } else if let code = Int(word, radix: 16) {
        codes.append(code)
      }
    }
  }
}
