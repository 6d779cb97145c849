import ContrailAirportData
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailTestSupport

/// The cycles of airports that there are: real files, with some airports each.
struct SimulatedAirports {
  let edition: AirportEdition
  let bytes: [UInt8]
  let digest: UInt64

  /// From one cycle to another.
  struct Pair: Hashable {
    var from: String
    var to: String
  }

  /// What an application loads by itself: each cycle is effective three hours after the one before.
  static let cycles: [SimulatedAirports] = {
    var cycle = AIRACCycle(at: Rig.start / 1000)
    return (0..<6).compactMap { index in
      defer { cycle = cycle?.next }
      return cycle.flatMap { SimulatedAirports($0, effectiveMS: Rig.start + Int64(index - 1) * 3 * 3_600_000) }
    }
  }()

  /// What the server has, effective when the AIRAC calendar says; the second of them in the third hour of a flight.
  private static let published: [SimulatedAirports] = {
    let first = AIRACCycle(at: Rig.start / 1000)
    return [first?.previous, first, first?.next].compactMap { cycle in
      cycle.flatMap { SimulatedAirports($0, effectiveMS: $0.effectiveTime * 1000) }
    }
  }()

  /// The deltas between cycles that follow each other, unpacked.
  static let deltas: [Pair: [UInt8]] = {
    var deltas: [Pair: [UInt8]] = [:]
    for cycle in cycles.compactMap({ AIRACCycle(identifier: $0.edition.cycle) }) {
      guard let next = cycle.next else { continue }
      let bytes = try? AirportDelta.encoded(
        from: airports(of: cycle), of: cycle, to: airports(of: next), cycle: next, sources: [])
      if let bytes { deltas[Pair(from: cycle.identifier, to: next.identifier)] = bytes }
    }
    return deltas
  }()

  /// Returns what the server has for an effective time.
  static func published(_ effectiveMS: Int64) -> SimulatedAirports? {
    published.first { $0.edition.effectiveMS == effectiveMS }
  }

  /// Returns the airports of a cycle.
  static func airports(of cycle: String) -> [Airport]? { AIRACCycle(identifier: cycle).map { airports(of: $0) } }

  /// An airport that is in every cycle, one of the cycle, and one that changes its name with it.
  private static func airports(of cycle: AIRACCycle) -> [Airport] {
    [("ALL", "Airport"), (cycle.identifier, "Airport of a cycle"), ("CHANGES", "Airport in \(cycle.identifier)")].map {
      Airport(
        recordID: $0.0, locationID: "ONE", name: $0.1, dataSource: .nasr,
        coordinate: Coordinate(latitude: 50, longitude: 0))
    }
  }

  private init?(_ cycle: AIRACCycle, effectiveMS: Int64) {
    let airports = Self.airports(of: cycle)
    guard let bytes = try? AirportFile.packed(airports, cycle: cycle, sources: []) else { return nil }
    edition = AirportEdition(cycle: cycle.identifier, effectiveMS: effectiveMS)
    self.bytes = bytes
    digest = AirportDigest(airports).value
  }

  /// What an application hands in when this becomes of the cycle.
  func entries(_ step: AirportStep) -> [AirportsEntry] {
    let loaded = AirportsEntry.input(
      .airportsLoaded(.init(edition: edition, count: 3, digest: digest, changes: .init(added: 3))))
    return switch step {
    case .available:
      [.input(.airportsChecked(.init(wanted: edition, offers: [.init(edition: edition, file: BlobName(of: bytes))])))]
    case .unavailable: [.input(.airportsChecked(.init(wanted: edition)))]
    case .loaded: [.file(edition, bytes: bytes, wireBytes: Int64(bytes.count)), loaded]
    case .reloaded: [loaded]
    case .deferred: [.input(.airportsDeferred(edition))]
    case .failed: [.input(.airportsFailed(edition, code: "cancelled"))]
    }
  }
}
