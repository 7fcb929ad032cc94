import Foundation

/// A stack with room for values that are nested deeply.
///
/// Coders call themselves once per level. A thread's stack may be as small as 512 kB, which some
/// hundred levels of Foundation's coders outgrow; that would end the process.
enum DeepStack {
  /// The levels that any stack has room for.
  static let shallow = 64

  /// Room for many times the levels that ``NestingCheck`` allows, also for code that no optimizer
  /// saw. Memory that is not touched costs nothing.
  private static let size = 64 << 20

  /// Runs `body` on a thread of its own, which this one waits for.
  static func run<Result>(_ body: () throws -> Result) throws -> Result {
    var result: Swift.Result<Result, any Error>?
    withoutActuallyEscaping({ result = Swift.Result { try body() } }) { call in
      let isDone = runOnThread(call)
      // Without a thread there is this one's stack.
      if !isDone { call() }
    }
    guard let result else { throw ColumnFailure.notStorable("it is nested too deeply") }
    return try result.get()
  }

  private static func runOnThread(_ call: @escaping () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, size) == 0 else { return false }
    let context = UnsafeMutablePointer<() -> Void>.allocate(capacity: 1)
    context.initialize(to: call)
    defer {
      context.deinitialize(count: 1)
      context.deallocate()
    }
    #if canImport(Darwin)
      var thread: pthread_t?
      guard
        pthread_create(
          &thread, &attributes,
          { context in
            context.assumingMemoryBound(to: (() -> Void).self).pointee()
            return nil
          }, context) == 0, let thread
      else { return false }
    #else
      var thread = pthread_t()
      guard
        pthread_create(
          &thread, &attributes,
          { context in
            context?.assumingMemoryBound(to: (() -> Void).self).pointee()
            return nil
          }, context) == 0
      else { return false }
    #endif
    pthread_join(thread, nil)
    return true
  }
}
