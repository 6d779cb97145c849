#if Online
  import ContrailWire

  /// Decides which faults a request meets: those it asks for, those that are due by schedule, and some by chance.
  actor FaultSource {
    private let schedules: [FaultSchedule]
    private let rate: Double
    private let draw: Draw
    private var firstRequestAt: Int64?
    private var requests: UInt64 = 0

    init(schedules: [FaultSchedule], rate: Double, seed: UInt64) {
      self.schedules = schedules
      self.rate = rate
      draw = Draw(seed: seed, .fault)
    }

    /// The faults of the next request, which comes at `now` in seconds since 1970.
    ///
    /// Chance is drawn from the seed and the request's number: the same requests in the same order meet the same faults.
    func next(now: Int64) -> [Fault] {
      let first = firstRequestAt ?? now
      firstRequestAt = first
      requests += 1
      var faults = schedules.filter { $0.isOn(at: now - first) }.flatMap(\.faults)
      if rate > 0, draw.unit(requests) < rate {
        faults.append(Self.common[draw.index(below: Self.common.count, requests, 1)])
      }
      return faults
    }

    /// What networks and servers do of themselves.
    private static let common: [Fault] = [
      .drop, .status(500, retryAfterSeconds: nil), .status(503, retryAfterSeconds: 10), .truncate(.length),
      .truncate(.chunked), .garble, .html, .latency(milliseconds: 1500),
    ]
  }
#endif
