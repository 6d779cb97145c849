import ContrailCore
import ContrailField
import ContrailGeodesy
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Foundation

/// The logs of these tests.
enum Logs {
  static let folder = PackageFolder.recordings

  /// The paths of all recordings of the project.
  static let recordings: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".jsonl") }.sorted().map { folder + "/" + $0 }
  }()

  static func recording(_ name: String) -> String { "\(folder)/\(name).jsonl" }

  static func summary(of draft: LogDraft) -> FlightSummary {
    let (path, storage) = draft.inMemory
    return FlightSummary(path: path, storage: storage)
  }
}

/// A flight with deltas every minute, whose engine can have an error.
struct LongFlight {
  private(set) var draft = LogDraft()
  private(set) var state = State()
  private var now: Int64 = 1_750_000_000_000
  /// Returns the decisions of an engine with an error, given the right ones and the input.
  private let engine: (State, Input, [Decision]) -> [Decision]
  private(set) var lastFull: Decision.FetchStarted?

  init(
    service: ServiceProfile = .contrail, engine: @escaping (State, Input, [Decision]) -> [Decision] = { $2 }
  ) {
    self.engine = engine
    send(.sessionStarted(.init(engine: EngineVersion.current.description, id: "field-7", seed: 7, service: service)))
    send(.connectivityChanged(isOnline: true))
    var query = ResolvedQuery()
    query.polygon = Self.area
    send(.queryChanged(query))
    answer()
  }

  private static let area: ResolvedQuery.Points = [(40, -40), (40, -30), (50, -30), (50, -40), (40, -40)].map {
    FixedCoordinate(latitudeE7: $0.0 * FixedCoordinate.degree, longitudeE7: $0.1 * FixedCoordinate.degree)
  }

  mutating func send(_ input: Input) {
    now += 200
    var events = [Event.input(input)]
    let seq = state.nextSeq
    state.evolve(.init(seq: seq, at: now, event: .input(input)))
    for decision in engine(state, input, state.decide()) {
      if case .fetchStarted(let started) = decision, started.mode == .full { lastFull = started }
      events.append(.decision(decision))
      state.evolve(.init(seq: state.nextSeq, at: now, event: .decision(decision)))
    }
    draft.append(.init(seq: seq, at: now, events: events))
  }

  /// Answers the request in flight with a report.
  ///
  /// - Parameter handle: The handle that the server gives the area.
  mutating func answer(handle: String? = nil) {
    guard let flight = state.scope(.corridor)?.inFlight else { return }
    let second = now / 1000
    let report = TurbulenceReport(
      cell: 0x0F_1234, altitude: UInt8(second % 50), severity: UInt8(second % 4), edrE4: UInt16(second % 5000),
      observedAt: UInt32(second - 30))
    var answer = ObservationsAnswer(token: second, follows: state.service.isContrail ? flight.since : nil)
    answer.reports = [report]
    send(
      .responseReceived(
        .init(
          request: flight.request, status: 200, wireBytes: 80, serverTimeMS: now, handle: handle, body: .answer(answer))
      ))
  }

  /// A minute with a delta.
  mutating func minute(handle: String? = nil) {
    now += 60_000
    send(.clockTicked(scope: .corridor, due: now))
    answer(handle: handle)
  }

  /// Time passes, and the next line is an input without an effect.
  mutating func pass(_ milliseconds: Int64) {
    now += milliseconds
    send(.connectivityChanged(isOnline: true))
  }

  mutating func query(_ change: (inout ResolvedQuery) -> Void) {
    var query = state.query
    change(&query)
    send(.queryChanged(query))
  }
}
