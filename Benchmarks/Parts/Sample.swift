import ContrailCore
import ContrailGeodesy
import ContrailWire
import Foundation

/// Generated reports and states. They are equal in every run.
enum Sample {
  static let nowMS: Int64 = 1_740_000_000_000
  static let token = nowMS / 1000

  /// Returns reports of two hours in the order of the server.
  static func reports(_ count: Int) -> [TurbulenceReport] {
    var seed: UInt64 = 1
    func next(_ bound: UInt64) -> UInt64 {
      seed &+= 0x9e37_79b9_7f4a_7c15
      return Digest.mix(seed) % bound
    }
    let bases: [UInt32] = [3, 6, 7, 9, 12, 13, 16, 21]
    return (0..<count).map { _ in
      var cell = bases[Int(next(8))]
      for _ in 0..<5 { cell = cell << 3 | UInt32(next(7)) }
      let edr = UInt16(1 + next(5999))
      return TurbulenceReport(
        cell: cell, altitude: UInt8(24 + next(22)), severity: UInt8(edr / 1200), edrE4: edr,
        observedAt: UInt32(token - Int64(next(7199))))
    }.sorted { ($0.observedAt, $0.packed) < ($1.observedAt, $1.packed) }
  }

  static func answer(_ reports: [TurbulenceReport]) -> ObservationsAnswer {
    let held = Set(reports)
    return ObservationsAnswer(
      token: token, held: HeldSum(count: held.count, checksum: held.reduce(0) { $0 &+ $1.digest }), reports: reports)
  }

  /// Returns a state that holds reports, created by the engine itself.
  static func holding(_ count: Int) -> State {
    var state = State()
    var seq: Int64 = 0
    func fold(_ event: Event) {
      state.evolve(Record(seq: seq, at: nowMS, event: event))
      seq += 1
    }
    var query = ResolvedQuery()
    query.polygon = [(50, -40), (50, -20), (40, -20), (40, -40), (50, -40)].map {
      FixedCoordinate(
        latitudeE7: $0.0 * FixedCoordinate.degree, longitudeE7: $0.1 * FixedCoordinate.degree)
    }
    fold(.input(.sessionStarted(.init(engine: "1.0.0", id: "parts", seed: 1))))
    fold(.input(.connectivityChanged(isOnline: true)))
    fold(.input(.queryChanged(query)))
    for decision in state.decide() { fold(.decision(decision)) }
    fold(
      .input(
        .responseReceived(
          .init(
            request: 1, status: 200, wireBytes: 0, serverTimeMS: nowMS,
            body: .inline(answer(reports(count)).json)))))
    return state
  }

  /// Returns a state in which a delta is due.
  static func due() -> State {
    var state = holding(1000)
    let wake = state.nextWake?.at ?? nowMS
    state.evolve(
      Record(seq: state.nextSeq, at: wake, event: .input(.clockTicked(scope: .corridor, due: wake))))
    return state
  }
}

/// A temporary folder for one measurement.
struct Folder {
  private let root: String

  init() throws {
    root = NSTemporaryDirectory() + "contrail-parts-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String { root + "/" + name }

  func remove() { try? FileManager.default.removeItem(atPath: root) }
}
