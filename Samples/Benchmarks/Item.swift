import Foundation
import XTLite

/// What every workload stores.
struct Item: XTModel, Equatable {
  var pkid: Int64?
  var name = ""
  var score = 0.0
  var age = 0
  var createTime: Int64 = 0
  var note = ""
  var data = Data()
  var flag = false
  var nick: String?

  static func make(_ count: Int) -> [Item] {
    (0..<count).map { index in
      Item(
        name: "item number \(1_000_000 + index)", score: Double(index) * 0.5, age: index % 100,
        createTime: 1_700_000_000_000 + Int64(index),
        note: String(repeating: "note \(index % 10) of the item, ", count: 5),
        data: Data((0..<32).map { UInt8(truncatingIfNeeded: index &* 31 &+ $0) }),
        flag: index.isMultiple(of: 3), nick: index.isMultiple(of: 2) ? "nick \(index)" : nil)
    }
  }

  /// A number that two programs which read the same rows agree on.
  static func checksum(_ items: [Item]) -> Int {
    items.reduce(items.count) { $0 &+ $1.checksum }
  }

  var checksum: Int {
    Int(pkid ?? 0) &+ name.utf8.count &+ Int(score) &+ age &+ Int(truncatingIfNeeded: createTime)
      &+ note.utf8.count &+ data.count &+ (flag ? 1 : 0) &+ (nick?.utf8.count ?? 0)
  }
}

/// The same as an object that declares no automatic column.
final class ItemObject: XTModel {
  var name = ""
  var score = 0.0
  var age = 0
  var createTime: Int64 = 0
  var note = ""
  var data = Data()
  var flag = false
  var nick: String?

  init() {}

  convenience init(_ item: Item) {
    self.init()
    name = item.name
    score = item.score
    age = item.age
    createTime = item.createTime
    note = item.note
    data = item.data
    flag = item.flag
    nick = item.nick
  }
}
