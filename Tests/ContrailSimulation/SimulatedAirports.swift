import ContrailAirportData
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailTestSupport

/// The cycles of airports that there are, each effective three hours after the one before: real files, with an airport each.
struct SimulatedAirports {
  let edition: AirportEdition
  let bytes: [UInt8]
  let digest: UInt64

  static let cycles: [SimulatedAirports] = {
    var cycle = AIRACCycle(at: Rig.start / 1000)
    return (0..<6).compactMap { index in
      defer { cycle = cycle?.next }
      return cycle.flatMap { SimulatedAirports($0, effectiveMS: Rig.start + Int64(index - 1) * 3 * 3_600_000) }
    }
  }()

  private init?(_ cycle: AIRACCycle, effectiveMS: Int64) {
    let airport = Airport(
      recordID: cycle.identifier, locationID: "ONE", name: "Airport of \(cycle.identifier)", dataSource: .nasr,
      coordinate: Coordinate(latitude: 50, longitude: 0))
    guard let bytes = try? AirportFile.packed([airport], cycle: cycle, sources: []) else { return nil }
    edition = AirportEdition(cycle: cycle.identifier, effectiveMS: effectiveMS)
    self.bytes = bytes
    digest = AirportDigest([airport]).value
  }

  /// What an application hands in when this becomes of the cycle.
  func entries(_ step: AirportStep) -> [AirportsEntry] {
    let loaded = AirportsEntry.input(
      .airportsLoaded(.init(edition: edition, count: 1, digest: digest, changes: .init(added: 1))))
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
