#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// What the system says of a file: two that are equal were taken of the same, unchanged file.
struct FileStamp: Equatable, Sendable {
  let size: Int64
  private let device: UInt64
  private let inode: UInt64
  private let seconds: Int64
  private let nanoseconds: Int64

  /// Nil where there is no file.
  ///
  /// By `stat`, never by opening: closing any descriptor of a file drops the process's locks on
  /// it, SQLite's too.
  init?(path: String) {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    size = Int64(truncatingIfNeeded: information.st_size)
    device = UInt64(truncatingIfNeeded: information.st_dev)
    inode = UInt64(truncatingIfNeeded: information.st_ino)
    #if canImport(Darwin)
      let time = information.st_mtimespec
    #else
      let time = information.st_mtim
    #endif
    seconds = Int64(truncatingIfNeeded: time.tv_sec)
    nanoseconds = Int64(truncatingIfNeeded: time.tv_nsec)
  }
}
