package import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailReplay
import ContrailWire

/// Writes a flight as tables for pandas, DuckDB and spreadsheets.
package struct FlightTables: Sendable {
  /// A table. The raw value is the name of its file.
  package enum Table: String, CaseIterable, Sendable {
    /// A row for each line of the log but marks.
    case lines
    /// A row for each request.
    case requests
    /// A row for each launch.
    case sessions
    /// A row for each time in which the device was online or offline.
    case link
    /// A row for each turbulence report of each answer.
    case reports
    case pireps
    case traffic
    /// A row for each report of the own aircraft.
    case own
    /// A row for each change of what a scope holds.
    case held

    /// The names of the columns.
    package var columns: [String] {
      let answer = ["seq", "request", "scope", "received_ms", "received"]
      switch self {
      case .lines: return ["seq", "at_ms", "at", "kind", "role", "scope", "rule", "cause", "request", "words"]
      case .requests:
        return [
          "request", "seq", "cause", "scope", "mode", "rule", "hold_s", "sent_ms", "sent", "ended_ms", "ended",
          "outcome", "status", "detail", "bytes_down", "bytes_up",
        ]
      case .sessions: return ["seq", "id", "engine", "from_ms", "from", "until_ms", "until", "outcome"]
      case .link: return ["seq", "state", "from_ms", "from", "until_ms", "until"]
      case .reports:
        return answer + ["h3", "lat", "lon", "alt_ft", "severity", "edr", "observed_ms", "observed"]
      case .pireps:
        return answer + [
          "id", "lat", "lon", "fl", "severity", "urgent", "observed_ms", "observed", "updated_ms", "updated", "text",
        ]
      case .traffic:
        return answer + ["id", "callsign", "lat", "lon", "alt_ft", "gs_kt", "track_deg", "observed_ms", "observed"]
      case .own:
        return ["seq", "at_ms", "at", "h3", "lat", "lon", "alt_ft", "severity", "edr", "observed_ms", "observed"]
      case .held:
        return ["seq", "at_ms", "at", "scope", "records", "reports", "pireps", "traffic", "watermark", "age_s"]
      }
    }

    /// The first line of the file.
    package var header: String { columns.joined(separator: ",") + "\n" }
  }

  private var rows: [Table: CSVWriter] = [:]
  private var held: [ScopeID: [Int64?]] = [:]

  package init() {}

  /// Returns the bytes of a table since the last call, and forgets them.
  package mutating func take(_ table: Table) -> [UInt8] { rows[table]?.take() ?? [] }

  /// Adds a turn.
  ///
  /// - Parameter state: The state after it.
  package mutating func add(_ turn: FlightTurns.Turn, _ state: State) {
    // The scopes of the requests that end in this turn.
    var scopes: [Int64: String] = [:]
    for event in turn.events {
      guard case .ended(let slice) = event.content else { continue }
      if let request = slice.request { scopes[request] = slice.lane.name }
      add(slice)
    }
    for line in turn.lines { add(line, scopes) }
    guard let last = turn.lines.last else { return }
    addHeld(state, last.record)
  }

  private mutating func row(_ table: Table, _ body: (inout CSVWriter) -> Void) {
    body(&rows[table, default: CSVWriter()])
    rows[table]?.endRow()
  }

  // MARK: Slices

  private mutating func add(_ slice: FlightEvent.Slice) {
    guard let outcome = slice.outcome else { return }
    switch slice.lane {
    case .inputs: break
    case .sessions:
      row(.sessions) { row in
        row.field(slice.seq)
        for fact in slice.facts { row.field(fact.value.text) }
        row.time(slice.startMS)
        row.time(outcome.endMS)
        row.field(outcome.word)
      }
    case .link:
      row(.link) { row in
        row.field(slice.seq)
        row.field(slice.name)
        row.time(slice.startMS)
        row.time(outcome.endMS)
      }
    case .scope(let scope):
      row(.requests) { row in
        row.field(slice.request)
        row.field(slice.seq)
        row.field(slice.cause)
        row.field(scope.name)
        row.field(slice.mode)
        row.field(slice.rule?.rawValue)
        row.field(slice.holdSeconds)
        row.time(slice.startMS)
        row.time(outcome.endMS)
        row.field(outcome.word)
        row.field(outcome.status.map { Int64($0) })
        row.field(outcome.detail)
        row.field(outcome.downBytes)
        row.field(outcome.upBytes)
      }
    }
  }

  // MARK: Lines

  private mutating func add(_ line: FlightTurns.Line, _ scopes: [Int64: String]) {
    let record = line.record
    switch record.event {
    case .mark: return
    case .input(let input):
      addLine(line, kind: input.kind, role: "input", request: input.answeredRequest)
      add(input, record, scopes)
    case .decision(let decision):
      addLine(
        line, kind: decision.kind, role: "decision", scope: decision.scope, rule: decision.rule, cause: decision.cause,
        request: decision.startedRequest)
    }
  }

  private mutating func addLine(
    _ line: FlightTurns.Line, kind: Kind, role: String, scope: ScopeID? = nil, rule: Rule? = nil, cause: Int64? = nil,
    request: Int64?
  ) {
    row(.lines) { row in
      row.field(line.record.seq)
      row.time(line.record.at)
      row.field(kind.rawValue)
      row.field(role)
      row.field(scope?.name)
      row.field(rule?.rawValue)
      row.field(cause)
      row.field(request)
      row.field(line.words)
    }
  }

  private mutating func add(_ input: Input, _ record: Record, _ scopes: [Int64: String]) {
    switch input {
    case .reportTracked(let report):
      row(.own) { row in
        row.field(record.seq)
        row.time(record.at)
        row.report(report)
      }
    case .responseReceived(let response):
      guard let answer = response.observations else { return }
      func begin(_ row: inout CSVWriter) {
        row.field(record.seq)
        row.field(response.request)
        // An answer to a request that was cancelled changes nothing.
        row.field(scopes[response.request])
        row.time(record.at)
      }
      for report in answer.reports {
        row(.reports) { row in
          begin(&row)
          row.report(report)
        }
      }
      for pirep in answer.pireps {
        row(.pireps) { row in
          begin(&row)
          row.field(pirep.id)
          row.place(pirep.position)
          row.field(pirep.flightLevel.map { Int64($0) })
          row.field(pirep.severity.map { Int64($0.rawValue) })
          row.field(pirep.isUrgent ? "true" : "false")
          row.time(pirep.observedAt * 1000)
          row.time(pirep.updatedAt * 1000)
          row.field(pirep.text)
        }
      }
      for aircraft in answer.traffic ?? [] {
        row(.traffic) { row in
          begin(&row)
          row.field(aircraft.id)
          row.field(aircraft.callsign)
          row.place(aircraft.position)
          row.field(aircraft.altitudeFeet.map { Int64($0) })
          row.field(aircraft.groundSpeedKnots.map { Int64($0) })
          row.field(aircraft.trackDegrees.map { Int64($0) })
          row.time(aircraft.observedAt * 1000)
        }
      }
    default: break
    }
  }

  private mutating func addHeld(_ state: State, _ record: Record) {
    for scope in state.scopes {
      let values: [Int64?] = [
        Int64(scope.recordCount), Int64(scope.reports.count), Int64(scope.pireps.count), Int64(scope.traffic.count),
        scope.have?.watermark,
      ]
      guard held[scope.id] != values, scope.have != nil || held[scope.id] != nil else { continue }
      held[scope.id] = values
      row(.held) { row in
        row.field(record.seq)
        row.time(record.at)
        row.field(scope.id.name)
        for value in values { row.field(value) }
        row.field(scope.have.map { (record.at + (state.serverOffsetMS ?? 0)) / 1000 - $0.watermark })
      }
    }
  }
}

extension CSVWriter {
  fileprivate mutating func report(_ report: TurbulenceReport) {
    field(String(report.h3Index, radix: 16))
    place(H3Cell(packed22: report.cell)?.center.fixed)
    field(Int64(report.altitude) * 1000)
    field(Int64(report.severityCode))
    decimal(Int64(report.edrE4), digits: 4)
    time(Int64(report.observedAt) * 1000)
  }
}

extension Coordinate {
  fileprivate var fixed: FixedCoordinate? { FixedCoordinate(self) }
}

extension FlightEvent.Fact.Value {
  fileprivate var text: String {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    }
  }
}

extension FlightEvent.Slice.Outcome {
  /// The failure, or the rule that cancelled the request.
  fileprivate var detail: String? {
    facts.first { $0.name == "failure" || $0.name == "cancelled by" }?.value.text
  }
}

extension Input {
  /// The request that the input ends; nil for another input.
  fileprivate var answeredRequest: Int64? {
    switch self {
    case .responseReceived(let response): response.request
    case .responseFailed(let request, _, _): request
    default: nil
    }
  }
}
