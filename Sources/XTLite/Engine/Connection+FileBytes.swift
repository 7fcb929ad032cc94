/// The database file's bytes as they are on the disk, by SQLite's own descriptor: closing another one
/// on the same file would let go of the locks that SQLite has on it.
final class ConnectionFile {
  private let connection: Connection
  let size: Int

  init(_ connection: Connection) {
    self.connection = connection
    var size: Int64 = 0
    let code = connection.isOpen ? xt_file_size(connection.handle, &size) : SQLITE_ERROR
    self.size = code == SQLITE_OK ? Int(size) : 0
  }

  /// As many of `count` bytes as there are; nil where they can't be read.
  func read(at offset: Int, count: Int) -> [UInt8]? {
    guard connection.isOpen, offset >= 0, count >= 0, count <= Int32.max else { return nil }
    let count = min(count, max(size - offset, 0))
    var bytes = [UInt8](repeating: 0, count: count)
    let code = bytes.withUnsafeMutableBytes {
      xt_read_file(connection.handle, $0.baseAddress, Int32(count), Int64(offset))
    }
    return code == SQLITE_OK ? bytes : nil
  }
}
