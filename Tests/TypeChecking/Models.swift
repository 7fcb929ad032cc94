import Foundation
import XTLite

// Two hundred queries of all sorts, in one file: how long the compiler takes over them is looked at
// by `make type-checking`, which warns of each that takes more than 200 ms.

enum QueryKind: String { case plain, special }

struct Message: XTModel {
  var localID = 0
  var createTime = Date()
  var modifiedTime = Date()
  var content: String?
  var city = ""
  var name = ""
  var age = 0
  var limit = 0
  var count = 0
  var score = 0.0
  var rate: Double?
  var flag = false
  var kind = QueryKind.plain
  var home: [String: String] = [:]
  var tags: [String] = []
}

struct Order: XTModel {
  var userID: Int64 = 0
  var total = 0.0
}

struct User: XTModel {
  var pkid: Int64?
  var name = ""
  var age = 0
}

struct City: XTModel {
  var name = ""
  var userID: Int64 = 0
}

typealias M = Message
