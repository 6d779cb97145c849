package import ContrailCore
import ContrailGeodesy
package import ContrailLog
package import ContrailReplay
import ContrailWire

/// Everything that a fleet asks of one log, from one pass over it: result, digest, counts, bytes, coverage and findings.
///
/// A log that can't be read has a summary too, with the reason and with the counts of the lines before the error.
package struct FlightSummary: Sendable {
  /// The path as given.
  package let path: String
  package internal(set) var outcome = RecordingResult.Verdict.same
  package internal(set) var statistics = Statistics()
  /// The digest of the final state; nil if the log couldn't be read to its end.
  package internal(set) var digest: UInt64?
  /// The engine that wrote the last launch.
  package internal(set) var engine: String?
  package internal(set) var ledger: ByteLedger
  package internal(set) var coverage = FlightCoverage()
  package internal(set) var findings: [Finding] = []
  package internal(set) var findingCount = 0
  package internal(set) var skipped = SetAside()
  /// The number of bytes in the lines read.
  package internal(set) var byteCount: Int64 = 0
  /// The full fetches, at most ``maximumFulls``, with the middle of the corridor at that time.
  package internal(set) var fulls: [FullFetch] = []
  /// The ends of the first route.
  package internal(set) var route: Route?
  /// The greatest age of the corridor's data while they were wanted, in seconds; nil if there were none.
  package internal(set) var worstAgeSeconds: Int64?

  /// The maximum number of full fetches that are listed.
  package static let maximumFulls = 1000

  /// A full fetch, in the middle of the corridor, rounded to whole degrees.
  package struct FullFetch: Hashable, Sendable {
    package var offsetMS: Int64
    package var scope: ScopeID
    package var rule: Rule
    package var latitude: Int64?
    package var longitude: Int64?
  }

  /// The ends of a route, in tenths of a degree.
  package struct Route: Hashable, Sendable {
    package var from: String
    package var to: String
  }

  /// Reads and judges a log.
  ///
  /// - Parameter path: A `.jsonl` or `.jsonl.xz` file, or a directory of segments.
  /// - Complexity: O(*n*) in the size of the log. The state and one line are in memory.
  package init(path: String, storage: any LogStorage = POSIXStorage()) {
    self.path = path
    ledger = ByteLedger(naming: path)
    var pass = Pass()
    do throws(UnreadableRecording) {
      guard !path.utf8.contains(0) else { throw Self.impossiblePath(path, "it contains a NUL character") }
      guard !path.isEmpty else { throw Self.impossiblePath(path, "it is empty") }
      let reader = try RecordingReader(path: path, storage: storage)
      defer {
        byteCount = reader.byteCount
        skipped = reader.setAside
      }
      while let entry = try reader.next() { take(entry, &pass) }
      pass.replayer.finish()
      outcome = pass.replayer.divergence.map { .diverged($0, pass.replayer.consequences) } ?? .same
      digest = pass.replayer.state.digest.combined
    } catch {
      outcome = .unreadable(error)
    }
    statistics = pass.replayer.statistics
    engine = pass.replayer.state.session?.engine
    findings = pass.judge.findings
    findingCount = pass.judge.findingCount
    if skipped.tornTail != nil { coverage.note(fault: "cut") }
    if !skipped.losses.isEmpty { coverage.note(fault: "lostLines") }
  }

  private struct Pass {
    var replayer = Replayer()
    var judge = FlightJudge()
  }

  private static func impossiblePath(_ path: String, _ reason: String) -> UnreadableRecording {
    UnreadableRecording(
      code: "invalidPath", file: path, line: nil, seq: nil, reason: "the path can't be a file's: \(reason)",
      advice: "Give one path a line.")
  }

  // MARK: Lines

  private mutating func take(_ entry: RecordingReader.Entry, _ pass: inout Pass) {
    let record = entry.record
    watchAge(pass.replayer.state, at: record.at)
    if case .input = record.event {
      let before = pass.replayer.state
      pass.replayer.fold(entry)
      coverage.watch(record, before: before, state: pass.replayer.state)
    } else {
      pass.replayer.fold(entry)
      coverage.watch(record, before: pass.replayer.state, state: pass.replayer.state)
    }
    pass.judge.watch(record, at: .init(file: entry.file, line: entry.line), state: pass.replayer.state)
    ledger.add(record)
    switch record.event {
    case .input(.queryChanged(let query)): if route == nil { route = Route(query.route) }
    case .decision(.fetchStarted(let started)) where started.mode == .full: add(started, at: record.at, pass.replayer)
    default: break
    }
  }

  private mutating func watchAge(_ state: State, at: Int64) {
    guard let index = state.index(of: .corridor), state.scopes[index].want != nil,
      let watermark = state.scopes[index].have?.watermark
    else { return }
    let age = (at + (state.serverOffsetMS ?? 0)) / 1000 - watermark
    worstAgeSeconds = max(worstAgeSeconds ?? 0, age)
  }

  private mutating func add(_ started: Decision.FetchStarted, at: Int64, _ replayer: Replayer) {
    guard fulls.count < Self.maximumFulls else { return }
    let middle = replayer.state.corridor.flatMap { Self.middle(of: $0.points) }
    fulls.append(
      FullFetch(
        offsetMS: at - (replayer.statistics.firstAt ?? at), scope: started.scope, rule: started.rule,
        latitude: middle?.latitude, longitude: middle?.longitude))
  }

  /// The mean of the points in whole degrees, whichever side of the antimeridian they are on.
  static func middle(of points: [FixedCoordinate]) -> (latitude: Int64, longitude: Int64)? {
    guard let first = points.first else { return nil }
    let (turn, half) = (360 * FixedCoordinate.degree, 180 * FixedCoordinate.degree)
    var (latitude, longitude) = (Int64(0), Int64(0))
    for point in points {
      latitude += point.latitudeE7
      var offset = point.longitudeE7 - first.longitudeE7
      if offset > half { offset -= turn }
      if offset < -half { offset += turn }
      longitude += offset
    }
    let count = Int64(points.count)
    var middle = first.longitudeE7 + longitude / count
    if middle > half { middle -= turn }
    if middle < -half { middle += turn }
    return (rounded(latitude / count, to: FixedCoordinate.degree), rounded(middle, to: FixedCoordinate.degree))
  }

  fileprivate static func rounded(_ scaled: Int64, to unit: Int64) -> Int64 {
    Int64((Double(scaled) / Double(unit)).rounded())
  }
}

extension FlightSummary.Route {
  /// The ends of a route; nil if it has none.
  init?(_ points: ResolvedQuery.Points?) {
    guard let points, points.count > 1, let first = points.first ?? nil, let last = points.last ?? nil else {
      return nil
    }
    self.init(from: Self.words(first), to: Self.words(last))
  }

  private static func words(_ point: FixedCoordinate) -> String {
    "\(tenths(point.latitudeE7)),\(tenths(point.longitudeE7))"
  }

  private static func tenths(_ scaled: Int64) -> String {
    let tenths = FlightSummary.rounded(scaled, to: FixedCoordinate.degree / 10)
    return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }
}
