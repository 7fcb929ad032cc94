import Foundation

/// Many values as one blob, which counts as a single parameter: lists.h says how it looks and how
/// SQL gets at the values.
enum PackedValues {
  /// What stands in the parentheses of IN for a list that is bound as one blob.
  static let selection = "SELECT value FROM xt_list(?)"
  /// The table's name in it, in upper case.
  static let tableWord = "XT_LIST"

  /// SQL for one of the values of parameter 1.
  static func item(_ index: Int) -> String { "xt_item(?1, \(index))" }

  /// - Throws: `valueOutOfRange` for NaN, which can't be bound by itself either.
  static func pack(_ values: [XTValue]) throws -> XTValue {
    let headSize = 8 + values.count * 9
    var size = headSize
    for value in values {
      switch value {
      case .text(let text): size += text.utf8.count
      case .blob(let data): size += data.count
      default: break
      }
    }
    guard size <= Int32.max else {
      throw XTError(
        .valueOutOfRange, "\(values.count) values of \(size) bytes are too many for one statement",
        hint: "take them in parts")
    }
    var packed = Data(count: size)
    var end = headSize
    try packed.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: UInt32(XT_LIST_MARK), as: UInt32.self)
      bytes.storeBytes(of: UInt32(values.count), toByteOffset: 4, as: UInt32.self)
      var place = 8
      var type = 8 + values.count * 8
      func store(_ content: UnsafeRawBufferPointer) {
        bytes.storeBytes(of: UInt32(end), toByteOffset: place, as: UInt32.self)
        bytes.storeBytes(of: UInt32(content.count), toByteOffset: place + 4, as: UInt32.self)
        UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyMemory(from: content)
        end += content.count
      }
      for value in values {
        switch value {
        case .null: break
        case .integer(let number):
          bytes.storeBytes(of: number, toByteOffset: place, as: Int64.self)
        case .real(let number):
          if number.isNaN { throw notANumber }
          bytes.storeBytes(of: number, toByteOffset: place, as: Double.self)
        case .text(var text): text.withUTF8 { store(UnsafeRawBufferPointer($0)) }
        case .blob(let data): data.withUnsafeBytes(store)
        }
        bytes[type] = UInt8(truncatingIfNeeded: value.storageClass.rawValue)
        place += 8
        type += 1
      }
    }
    return .blob(packed)
  }

  private static var notANumber: XTError {
    XTError(
      .valueOutOfRange, "NaN cannot be stored, nor be in a list of values",
      hint: "nothing is equal to NaN")
  }

  /// The class of the first of packed values; nil for any other blob.
  static func firstClass(of packed: Data) -> XTStorageClass? {
    packed.withUnsafeBytes { bytes in
      guard bytes.count > 16, bytes.loadUnaligned(as: UInt32.self) == XT_LIST_MARK else {
        return nil
      }
      let count = Int(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
      guard count > 0, 8 + count * 8 < bytes.count else { return nil }
      return XTStorageClass(rawValue: Int32(bytes[8 + count * 8]))
    }
  }
}

extension Connection {
  /// Makes `xt_list` and `xt_item` known.
  func registerLists() throws {
    let code = xt_register_lists(handle)
    guard code == SQLITE_OK else { throw XTError.last(of: handle, code: code, path: path) }
  }
}
