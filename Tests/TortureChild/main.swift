// A process that the tests start beside their own.
//
//   TortureChild batches PATH JOURNAL
//     writes batches until it is killed, and prints their numbers
//   TortureChild mixed PATH NAME THREADS SECONDS SEED BUSY
//     does mixed work, and prints: rows objects increments steps cancelled undone
//   TortureChild upgrade PATH N
//     upgrades the file, and kills itself when statement N begins; 0 for never
//   TortureChild search PATH
//     writes rows that are searched until it is killed, and prints a line for each transaction
//   TortureChild key PATH OLD NEW
//     changes the file's key; keys are as in XTLITE_TEST_KEY, "-" for none
//   TortureChild restore PATH BACKUP
//     restores the file
//   TortureChild open PATH KEY
//     opens the file, and prints the kind of the error where that throws

import Foundation
import TortureWork
import XTLite

/// Prints a line at once, with one system call.
@Sendable func report(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  switch (arguments.first, arguments.count) {
  case ("batches", 3):
    guard let journal = XTConfiguration.JournalMode(rawValue: arguments[2]) else { exit(2) }
    try BatchWriter(path: arguments[1], journalMode: journal).run { report("\($0)") }
  case ("upgrade", 3):
    guard let last = Int(arguments[2]) else { exit(2) }
    report("begun")
    try UpgradeWork.upgrade(path: arguments[1]) { if $0 == last { kill(getpid(), SIGKILL) } }
    report("done")
  case ("search", 2):
    try SearchWriter(path: arguments[1]).run { report("\($0)") }
  case ("key", 4):
    report("begun")
    try ExchangeWork.changeKey(
      path: arguments[1], from: TestKey.named(arguments[2]), to: TestKey.named(arguments[3]))
    report("done")
  case ("restore", 3):
    report("begun")
    try ExchangeWork.restore(path: arguments[1], from: arguments[2])
    report("done")
  case ("salvage", 2):
    report("begun")
    try ExchangeWork.openSalvaging(path: arguments[1])
    report("done")
  case ("open", 3):
    do {
      try ExchangeWork.open(path: arguments[1], key: TestKey.named(arguments[2])).close()
      report("done")
    } catch let error as XTError {
      report("\(error.kind): \(error.message)")
    }
  case ("mixed", 7):
    guard let threads = Int(arguments[3]), let seconds = Double(arguments[4]),
      let seed = UInt64(arguments[5]), let busyTimeout = Double(arguments[6])
    else { exit(2) }
    var configuration = XTConfiguration()
    configuration.busyTimeout = busyTimeout
    MixedWork.run(
      path: arguments[1], configuration: configuration, name: arguments[2], threads: threads,
      seconds: seconds, seed: seed
    ) { result in
      switch result {
      case .success(let sum):
        report(
          [sum.rows, sum.objects, sum.increments, sum.steps, sum.cancelled, sum.undone]
            .map(String.init).joined(separator: " "))
        exit(0)
      case .failure(let error):
        report("error: \(error)")
        exit(1)
      }
    }
    dispatchMain()
  default:
    exit(2)
  }
} catch {
  report("error: \(error)")
  exit(1)
}
