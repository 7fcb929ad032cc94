extension XTDatabase {
  /// Closes every connection, so that no lock is left on the file, and holds every call back until
  /// ``resume()``: for a program that its system is about to suspend.
  ///
  /// Waits for what runs; ``interrupt()`` shortens that. Calls that come meanwhile wait, up to their
  /// busy limit. A second call does nothing. Concerns all values on the file.
  ///
  /// - Throws: ``XTError`` `locked` where a block still ran at the busy limit, or where this is
  ///   called inside one; everything then goes on. `closed`.
  public func suspend() throws {
    try noting {
      if !isOpen { throw closedError() }
      try refuseInsideBlock(.suspension)
      try core.suspend()
    }
  }

  /// Ends what ``suspend()`` began: calls go on, and the first opens the file again.
  public func resume() {
    core.resume()
  }

  /// Stops what runs on the file at this moment, on all threads: those calls throw `interrupted`,
  /// and their transactions roll back. Calls that wait in line are not concerned, and an observation
  /// reads again.
  public func interrupt() {
    core.forEachPool { pool in pool.forEachOpen { $0.interrupt() } }
  }

  /// Gives back the memory of connections that nobody uses just now: their pages and prepared
  /// statements. They fill again by use.
  public func releaseMemory() {
    core.releaseMemory()
  }

  /// Closes the readers that nobody uses just now; they are opened again when they are needed.
  ///
  /// - Returns: How many were closed.
  @discardableResult
  public func purge() -> Int {
    core.purge()
  }

  /// ``purge()`` and ``releaseMemory()`` for every open database of the process. Runs by itself
  /// when memory runs short, where the system tells of that (Apple's do).
  public static func purgeAll() {
    for core in DatabaseRegistry.cores {
      core.purge()
      core.releaseMemory()
    }
  }
}
