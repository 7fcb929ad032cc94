import Foundation

/// Stored values that mean others than themselves, in some columns of one table. Asked only where a
/// value does not fit its property.
struct StandIns: Sendable {
  /// Columns in which NULL stands for what a fresh `init()` gives.
  let fresh: Set<ObjectIdentifier>
  /// Columns of XTFMDB's in which empty text stands for nothing, and base64 for bytes.
  let texts: Set<ObjectIdentifier>

  init(fresh: [Column] = [], texts: [Column] = []) {
    self.fresh = Set(fresh.map(ObjectIdentifier.init))
    self.texts = Set(texts.map(ObjectIdentifier.init))
  }

  /// Whether NULL in `column` stands for what a fresh `init()` gives.
  func readsNullAsFresh(_ column: Column) -> Bool { fresh.contains(ObjectIdentifier(column)) }

  /// What `stored` stands for in `column`; nil where it is only itself.
  @inline(never)
  func meaning(
    of stored: some StoredValue, in column: Column, _ mapping: ModelMapping
  ) -> XTValue? {
    switch stored.storageClass {
    case .null: readsNullAsFresh(column) ? try? mapping.freshValue(of: column) : nil
    case .text where texts.contains(ObjectIdentifier(column)):
      stored.withText { text in
        if text.isEmpty { return nothing(in: column, mapping) }
        return column.type.isJSON ? nil : Self.bytes(ofBase64: text).map(XTValue.blob)
      }
    default: nil
    }
  }

  private func nothing(in column: Column, _ mapping: ModelMapping) -> XTValue? {
    if column.isOptional { return .null }
    return column.type.kind == .data ? .blob(Data()) : try? mapping.freshValue(of: column)
  }

  /// The bytes of a text in base64, broken into lines or not; nil where it is none.
  static func bytes(ofBase64 text: some Sequence<UInt8>) -> Data? {
    Data(base64Encoded: Data(text.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }))
  }
}
