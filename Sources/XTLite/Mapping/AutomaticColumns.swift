import Foundation

/// The automatic columns of a row, for a model that declares them as one property.
///
/// ```swift
/// struct Note: XTModel {
///   var meta = XTMeta()
///   var text = ""
/// }
/// ```
public struct XTMeta: Hashable, Sendable, Codable {
  /// The row's number; nil until the model is inserted.
  public var pkid: Int64?
  /// When the row was first inserted.
  public var createTime: Date?
  /// When the row was last written.
  public var updateTime: Date?
  /// Whether the row is softly deleted.
  public var isDel: Bool

  /// The automatic columns of a row; by default those of a model that is in no table.
  public init(
    pkid: Int64? = nil, createTime: Date? = nil, updateTime: Date? = nil, isDel: Bool = false
  ) {
    self.pkid = pkid
    self.createTime = createTime
    self.updateTime = updateTime
    self.isDel = isDel
  }
}

/// What a column is for: one of the four that every table has, or a property of the model.
enum ColumnRole: Int, Sendable, CaseIterable {
  case pkid, createTime, updateTime, isDel, property

  /// The name of the column, and of the stored property that declares it.
  var automaticName: String? {
    switch self {
    case .pkid: "pkid"
    case .createTime: "xt_createTime"
    case .updateTime: "xt_updateTime"
    case .isDel: "xt_isDel"
    case .property: nil
    }
  }

  /// The column's name as it stands in SQL; of a property there is none.
  var quotedName: String { quoted(automaticName ?? "") }

  static let automatic: [ColumnRole] = [.pkid, .createTime, .updateTime, .isDel]

  init(propertyName: String) {
    self = Self.automatic.first { $0.automaticName == propertyName } ?? .property
  }

  /// What a member of ``XTMeta`` stands for.
  init?(metaName: String) {
    switch metaName {
    case "pkid": self = .pkid
    case "createTime": self = .createTime
    case "updateTime": self = .updateTime
    case "isDel": self = .isDel
    default: return nil
    }
  }

  /// The type of an automatic column that a model does not declare.
  var type: Any.Type {
    switch self {
    case .pkid: Int64?.self
    case .createTime, .updateTime: Date?.self
    case .isDel, .property: Bool.self
    }
  }

  /// Whether a stored property of this type can hold the column.
  func accepts(_ type: ColumnType) -> Bool {
    switch self {
    case .pkid: type.isInteger
    case .createTime, .updateTime: type.kind == .date || type.kind == .double
    case .isDel: type.kind == .bool
    case .property: true
    }
  }
}

extension XTModel where Self: AnyObject {
  /// The number of the object's row; nil until it is inserted. Kept beside the object where its
  /// class declares no property of this name.
  ///
  /// Setting it makes the next insert use that number, and makes update and delete go to that row.
  public var pkid: Int64? {
    get {
      if let kept = ObjectKeeper.shared.row(of: self)?.pkid { return kept }
      guard let column = try? ModelMapping.of(type(of: self)).declared(.pkid),
        let number = value(of: column)?.int64
      else { return nil }
      return number == 0 && !column.isOptional ? nil : number
    }
    set {
      let value = newValue.map(XTValue.integer)
      if declare(value ?? .null, .pkid) || (value == nil && declare(0, .pkid)) { return }
      ObjectKeeper.shared.update(self) {
        $0.pkid = newValue
        $0.database = 0
      }
    }
  }

  /// When the object's row was first inserted; nil until then.
  public var xt_createTime: Date? {
    ObjectKeeper.shared.row(of: self)?.createTime.map { Date(timeIntervalSince1970: $0) }
      ?? declared(.createTime)?.double.map { Date(timeIntervalSince1970: $0) }
  }

  /// When the object's row was last written; nil until it is inserted.
  public var xt_updateTime: Date? {
    ObjectKeeper.shared.row(of: self)?.updateTime.map { Date(timeIntervalSince1970: $0) }
      ?? declared(.updateTime)?.double.map { Date(timeIntervalSince1970: $0) }
  }

  /// Whether the object's row is softly deleted, as far as the object knows.
  public var xt_isDel: Bool {
    declared(.isDel).map { $0.int64 == 1 } ?? ObjectKeeper.shared.row(of: self)?.isDeleted ?? false
  }

  private func declared(_ role: ColumnRole) -> XTValue? {
    (try? ModelMapping.of(type(of: self)).declared(role)).flatMap(value)
  }

  private func value(of column: Column) -> XTValue? {
    guard let access = column.access else { return nil }
    return withExtendedLifetime(self) { try? access.value(from: objectMemory(self)) }
  }

  private func declare(_ value: XTValue, _ role: ColumnRole) -> Bool {
    guard let access = try? ModelMapping.of(type(of: self)).declared(role)?.access else {
      return false
    }
    return withExtendedLifetime(self) {
      let memory = UnsafeMutableRawPointer(mutating: objectMemory(self))
      return (try? access.store(ValueInHand(value: value), in: memory, assigning: true)) != nil
    }
  }
}
