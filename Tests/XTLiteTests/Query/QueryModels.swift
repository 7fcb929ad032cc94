import Foundation
import XTLite

enum QueryKind: Int {
  case none, user, admin
}

enum QueryColour: String {
  case red, green
}

struct QueryHome: Codable {
  var city = ""
}

/// A model with a column of every sort that conditions care about.
struct QueryPerson: XTModel {
  var pkid: Int64?
  var name = ""
  var age = 0
  var limit = 0
  var nick: String?
  var tags: [String] = []
  var isMember = false
  var isOld = false
  var score = 0.0
  var rate: Double?
  var count: Int?
  var level: UInt8 = 0
  var kind = QueryKind.user
  var maybeKind: QueryKind?
  var colour = QueryColour.red
  var modified = Date(timeIntervalSince1970: 0)
  var seen: Date?
  var uid = UUID()
  var price = Decimal()
  var maybePrice: Decimal?
  var order = 0
  var home: QueryHome?

  var initials: String { String(name.prefix(1)) }
}

struct QueryTeam: XTModel {
  var pkid: Int64?
  var title = ""
}

class QueryVehicle: XTModel {
  var plate = ""

  required init() {}
}

final class QueryTruck: QueryVehicle {
  var load = 0
}

typealias PersonCondition = XTCondition<QueryPerson>
