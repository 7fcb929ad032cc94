/// An SQL function of the program's own, for ``XTConfiguration/add(_:)-(XTFunction)``: every
/// connection of the database has it.
///
/// ```swift
/// var configuration = XTConfiguration()
/// configuration.add(
///   XTFunction("initial", arguments: 1, deterministic: true) { values in
///     values[0].string.map { .text(String($0.prefix(1))) } ?? .null
///   })
/// // SELECT initial(name) FROM Person
/// ```
///
/// The closures are called by whichever thread runs the statement, several at a time where several
/// read. An error that they throw ends the statement, which throws it as an ``XTError`` with the
/// same message. A result that is NaN is such an error too: SQLite would make NULL of it.
///
/// A function that stands in the definition of a table, an index, a view or a trigger shuts every
/// other program out of it.
public struct XTFunction: Sendable {
  /// The name in SQL, where upper and lower case of A to Z are the same.
  public let name: String
  /// How many arguments it takes; nil for any number.
  public let arguments: Int?

  enum Body: Sendable {
    case scalar(deterministic: Bool, @Sendable ([XTValue]) throws -> XTValue)
    case aggregate(@Sendable () -> Accumulation)
  }

  let body: Body
  let stamp = Stamp()

  /// A function that gives a value for each row.
  ///
  /// - Parameters:
  ///   - name: Not one that begins with `xt_`. One of SQLite's own with as many arguments is
  ///     replaced.
  ///   - arguments: How many it takes, 0 to 127, so that `body` gets as many; nil for any number.
  ///   - deterministic: Whether equal arguments always give an equal result. SQLite then calls it
  ///     less often, and takes it in an index.
  ///   - body: Is given the arguments.
  public init(
    _ name: String, arguments: Int? = nil, deterministic: Bool = false,
    _ body: @escaping @Sendable ([XTValue]) throws -> XTValue
  ) {
    self.name = name
    self.arguments = arguments
    self.body = .scalar(deterministic: deterministic, body)
  }

  /// A function that gives one value for the rows of a group, as `sum` and `max` do.
  ///
  /// ```swift
  /// XTFunction(aggregate: "longest", arguments: 1, from: "") { longest, values in
  ///   if let text = values[0].string, text.count > longest.count { longest = text }
  /// } result: { longest in
  ///   .text(longest)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: As for ``init(_:arguments:deterministic:_:)``.
  ///   - arguments: How many it takes, 0 to 127; nil for any number.
  ///   - start: What a group begins with; made anew for each one.
  ///   - step: Called for each row with the group's state and the arguments.
  ///   - result: What a group's state amounts to; of `start` where there was no row.
  public init<State>(
    aggregate name: String, arguments: Int? = nil,
    from start: @autoclosure @escaping @Sendable () -> State,
    step: @escaping @Sendable (inout State, [XTValue]) throws -> Void,
    result: @escaping @Sendable (State) throws -> XTValue
  ) {
    self.name = name
    self.arguments = arguments
    body = .aggregate { StateAccumulation(start(), step, result) }
  }

  /// Whether the other takes its place, as the same name with as many arguments does.
  func isReplaced(by other: XTFunction) -> Bool {
    arguments == other.arguments && SQLiteName(name) == SQLiteName(other.name)
  }

  /// - Throws: Why SQLite or the library can't take it.
  func validate() throws {
    try SQLiteName.check(name, of: "function")
    if let arguments, !(0...127).contains(arguments) {
      throw XTError(
        .sqlite, "a function of \(arguments) arguments: \(name)",
        hint: "0 to 127, or nil for any number")
    }
  }
}

/// Tells two values apart that were made with the same name.
final class Stamp: Sendable {}

/// An aggregate's state for one group.
class Accumulation {
  /// Set where a step threw: there is no result then.
  var hasFailed = false

  func step(_ values: [XTValue]) throws {}
  /// Undoes a step, the oldest one that was not taken back yet.
  func takeBack(_ values: [XTValue]) throws {}
  func result() throws -> XTValue { .null }
}

private final class StateAccumulation<State>: Accumulation {
  private var state: State
  private let stepBody: @Sendable (inout State, [XTValue]) throws -> Void
  private let resultBody: @Sendable (State) throws -> XTValue

  init(
    _ state: State, _ step: @escaping @Sendable (inout State, [XTValue]) throws -> Void,
    _ result: @escaping @Sendable (State) throws -> XTValue
  ) {
    self.state = state
    stepBody = step
    resultBody = result
  }

  override func step(_ values: [XTValue]) throws { try stepBody(&state, values) }
  override func result() throws -> XTValue { try resultBody(state) }
}
