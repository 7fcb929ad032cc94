import Foundation
import XTLite

/// A program that puts another file in the place of a database's, and may be killed meanwhile.
package enum ExchangeWork {
  /// How many rows the file has.
  package static let rows = 2_000

  package static func open(path: String, key: XTKey?) throws -> XTDatabase {
    var configuration = XTConfiguration()
    configuration.key = key
    configuration.busyTimeout = 20
    return try XTDatabase(path: path, configuration: configuration)
  }

  /// Makes a file all of whose rows have this text.
  package static func makeFile(path: String, key: XTKey?, text: String) throws {
    let database = try open(path: path, key: key)
    try database.table(Exchanged.self).insertList((0..<rows).map { _ in Exchanged(text) })
    try database.execute("CREATE INDEX by_text ON Exchanged (text)")
    try database.close()
  }

  package static func changeKey(path: String, from old: XTKey?, to new: XTKey?) throws {
    let database = try open(path: path, key: old)
    try database.changeKey(to: new)
    try database.close()
  }

  /// Opens a file that may be damaged, and is salvaged then.
  package static func openSalvaging(path: String) throws {
    var configuration = XTConfiguration()
    configuration.salvageOnDamage()
    let database = try XTDatabase(path: path, configuration: configuration)
    try database.close()
  }

  package static func restore(path: String, from backup: String) throws {
    let database = try open(path: path, key: XTKey.initial)
    try database.restore(from: backup)
    try database.close()
  }
}

package struct Exchanged: XTModel {
  package var text = ""
  package var blob = Data(repeating: 7, count: 400)

  package init() {}

  init(_ text: String) {
    self.text = text
  }
}
