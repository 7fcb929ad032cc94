/// What became of a list's elements, by their identities.
///
/// To get the new list from the old one, take out what was removed and what has moved, and put in
/// what was inserted and what has moved, in the order of the new places.
public struct XTListDifference: Sendable, Equatable {
  /// An element that stands elsewhere among those that stayed.
  public struct Move: Sendable, Hashable {
    /// The place in the old list.
    public let from: Int
    /// The place in the new list.
    public let to: Int
  }

  /// The places of new elements, in the new list, in order.
  public internal(set) var inserted: [Int] = []
  /// The places of elements that are gone, in the old list, in order.
  public internal(set) var removed: [Int] = []
  /// The elements that changed their order, as few as possible, in the order of their new places.
  public internal(set) var moved: [Move] = []

  /// Whether the same elements stand in the same order.
  public var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && moved.isEmpty }

  init() {}

  init<ID: Hashable>(from old: [ID], to new: [ID]) {
    let (old, new) = (Occurrence.list(old), Occurrence.list(new))
    let oldPlaces = Dictionary(uniqueKeysWithValues: zip(old, old.indices))
    let newIDs = Set(new)
    removed = old.indices.filter { !newIDs.contains(old[$0]) }
    var stayed: [Move] = []
    for (place, id) in new.enumerated() {
      if let from = oldPlaces[id] {
        stayed.append(Move(from: from, to: place))
      } else {
        inserted.append(place)
      }
    }
    let unmoved = Self.longestAscent(stayed.map(\.from))
    moved = stayed.indices.filter { !unmoved.contains($0) }.map { stayed[$0] }
  }

  /// The places of a longest list of ascending numbers.
  private static func longestAscent(_ numbers: [Int]) -> Set<Int> {
    // The place of the smallest number with which an ascent of each length ends.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[place] = ends[low - 1] }
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var ascent: Set<Int> = []
    var place = ends.last ?? -1
    while place >= 0 {
      ascent.insert(place)
      place = before[place]
    }
    return ascent
  }
}

/// An identity, and which of those that are the same it is.
private struct Occurrence<ID: Hashable>: Hashable {
  let id: ID
  let number: Int

  static func list(_ ids: [ID]) -> [Occurrence] {
    var counts: [ID: Int] = [:]
    return ids.map { id in
      let number = counts[id, default: 0]
      counts[id] = number + 1
      return Occurrence(id: id, number: number)
    }
  }
}
