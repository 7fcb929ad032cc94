import Testing

@testable import XTLite

extension SharedDatabaseTests {
  @Suite struct UpgradeConfigureTests {
    @Test func configure_withUpgrades_runsThemBeforeAnythingIsAdded() throws {
      struct Coat: XTModel {
        var name = ""
        var shade = "grey"
        static var xt_tableName: String { "UpCoat" }
      }
      let folder = try TemporaryFolder()
      let path = folder.path("coats.sqlite")
      do {
        let other = try Connection(ConnectionSettings(path: path))
        defer { other.close() }
        try other.executeScript(
          "CREATE TABLE UpCoat (pkid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, tone TEXT,"
            + " xt_createTime REAL, xt_updateTime REAL, xt_isDel BOOLEAN NOT NULL DEFAULT 0);"
            + "INSERT INTO UpCoat (name, tone) VALUES ('a', 'red')")
      }
      let database = try XTDatabase.configure(path: path) {
        XTUpgrade(Coat.self, to: 2) { $0.rename("tone", to: \.shade) }
      }
      #expect(try Coat.xt_findAll().map(\.shade) == ["red"])
      // One that fails leaves the shared database as it was.
      #expect(throws: XTError.self) {
        try XTDatabase.configure(path: folder.path("other.sqlite")) {
          XTUpgrade(Coat.self, to: 0) { $0.drop("tone") }
        }
      }
      #expect(try XTDatabase.shared === database)
    }
  }
}
