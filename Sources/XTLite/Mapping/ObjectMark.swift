// What lets a table of objects tell whether the object that an entry was made for is still alive,
// though nobody tells the table of its end.
//
// XT_WEAK_MARKS takes Apple's side of this file elsewhere too, to test it there:
// swift test -Xswiftc -DXT_WEAK_MARKS

#if canImport(ObjectiveC) || XT_WEAK_MARKS
  /// A weak reference: the only one that objects of Objective-C take, too.
  struct ObjectMark {
    private weak var object: AnyObject?

    @inline(__always)
    init(_ object: AnyObject) {
      self.object = object
    }

    /// Whether the mark is on `other`, which has the same address: a dead object's is given away
    /// again, most often at once.
    @inline(__always)
    func isOn(_ other: AnyObject) -> Bool {
      object === other
    }

    /// - Parameters:
    ///   - address: the object's.
    ///   - met: takes the object where it lives. Its last other reference may go meanwhile, so it
    ///     must be let go where its deinit does no harm.
    func isDead(_ address: UnsafeMutableRawPointer, _ met: inout [AnyObject]) -> Bool {
      guard let object else { return true }
      met.append(object)
      return false
    }
  }
#else
  /// An unowned reference. It is a count in the object's own header, so that it costs one atomic
  /// addition, where a weak one costs an allocation and makes every later use of the object slower.
  ///
  /// It keeps the memory of a dead object (not what its properties refer to) until the mark goes:
  /// meanwhile no other object can have the address, and that is all there is to check.
  struct ObjectMark {
    private unowned let object: AnyObject

    @inline(__always)
    init(_ object: AnyObject) {
      self.object = object
    }

    @inline(__always)
    func isOn(_ other: AnyObject) -> Bool { true }

    @inline(__always)
    func isDead(_ address: UnsafeMutableRawPointer, _ met: inout [AnyObject]) -> Bool {
      xt_is_dead(address) != 0
    }
  }
#endif
