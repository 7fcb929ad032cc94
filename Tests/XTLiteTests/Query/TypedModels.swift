import Foundation

@testable import XTLite

struct TypedHome: Codable, Equatable {
  var city = ""
  var rooms: [Int] = []
}

enum TypedKind: String {
  case plain, special
}

/// A model with a column of every sort that expressions care about. Its own integer key stands in
/// pkid's place.
struct TypedMessage: XTModel {
  var localID = 0
  var content: String?
  var city = ""
  var name = ""
  var age = 0
  var limit = 0
  var count = 0
  var score = 0.0
  var rate: Double?
  var price = Decimal()
  var kind = TypedKind.plain
  var flag = false
  var level: Int8 = 0
  var createTime = Date(timeIntervalSince1970: 0)
  var modifiedTime = Date(timeIntervalSince1970: 0)
  var home: TypedHome?
  var tags: [String] = []
  var uid = UUID(uuidString: "00000000-0000-0000-0000-000000000001") ?? UUID()

  static var xt_tableName: String { "Message" }
  static var xt_primaryKey: XTKeyPaths { [\TypedMessage.localID] }
}

struct TypedUser: XTModel {
  var pkid: Int64?
  var name = ""
  var age = 0
  var bossID: Int64?

  static var xt_tableName: String { "User" }
}

struct TypedOrder: XTModel {
  var pkid: Int64?
  var userID: Int64 = 0
  var total = 0.0

  static var xt_tableName: String { "Order" }
}

struct TypedCity: XTModel {
  var name = ""
  var userID: Int64 = 0

  static var xt_tableName: String { "City" }
}

final class TypedVehicle: XTModel {
  var plate = ""
  var wheels = 4

  static var xt_tableName: String { "Vehicle" }
  init() {}
}

extension TestDatabase {
  /// A database with these messages, users and orders.
  static func typed() throws -> TestDatabase {
    let sut = try TestDatabase()
    let date = Date(timeIntervalSince1970: 1_785_500_000)
    try sut.table(TypedMessage.self).insertList([
      TypedMessage(
        content: "Hello World", city: "Paris", name: "Ann", age: 20, limit: 30, count: 1,
        score: 1.5, rate: 2.5, price: 9.5, flag: true, createTime: date,
        home: TypedHome(city: "上海", rooms: [1, 2]), tags: ["a", "b"]),
      TypedMessage(
        content: nil, city: "Paris", name: "bob", age: 30, limit: 100, count: 2, score: 2.25,
        rate: nil, price: 10, kind: .special, level: 100, createTime: date + 86_400),
      TypedMessage(
        content: "50% off_", city: "Rome", name: "ÉMILE", age: 40, limit: 10, count: 3,
        score: -3, rate: 1, price: 100.25, createTime: date + 2 * 86_400),
    ])
    try sut.table(TypedUser.self).insertList([
      TypedUser(name: "Ann", age: 20), TypedUser(name: "Bob", age: 17, bossID: 1),
      TypedUser(name: "Cid", age: 50, bossID: 2),
    ])
    try sut.table(TypedOrder.self).insertList([
      TypedOrder(userID: 1, total: 5), TypedOrder(userID: 1, total: 7),
      TypedOrder(userID: 3, total: 11), TypedOrder(userID: 9, total: 13),
    ])
    return sut
  }
}
