extension Array where Element: XTModel {
  /// A copy of the models sorted by a property, in memory. Models that hold the same keep their
  /// order.
  ///
  /// ```swift
  /// let oldestFirst = people.xt_orderBy(\.age, descending: true)
  /// ```
  public func xt_orderBy<V: Comparable>(
    _ property: KeyPath<Element, V>, descending: Bool = false
  ) -> [Element] {
    sortedStably(descending) { $0[keyPath: property] < $1[keyPath: property] }
  }

  /// A copy of the models sorted by an optional property, nil before all others as in SQL.
  public func xt_orderBy<V: Comparable>(
    _ property: KeyPath<Element, V?>, descending: Bool = false
  ) -> [Element] {
    sortedStably(descending) { left, right in
      switch (left[keyPath: property], right[keyPath: property]) {
      case (let left?, let right?): left < right
      case (nil, _?): true
      default: false
      }
    }
  }

  private func sortedStably(
    _ descending: Bool, by isBefore: (Element, Element) -> Bool
  ) -> [Element] {
    enumerated().sorted { left, right in
      if isBefore(left.element, right.element) { return !descending }
      if isBefore(right.element, left.element) { return descending }
      return left.offset < right.offset
    }.map(\.element)
  }
}
