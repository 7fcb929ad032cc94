import Foundation
import XTLite

enum AskingLevel: Int, CaseIterable {
  case low = 1
  case middle = 5
  case high = 9
}

enum Tint: String {
  case red, green
}

struct AskingPoint: Codable, Equatable {
  var x = 0
  var y = 0
}

/// A model with a property of every kind that can be asked for.
struct Sample: XTModel {
  var pkid: Int64?
  var name = "none"
  var order = 0
  var small: UInt8 = 0
  var score: Double?
  var price = Decimal()
  var cost: Decimal?
  var born = Date(timeIntervalSince1970: 0)
  var seen: Date?
  var uid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
  var level = AskingLevel.low
  var tint: Tint?
  var isMember = false
  var nick: String?
  var place: AskingPoint?
  var tags: [String] = []
  var data = Data()
  var draft = "kept out"

  static var xt_ignored: XTKeyPaths { [\Sample.draft] }

  init() {}

  init(_ name: String, _ order: Int = 0, _ change: (inout Sample) -> Void = { _ in }) {
    self.name = name
    self.order = order
    change(&self)
  }
}

/// The same columns in an object, which declares none of the automatic ones.
final class SampleObject: XTModel {
  var name = "none"
  var order = 0

  static var xt_tableName: String { "Sample" }

  init() {}

  init(_ name: String, _ order: Int = 0) {
    self.name = name
    self.order = order
  }
}
