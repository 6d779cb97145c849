import ContrailCore
import ContrailGeodesy
package import ContrailLog
import ContrailWire

/// A generated flight of any size for benchmarks.
///
/// It has one corridor, one delta per minute with about 210 turbulence reports, and two hours of history. The planner
/// makes every decision, and every response follows the protocol, so the log replays like a recording. The same seed
/// produces the same bytes.
package struct SampleLog: Sendable {
  /// The minimum size of the log in bytes.
  package var byteCount: Int64
  /// The seed of the places, severities and delays.
  package var seed: UInt64
  /// The approximate number of reports per minute.
  package var reportsPerMinute: Int64

  /// The start of the flight in milliseconds since 1970: 2025-02-19T21:20:00Z.
  static let startMS: Int64 = 1_740_000_000_000
  /// The number of responses between two state digests.
  private static let answersPerMark = 30

  package init(byteCount: Int64, seed: UInt64 = 1, reportsPerMinute: Int64 = 207) {
    self.byteCount = byteCount
    self.seed = seed
    self.reportsPerMinute = max(1, reportsPerMinute)
  }

  /// Writes the log to a new file.
  ///
  /// - Parameters:
  ///   - path: The path of the log. No file may exist there.
  ///   - storage: The file system.
  /// - Throws: ``LogError`` if the file exists or can't be written.
  /// - Complexity: O(*n*) in the size of the log. Two hours of reports are in memory.
  package func write(to path: String, storage: any LogStorage = POSIXStorage()) throws(LogError) {
    let policy = LogWriter.SyncPolicy.interval(milliseconds: 30 * 60_000)
    let writer = try LogWriter.create(path: path, at: Self.startMS, policy: policy, storage: storage)
    var flight = Flight(writer: writer, sample: self)
    try flight.launch()
    while writer.byteCount < byteCount {
      for _ in 0..<Self.answersPerMark where writer.byteCount < byteCount { try flight.answer() }
      try flight.mark()
    }
  }
}

/// The simulated flight: engine, log and server.
private struct Flight {
  private let writer: LogWriter
  private var state = State()
  private var now = SampleLog.startMS
  private var world: World

  init(writer: LogWriter, sample: SampleLog) {
    self.writer = writer
    world = World(sample, second: SampleLog.startMS / 1000)
  }

  mutating func launch() throws(LogError) {
    try send(.sessionStarted(.init(engine: EngineVersion.current.description, id: "sample", seed: 1)))
    try send(.connectivityChanged(isOnline: true))
    var query = ResolvedQuery()
    query.polygon = Self.area
    try send(.queryChanged(query))
  }

  /// Responds to the request in flight and advances to the next one.
  mutating func answer() throws(LogError) {
    guard let flight = state.scope(.corridor)?.inFlight else { return }
    let serverTimeMS = now
    let body = world.answer(since: flight.since, asOf: now / 1000, history: flight.spec.history).json
    now += world.latencyMS
    try send(
      .responseReceived(
        .init(
          request: flight.request, status: 200, wireBytes: Int64(body.count / 6), serverTimeMS: serverTimeMS,
          body: .inline(body))))
    guard let wake = state.nextWake else { return }
    now = max(now, wake.at)
    try send(.clockTicked(scope: wake.scope, due: wake.at))
  }

  mutating func mark() throws(LogError) {
    var batch = writer.batch()
    try add(.mark(.stateDigested(state.digest)), to: &batch)
    try writer.append(batch)
    try writer.sync(at: now)
  }

  private mutating func send(_ input: Input) throws(LogError) {
    var batch = writer.batch()
    try add(.input(input), to: &batch)
    for decision in state.decide() { try add(.decision(decision), to: &batch) }
    try writer.append(batch)
  }

  private mutating func add(_ event: Event, to batch: inout LogBatch) throws(LogError) {
    let seq = try batch.add(kind: event.kind.rawValue, at: now, payload: event.payload)
    state.evolve(Record(seq: seq, at: now, event: event))
  }

  /// A band with 41 corners over the North Atlantic.
  private static let area: ResolvedQuery.Points = {
    let degree = FixedCoordinate.degree
    let south = (0..<20).map { FixedCoordinate(latitudeE7: 45 * degree, longitudeE7: (3 * $0 - 60) * degree) }
    let north = south.reversed().map {
      FixedCoordinate(latitudeE7: $0.latitudeE7 + 9 * degree, longitudeE7: $0.longitudeE7)
    }
    return south + north + [south[0]]
  }()
}

/// The reports that arrive at the server, and the reports a client must hold.
private struct World {
  private var random: Mixer
  /// The reports of the last two hours by second.
  private var held: [Int64: HeldSum] = [:]
  private var sum = HeldSum(count: 0, checksum: 0)
  private var expiredUpTo: Int64
  private var arrivedBefore: Int64
  private var initial: [TurbulenceReport] = []
  private let reportsPerMinute: Int64

  init(_ sample: SampleLog, second: Int64) {
    random = Mixer(seed: sample.seed)
    reportsPerMinute = sample.reportsPerMinute
    expiredUpTo = second - 7200
    arrivedBefore = second - 7200
    while arrivedBefore < second { initial += arrivals(until: arrivedBefore + 60) }
  }

  var latencyMS: Int64 { mutating get { random.next(in: 300...1500) } }

  /// Returns the response for a time: all reports, or those that arrived since an earlier response.
  mutating func answer(since: Int64?, asOf token: Int64, history: DataHistoryTime) -> ObservationsAnswer {
    let limit = token - history.seconds
    while expiredUpTo < limit {
      expiredUpTo += 1
      guard let gone = held.removeValue(forKey: expiredUpTo) else { continue }
      sum.count -= gone.count
      sum.checksum &-= gone.checksum
    }
    var reports = since == nil ? initial : []
    initial = []
    reports += arrivals(until: token)
    // The order of the reference server.
    reports = reports.filter { Int64($0.observedAt) > limit }
    reports.sort { ($0.observedAt, $0.packed) < ($1.observedAt, $1.packed) }
    return ObservationsAnswer(token: token, follows: since, held: sum, reports: reports)
  }

  /// Generates the reports that arrive before a second. Some are up to an hour and a half late.
  private mutating func arrivals(until second: Int64) -> [TurbulenceReport] {
    let seconds = second - arrivedBefore
    guard seconds > 0 else { return [] }
    let reports = (0..<max(1, seconds * reportsPerMinute / 60 + random.next(in: -40...40) * reportsPerMinute / 207))
      .compactMap { _ -> TurbulenceReport? in
        let delay = random.next(in: 0...99) < 5 ? random.next(in: 600...5400) : random.next(in: 1...60)
        let observed = second - 1 - random.next(in: 0...seconds - 1) - delay
        let report = random.report(at: observed)
        guard observed > expiredUpTo else { return nil }
        held[observed, default: HeldSum(count: 0, checksum: 0)].count += 1
        held[observed]?.checksum &+= report.digest
        sum.count += 1
        sum.checksum &+= report.digest
        return report
      }
    arrivedBefore = second
    return reports
  }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
private struct Mixer {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Digest.mix(state)
  }

  /// Returns a number in a range. The range must be small compared with 2⁶⁴.
  mutating func next(in range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  /// Returns a report at a cruising altitude, usually with smooth air.
  mutating func report(at second: Int64) -> TurbulenceReport {
    let bases: [Int64] = [3, 6, 7, 9, 12, 13, 16, 21]
    var cell = UInt32(bases[Int(next(in: 0...7))])
    for _ in 0..<5 { cell = cell << 3 | UInt32(next(in: 0...6)) }
    let isRough = next(in: 0...9) == 0
    let edr = isRough ? next(in: 1000...6000) : next(in: 1...999)
    let severity: UInt8 =
      switch edr {
      case 4500...: 4
      case 3000...: 3
      case 2000...: 2
      case 1000...: 1
      default: 0
      }
    return TurbulenceReport(
      cell: cell, altitude: UInt8(next(in: 24...45)), severity: severity, edrE4: UInt16(edr),
      observedAt: UInt32(second))
  }
}
