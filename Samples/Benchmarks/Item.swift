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
}

/// The same as an object that declares its pkid.
final class PlainObject: XTModel {
  var pkid: Int64?
  var name = ""
  var score = 0.0
  var age = 0
  var createTime: Int64 = 0
  var note = ""
  var data = Data()
  var flag = false
  var nick: String?

  init() {}
}

/// The same as an object that declares no automatic column: XTLite keeps them beside it.
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
}

/// What the hand-written loops need to know of the three.
protocol BenchItem: XTModel {
  var name: String { get set }
  var score: Double { get set }
  var age: Int { get set }
  var createTime: Int64 { get set }
  var note: String { get set }
  var data: Data { get set }
  var flag: Bool { get set }
  var nick: String? { get set }

  /// Reads the nine columns of the current row, pkid first.
  init(row statement: OpaquePointer) throws

  /// An object that has a place for its pkid learns it.
  func wasInserted(pkid: Int64)
}

extension Item: BenchItem {}
extension PlainObject: BenchItem {
  @inline(__always)
  func wasInserted(pkid: Int64) { self.pkid = pkid }
}
extension ItemObject: BenchItem {}

extension BenchItem {
  @inline(__always)
  func wasInserted(pkid: Int64) {}

  @inline(__always)
  static func make(_ count: Int) -> [Self] {
    (0..<count).map { index in
      var item = Self()
      item.name = "item number \(1_000_000 + index)"
      item.score = Double(index) * 0.5
      item.age = index % 100
      item.createTime = 1_700_000_000_000 + Int64(index)
      item.note = String(repeating: "note \(index % 10) of the item, ", count: 5)
      item.data = Data(String(format: "%032d", index).utf8)
      item.flag = index.isMultiple(of: 3)
      item.nick = index.isMultiple(of: 2) ? "nick \(index)" : nil
      return item
    }
  }

  /// A number that two programs which read the same rows agree on.
  @inline(__always)
  static func checksum(_ items: [Self]) -> Int {
    items.reduce(items.count) { $0 &+ $1.checksum }
  }

  @inline(__always)
  var checksum: Int {
    name.utf8.count &+ Int(score) &+ age &+ Int(truncatingIfNeeded: createTime)
      &+ note.utf8.count &+ data.count &+ (flag ? 1 : 0) &+ (nick?.utf8.count ?? 0)
  }
}
