import Foundation

/// A file that can't be read any more: kept, under another name.
enum DamagedFile {
  /// Gives the file, and what belongs to it, a name with the date and the time.
  ///
  /// - Parameter keepingName: Leaves it under its own name too, to be replaced in one step after
  ///   `removeBelongings`: who is killed before that leaves it as it was.
  /// - Returns: The new path.
  static func setAside(_ path: String, keepingName: Bool = false) throws -> String {
    let place = place(for: path)
    // The log first: beside another file it would be put into that.
    let files = DatabaseFile.belongings(of: path) + [path]
    let places = DatabaseFile.belongings(of: place) + [place]
    for (file, new) in zip(files, places) where FileIdentity(path: file) != nil {
      if keepingName, FilePath.link(file, as: new) { continue }
      if keepingName { try FilePath.copy(file, to: new) } else { try FilePath.move(file, to: new) }
    }
    FilePath.syncFolder(of: path)
    return place
  }

  /// Removes what belongs to the file, directly before another one takes its place.
  static func removeBelongings(of path: String) throws {
    for file in DatabaseFile.belongings(of: path) { try FilePath.remove(file) }
  }

  /// Takes back what `setAside` did where it left the file under its own name too.
  static func forget(_ place: String) {
    for file in [place] + DatabaseFile.belongings(of: place) { try? FilePath.remove(file) }
  }

  /// `people.sqlite.damaged-20250131-235959`, or with a number after that where it is taken.
  private static func place(for path: String) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
    let now = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: Date())
    func digits(_ part: Int?, _ count: Int) -> String {
      let text = String(part ?? 0)
      return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
    let date = digits(now.year, 4) + digits(now.month, 2) + digits(now.day, 2)
    let time = digits(now.hour, 2) + digits(now.minute, 2) + digits(now.second, 2)
    let start = "\(path).damaged-\(date)-\(time)"
    var place = start
    var number = 1
    while FileIdentity(path: place) != nil {
      place = "\(start)-\(number)"
      number += 1
    }
    return place
  }
}
