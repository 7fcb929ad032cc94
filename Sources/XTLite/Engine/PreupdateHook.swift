#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The functions of SQLite's preupdate hook, which tells of each row before it changes, with its
/// values. Only libraries that were built for it have them.
struct PreupdateHook: Sendable {
  typealias Callback =
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, Int32, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, Int64, Int64
    ) -> Void
  typealias Set =
    @convention(c) (OpaquePointer?, Callback?, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  typealias Value =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
  typealias Count = @convention(c) (OpaquePointer?) -> Int32

  let set: Set
  let old: Value
  let new: Value
  let count: Count

  /// Nil where the library has none.
  static let shared: PreupdateHook? = {
    // Another library of the process may have the names.
    guard SQLiteLibrary.isBuilt(with: "ENABLE_PREUPDATE_HOOK") else { return nil }
    #if canImport(Darwin)
      let process = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let process: UnsafeMutableRawPointer? = nil
    #endif
    func symbol<T>(_ name: String, as type: T.Type) -> T? {
      dlsym(process, name).map { unsafeBitCast($0, to: type) }
    }
    guard let set = symbol("sqlite3_preupdate_hook", as: Set.self),
      let old = symbol("sqlite3_preupdate_old", as: Value.self),
      let new = symbol("sqlite3_preupdate_new", as: Value.self),
      let count = symbol("sqlite3_preupdate_count", as: Count.self)
    else { return nil }
    return PreupdateHook(set: set, old: old, new: new, count: count)
  }()
}
