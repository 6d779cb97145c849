#if Online
  /// A fault that lasts for a time: `503 for 10m from 5m`, `latency=2000 from 1h`, `drop for 30s every 10m`.
  ///
  /// Times count from the server's first request, in that request's own time, so that a schedule fits simulated flights too.
  public struct FaultSchedule: Hashable, Sendable {
    /// What happens.
    public let faults: [Fault]
    /// Seconds after the first request at which it begins.
    public let startSeconds: Int64
    /// For how many seconds; nil is for ever, or until it begins again.
    public let lengthSeconds: Int64?
    /// After how many seconds it begins again; nil is never.
    public let periodSeconds: Int64?

    /// Reads `FAULT[,FAULT…] [for TIME] [from TIME] [every TIME]`, faults as in ``Fault/list(_:)`` or a bare status such as `503`,
    /// times as `90`, `90s`, `10m`, `2h`.
    public init(_ text: String) throws(FaultSyntaxError) {
      let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
      var names = ""
      var times: [String: Int64] = [:]
      var index = 0
      while index < words.count {
        let word = words[index]
        if ["for", "from", "every"].contains(word) {
          guard index + 1 < words.count, let time = Self.seconds(words[index + 1]), times[word] == nil else {
            throw FaultSyntaxError(text: text, reason: "'\(word)' needs one time, as in '\(word) 10m'")
          }
          times[word] = time
          index += 2
        } else {
          guard times.isEmpty else { throw FaultSyntaxError(text: word, reason: "expected for, from or every") }
          names += word
          index += 1
        }
      }
      faults = try Fault.list(names)
      guard !faults.isEmpty else {
        throw FaultSyntaxError(text: text, reason: "names no fault: write one as in '503 for 10m from 5m'")
      }
      startSeconds = times["from"] ?? 0
      lengthSeconds = times["for"]
      periodSeconds = times["every"]
      if let periodSeconds, periodSeconds <= (lengthSeconds ?? 0) {
        throw FaultSyntaxError(text: text, reason: "'every' must be longer than 'for'")
      }
    }

    /// Whether the fault is on, so many seconds after the first request.
    public func isOn(at seconds: Int64) -> Bool {
      guard seconds >= startSeconds else { return false }
      let passed = seconds - startSeconds
      let phase = periodSeconds.map { passed % $0 } ?? passed
      return lengthSeconds.map { phase < $0 } ?? true
    }

    /// Seconds of a time such as `90`, `90s`, `10m` or `2h`, up to a year; nil for anything else.
    public static func seconds(_ text: String) -> Int64? {
      let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
      let unit = text.last.flatMap { units[$0] }
      guard let value = Int64(unit == nil ? text[...] : text.dropLast()), (0...31_536_000).contains(value) else {
        return nil
      }
      return value * (unit ?? 1)
    }
  }
#endif
