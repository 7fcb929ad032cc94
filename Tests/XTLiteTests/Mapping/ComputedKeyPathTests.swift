import Foundation
import Testing

@testable import XTLite

@Suite struct ComputedKeyPathTests {
  private class Span: XTModel {
    var lo = 0
    var hi = 10
    required init() {}
    var count: Int { (lo...hi).count }
  }

  private struct Price: XTModel {
    var price = 10
    var tax = 0
    var discount = 0
    var tenth: Int { 1000 / (price - 90) }
    var total: Int { price + tax - discount }
    var size: Int { abs(price) }
    var owed: Int { max(0, price) }
    var other: Int { tax == discount ? price : tax }
    var same: Int {
      get { price }
      set { price = newValue }
    }
  }

  private struct Called: XTModel {
    var nick = ""
    var name = ""
    var isHidden = false
    var isPinned = false
    var display: String { nick.isEmpty ? name : nick }
    var trimmed: String { name.trimmingCharacters(in: .whitespaces) }
    var isShown: Bool { !isHidden }
    var isEither: Bool { isHidden || isPinned }
    var isPlain: Bool { isHidden == isPinned }
    var forwarded: String { name }
  }

  @propertyWrapper private struct Clamped: Codable {
    var value = 5
    var limit = 100
    var wrappedValue: Int {
      get { value }
      set { value = min(newValue, limit) }
    }
  }

  private struct Wrapped: XTModel {
    @Clamped var level: Int
    init() {}
  }

  private func column<Model: XTModel>(_ keyPath: PartialKeyPath<Model>) throws -> String {
    try ModelMapping.of(Model.self).column(for: keyPath).name
  }

  private func isRefused<Model: XTModel>(_ keyPath: PartialKeyPath<Model>) -> Bool {
    let error = #expect(throws: XTError.self) { try column(keyPath) }
    return error?.kind == .unknownColumn
  }

  @Test func getter_thatWouldTrapOnOtherValues_isNotCalledWithThem() {
    #expect(isRefused(\Span.count))
    #expect(isRefused(\Price.tenth))
  }

  @Test func computedProperty_ofSeveralStoredOnes_isNoColumn() {
    #expect(isRefused(\Price.total))
    #expect(isRefused(\Price.other))
    #expect(isRefused(\Called.display))
    #expect(isRefused(\Called.isEither))
    #expect(isRefused(\Called.isPlain))
  }

  @Test func computedProperty_thatChangesSomeValuesOnly_isNoColumn() {
    #expect(isRefused(\Price.size))
    #expect(isRefused(\Price.owed))
    #expect(isRefused(\Called.trimmed))
    #expect(isRefused(\Called.isShown))
  }

  @Test func computedProperty_thatForwards_isTheStoredOne() throws {
    #expect(try column(\Price.same) == "price")
    #expect(try column(\Called.forwarded) == "name")
  }

  @Test func wrapperOfSeveralFields_whoseColumnHoldsAllOfThem_isNotComparedByOne() throws {
    #expect(isRefused(\Wrapped.level))
    #expect(try ModelMapping.of(Wrapped.self).columns.map(\.name) == ["level"])
  }
}
