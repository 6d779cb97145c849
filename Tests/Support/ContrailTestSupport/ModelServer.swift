package import ContrailCore
import ContrailGeodesy
package import ContrailWire

/// The server's rules over a list of reports, in the fewest lines: what a test holds the client against.
///
/// It has no areas: every report is inside every ring.
package struct ModelServer: Sendable {
  package struct Arrival: Sendable {
    package var report: TurbulenceReport
    /// When the server got it, in seconds.
    package var second: Int64

    package init(report: TurbulenceReport, second: Int64) {
      self.report = report
      self.second = second
    }
  }

  package var arrivals: [Arrival] = []
  package var pireps: [PIREP] = []
  /// Tokens older than this many seconds get 410.
  package var retentionSeconds: Int64 = 12 * 3600
  package var polygonsETag = "\"1\""
  /// What clients uploaded, each key once.
  package private(set) var uploads: [(key: String, reports: [TurbulenceReport])] = []
  /// Keys that came with other reports than before.
  package private(set) var reusedKeys: [String] = []

  package init() {}

  /// A server to which `perMinute` reports come in each minute of a span of seconds, some of them late.
  package init(seed: UInt64, from start: Int64, to end: Int64, perMinute: Int) {
    var random = SplitMix64(seed: seed)
    for second in stride(from: start, to: end, by: 60) {
      for _ in 0..<perMinute {
        let observed = second + Int64.random(in: 0..<60, using: &random)
        let delay =
          random.chance(5) ? Int64.random(in: 600...5400, using: &random) : Int64.random(in: 1...60, using: &random)
        arrivals.append(Arrival(report: Self.report(at: observed, using: &random), second: observed + delay))
      }
    }
  }

  /// A report at a random place.
  package static func report(at second: Int64, using random: inout SplitMix64) -> TurbulenceReport {
    // Digits 0…5 on base cells that are no pentagons: always a cell.
    let base = UInt32([0, 1, 2, 3, 5, 6, 7, 8, 9, 10][Int.random(in: 0..<10, using: &random)])
    var cell = base
    for _ in 0..<5 { cell = cell << 3 | UInt32.random(in: 0...5, using: &random) }
    return TurbulenceReport(
      cell: cell, altitude: UInt8.random(in: 0...52, using: &random), severity: UInt8.random(in: 0...4, using: &random),
      edrE4: UInt16.random(in: 0...6000, using: &random), observedAt: UInt32(second))
  }

  /// Takes an upload in: the same key with the same reports counts once.
  package mutating func receive(_ reports: [TurbulenceReport], key: String) {
    guard let known = uploads.first(where: { $0.key == key }) else { return uploads.append((key, reports)) }
    if known.reports != reports { reusedKeys.append(key) }
  }

  /// What a client holds that has applied an answer as of `token`: a set, so no order.
  package func held(_ spec: FetchSpec, asOf token: Int64) -> ReportSet {
    var set = ReportSet()
    guard spec.types.contains(.turbulence) else { return set }
    for arrival in arrivals where arrival.second < token && spec.admits(arrival.report, asOf: token) {
      set.insert(arrival.report)
    }
    return set
  }

  package func heldPIREPs(_ spec: FetchSpec, asOf token: Int64) -> PIREPSet {
    var set = PIREPSet()
    guard spec.types.contains(.pireps) else { return set }
    for pirep in pireps where pirep.updatedAt < token && pirep.observedAt > token - spec.history.seconds {
      set.insert(pirep)
    }
    return set
  }

  /// The answer to a request, at a time in milliseconds.
  package func answer(_ spec: FetchSpec, since: Int64?, atMS now: Int64) -> (status: Int, body: [UInt8]) {
    let token = now / 1000
    if let since, since > token || token - since > retentionSeconds {
      let error = ServiceError(status: 410, code: ServiceError.deltaUnavailable, message: "no delta since \(since)")
      return (410, error.json(reason: "Gone"))
    }
    let held = held(spec, asOf: token)
    var answer = ObservationsAnswer(
      token: token, follows: since, held: HeldSum(count: held.count, checksum: held.checksum))
    if let since, spec.types.contains(.turbulence) {
      answer.reports = arrivals.filter {
        $0.second >= since && $0.second < token && spec.admits($0.report, asOf: token)
      }.map(\.report)
    } else {
      answer.reports = held.sorted
    }
    if spec.types.contains(.pireps) {
      let held = heldPIREPs(spec, asOf: token)
      answer.heldPIREPs = HeldSum(count: held.count, checksum: held.checksum)
      answer.pireps = held.sorted.filter { since == nil || $0.updatedAt >= since ?? 0 }
    }
    if spec.types.contains(.traffic) { answer.traffic = [] }
    return (200, answer.json)
  }
}
