/// The automatic columns of an object whose class declares none, as they stand in its row.
package struct KeptRow {
  private var number = Int64.min
  private var created = Double.nan
  private var updated = Double.nan
  var isDeleted = false
  /// The object has no row any more; the entry waits for its end.
  var isRemoved = false
  /// Which database the row is in; 0 where the user set the pkid by hand, which goes for any.
  var database: UInt32 = 0

  @inline(__always)
  package init(
    pkid: Int64? = nil, createTime: Double? = nil, updateTime: Double? = nil,
    isDeleted: Bool = false, database: UInt32 = 0
  ) {
    self.isDeleted = isDeleted
    self.database = database
    self.pkid = pkid
    self.createTime = createTime
    self.updateTime = updateTime
  }

  // Kept small: values that no row has stand for nil.

  @inline(__always)
  package var pkid: Int64? {
    get { number == .min ? nil : number }
    set { number = newValue ?? .min }
  }

  /// Seconds since 1970.
  @inline(__always)
  var createTime: Double? {
    get { created.isNaN ? nil : created }
    set { created = newValue ?? .nan }
  }

  /// Seconds since 1970.
  @inline(__always)
  var updateTime: Double? {
    get { updated.isNaN ? nil : updated }
    set { updated = newValue ?? .nan }
  }
}
