#if Online
  /// Why a file can't be served as part of a real day. One bad record is no such reason: see ``DayReport``.
  public enum DayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file can't be read.
    case unreadable(file: String, reason: String)
    /// The file is compressed, and can't be unpacked.
    case damaged(file: String, reason: String)
    /// The file is no JSON, from a place on.
    case notJSON(file: String, line: Int, column: Int, reason: String)
    /// The file is JSON of something else.
    case notWhatItShouldBe(file: String, place: String, expected: String, found: String)

    /// A stable name for logs and programs.
    public var code: String {
      switch self {
      case .unreadable: "unreadable"
      case .damaged: "damaged"
      case .notJSON: "notJSON"
      case .notWhatItShouldBe: "notWhatItShouldBe"
      }
    }

    /// The path that was given.
    public var file: String {
      switch self {
      case .unreadable(let file, _), .damaged(let file, _), .notJSON(let file, _, _, _),
        .notWhatItShouldBe(let file, _, _, _):
        file
      }
    }

    public var description: String {
      switch self {
      case .unreadable(let file, let reason):
        "\(file): \(reason). Name a file that can be read"
      case .damaged(let file, let reason):
        "\(file): \(reason). Fetch the file again"
      case .notJSON(let file, let line, let column, let reason):
        "\(file):\(line):\(column): no JSON: \(reason). Give JSON, JSON lines, or either of them as .xz"
      case .notWhatItShouldBe(let file, let place, let expected, let found):
        "\(file), \(place): expected \(expected), found \(found). Give the file to the option that is for it"
      }
    }
  }
#endif
