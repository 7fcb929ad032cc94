import Foundation
import XTLite

// Each workload beside its hand-written loop, in one process, interleaved: A B A B …, one warm-up
// each, then the counted repetitions, and the medians of both.
//
// On a machine that does other work too, --cpu counts the process's own time only; --only runs one
// side by itself, for a profiler.

struct Options {
  enum Task {
    case ratios, growth, memory, observers, peak
  }

  var task = Task.ratios
  var repetitions = 5
  var scale = 1.0
  var countsOwnTime = false
  var only: String?
  var workloads: [String] = []
  /// What the connections of both sides are set to, beyond the defaults.
  var pragmas: [String] = []
  var folder = FileManager.default.temporaryDirectory

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--repetitions": repetitions = rest.popFirst().flatMap(Int.init) ?? repetitions
      case "--scale": scale = rest.popFirst().flatMap(Double.init) ?? scale
      case "--folder": folder = rest.popFirst().map { URL(fileURLWithPath: $0) } ?? folder
      case "--pragma": rest.popFirst().map { pragmas.append($0) }
      case "--cpu": countsOwnTime = true
      case "--only": only = rest.popFirst()
      case "--growth": task = .growth
      case "--memory": task = .memory
      case "--observers": task = .observers
      case "--peak": task = .peak
      case "--help":
        print(
          "Benchmarks [--growth | --memory | --observers] [--repetitions 5] [--scale 1.0] [--folder DIR] [--cpu] "
            + "[--pragma 'mmap_size = 268435456'] [--only raw|xt] [W1 W3 …]")
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
let chosen = Workload.all.filter { workload in
  guard options.workloads.isEmpty || options.workloads.contains(workload.name) else { return false }
  guard let file = workload.file, !FileManager.default.fileExists(atPath: file) else { return true }
  print("\(workload.name) is left out: \(file) is missing (package unicode-data)")
  return false
}

switch options.task {
case .growth:
  try printGrowth(options)
case .memory:
  try printMemory(options, chosen)
case .observers:
  try await printObserverCost(options)
case .peak:
  for workload in chosen { try printPeak(options, workload) }
case .ratios:
  var table: [String] = []
  for workload in chosen {
    let (raw, xt) = try workload.measured(options, scale: options.scale)
    print(
      String(format: "bench %@ raw=%.1f xt=%.1f ratio=%.2f", workload.name, raw, xt, xt / raw))
    table.append(
      workload.name.padding(toLength: 6, withPad: " ", startingAt: 0)
        + String(format: "%10.1f %10.1f %8.2f  ", raw, xt, xt / raw) + workload.summary)
  }
  print("\n          raw ms      xt ms    ratio")
  for line in table { print(line) }
}
