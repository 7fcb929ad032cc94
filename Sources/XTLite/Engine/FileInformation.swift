#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Which file a path leads to: two paths to one file have equal identities.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Nil where there is no file.
  init?(path: String) {
    guard let information = information(path) else { return nil }
    self.init(information)
  }

  fileprivate init(_ information: stat) {
    device = UInt64(truncatingIfNeeded: information.st_dev)
    inode = UInt64(truncatingIfNeeded: information.st_ino)
  }
}

/// What the system says of a file: two that are equal were taken of the same, unchanged file.
struct FileStamp: Equatable, Sendable {
  private let size: Int64
  private let identity: FileIdentity
  private let seconds: Int64
  private let nanoseconds: Int64

  /// Nil where there is no file.
  init?(path: String) {
    guard let information = information(path) else { return nil }
    size = Int64(truncatingIfNeeded: information.st_size)
    identity = FileIdentity(information)
    #if canImport(Darwin)
      let time = information.st_mtimespec
    #else
      let time = information.st_mtim
    #endif
    seconds = Int64(truncatingIfNeeded: time.tv_sec)
    nanoseconds = Int64(truncatingIfNeeded: time.tv_nsec)
  }

  /// The bytes of the file at the path; 0 where there is none.
  static func size(of path: String) -> Int {
    information(path).map { Int(truncatingIfNeeded: $0.st_size) } ?? 0
  }
}

/// Nil where there is no file.
///
/// By `stat`, never by opening: closing any descriptor of a file drops the process's locks on it,
/// SQLite's too.
@inline(__always)
private func information(_ path: String) -> stat? {
  var information = stat()
  // Given as a String, each call would make a copy of the path.
  return path.withCString { stat($0, &information) } == 0 ? information : nil
}
