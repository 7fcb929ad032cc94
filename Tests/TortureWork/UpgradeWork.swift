import Foundation
import XTLite

/// A program that upgrades a file, and may be killed meanwhile.
package enum UpgradeWork {
  /// How many rows the file has.
  package static let rows = 1_500

  /// Makes the file as the first version of the program left it.
  package static func makeFile(path: String) throws {
    let database = try XTDatabase(path: path)
    let crates = database.table(OldCrate.self)
    try crates.insertList(
      (1...rows).map { OldCrate(label: "crate \($0)", weight: String($0), spare: "s") })
    try database.execute(
      """
      CREATE TABLE lid (crate INTEGER REFERENCES UpgradedCrate (pkid) ON DELETE CASCADE);
      INSERT INTO lid SELECT pkid FROM UpgradedCrate;
      CREATE VIEW labels AS SELECT pkid FROM UpgradedCrate
      """)
    try database.close()
  }

  /// Brings the file to the newest version.
  ///
  /// - Parameter statement: Called with the number of each statement that begins to run.
  package static func upgrade(
    path: String, statement: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws {
    let count = Counter()
    var configuration = XTConfiguration()
    // So small that pages are written before the end.
    configuration.cacheSize = 65_536
    configuration.statementLog = { _ in statement(count.next()) }
    let database = try XTDatabase(path: path, configuration: configuration)
    try upgrade(database)
    try database.close()
  }

  /// Brings the file from its first version to its third.
  package static func upgrade(_ database: XTDatabase) throws {
    try database.upgrade {
      XTUpgrade(UpgradedCrate.self, to: 2) {
        $0.add(\.color)
        $0.change(\.weight)
        $0.drop("spare")
      }
      XTUpgrade(UpgradedCrate.self, to: 3) {
        $0.rename("label", to: \.name)
        $0.add(\.token)
        $0.fill(\.color) { row in "color of \(row["name"] as String? ?? "")" }
        $0.addIndex(\.name, unique: true)
      }
    }
  }

  private final class Counter: Sendable {
    private let queue = DispatchQueue(label: "count")
    private nonisolated(unsafe) var count = 0

    func next() -> Int {
      queue.sync {
        count += 1
        return count
      }
    }
  }
}

package struct OldCrate: XTModel {
  package var label = ""
  package var weight = ""
  package var spare = ""
  package static var xt_tableName: String { "UpgradedCrate" }

  package init() {}

  init(label: String, weight: String, spare: String) {
    self.label = label
    self.weight = weight
    self.spare = spare
  }
}

package struct UpgradedCrate: XTModel {
  package var name = ""
  package var weight = 0
  package var color = "none"
  package var token = UUID()

  package init() {}
}
