import Foundation
import Testing

@testable import XTLite

private struct Heavy: XTModel {
  var pkid: Int64?
  var name = ""
  var a = 0
  var b = 0.0
  var c = 0
  var d: Int64 = 0
  var e: String?

  static var xt_keywords: XTKeywordMap { [\Heavy.name: .unique] }

  init() {}

  init(_ index: Int) {
    name = "the item of number \(index)"
    a = index
  }
}

/// How much memory the process has taken at its peak, in bytes.
private func peakMemory() throws -> Int {
  #if canImport(Darwin)
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
  #else
    // What getrusage gives begins at the peak of the process that started this one.
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
  #endif
}

/// Sanitizers keep what was freed, so that nothing can be said about memory.
private let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// Lists are not copied, and sequences not collected. Each is measured in a process of its own.
@Suite(.enabled(if: !isSanitized)) struct ListMemoryTests {
  @Test func insertList_ofAnArray_takesAFractionOfItMore() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("list.sqlite")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let table = try XTDatabase(path: path).table(Heavy.self)
      try table.insertList([Heavy(0)])
      let start = try peakMemory()
      var models = (1...200_000).map { Heavy($0) }
      let array = try peakMemory() - start
      try table.insertList(&models)
      try table.updateList(models)
      let growth = try peakMemory() - start - array
      #expect(try models.last?.pkid == 200_001 && table.count() == 200_001)
      #expect(growth < array / 2)
    }
  }

  @Test func listVerbs_ofALazySequence_takeNextToNothing() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("list.sqlite")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let table = try XTDatabase(path: path).table(Heavy.self)
      func heavies(_ range: Range<Int>) -> some Sequence<Heavy> {
        range.lazy.map { Heavy($0) }
      }
      try table.insertList(heavies(0..<5000))
      let start = try peakMemory()
      try table.insertList(heavies(5000..<205_000))
      try table.insertOrIgnoreList(heavies(0..<50_000))
      try table.insertOrReplaceList(heavies(0..<50_000))
      try table.updateList(heavies(0..<50_000), by: \.name)
      let growth = try peakMemory() - start
      #expect(try table.count() == 205_000)
      #expect(growth < 8_000_000)
    }
  }
}
