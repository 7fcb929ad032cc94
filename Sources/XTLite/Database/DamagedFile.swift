import Foundation

/// A file that can't be read any more: kept, under another name.
enum DamagedFile {
  /// Moves the file, with what SQLite keeps beside it, to a name with the date and the time.
  ///
  /// - Parameter keepingName: Leaves the file itself under its own name too, to be replaced in one
  ///   step.
  /// - Returns: The new path.
  static func setAside(_ path: String, keepingName: Bool = false) throws -> String {
    let place = place(for: path)
    // The log first: beside another file it would be put into that.
    for (file, new) in zip(DatabaseFile.companions(of: path), DatabaseFile.companions(of: place))
    where FileIdentity(path: file) != nil {
      try FilePath.move(file, to: new)
    }
    if FileIdentity(path: path) != nil, !(keepingName && FilePath.link(path, as: place)) {
      try FilePath.move(path, to: place)
    }
    FilePath.syncFolder(of: path)
    return place
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
