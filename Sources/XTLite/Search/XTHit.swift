/// A row that a search has found.
///
/// ```swift
/// for hit in try Note.xt_search("apple pie", limit: 20) {
///   print(hit.model.title, hit.snippet(\.body, from: "[", to: "]"))
/// }
/// ```
public struct XTHit<Model: XTModel> {
  /// The row.
  public let model: Model
  /// How well it fits: the smaller, the better; mostly negative. By the formula BM25, so a rare word
  /// counts more than one that many rows have, and one in a short text more than in a long one; each
  /// times the weight of its property. 0 where nothing can be ranked: for a search by what a row does
  /// not have, and for texts that `.trigram` finds by looking through the rows.
  ///
  /// Only ranks of one search can be compared.
  public let rank: Double

  let number: Int64
  let places: HitPlaces

  /// A property's text with marks around what was found.
  ///
  /// - Parameters:
  ///   - property: One of the searched properties. Any other text comes without marks, and what is no
  ///     text as "".
  ///   - opening: What stands before each place.
  ///   - closing: What stands behind it.
  /// - Returns: The whole text; "" for nil.
  public func highlight(
    _ property: PartialKeyPath<Model>, from opening: String = "<b>", to closing: String = "</b>"
  ) -> String {
    let text = Self.text(model[keyPath: property])
    return HitText(text, places.ranges(in: text, of: property))
      .marked(opening, closing)
  }

  /// The part of a property's text in which the most was found, with marks around it.
  ///
  /// - Parameters:
  ///   - property: As for ``highlight(_:from:to:)``. Where nothing was found in it, its beginning is
  ///     given.
  ///   - words: The most words, or characters of a script without blanks, that are given.
  ///   - opening: What stands before each place.
  ///   - closing: What stands behind it.
  ///   - ellipsis: What stands where text was left out.
  public func snippet(
    _ property: PartialKeyPath<Model>, words: Int = 16, from opening: String = "<b>",
    to closing: String = "</b>", ellipsis: String = "…"
  ) -> String {
    let text = Self.text(model[keyPath: property])
    return HitText(text, places.ranges(in: text, of: property))
      .snippet(of: max(words, 1), places.tokens(of: text), opening, closing, ellipsis)
  }

  private static func text(_ value: Any) -> String {
    if let text = value as? String { return text }
    if let value = value as? any XTColumnValue {
      return (try? value.xt_columnValue.string) ?? ""
    }
    if let raw = (value as? any RawRepresentable)?.rawValue as? String { return raw }
    return ""
  }
}

extension XTHit: Sendable where Model: Sendable {}
