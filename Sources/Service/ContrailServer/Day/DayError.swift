/// An error in a file of a recorded day. Single invalid records don't cause an error; see ``DayReport``.
package enum DayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file can't be read.
  case unreadable(file: String, reason: String)
  /// The compressed file can't be decompressed.
  case damaged(file: String, reason: String)
  /// The file isn't valid JSON.
  case notJSON(file: String, line: Int, column: Int, reason: String)
  /// The file contains JSON of another kind.
  case notWhatItShouldBe(file: String, place: String, expected: String, found: String)

  /// A stable code of the error.
  package var code: String {
    switch self {
    case .unreadable: "unreadable"
    case .damaged: "damaged"
    case .notJSON: "notJSON"
    case .notWhatItShouldBe: "notWhatItShouldBe"
    }
  }

  /// The path as given.
  package var file: String {
    switch self {
    case .unreadable(let file, _), .damaged(let file, _), .notJSON(let file, _, _, _),
      .notWhatItShouldBe(let file, _, _, _):
      file
    }
  }

  package var description: String {
    switch self {
    case .unreadable(let file, let reason):
      "\(file): \(reason). Check the path and the permissions"
    case .damaged(let file, let reason):
      "\(file): \(reason). Download the file again"
    case .notJSON(let file, let line, let column, let reason):
      "\(file):\(line):\(column): invalid JSON: \(reason). Give JSON or JSON lines, optionally compressed as .xz"
    case .notWhatItShouldBe(let file, let place, let expected, let found):
      "\(file), \(place): expected \(expected), found \(found). Check that the file is given with the right option"
    }
  }
}
