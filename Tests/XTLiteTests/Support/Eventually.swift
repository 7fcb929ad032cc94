import Foundation

/// Waits for what another thread brings about. False where a minute has not been enough.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = Date(timeIntervalSinceNow: 60)
  repeat {
    if try condition() { return true }
    Thread.sleep(forTimeInterval: 0.002)
  } while Date() < end
  return try condition()
}
