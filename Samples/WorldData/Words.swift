import XTLite

/// A language of ISO 639-3: the JSON's own properties, decoded and stored as they are. Its code is
/// its identity, so that nothing else needs to be said for an upsert.
struct Language: XTModel, Codable {
  enum Scope: String, Codable {
    case individual = "I"
    case macrolanguage = "M"
    case special = "S"
  }

  enum Kind: String, Codable {
    case living = "L"
    case extinct = "E"
    case ancient = "A"
    case historical = "H"
    case constructed = "C"
    case special = "S"
  }

  var alpha3 = ""
  var alpha2: String?
  var bibliographic: String?
  var name = ""
  var invertedName: String?
  var commonName: String?
  var scope = Scope.individual
  var type = Kind.living

  static var xt_primaryKey: XTKeyPaths { [\Language.alpha3] }
}

/// A currency of ISO 4217, as the first version of this program kept it.
struct Currency: XTModel, Decodable {
  var code = ""
  var name = ""
  var number = 0

  static var xt_tableName: String { "Currency" }
  static var xt_keywords: XTKeywordMap { [\Currency.code: .unique] }

  init() {}

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    code = try values.decode(String.self, forKey: .alpha3)
    name = try values.decode(String.self, forKey: .name)
    number = Int(try values.decode(String.self, forKey: .numeric)) ?? 0
  }

  private enum CodingKeys: String, CodingKey {
    case alpha3, name, numeric
  }
}

/// The same table as the second version of the program knows it, with two properties more.
struct CurrencyVersion2: XTModel {
  var pkid: Int64?
  var code = ""
  var name = ""
  var number = 0
  var names: [String: String] = [:]
  var isNational = true

  static var xt_tableName: String { "Currency" }
  static var xt_keywords: XTKeywordMap { [\CurrencyVersion2.code: .unique] }
}
