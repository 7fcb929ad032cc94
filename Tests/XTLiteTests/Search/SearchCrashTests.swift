import Foundation
import Testing
import TortureWork

@testable import XTLite

/// A process that is killed while it writes rows that are searched.
@Suite struct SearchCrashTortureTests {
  @Test func process_thatIsKilled_leavesAnIndexThatFits() throws {
    var kills = 0
    while kills < Torture.part(of: 100) {
      let folder = try TemporaryFolder()
      let path = folder.path("killed.sqlite")
      for _ in 0..<10 where kills < Torture.part(of: 100) {
        let child = try ChildProcess("search", path)
        for _ in 0..<Int.random(in: 0..<8) { _ = child.line() }
        usleep(.random(in: 0..<20_000))
        child.kill()
        _ = child.lines()
        kills += 1
        let database = try XTDatabase(path: path)
        let table = database.table(SearchedRow.self)
        guard try table.exists() else { continue }
        #expect(try table.checkSearch() == table.count(scope: .all))
        for word in SearchWriter.words {
          let rows = try table.count(where: "' ' || text || ' ' LIKE \("% \(word) %")")
          #expect(try table.searchCount(word) == rows, "\(word)")
        }
        try database.close()
      }
    }
  }
}
