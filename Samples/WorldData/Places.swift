import XTLite

/// A country or territory of ISO 3166-1, loaded from JSON as it is.
struct Country: XTModel, Codable {
  var pkid: Int64?
  var alpha2 = ""
  var alpha3 = ""
  var numeric = ""
  var name = ""
  var officialName: String?
  var commonName: String?
  var flag = ""
  /// What each language calls it, by locale; in the table one JSON object.
  var names: [String: String] = [:]

  static var xt_keywords: XTKeywordMap { [\Country.alpha2: .unique] }
  static var xt_indexes: [XTIndex] { [XTIndex(\Country.name)] }

  enum CodingKeys: String, CodingKey {
    case alpha2, alpha3, numeric, name, officialName, commonName, flag
  }
}

/// A part of a country, of ISO 3166-2. A class: its `pkid` is there without being declared.
final class Subdivision: XTModel, Codable {
  var code = ""
  var name = ""
  var type = ""
  var parent: String?
  var country = ""

  init() {}

  static var xt_keywords: XTKeywordMap { [\Subdivision.code: .unique] }
  static var xt_constraints: [XTConstraint] {
    [
      .foreignKey(
        \Subdivision.country, references: Country.self, \Country.alpha2, onDelete: .cascade)
    ]
  }

  enum CodingKeys: String, CodingKey {
    case code, name, type, parent
  }
}
