/// A function that stands over a window of rows only: `XTWindow.rowNumber()`. SQLite 3.25.
///
/// ```swift
/// XTWindow.rank().over(partitionBy: Track.xt.albumID, orderBy: .desc(Track.xt.seconds))
/// ```
public struct XTWindow<Value>: Sendable {
  private let call: SQLNode

  fileprivate init(_ name: String, _ arguments: SQLNode..., collation: String? = nil) {
    call = .call(name, arguments, collation: collation)
  }

  /// The function over a window.
  ///
  /// - Parameters:
  ///   - groups: what is the same in all rows of a window; all rows where there is none.
  ///   - orders: how the rows of a window are sorted.
  ///   - frame: which of them count.
  public func over(
    partitionBy groups: any XTExpressible..., orderBy orders: XTOrdering...,
    frame: XTFrame? = nil
  ) -> XTExpression<Value> {
    XTExpression(.over(call, groups, orders, frame))
  }
}

extension XTWindow where Value == Int {
  /// The row's number in its window, from 1.
  public static func rowNumber() -> XTWindow { XTWindow("row_number") }
  /// The row's rank, with gaps behind equal ones.
  public static func rank() -> XTWindow { XTWindow("rank") }
  /// The row's rank, without gaps.
  public static func denseRank() -> XTWindow { XTWindow("dense_rank") }
  /// Which of so many parts, as equal as can be, the row is in, from 1.
  public static func ntile(_ parts: Int) -> XTWindow { XTWindow("ntile", .value(parts)) }
}

extension XTWindow where Value == Double {
  /// The row's rank as a number from 0 to 1.
  public static func percentRank() -> XTWindow { XTWindow("percent_rank") }
  /// The part of the rows that are not behind this one, from 0 to 1.
  public static func cumeDist() -> XTWindow { XTWindow("cume_dist") }
}

extension XTExpressible {
  /// The value in a row before this one; nil where there is none.
  public func lag(_ offset: Int = 1) -> XTWindow<Value?> {
    XTWindow<Value?>("lag", node, .value(offset), collation: node.collation)
  }

  /// The value in a row before this one; another one where there is no such row.
  public func lag(_ offset: Int = 1, default value: Value) -> XTWindow<Value> {
    XTWindow("lag", node, .value(offset), .value(value), collation: node.collation)
  }

  /// The value in a row behind this one; nil where there is none.
  public func lead(_ offset: Int = 1) -> XTWindow<Value?> {
    XTWindow<Value?>("lead", node, .value(offset), collation: node.collation)
  }

  /// The value in a row behind this one; another one where there is no such row.
  public func lead(_ offset: Int = 1, default value: Value) -> XTWindow<Value> {
    XTWindow("lead", node, .value(offset), .value(value), collation: node.collation)
  }

  /// The value in the first row of the frame.
  public func firstValue() -> XTWindow<Value> {
    XTWindow("first_value", node, collation: node.collation)
  }

  /// The value in the last row of the frame.
  public func lastValue() -> XTWindow<Value> {
    XTWindow("last_value", node, collation: node.collation)
  }

  /// The value in the n-th row of the frame, from 1; nil where there are fewer.
  public func nthValue(_ number: Int) -> XTWindow<Value?> {
    XTWindow<Value?>("nth_value", node, .value(number), collation: node.collation)
  }
}

extension XTExpressible where Value: XTOptional {
  /// The value in a row before this one; nil where there is none.
  public func lag(_ offset: Int = 1) -> XTWindow<Value> {
    XTWindow("lag", node, .value(offset), collation: node.collation)
  }

  /// The value in a row behind this one; nil where there is none.
  public func lead(_ offset: Int = 1) -> XTWindow<Value> {
    XTWindow("lead", node, .value(offset), collation: node.collation)
  }

  /// The value in the n-th row of the frame, from 1; nil where there are fewer.
  public func nthValue(_ number: Int) -> XTWindow<Value> {
    XTWindow("nth_value", node, .value(number), collation: node.collation)
  }
}

/// An order of the rows in a window: `.desc(Track.xt.seconds)`.
public struct XTOrdering: Sendable {
  let node: OrderNode

  /// Smallest first.
  public static func asc(_ term: some XTExpressible, nulls: XTNulls? = nil) -> XTOrdering {
    XTOrdering(node: OrderNode(node: term.node, isDescending: false, nulls: nulls))
  }

  /// Largest first.
  public static func desc(_ term: some XTExpressible, nulls: XTNulls? = nil) -> XTOrdering {
    XTOrdering(node: OrderNode(node: term.node, isDescending: true, nulls: nulls))
  }
}

/// Which rows of a window count.
public struct XTFrame: Sendable {
  /// Where a frame begins or ends.
  public enum Bound: Sendable {
    /// At the window's first row.
    case unboundedPreceding
    /// So many rows before this one; of a range, so much less.
    case preceding(Int)
    /// At this row.
    case currentRow
    /// So many rows behind this one; of a range, so much more.
    case following(Int)
    /// At the window's last row.
    case unboundedFollowing

    fileprivate var isOffset: Bool {
      switch self {
      case .preceding, .following: true
      default: false
      }
    }

    fileprivate var text: String {
      switch self {
      case .unboundedPreceding: "UNBOUNDED PRECEDING"
      case .preceding(let count): "\(count) PRECEDING"
      case .currentRow: "CURRENT ROW"
      case .following(let count): "\(count) FOLLOWING"
      case .unboundedFollowing: "UNBOUNDED FOLLOWING"
      }
    }
  }

  fileprivate let text: String
  fileprivate let need: LibraryNeed

  /// Rows by their place.
  public static func rows(_ start: Bound, _ end: Bound) -> XTFrame {
    XTFrame(text: "ROWS BETWEEN \(start.text) AND \(end.text)", need: .windows)
  }

  /// Rows by the value that they are sorted by: `preceding(5)` is all whose value is at most 5 less.
  /// Such a bound needs SQLite 3.28 and an order by one number.
  public static func range(_ start: Bound, _ end: Bound) -> XTFrame {
    XTFrame(
      text: "RANGE BETWEEN \(start.text) AND \(end.text)",
      need: start.isOffset || end.isOffset ? .rangeOffsets : .windows)
  }
}

extension SQLNode {
  static func over(
    _ call: SQLNode, _ groups: [any XTExpressible], _ orders: [XTOrdering], _ frame: XTFrame?
  ) -> SQLNode {
    var pieces: [Piece] = [.node(call, atLeast: .unknown), .text(" OVER (")]
    var isFirst = true
    func begin(_ words: String) {
      pieces.append(.text((isFirst ? "" : " ") + words))
      isFirst = false
    }
    if !groups.isEmpty {
      begin("PARTITION BY ")
      pieces += list(groups.map(\.node.compared))
    }
    for (index, order) in orders.enumerated() {
      if index == 0 { begin("ORDER BY ") } else { pieces.append(.text(", ")) }
      pieces.append(.order(order.node))
    }
    if let frame { begin(frame.text) }
    return SQLNode(
      pieces + [.text(")")], collation: call.collation, need: frame?.need ?? .windows)
  }
}
