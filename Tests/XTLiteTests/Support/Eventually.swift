import Foundation

/// Waits for what another thread brings about. False where a quarter of an hour has not been
/// enough: a machine may have much else to do.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = Date(timeIntervalSinceNow: 900)
  repeat {
    if try condition() { return true }
    Thread.sleep(forTimeInterval: 0.002)
  } while Date() < end
  return try condition()
}
