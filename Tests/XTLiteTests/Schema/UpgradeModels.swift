import Foundation

@testable import XTLite

// One model through five versions; the newest is what steps are written for.

struct UpMember1: XTModel {
  var name = ""
  var nick = ""
  var age = ""
  var legacy = "old"
  static var xt_tableName: String { "UpMember" }
}

struct UpMember2: XTModel {
  var name = ""
  var nickname = ""
  var age = ""
  var legacy = "old"
  var email = ""
  static var xt_tableName: String { "UpMember" }
}

struct UpMember3: XTModel {
  var name = ""
  var nickname: String?
  var age = 0
  var email = ""
  var token = UUID()
  static var xt_tableName: String { "UpMember" }
}

struct UpMember: XTModel {
  var name = ""
  var nickname: String?
  var age = 0
  var email = ""
  var token = UUID()
  var team: Int64?
  static var xt_keywords: XTKeywordMap {
    [\UpMember.age: "CHECK (age >= 0)", \UpMember.email: .noCase]
  }
  static var xt_indexes: [XTIndex] { [XTIndex(\UpMember.name)] }
  static var xt_constraints: [XTConstraint] {
    [.foreignKey(\UpMember.team, references: UpMemberTeam.self, onDelete: .cascade)]
  }
}

struct UpMemberTeam: XTModel {
  var title = ""
}

enum UpMemberUpgrades {
  @XTUpgradeBuilder static func all(to version: Int = 5) -> [XTUpgrade] {
    if version >= 2 {
      XTUpgrade(UpMember.self, to: 2) {
        $0.add(\.email)
        $0.rename("nick", to: \.nickname)
      }
    }
    if version >= 3 {
      XTUpgrade(UpMember.self, to: 3) {
        $0.change(\.age, \.nickname)
        $0.drop("legacy")
        $0.add(\.token)
        $0.fill(\.email) { row in "\(row["name"] as String? ?? "")@example.org" }
      }
    }
    if version >= 4 {
      XTUpgrade(UpMember.self, to: 4) {
        $0.add(\.team)
        $0.addIndex(\.name)
      }
    }
    if version >= 5 {
      XTUpgrade(UpMember.self, to: 5) {
        $0.change(\.age, \.email)
        $0.run("UPDATE UpMember SET age = age + 100")
      }
    }
  }
}

/// The columns of a table by name: type, nullability, default and key.
func declaredColumns(_ database: TestDatabase, _ table: String) throws -> [String] {
  try database.seen("PRAGMA table_info(\(quoted(table)))").map {
    $0.split(separator: "|", omittingEmptySubsequences: false).dropFirst().joined(separator: "|")
  }.sorted()
}
