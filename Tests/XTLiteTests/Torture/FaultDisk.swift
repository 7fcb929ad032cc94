import FaultVFS
import Foundation
import Testing

@testable import XTLite

/// A disk that refuses what a test tells it to.
// @unchecked: all state is the C object's, which is reached by atomic operations.
final class FaultDisk: @unchecked Sendable {
  /// The VFS's name, for `XTConfiguration.vfs`.
  let name = "fault-" + UUID().uuidString
  private let vfs: OpaquePointer

  init() throws {
    // It asks SQLite for the disk's own VFS; the log is to be asked for before anything else is.
    EngineLog.install()
    vfs = try #require(xt_fault_make(name))
  }

  deinit {
    xt_fault_free(vfs)
  }

  /// Lets the `nth` operation fail from now on, counted anew, and where the fault is `isLasting`
  /// all that come after it.
  func arm(_ fault: Fault, nth: Int) {
    xt_fault_arm(
      vfs, fault.operation.rawValue, nth, fault.isLasting ? 1 : 0, fault.code)
  }

  /// Counts anew, and lets nothing fail.
  func count() {
    xt_fault_arm(vfs, -1, 0, 0, 0)
  }

  func disarm() {
    xt_fault_disarm(vfs)
  }

  /// How many operations failed since the disk was armed.
  var hits: Int { xt_fault_hits(vfs) }

  /// How many operations there were since the disk was armed.
  func count(of operation: Fault.Operation) -> Int {
    xt_fault_count(vfs, operation.rawValue)
  }

  /// How many files are open.
  var openFiles: Int { xt_fault_open_files(vfs) }
}

/// What a disk refuses, and in which words.
struct Fault: Sendable {
  enum Operation: Int32, CaseIterable {
    case open, read, write, truncate, sync, size, lock, checkLock, delete, access, shmMap, shmLock
  }

  let operation: Operation
  /// SQLite's extended result code.
  let code: Int32
  /// Whether all later operations fail too, until the disk is disarmed.
  let isLasting: Bool

  /// Every operation with the codes that systems have for it.
  static let all: [Fault] = {
    let codes: [(Operation, [Int32])] = [
      (.open, [SQLITE_CANTOPEN]), (.read, [ioError(1)]), (.write, [ioError(3), SQLITE_FULL]),
      (.sync, [ioError(4)]), (.truncate, [ioError(6)]), (.size, [ioError(7)]),
      (.lock, [SQLITE_BUSY, ioError(15)]), (.checkLock, [ioError(14)]), (.delete, [ioError(10)]),
      (.access, [ioError(13)]), (.shmMap, [ioError(21)]), (.shmLock, [SQLITE_BUSY, ioError(20)]),
    ]
    return codes.flatMap { operation, codes in
      codes.flatMap { code in
        [false, true].map { Fault(operation: operation, code: code, isLasting: $0) }
      }
    }
  }()

  /// Reads that find the end of the file where there is none.
  static let shortReads = [false, true].map {
    Fault(operation: .read, code: shortRead, isLasting: $0)
  }

  private static let shortRead = ioError(2)

  /// SQLITE_IOERR with what it is about in the second byte.
  private static func ioError(_ detail: Int32) -> Int32 { SQLITE_IOERR | detail << 8 }

  // MARK: What it must lead to

  /// Whether the error tells of this fault.
  func explains(_ error: any Error) -> Bool {
    guard let error = error as? XTError else { return false }
    return kinds.contains(error.kind) && canBecome(error.extendedCode)
  }

  private var kinds: [XTError.Kind] {
    switch code {
    case SQLITE_FULL: [.diskFull]
    case SQLITE_BUSY: [.locked]
    case SQLITE_CANTOPEN: [.open]
    case Self.shortRead: [.corrupt, .notADatabase, .sqlite]
    // SQLCipher has no other word for a page that it can't read.
    default: XTKey.initial != nil ? [.sqlite, .notADatabase, .encryption, .corrupt] : [.sqlite]
    }
  }

  private func canBecome(_ extendedCode: Int32) -> Bool {
    switch (operation, code) {
    // SQLite tells what it was doing, and gives a lock in the shared memory up with another word.
    case (_, SQLITE_BUSY): [SQLITE_BUSY, SQLITE_PROTOCOL].contains(extendedCode & 0xFF)
    // A page of zeros.
    case (_, Self.shortRead):
      [SQLITE_CORRUPT, SQLITE_NOTADB].contains(extendedCode & 0xFF) || extendedCode == code
    // No lock can be had in memory that isn't there.
    case (.shmMap, _): [code, Self.ioError(20)].contains(extendedCode)
    default: extendedCode == code || isHiddenByTheCipher(extendedCode)
    }
  }

  private func isHiddenByTheCipher(_ code: Int32) -> Bool {
    XTKey.initial != nil && [SQLITE_NOTADB, SQLITE_ERROR].contains(code & 0xFF)
  }
}

extension Fault: CustomTestStringConvertible {
  var testDescription: String { "\(operation) gives \(code)\(isLasting ? " from then on" : "")" }
}
