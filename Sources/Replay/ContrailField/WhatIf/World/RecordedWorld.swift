package import ContrailCore
package import ContrailGeodesy
package import ContrailWire

/// The world of one recording: the records of the server and their times, as far as the recorded answers contain them.
///
/// Reports are immutable facts with a time of observation. For each, the recording tells the interval in which it arrived at the
/// server: after the last answer that would have contained it, and before the first that did. ``coverage`` tells which
/// part of a request the recording covers.
///
/// Times are seconds by the server's clock, as in watermarks.
package struct RecordedWorld: Sendable {
  /// A report, and the interval in which it arrived.
  package struct Observation: Sendable {
    package let report: TurbulenceReport
    /// In four bytes each, because a long recording has millions of reports.
    private var first: UInt32
    private var last: UInt32

    package init(report: TurbulenceReport, earliest: Int64, latest: Int64) {
      self.report = report
      (first, last) = (UInt32(clamping: earliest), UInt32(clamping: latest))
    }

    /// The first second at which it can have arrived.
    package var earliest: Int64 {
      get { Int64(first) }
      set { first = UInt32(clamping: newValue) }
    }

    /// The last second at which it can have arrived.
    package var latest: Int64 {
      get { Int64(last) }
      set { last = UInt32(clamping: newValue) }
    }
  }

  /// A version of a PIREP, and the interval in which it arrived.
  package struct PilotReport: Sendable {
    package var pirep: PIREP
    package var earliest: Int64
    package var latest: Int64
  }

  /// The aircraft in an area at a time.
  package struct TrafficSnapshot: Sendable {
    package var token: Int64
    package var areaDigest: UInt64
    package var aircraft: [TrafficPosition]
  }

  /// Names a document that is fetched as a whole: the polygons of a history time and an area, or the weather of a place.
  package struct DocumentKey: Hashable, Sendable {
    package var scope: ScopeID
    package var areaDigest: UInt64
    package var weather: WeatherSpec?

    package init(scope: ScopeID, spec: FetchSpec) {
      self.scope = scope
      areaDigest = spec.areaDigest
      weather = spec.weather
    }
  }

  /// A version of a document, and when it was seen. Times are milliseconds by the server's clock.
  package struct Version: Sendable {
    package var firstSeenMS: Int64
    package var lastSeenMS: Int64
    package var etag: String?
    package var body: Input.Body
    package var wireBytes: Int64
    package var headBytes: Int64?
    package var form: Input.BodyForm?
    package var handle: String?
  }

  /// The reports, in the order of their first answers.
  package internal(set) var observations: [Observation] = []
  package internal(set) var pilotReports: [PilotReport] = []
  package internal(set) var traffic: [TrafficSnapshot] = []
  package internal(set) var documents: [DocumentKey: [Version]] = [:]
  /// The data that the recorded answers cover.
  package internal(set) var coverage = Coverage()
  /// The areas that were requested, by their digests.
  package internal(set) var rings: [UInt64: Ring] = [:]
  /// The handles of areas.
  package internal(set) var handles: [UInt64: String] = [:]
  /// Whether answers contain the count and the checksum of the held data.
  package internal(set) var hasSums = false
  /// Whether the server repairs what a client holds.
  var hasRepairs = false
  /// The longest time that the server holds a request, in seconds; 0 if it holds none.
  var holdSeconds: Int64 = 0
  /// The index of each report in ``observations``.
  private var table = ObservationTable()
  var pilotIndexes: [PilotKey: Int] = [:]

  struct PilotKey: Hashable, Sendable {
    var id: String
    var updatedAt: Int64
  }

  package init() {}

  /// Returns the index of a report in ``observations``; nil if no recorded answer contains it.
  package func index(of report: TurbulenceReport) -> Int? { table.index(of: report, in: observations) }

  /// Returns the ring of an area that was requested.
  package func ring(_ digest: UInt64) -> Ring? { rings[digest] }
}

// MARK: What wasn't recorded

extension RecordedWorld {
  /// Returns the recorded handle of an area, or a name of the length of the recorded ones.
  func handle(of area: UInt64) -> String {
    if let handle = handles[area] { return handle }
    let name = "00000000000" + String(area, radix: 36)
    return String(name.suffix(handles.values.map(\.utf8.count).max() ?? 11))
  }

  /// Returns a recorded document of the same kind, of the same area if there is one; the first by the name of its scope.
  func likeness(of key: DocumentKey) -> DocumentKey? {
    let others = documents.keys.filter { ($0.weather == nil) == (key.weather == nil) }
    let sameArea = others.filter { $0.areaDigest == key.areaDigest }
    return (sameArea.isEmpty ? others : sameArea).min {
      ($0.scope.name, $0.areaDigest) < ($1.scope.name, $1.areaDigest)
    }
  }
}

// MARK: Learning

extension RecordedWorld {
  /// Adds an answer for an area.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - spec: The requested data.
  ///   - since: The watermark of the request; nil for a full fetch.
  ///   - terms: The terms of a request that was held. An earlier report would have ended it earlier.
  ///   - isEarly: Whether the server answered before the maximum time of the terms, so because a record had arrived.
  /// - Returns: The indexes of the answer's reports in ``observations``.
  mutating func learn(
    _ answer: ObservationsAnswer, spec: FetchSpec, since: Int64?, held terms: HoldTerms? = nil, isEarly: Bool = false
  ) -> [UInt32] {
    guard case .ring(let ring) = spec.area else { return [] }
    var indexes: [UInt32] = []
    indexes.reserveCapacity(answer.reports.count)
    rings[spec.areaDigest] = ring
    let token = answer.token
    if answer.held != nil { hasSums = true }
    for report in answer.reports {
      let index: Int
      let known = self.index(of: report)
      let isNew = known == nil
      if let known {
        index = known
      } else {
        index = observations.count
        observations.append(Observation(report: report, earliest: Int64(report.observedAt), latest: .max))
        table.addLast(of: observations)
      }
      // A delta contains what arrived since its watermark.
      if let since { observations[index].earliest = max(observations[index].earliest, since) }
      if let terms {
        // A second for the server itself.
        let waited = terms.delaySeconds(isUrgent: terms.isUrgent(report)) + 1
        observations[index].earliest = max(observations[index].earliest, token - waited)
      }
      observations[index].latest = min(observations[index].latest, token - 1)
      // A full answer doesn't say since when; an earlier one without the report does.
      if since == nil, isNew, let last = coverage.lastAnswer(before: token, admitting: report, in: spec) {
        observations[index].earliest = max(observations[index].earliest, last)
      }
      observations[index].earliest = min(observations[index].earliest, observations[index].latest)
      indexes.append(UInt32(truncatingIfNeeded: index))
    }
    for pirep in answer.pireps {
      let key = PilotKey(id: pirep.id, updatedAt: pirep.updatedAt)
      let earliest = max(pirep.updatedAt, since ?? pirep.updatedAt)
      if let index = pilotIndexes[key] {
        pilotReports[index].latest = min(pilotReports[index].latest, max(token - 1, pilotReports[index].earliest))
      } else {
        pilotIndexes[key] = pilotReports.count
        pilotReports.append(
          PilotReport(pirep: pirep, earliest: min(earliest, token - 1), latest: max(token - 1, earliest)))
      }
    }
    if let terms, isEarly { learnFirst(of: answer, indexes, terms) }
    if let aircraft = answer.traffic {
      traffic.append(TrafficSnapshot(token: token, areaDigest: spec.areaDigest, aircraft: aircraft))
    }
    coverage.add(spec, since: since, token: token)
    return indexes
  }

  /// Notes when the first record of an answer arrived, if only ordinary ones ended the hold. It is taken to be the oldest one.
  private mutating func learnFirst(of answer: ObservationsAnswer, _ indexes: [UInt32], _ terms: HoldTerms) {
    let arrival = answer.token - terms.delaySeconds(isUrgent: false)
    guard !answer.reports.contains(where: terms.isUrgent), !answer.pireps.contains(where: terms.isUrgent),
      answer.traffic == nil
    else { return }
    let report = zip(answer.reports, indexes).min { $0.0.observedAt < $1.0.observedAt }
    let pirep = answer.pireps.min { $0.observedAt < $1.observedAt }
    if let report, Int64(report.0.observedAt) <= pirep?.observedAt ?? .max {
      let known = observations[Int(report.1)]
      guard (known.earliest...known.latest).contains(arrival) else { return }
      (observations[Int(report.1)].earliest, observations[Int(report.1)].latest) = (arrival, arrival)
    } else if let pirep, let index = pilotIndexes[PilotKey(id: pirep.id, updatedAt: pirep.updatedAt)] {
      let known = pilotReports[index]
      guard (known.earliest...known.latest).contains(arrival) else { return }
      (pilotReports[index].earliest, pilotReports[index].latest) = (arrival, arrival)
    }
  }

  /// Adds an answer with a document, or the confirmation that it is unchanged.
  mutating func learn(_ response: Input.Response, spec: FetchSpec, scope: ScopeID, atMS: Int64) {
    let key = DocumentKey(scope: scope, spec: spec)
    if case .ring(let ring) = spec.area { rings[spec.areaDigest] = ring }
    if response.status == 304 {
      if let last = documents[key]?.indices.last { documents[key]?[last].lastSeenMS = atMS }
      return
    }
    documents[key, default: []].append(
      Version(
        firstSeenMS: atMS, lastSeenMS: atMS, etag: response.etag, body: response.body, wireBytes: response.wireBytes,
        headBytes: response.headBytes, form: response.form, handle: response.handle))
  }
}
