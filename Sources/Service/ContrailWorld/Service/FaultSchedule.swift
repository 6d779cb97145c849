import ContrailHTTP
package import ContrailLog
import ContrailWire

/// A fault during a period: `503 for 10m from 5m`, `latency=2000 from 1h`, `drop for 30s every 10m`.
///
/// Times count from the server's first request and use the time of the requests, so a schedule also works for
/// simulated flights.
package struct FaultSchedule: Hashable, Sendable {
  /// The faults.
  package let faults: [Fault]
  /// The beginning in seconds after the first request.
  package let startSeconds: Int64
  /// The length in seconds, or `nil` for no end within the period.
  package let lengthSeconds: Int64?
  /// The period in seconds after which the fault begins again, or `nil` for no repetition.
  package let periodSeconds: Int64?

  /// Parses a schedule `FAULT[,FAULT…] [for TIME] [from TIME] [every TIME]`.
  ///
  /// Faults are as in ``Fault/list(_:)`` or a bare status such as `503`. Times are such as `90`, `90s`, `10m` or
  /// `2h`.
  ///
  /// - Throws: ``InputError`` if the text is invalid.
  package init(_ text: String) throws(InputError) {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    var names = ""
    var times: [String: Int64] = [:]
    var index = 0
    while index < words.count {
      let word = words[index]
      if ["for", "from", "every"].contains(word) {
        guard index + 1 < words.count, let time = Self.seconds(words[index + 1]), times[word] == nil else {
          throw InputError(.fault, in: text, "'\(word)' needs one time, as in '\(word) 10m'")
        }
        times[word] = time
        index += 2
      } else {
        guard times.isEmpty else {
          throw InputError(.fault, in: word, "unexpected text; use for, from or every")
        }
        names += word
        index += 1
      }
    }
    faults = try Fault.list(names)
    guard !faults.isEmpty else {
      throw InputError(.fault, in: text, "no fault; name one, as in '503 for 10m from 5m'")
    }
    startSeconds = times["from"] ?? 0
    lengthSeconds = times["for"]
    periodSeconds = times["every"]
    if let periodSeconds, periodSeconds <= (lengthSeconds ?? 0) {
      throw InputError(.fault, in: text, "'every' must be longer than 'for'")
    }
  }

  /// Returns whether the fault is active this many seconds after the first request.
  package func isOn(at seconds: Int64) -> Bool {
    guard seconds >= startSeconds else { return false }
    let passed = seconds - startSeconds
    let phase = periodSeconds.map { passed % $0 } ?? passed
    return lengthSeconds.map { phase < $0 } ?? true
  }

  /// Parses a time of whole seconds such as `90`, `90s`, `1h10m` or `01:10:00`, up to a year. Returns `nil` if the text is invalid.
  package static func seconds(_ text: String) -> Int64? {
    if let seconds = Int64(text) { return (0...31_536_000).contains(seconds) ? seconds : nil }
    guard let time = TimeText.milliseconds(text), time % 1000 == 0, (0...31_536_000_000).contains(time) else {
      return nil
    }
    return time / 1000
  }
}

/// Selects the faults of each request: requested ones, scheduled ones and random ones.
struct FaultSource: Sendable {
  private struct State {
    /// The schedules, each with the time from which it counts; `nil` for the first request.
    var schedules: [(schedule: FaultSchedule, start: Int64?)]
    var firstRequestAt: Int64?
    var requests: UInt64 = 0
  }

  private let state: Lock<State>
  private let rate: Double
  private let draw: SeededRandom

  init(schedules: [FaultSchedule], rate: Double, seed: UInt64) {
    state = Lock(State(schedules: schedules.map { ($0, nil) }))
    self.rate = rate
    draw = SeededRandom(seed: seed, .fault)
  }

  /// Adds a schedule that counts from a time in seconds since 1970.
  func add(_ schedule: FaultSchedule, now: Int64) { state.withLock { $0.schedules.append((schedule, now)) } }

  /// Removes all schedules.
  func clear() { state.withLock { $0.schedules = [] } }

  /// Returns the faults of the next request.
  ///
  /// Random faults depend on the seed and the number of the request, so equal sequences of requests get equal faults.
  ///
  /// - Parameter now: The time of the request in seconds since 1970.
  func next(now: Int64) -> [Fault] {
    let (number, scheduled) = state.withLock { state in
      let first = state.firstRequestAt ?? now
      state.firstRequestAt = first
      state.requests += 1
      let isOn = state.schedules.filter { $0.schedule.isOn(at: now - ($0.start ?? first)) }
      return (state.requests, isOn.flatMap(\.schedule.faults))
    }
    guard rate > 0, draw.unit(number) < rate else { return scheduled }
    return scheduled + [Self.common[draw.index(below: Self.common.count, number, 1)]]
  }

  /// The random faults: common failures of networks and servers.
  private static let common: [Fault] = [
    .drop, .status(500, retryAfterSeconds: nil), .status(503, retryAfterSeconds: 10), .truncate(.length),
    .truncate(.chunked), .garble, .html, .latency(milliseconds: 1500),
  ]
}
