import Foundation
import XTLite

// Each workload beside its hand-written loop, in one process, interleaved: A B A B …, one warm-up
// each, then the counted repetitions, and the medians of both.
//
// On a machine that does other work too, --cpu counts the process's own time only; --only runs one
// side by itself, for a profiler.

struct Options {
  var repetitions = 5
  var scale = 1.0
  var countsOwnTime = false
  var only: String?
  var workloads: [String] = []
  var folder = FileManager.default.temporaryDirectory

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--repetitions": repetitions = rest.popFirst().flatMap(Int.init) ?? repetitions
      case "--scale": scale = rest.popFirst().flatMap(Double.init) ?? scale
      case "--folder": folder = rest.popFirst().map { URL(fileURLWithPath: $0) } ?? folder
      case "--cpu": countsOwnTime = true
      case "--only": only = rest.popFirst()
      case "--help":
        print(
          "Benchmarks [--repetitions 5] [--scale 1.0] [--folder DIR] [--cpu] [--only raw|xt] "
            + "[W1 W3 …]")
        exit(0)
      default: workloads.append(argument)
      }
    }
  }
}

/// Milliseconds since some moment.
func now() -> Double {
  guard options.countsOwnTime else { return Double(DispatchTime.now().uptimeNanoseconds) / 1e6 }
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

func milliseconds(_ body: () throws -> Int) rethrows -> (time: Double, result: Int) {
  let start = now()
  let result = try body()
  return (now() - start, result)
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
}

let options = Options(Array(CommandLine.arguments.dropFirst()))
let chosen = Workload.all.filter {
  options.workloads.isEmpty || options.workloads.contains($0.name)
}
var table: [String] = []

for workload in chosen {
  let folder = options.folder.appendingPathComponent("xtlite-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let sides = try workload.prepare(Bench(folder: folder, scale: options.scale))
  var rawTimes: [Double] = []
  var xtTimes: [Double] = []
  for repetition in 0...options.repetitions {
    try sides.setUp()
    let (rawTime, rawResult) = try options.only == "xt" ? (0, 0) : milliseconds(sides.raw)
    let (xtTime, xtResult) = try options.only == "raw" ? (0, 0) : milliseconds(sides.xt)
    guard rawResult == xtResult || options.only != nil else {
      print("\(workload.name): the loop gives \(rawResult), XTLite gives \(xtResult)")
      exit(1)
    }
    guard repetition > 0 else { continue }
    rawTimes.append(rawTime)
    xtTimes.append(xtTime)
  }
  let (rawMedian, xtMedian) = (median(rawTimes), median(xtTimes))
  let ratio = xtMedian / rawMedian
  print(
    String(
      format: "bench %@ raw=%.1f xt=%.1f ratio=%.2f", workload.name, rawMedian, xtMedian, ratio))
  table.append(
    workload.name.padding(toLength: 6, withPad: " ", startingAt: 0)
      + String(format: "%10.1f %10.1f %8.2f  ", rawMedian, xtMedian, ratio) + workload.summary)
}

print("\n          raw ms      xt ms    ratio")
for line in table { print(line) }
