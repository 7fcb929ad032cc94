import Foundation
import XTLite

// Each workload beside its hand-written loop, in one process, interleaved: A B A B …, one warm-up
// each, then the counted repetitions, and the medians of both.

struct Options {
  var repetitions = 5
  var scale = 1.0
  var workloads: [String] = []
  var folder = FileManager.default.temporaryDirectory

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--repetitions": repetitions = rest.popFirst().flatMap(Int.init) ?? repetitions
      case "--scale": scale = rest.popFirst().flatMap(Double.init) ?? scale
      case "--folder": folder = rest.popFirst().map { URL(fileURLWithPath: $0) } ?? folder
      case "--help":
        print("Benchmarks [--repetitions 5] [--scale 1.0] [--folder DIR] [W1 W3 …]")
        exit(0)
      default: workloads.append(argument)
      }
    }
  }
}

func milliseconds(_ body: () throws -> Int) rethrows -> (time: Double, result: Int) {
  let start = DispatchTime.now().uptimeNanoseconds
  let result = try body()
  return (Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6, result)
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
}

let options = Options(Array(CommandLine.arguments.dropFirst()))
let chosen = Workload.all.filter { options.workloads.isEmpty || options.workloads.contains($0.name) }
var table: [String] = []

for workload in chosen {
  let folder = options.folder.appendingPathComponent("xtlite-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let (raw, xt) = try workload.prepare(Bench(folder: folder, scale: options.scale))
  var rawTimes: [Double] = []
  var xtTimes: [Double] = []
  for repetition in 0...options.repetitions {
    let (rawTime, rawResult) = try milliseconds(raw)
    let (xtTime, xtResult) = try milliseconds(xt)
    guard rawResult == xtResult else {
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
