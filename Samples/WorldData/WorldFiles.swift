import Foundation

/// The files that Debian's packages iso-codes and unicode-data install.
struct WorldFiles {
  struct Missing: LocalizedError {
    let path: String
    var errorDescription: String? {
      "\(path) isn't on this machine. On Debian: apt-get install iso-codes unicode-data"
    }
  }

  private static let folders = ["/usr/share", "/usr/local/share", "/opt/homebrew/share"]

  /// The values of one standard, straight from its JSON.
  func values<Value: Decodable>(_ standard: String, of type: Value.Type) throws -> [Value] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let data = try Data(contentsOf: find("iso-codes/json/iso_\(standard).json"))
    // The file is an object with one property, the standard's number.
    return try decoder.decode([String: [Value]].self, from: data).values.flatMap { $0 }
  }

  /// Every line of the Unicode Character Database.
  func codePoints() throws -> [CodePoint] {
    let text = try String(contentsOf: find("unicode/UnicodeData.txt"), encoding: .utf8)
    return text.split(separator: "\n").compactMap(CodePoint.init(line:))
  }

  /// The catalogs of translations of one standard, by locale. None is no error: small
  /// installations leave them out.
  func translations(_ standard: String) -> [String: MessageCatalog] {
    var catalogs: [String: MessageCatalog] = [:]
    for folder in Self.folders.map({ "\($0)/locale" }) {
      let locales = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for locale in locales where catalogs[locale] == nil {
        let path = "\(folder)/\(locale)/LC_MESSAGES/iso_\(standard).mo"
        guard let data = FileManager.default.contents(atPath: path) else { continue }
        catalogs[locale] = MessageCatalog(data)
      }
    }
    return catalogs
  }

  private func find(_ file: String) throws -> URL {
    let paths = Self.folders.map { "\($0)/\(file)" }
    guard let path = paths.first(where: FileManager.default.fileExists(atPath:)) else {
      throw Missing(path: paths[0])
    }
    return URL(fileURLWithPath: path)
  }
}
