import Dispatch

/// The one clock for waits and costs.
enum Uptime {
  /// In nanoseconds; goes on whatever is done to the time of day.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

extension Double {
  /// Of so many seconds; made safe for every value.
  var nanoseconds: UInt64 { self > 0 ? UInt64(min(self, 1e9) * 1e9) : 0 }
}
