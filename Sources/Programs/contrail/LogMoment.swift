import ArgumentParser
import ContrailLog
import ContrailReplay

/// A time in the log of a service, as given on the command line.
///
/// | text | meaning |
/// |---|---|
/// | `2026-11-26T14:02:00Z` | a time in UTC |
/// | `1h10m`, `t+01:10:00`, `t+0` | a time since the first line of the log |
/// | `-90s`, `t-1h` | a time before the last line of the log |
enum LogMoment {
  /// Milliseconds since 1970.
  case time(Int64)
  /// Milliseconds since the first line; if negative, before the last line.
  case offset(Int64)

  static let help = "a time (2026-11-26T14:02:00Z), or one from the start (1h10m, t+0) or the end (-90s) of the log"

  /// - Throws: `ValidationError` if the text isn't a time.
  init(_ text: String) throws {
    switch try? TimelinePosition(text) {
    case .time(let time): self = .time(time)
    case .offset(let offset): self = .offset(offset)
    case .seq, nil: throw ValidationError("--at: '\(text)' isn't a time. Use \(Self.help).")
    }
  }
}

/// A time in a log with the times of the log's first and last line, in milliseconds since 1970.
struct LogPlace {
  let time: Int64
  let first: Int64
  let last: Int64

  /// Finds a time in a log.
  ///
  /// - Complexity: O(*n*) in the newest segment.
  /// - Throws: ``LogError`` if the log can't be read.
  init(_ moment: LogMoment, inLogAt path: String) throws {
    let first = try LogReader(path: path).next()?.at ?? 0
    let newest = try LogReader(path: path, from: .max)
    var last = first
    while let line = try newest.next() { last = line.at }
    (self.first, self.last) = (first, last)
    switch moment {
    case .time(let time): self.time = time
    case .offset(let offset): time = offset < 0 ? last + offset : first + offset
    }
  }

  /// Whether no line was written by the time.
  var isBeforeStart: Bool { time < first }

  /// Says that the time is before or beyond the log; nil if it is neither.
  var note: String? {
    if isBeforeStart { return "The log begins at \(Words.utc(first)): no line was written by \(Words.utc(time))." }
    guard time > last else { return nil }
    return "The log ends at \(Words.utc(last)): what follows is the state then, aged to \(Words.utc(time))."
  }
}
