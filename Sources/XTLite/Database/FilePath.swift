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

/// What is done with paths.
enum FilePath {
  /// The absolute path with links resolved, also of a file that is not there yet.
  static func resolved(_ path: String) throws -> String {
    guard !path.isEmpty else {
      throw XTError(
        .open, "the path is empty", hint: "XTDatabase.inMemory() makes a database without a file")
    }
    guard !path.utf8.contains(0) else { throw XTError(.open, "the path holds a NUL character") }
    let expanded = (path as NSString).expandingTildeInPath
    let absolute =
      expanded.hasPrefix("/")
      ? expanded : FileManager.default.currentDirectoryPath + "/" + expanded
    if let real = real(absolute) { return real }
    // The file is to be made: its folder's links count all the same.
    let folder = (absolute as NSString).deletingLastPathComponent
    let name = (absolute as NSString).lastPathComponent
    guard let realFolder = real(folder) else { return absolute }
    return realFolder == "/" ? "/" + name : realFolder + "/" + name
  }

  /// Whether there is a file at the path that can be written, with what goes beside it.
  static func isWritable(_ path: String) -> Bool {
    FileManager.default.isWritableFile(atPath: path)
      && FileManager.default.isWritableFile(
        atPath: (path as NSString).deletingLastPathComponent)
  }

  /// Makes the folders that lead to the file.
  static func makeFolder(of path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    var isDirectory: ObjCBool = false
    if FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory) {
      guard isDirectory.boolValue else {
        throw XTError(.open, "\(folder) is a file and cannot hold the database", path: path)
      }
      return
    }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw XTError(
        .open, "the folder \(folder) could not be made",
        hint: "make it by hand, or check the permissions", path: path)
    }
  }

  /// Where a file is to be moved: `path`, or the folder there with the file's own name.
  static func target(_ path: String, of file: String) throws -> String {
    let resolved = try resolved(path)
    var isDirectory: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: resolved, isDirectory: &isDirectory)
    guard (isThere && isDirectory.boolValue) || path.hasSuffix("/") else { return resolved }
    return (resolved as NSString).appendingPathComponent((file as NSString).lastPathComponent)
  }

  static func refuseExisting(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    throw XTError(
      .open, "there is a file at the new place already", hint: "remove it, or choose another name",
      path: path)
  }

  static func move(_ path: String, to target: String) throws {
    do {
      try FileManager.default.moveItem(atPath: path, toPath: target)
    } catch {
      throw XTError(
        .open, "the file could not be moved to \(target): \(error.localizedDescription)",
        path: path)
    }
  }

  static func copy(_ path: String, to target: String) throws {
    do {
      try FileManager.default.copyItem(atPath: path, toPath: target)
    } catch {
      throw XTError(
        .open, "the file could not be copied to \(target): \(error.localizedDescription)",
        path: path)
    }
  }

  /// Deletes a file, or sees that it is not there. Never a folder.
  static func remove(_ path: String) throws {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw XTError(.open, "the file could not be deleted", path: path, systemError: errno)
  }

  /// Sees that what is at a path, if anything, is a file.
  static func refuseWhatIsNoFile(_ path: String) throws {
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    guard let type, type != .typeRegular, type != .typeSymbolicLink else { return }
    throw XTError(
      .open, "there is something at the path that is no file", hint: "give the path of a file",
      path: path)
  }

  private static func real(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
