import ContrailWire

/// Selects the faults of each request: requested ones, scheduled ones and random ones.
actor FaultSource {
  private let schedules: [FaultSchedule]
  private let rate: Double
  private let draw: SeededRandom
  private var firstRequestAt: Int64?
  private var requests: UInt64 = 0

  init(schedules: [FaultSchedule], rate: Double, seed: UInt64) {
    self.schedules = schedules
    self.rate = rate
    draw = SeededRandom(seed: seed, .fault)
  }

  /// Returns the faults of the next request.
  ///
  /// Random faults depend on the seed and the number of the request, so equal sequences of requests get equal faults.
  ///
  /// - Parameter now: The time of the request in seconds since 1970.
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

  /// The random faults: common failures of networks and servers.
  private static let common: [Fault] = [
    .drop, .status(500, retryAfterSeconds: nil), .status(503, retryAfterSeconds: 10), .truncate(.length),
    .truncate(.chunked), .garble, .html, .latency(milliseconds: 1500),
  ]
}
