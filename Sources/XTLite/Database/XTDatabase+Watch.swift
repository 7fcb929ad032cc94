import Foundation

/// What a call does for those who want to hear of it. All of this is out of the way of a call that
/// nobody listens to.
extension XTDatabase {
  // MARK: Errors

  /// An error on its way to the caller, who gets what this returns: it is counted, and those hear of
  /// it who listen. Once, however many blocks it passes.
  @inline(never)
  func noted(_ error: any Error) -> any Error {
    // Also where there is nothing new to tell: a set-up may have used another database.
    defer { Signals.deliverKept() }
    let stack = AccessStack.current
    guard !stack.isAttempt, var error = error as? XTError, !error.isNoted else { return error }
    error.isNoted = true
    core.ledger.countFailure()
    core.signals.keep(error)
    return error
  }

  /// Runs `body`, whose errors may come from outside of any call that is `accessing` a connection.
  @inline(__always)
  func noting<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw noted(error)
    }
  }

  /// Runs `body`, which may fail with an error after which the caller has another way.
  ///
  /// - Returns: What `body` returns; nil for an error that `isExpected`, of which nobody hears.
  func attempting<T>(
    _ body: () throws -> T, unless isExpected: (XTError) -> Bool
  ) throws -> T? {
    let stack = AccessStack.current
    let wasAttempt = stack.isAttempt
    stack.isAttempt = true
    do {
      defer { stack.isAttempt = wasAttempt }
      return try body()
    } catch let error as XTError where isExpected(error) {
      return nil
    } catch {
      throw noted(error)
    }
  }

  /// Runs `body`, the program's own, inside of what may be an attempt: its errors are its own.
  func notAttempting<T>(_ body: () throws -> T) rethrows -> T {
    let stack = AccessStack.current
    let wasAttempt = stack.isAttempt
    stack.isAttempt = false
    defer { stack.isAttempt = wasAttempt }
    return try body()
  }

  // MARK: Calls

  /// As `enter`, for a call that takes a connection while somebody listens.
  func enterWatched(_ kind: AccessKind, _ pool: ConnectionPool) throws -> Visit {
    let asked = Uptime.now
    let loan = try pool.takePlace(kind, limit: core.waitLimit)
    return try begin(kind, loan, of: pool, since: asked)
  }

  /// Begins the visit of a connection that was lent for it.
  ///
  /// - Parameter asked: When the call came, by `Uptime.now`; 0 where nobody listened then.
  func begin(
    _ kind: AccessKind, _ loan: Loan, of pool: ConnectionPool, since asked: UInt64
  ) throws -> Visit {
    do {
      let signals = core.signals
      guard signals.isWatched else { return try begin(pool.connection(for: loan)) }
      let waited = asked == 0 ? 0 : Uptime.now - asked
      if loan.hasWaited, pool !== writers {
        signals.keep(.warning(.readersExhausted(nanoseconds: waited)))
      }
      return beginWatch(of: try begin(pool.connection(for: loan)), kind, asked, waited)
    } catch {
      throw noted(error)
    }
  }

  /// Watches a visit where somebody wants to hear of it.
  func beginWatch(
    of visit: Visit, _ kind: AccessKind, _ asked: UInt64, _ waited: UInt64
  ) -> Visit {
    let signals = core.signals
    let watch = ThreadWatch.current
    let isMetered = signals.wants(.ofStatements) || watch.cost(of: signals) != nil
    guard !watch.isDelivering, isMetered || signals.wants(.ofCalls) else { return visit }
    let meter = isMetered ? makeMeter(watch) : nil
    let start = asked == 0 ? Uptime.now : asked
    watch.calls.append(
      ThreadWatch.Call(
        kind: kind, isNested: false, start: start, waited: waited, meter: meter, outer: nil))
    if let meter { visit.connection.setMeter(meter) }
    var watched = visit
    watched.isWatched = true
    return watched
  }

  /// Watches a call that runs inside of one that is metered. False where nobody wants to hear of it
  /// by itself.
  @inline(never)
  func watch(_ kind: AccessKind, inside connection: Connection) -> Bool {
    guard let outer = connection.meter, core.signals.wants(.calls) else { return false }
    let meter = Meter(outer.options, hear: outer.hear)
    ThreadWatch.current.calls.append(
      ThreadWatch.Call(
        kind: kind, isNested: true, start: Uptime.now, waited: 0, meter: meter, outer: outer))
    connection.setMeter(meter)
    return true
  }

  /// Ends what `begin` or `watch` began, and tells of it. The caller still has the connection.
  func endWatch(of connection: Connection, hasFailed: Bool) {
    let end = Uptime.now
    guard let call = dropWatch(of: connection) else { return }
    let signals = core.signals
    if let meter = call.meter {
      signals.keep(
        .called(
          CallReport(
            kind: call.kind, isNested: call.isNested, tally: meter.tally,
            nanoseconds: end - call.start, waited: call.waited, hasFailed: hasFailed)))
    }
    let held = end - call.start - call.waited
    if !call.isNested, let limit = core.configuration.longHold?.nanoseconds, held >= limit {
      signals.keep(.warning(.heldLong(call.kind, nanoseconds: held)))
    }
  }

  /// Ends it without telling of it.
  @discardableResult
  func dropWatch(of connection: Connection) -> ThreadWatch.Call? {
    let watch = ThreadWatch.current
    guard let call = watch.calls.popLast() else { return nil }
    if let meter = call.meter {
      connection.removeMeter(call.outer)
      if !call.isNested { watch.cost(of: core.signals)?.tally.add(meter.tally) }
    }
    return call
  }

  private func makeMeter(_ watch: ThreadWatch) -> Meter {
    let signals = core.signals
    let interests = signals.interests
    var options = Meter.Options()
    options.tellsUses = interests.contains(.statements)
    options.wantsValues =
      interests.contains(.values)
      && !interests.isDisjoint(with: [.statements, .slowStatements])
    if interests.contains(.slowStatements), let limit = core.configuration.slowStatement {
      options.slowLimit = limit.nanoseconds
    }
    return Meter(options) { event in
      switch event {
      case .ran(let use): signals.keep(.ran(use))
      case .slow(let use): signals.keep(.slow(use))
      case .busy(let nanoseconds): signals.keep(.busy(nanoseconds: nanoseconds))
      }
    }
  }

  // MARK: Costs

  /// Runs `body` and says what its calls on this database cost, on this thread.
  func measuring<T>(
    _ body: () throws -> T
  ) rethrows -> (result: T, tally: Tally, nanoseconds: UInt64) {
    let signals = core.signals
    let watch = ThreadWatch.current
    let cost = ThreadWatch.Cost(signals)
    // Inside of a call of this database its connection goes on being used.
    let connection = AccessStack.current.connection(of: core)
    let outer = connection?.meter
    let meter = Meter(outer?.options ?? Meter.Options(), hear: outer?.hear)
    signals.beginMeasuring()
    watch.costs.append(cost)
    connection?.setMeter(meter)
    let start = Uptime.now
    var end: UInt64?
    defer {
      end = end ?? Uptime.now
      connection?.removeMeter(outer)
      watch.costs.removeLast()
      watch.cost(of: signals)?.tally.add(cost.tally)
      signals.endMeasuring()
    }
    let result = try body()
    end = Uptime.now
    var tally = meter.tally
    tally.add(cost.tally)
    return (result, tally, Uptime.now - start)
  }
}

extension Signals {
  /// Tells of a connection that was just opened, and where that makes too many in the process.
  func keepOpening(of connection: Connection, nanoseconds: UInt64) {
    keep(.opened(isReader: connection.isReader, nanoseconds: nanoseconds))
    let cores = ProcessInfo.processInfo.activeProcessorCount
    // Once for each time that the number goes past what two databases have in use.
    if connection.openCount == max(2 * cores, 12) + 1 {
      keep(.warning(.manyConnections(open: connection.openCount, cores: cores)))
    }
  }
}
