import Foundation
import XTLite

// What doesn't fit into one line of figures: time per row as tables grow, and memory.

extension Options {
  /// XTLite's side.
  var configuration: XTConfiguration {
    var configuration = XTConfiguration()
    let pragmas = pragmas
    configuration.add(
      XTSetUp("pragmas") { connection in
        for pragma in pragmas { try connection.execute(XTSQL(unsafe: "PRAGMA " + pragma)) }
      })
    return configuration
  }
}

extension Workload {
  /// The medians of both sides, in milliseconds, and what both gave.
  func measured(_ options: Options, scale: Double) throws -> (raw: Double, xt: Double) {
    let folder = options.folder.appendingPathComponent("xtlite-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sides = try prepare(Bench(folder: folder, scale: scale))
    var (rawTimes, xtTimes) = ([Double](), [Double]())
    for repetition in 0...options.repetitions {
      try sides.setUp()
      let (rawTime, rawResult) = try options.only == "xt" ? (0, 0) : milliseconds(sides.raw)
      let (xtTime, xtResult) = try options.only == "raw" ? (0, 0) : milliseconds(sides.xt)
      guard rawResult == xtResult || options.only != nil else {
        print("\(name): the loop gives \(rawResult), XTLite gives \(xtResult)")
        exit(1)
      }
      // The first is there to warm up, unless there is no other.
      guard repetition > 0 || options.repetitions == 0 else { continue }
      rawTimes.append(rawTime)
      xtTimes.append(xtTime)
    }
    return (median(rawTimes), median(xtTimes))
  }
}

/// Time per row where there are ten and a hundred times as many.
func printGrowth(_ options: Options) throws {
  for workload in Workload.all where ["W1", "W3"].contains(workload.name) {
    for rows in [10_000, 100_000, 1_000_000] {
      let (raw, xt) = try workload.measured(options, scale: Double(rows) / 100_000)
      let perRow = 1_000 / Double(rows)
      print(
        String(
          format: "growth %@ rows=%d raw=%.2f xt=%.2f µs per row, ratio=%.2f", workload.name, rows,
          raw * perRow, xt * perRow, xt / raw))
    }
  }
}

/// How many megabytes each side takes at most, each in a process of its own: all of the process, and
/// what came on top of it while the side ran.
func printMemory(_ options: Options, _ workloads: [Workload]) throws {
  for workload in workloads {
    for side in ["raw", "xt"] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = [
        "--peak", "--only", side, "--repetitions", "0", "--scale", "\(options.scale)",
        "--folder", options.folder.path, workload.name,
      ]
      try process.run()
      process.waitUntilExit()
    }
  }
}

/// Runs one side once, and prints what memory it took.
func printPeak(_ options: Options, _ workload: Workload) throws {
  let folder = options.folder.appendingPathComponent("xtlite-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let sides = try workload.prepare(Bench(folder: folder, scale: options.scale))
  try sides.setUp()
  let before = peakMegabytes()
  _ = try options.only == "raw" ? sides.raw() : sides.xt()
  print(
    String(
      format: "memory %@ %@ peak=%.1f MB, %.1f of them while it ran", workload.name,
      options.only ?? "xt", peakMegabytes(), peakMegabytes() - before))
}

private func peakMegabytes() -> Double {
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return Double(usage.ru_maxrss) / 1_048_576
  #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_maxrss) / 1_024
  #endif
}
