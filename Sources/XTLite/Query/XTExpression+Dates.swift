import Foundation

/// The types of dates: `Date` and `Date?`.
public protocol XTMoment {
  /// What a part of a date is: `Int`, or `Int?` where the date may be nil.
  associatedtype XTPart = Int
  /// What a text of a date is.
  associatedtype XTDateText = String
}

extension Date: XTMoment {}

extension Optional: XTMoment where Wrapped == Date {
  /// Nil where the date is.
  public typealias XTPart = Int?
  /// Nil where the date is.
  public typealias XTDateText = String?
}

// Parts of dates in a time zone's Gregorian calendar. SQLite knows UTC and the machine's own zone
// only, so these are functions of XTLite's own.
extension XTExpressible where Value: XTMoment {
  /// The year.
  ///
  /// ```swift
  /// let zone = TimeZone(identifier: "Asia/Shanghai") ?? .gmt
  /// let year = Message.xt.createTime.year(in: zone)
  /// try Message.xt_select(year, Message.xt.countAll(), groupBy: year)
  /// ```
  public func year(in zone: TimeZone = .gmt) -> XTExpression<Value.XTPart> { part(.year, zone) }
  /// The month, 1 to 12.
  public func month(in zone: TimeZone = .gmt) -> XTExpression<Value.XTPart> { part(.month, zone) }
  /// The day of the month, 1 to 31.
  public func day(in zone: TimeZone = .gmt) -> XTExpression<Value.XTPart> { part(.day, zone) }
  /// The day of the week, 1 for Sunday to 7 for Saturday, as in Foundation.
  public func weekday(in zone: TimeZone = .gmt) -> XTExpression<Value.XTPart> {
    part(.weekday, zone)
  }
  /// The hour, 0 to 23.
  public func hour(in zone: TimeZone = .gmt) -> XTExpression<Value.XTPart> { part(.hour, zone) }
  /// The minute, 0 to 59.
  public func minute(in zone: TimeZone = .gmt) -> XTExpression<Value.XTPart> {
    part(.minute, zone)
  }
  /// The second, 0 to 59.
  public func second(in zone: TimeZone = .gmt) -> XTExpression<Value.XTPart> {
    part(.second, zone)
  }

  /// The day as text, "2026-07-31", by which days are grouped.
  public func dayText(in zone: TimeZone = .gmt) -> XTExpression<Value.XTDateText> {
    XTExpression(call(.date, zone))
  }

  /// The date in UTC by a format of SQLite's strftime: `"%Y-%m"`.
  public func strftime(_ format: String) -> XTExpression<String?> {
    XTExpression(.call("strftime", [.value(format), node, SQLNode("'unixepoch'")]))
  }

  /// The date so many seconds later.
  public func adding(seconds: Double) -> XTExpression<Value> {
    XTExpression(.infix(node, "+", .value(seconds), .additive))
  }

  /// The seconds from another date to this one; nil where one of them is.
  public func seconds<Other: XTArgument>(since other: Other) -> XTExpression<Double?>
  where Other.Value: XTMoment {
    XTExpression(.infix(node, "-", other.argument, .additive))
  }

  private func part(_ part: DateParts, _ zone: TimeZone) -> XTExpression<Value.XTPart> {
    XTExpression(call(part, zone))
  }

  private func call(_ part: DateParts, _ zone: TimeZone) -> SQLNode {
    .call(part.functionName, [node, .value(zone.identifier)])
  }
}
