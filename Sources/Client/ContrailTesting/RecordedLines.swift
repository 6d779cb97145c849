import ContrailCore
import ContrailReplay

/// The lines of a recording, an input with what follows it at a time.
struct RecordedLines {
  private let reader: RecordingReader
  /// The first line of the next turn.
  private var ahead: Record?

  init(path: String) throws(TestingError) {
    do throws(UnreadableRecording) {
      reader = try RecordingReader(path: path)
      ahead = try reader.next()?.record
    } catch {
      throw TestingError(error)
    }
  }

  /// The time of the next turn in milliseconds; nil at the end.
  var nextAt: Int64? { ahead?.at }

  /// Returns an input and the lines up to the next one; none at the end. The first may be a snapshot.
  mutating func next() throws(TestingError) -> [Record] {
    guard let first = ahead else { return [] }
    var records = [first]
    do throws(UnreadableRecording) {
      while true {
        ahead = try reader.next()?.record
        guard let line = ahead else { break }
        if case .input = line.event { break }
        records.append(line)
      }
    } catch {
      throw TestingError(error)
    }
    return records
  }

  /// Returns the times of the first and the last line.
  static func span(of path: String) throws(TestingError) -> ClosedRange<Int64> {
    var lines = try RecordedLines(path: path)
    var (first, last, hasInput): (Int64?, Int64, Bool) = (nil, .min, false)
    while true {
      let turn = try lines.next()
      guard let line = turn.last else { break }
      first = first ?? turn.first?.at
      last = max(last, line.at)
      if case .input? = turn.first?.event { hasInput = true }
    }
    guard let first, hasInput, first <= last else {
      throw TestingError(
        code: .empty, place: path, message: "The recording contains no input.", advice: "Record a flight.")
    }
    return first...last
  }
}
