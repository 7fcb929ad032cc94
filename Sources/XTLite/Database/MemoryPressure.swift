import Dispatch

/// Where the system tells of it, memory that can be done without is given back when it runs short.
enum MemoryPressure {
  /// Begins to listen; once in a process.
  static func watch() {
    #if canImport(Darwin)
      _ = source
    #endif
  }

  #if canImport(Darwin)
    private static let source: any DispatchSourceMemoryPressure = {
      let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical])
      source.setEventHandler { XTDatabase.purgeAll() }
      source.activate()
      return source
    }()
  #endif
}
