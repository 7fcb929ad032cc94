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

/// A file beside another one: what that is to be replaced by, or was replaced by.
///
/// Its name has the number of the process, so that what a killed one left behind is known for that.
final class SpareFile: Sendable {
  enum Purpose: String {
    /// Becomes the file with another key.
    case newKey = "newkey"
    /// Becomes a backup.
    case backup
    /// Becomes the file that a backup is restored to.
    case restoring
    /// The file that was restored over.
    case replaced
    /// Becomes the file in the place of a damaged one.
    case refilled
  }

  let path: String

  private static let used = Mutex<Set<String>>([])

  /// Chooses a name. Removes what killed processes left of the same purpose.
  init(beside original: String, for purpose: Purpose) {
    let start = original + "-xt-\(purpose.rawValue)-"
    Self.removeLeftovers(start)
    path = Self.used.withLock { used in
      var number = 1
      while used.contains("\(start)\(getpid())-\(number)") { number += 1 }
      let path = "\(start)\(getpid())-\(number)"
      used.insert(path)
      return path
    }
    Self.remove(path)
  }

  deinit {
    Self.remove(path)
    Self.used.withLock { _ = $0.remove(path) }
  }

  /// Makes the file, empty, with the permissions of the one at `model`.
  ///
  /// - Parameter original: What it is beside, for errors.
  func create(like model: String, for original: String) throws {
    var attributes: [FileAttributeKey: Any] = [:]
    let known = try? FileManager.default.attributesOfItem(atPath: model)
    attributes[.posixPermissions] = known?[.posixPermissions]
    #if canImport(Darwin)
      attributes[.protectionKey] = known?[.protectionKey]
    #endif
    let isMade = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: attributes)
    guard isMade else {
      throw XTError(
        .open, "no file can be made beside it",
        hint: "check the folder's permissions, and that the file's name is not too long for others "
          + "that begin with it", path: original)
    }
  }

  /// Has errors say the path of the file that the caller knows.
  func naming<T>(_ original: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch var error as XTError where error.path == path {
      error.path = original
      throw error
    }
  }

  /// Puts it in the place of the file at `original`, in one step.
  func replace(_ original: String) throws {
    try FilePath.replace(original, with: path)
  }

  private static func removeLeftovers(_ start: String) {
    let folder = (start as NSString).deletingLastPathComponent
    let name = (start as NSString).lastPathComponent
    for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard file.hasPrefix(name) else { continue }
      let process = file.dropFirst(name.count).prefix { $0.isWholeNumber }
      let path = (folder as NSString).appendingPathComponent(file)
      let isInUse = used.withLock { used in used.contains { path.hasPrefix($0) } }
      guard let number = pid_t(process), !isInUse, number == getpid() || !isRunning(number)
      else { continue }
      _ = unlink(path)
    }
  }

  private static func isRunning(_ process: pid_t) -> Bool {
    kill(process, 0) == 0 || errno != ESRCH
  }

  private static func remove(_ path: String) {
    for file in [path] + DatabaseFile.companions(of: path) { _ = unlink(file) }
  }
}

extension FilePath {
  /// Puts the file at `spare` in the place of the one at `path`, in one step: at any moment one of
  /// them is there, also after a crash of the system.
  static func replace(_ path: String, with spare: String) throws {
    guard rename(spare, path) == 0 else {
      throw XTError(
        .open, "the new file could not be put in its place", path: path, systemError: errno)
    }
    syncFolder(of: path)
  }

  /// Gives the file a second name.
  ///
  /// - Returns: Whether the file system can do that.
  static func link(_ path: String, as other: String) -> Bool {
    #if canImport(Darwin)
      Darwin.link(path, other) == 0
    #elseif canImport(Glibc)
      Glibc.link(path, other) == 0
    #elseif canImport(Musl)
      Musl.link(path, other) == 0
    #else
      Android.link(path, other) == 0
    #endif
  }

  /// Has the disk keep the folder's entries.
  static func syncFolder(of path: String) {
    let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}
