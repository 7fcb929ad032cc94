/// The pages that the database has no use for at the moment. What they hold is nobody's row.
struct Freelist {
  private(set) var pages: [Int] = []
  /// Whether pages may be free that are not in `pages`.
  private(set) var isIncomplete = false

  /// Follows the list from its head.
  ///
  /// - Parameters:
  ///   - head: The first trunk page; nil where nobody knows it.
  ///   - count: How many free pages the header states.
  init(head: Int?, count: Int, in store: PageStore) {
    var seen: Set<Int> = []
    var trunk = head ?? 0
    while trunk != 0 {
      guard seen.insert(trunk).inserted, let found = Trunk(trunk, in: store) else {
        isIncomplete = true
        break
      }
      pages.append(trunk)
      pages += found.leaves
      trunk = found.next
      if pages.count > store.pageCount {
        isIncomplete = true
        break
      }
    }
    if head == nil || pages.count != count { isIncomplete = true }
  }

  /// Adds the pages that can only be trunks, for a list whose beginning is lost, and finds out whether
  /// that is all of it.
  ///
  /// - Parameter count: How many free pages there should be; nil where nobody knows.
  mutating func add(_ trunks: [(number: Int, trunk: Trunk)], count: Int?) {
    var all = Set(pages)
    for found in trunks {
      all.insert(found.number)
      all.formUnion(found.trunk.leaves)
    }
    pages = all.sorted()
    if let count {
      isIncomplete = all.count != count
    } else {
      // A whole chain: one trunk that nobody points to, one that points to none.
      let numbers = Set(trunks.map(\.number))
      let targets = trunks.map(\.trunk.next).filter { $0 != 0 }
      isIncomplete =
        trunks.isEmpty || targets.count != trunks.count - 1
        || Set(targets).count != targets.count || !numbers.isSuperset(of: targets)
    }
  }

  struct Trunk {
    let next: Int
    let leaves: [Int]

    /// - Returns: nil where the page can't be a trunk: each number in it has to be that of a page,
    ///   and none may be there twice.
    init?(_ number: Int, in store: PageStore) {
      guard number > 1, number <= store.pageCount, let page = store.page(number) else {
        return nil
      }
      self.init(page, usable: store.usable, pageCount: store.pageCount)
    }

    init?(_ page: [UInt8], usable: Int, pageCount: Int) {
      guard let next = page.uint32(at: 0), next != 1, next <= pageCount,
        let count = page.uint32(at: 4), count <= usable / 4 - 2
      else { return nil }
      var leaves: [Int] = []
      leaves.reserveCapacity(count)
      for index in 0..<count {
        guard let leaf = page.uint32(at: 8 + 4 * index), leaf > 1, leaf <= pageCount else {
          return nil
        }
        leaves.append(leaf)
      }
      guard Set(leaves).count == count else { return nil }
      self.next = next
      self.leaves = leaves
    }
  }
}
