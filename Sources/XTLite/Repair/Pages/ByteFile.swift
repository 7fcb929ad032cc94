import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Bytes that are only read.
protocol ByteFile: AnyObject {
  var size: Int { get }
  /// As many of `count` bytes as there are; nil where they can't be read.
  func read(at offset: Int, count: Int) -> [UInt8]?
}

extension ConnectionFile: ByteFile {}

/// A file, opened for reading and never written.
///
/// Not for a file that this process has open through SQLite: closing it here would let go of the
/// locks that SQLite has on it.
final class ReadOnlyFile: ByteFile {
  let size: Int
  private let descriptor: Int32

  /// - Throws: `open` where there is no such file, or it is none.
  init(path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw XTError(
        .open, errno == ENOENT ? "there is no such file" : "the file can't be read", path: path,
        systemError: errno)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw XTError(.open, "there is something at the path that is no file", path: path)
    }
    size = Int(status.st_size)
  }

  deinit {
    close(descriptor)
  }

  func read(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0 else { return nil }
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, count - filled,
          off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        if got < 0 { failed = true }
        if got <= 0 { break }
        filled += got
      }
    }
    return failed ? nil : bytes
  }
}
