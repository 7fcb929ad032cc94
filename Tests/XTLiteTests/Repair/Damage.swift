import Foundation

@testable import XTLite

/// Numbers that are the same at each run.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 33) }
  }
}

/// What happens to files.
enum Damage: CustomStringConvertible, Sendable {
  /// So many percent of the pages, in the file and in the log: overwritten, zeroed, half of them
  /// lost.
  case pages(percent: Int)
  /// The first 100 bytes, in the file and in each copy of the page in the log.
  case zeroedHeader
  /// The whole first page, likewise.
  case lostSchemaPage
  case truncatedHalf
  case garbageAppended
  /// One bit in so many percent of the pages.
  case bits(percent: Int)

  static let all: [Damage] = [
    .pages(percent: 1), .pages(percent: 5), .pages(percent: 20), .zeroedHeader, .lostSchemaPage,
    .truncatedHalf, .garbageAppended, .bits(percent: 5),
  ]

  var description: String {
    switch self {
    case .pages(let percent): "\(percent) % of the pages"
    case .zeroedHeader: "zeroed header"
    case .lostSchemaPage: "lost schema page"
    case .truncatedHalf: "truncated half"
    case .garbageAppended: "garbage appended"
    case .bits(let percent): "a bit in \(percent) % of the pages"
    }
  }

  /// Damages a file and its log.
  ///
  /// - Returns: The pages whose newest copy is not what it was.
  func apply(to path: String, log: LogIndex?, pageSize: Int, seed: UInt64) throws -> Set<Int> {
    var numbers = SeededNumbers(seed)
    var file = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var wal = Array(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
    let count = file.count / pageSize
    var damaged: Set<Int> = []

    /// Changes a page's newest copy.
    func change(_ page: Int, _ body: (inout ArraySlice<UInt8>) -> Void) {
      if let frame = log?.frames[UInt32(page)] {
        body(&wal[frame.offset..<(frame.offset + pageSize)])
      } else if page * pageSize <= file.count {
        body(&file[((page - 1) * pageSize)..<(page * pageSize)])
      } else {
        return
      }
      damaged.insert(page)
    }

    switch self {
    case .pages(let percent):
      let last = max(count, log?.frames.keys.max().map(Int.init) ?? 0)
      // The first page has cases of its own.
      for page in 2...last where numbers.next() % 1000 < percent * 10 {
        let kind = numbers.next() % 4
        let garbage = numbers.bytes(pageSize)
        change(page) { bytes in
          let range: Range<Int> =
            kind == 2
            ? bytes.startIndex..<(bytes.startIndex + pageSize / 2)
            : kind == 3
              ? (bytes.startIndex + pageSize / 2)..<bytes.endIndex
              : bytes.startIndex..<bytes.endIndex
          for position in range {
            bytes[position] = kind == 1 ? 0 : garbage[position - bytes.startIndex]
          }
        }
      }
    case .zeroedHeader, .lostSchemaPage:
      let isWhole = if case .lostSchemaPage = self { true } else { false }
      let size = isWhole ? pageSize : 100
      for position in 0..<size { file[position] = 0 }
      for frame in stride(from: 32, to: wal.count - pageSize, by: 24 + pageSize)
      where wal[frame..<(frame + 4)].elementsEqual([0, 0, 0, 1]) {
        for position in (frame + 24)..<(frame + 24 + size) { wal[position] = 0 }
      }
      // No row is in a header.
      damaged = isWhole ? [1] : []
    case .truncatedHalf:
      let cut = count / 2 * pageSize + pageSize / 3
      file.removeLast(file.count - cut)
      for page in (count / 2 + 1)...count where log?.frames[UInt32(page)] == nil {
        damaged.insert(page)
      }
    case .garbageAppended:
      // Pages as they were at some time, and then anything.
      let old = file[pageSize..<min(file.count, 40 * pageSize)]
      file += old
      file += numbers.bytes(3 * pageSize + 77)
    case .bits(let percent):
      for page in 2...count where numbers.next() % 100 < percent {
        let position = Int(numbers.next() % UInt64(pageSize))
        let bit = UInt8(1) << UInt8(numbers.next() % 8)
        change(page) { $0[$0.startIndex + position] ^= bit }
      }
    }
    try Data(file).write(to: URL(fileURLWithPath: path))
    try Data(wal).write(to: URL(fileURLWithPath: path + "-wal"))
    return damaged
  }
}
