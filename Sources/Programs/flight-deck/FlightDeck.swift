import Contrail
import Foundation

/// A flight from London to New York on one page: a corridor and a map, queries, the state of the link, alerts, and reports of
/// the aircraft's own.
///
///     swift run contrail serve        # in one terminal
///     swift run flight-deck           # in another
@main struct FlightDeck {
  static let route = [Coordinate(latitude: 51.47, longitude: -0.45), Coordinate(latitude: 40.64, longitude: -73.78)]

  static func main() async throws {
    let address = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"
    guard let server = URL(string: address) else { return print("'\(address)' is not a URL") }
    let folder = URL.temporaryDirectory.appending(path: "flight-deck")
    let client = try ContrailClient(.init(server: server, directory: folder))

    // What is wanted: set it at any time, also before the log is open. One turn costs one request.
    client.dataQuery.types = [.turbulence, .pireps, .traffic]
    client.dataQuery.polygon = route.buffer(widthNM: 100)
    client.dataHistoryTime = .fourHours
    client.dataUpdateFrequency = .fast

    // What the pilot sees of the map.
    let map = try BoundingBox(north: 55, south: 45, west: -15, east: 0)
    client.dataQuery.viewport = map.ring
    client.dataQuery.viewportTypes = .turbulence

    let delegate = Annunciator()
    client.delegate = delegate
    do {
      try await client.opened()
    } catch {
      return print(error.localizedDescription, error.recoverySuggestion ?? "")
    }

    // What is held is there at once, offline too.
    for await held in client.updates(for: .corridor) {
      show(client.status(of: .corridor), held)
      try show(client, map)
      try await fly(client)
    }
    withExtendedLifetime(delegate) {}
  }

  /// How fresh the data are, and what is wrong if they aren't.
  static func show(_ status: ScopeStatus, _ held: HeldData) {
    let age = held.age.map { "\($0.components.seconds) s old" } ?? "no data"
    print("corridor:", status.phase.rawValue, age, "\(status.sessionBytes) bytes in this session")
    if let error = status.lastError { print("  \(error.localizedDescription). \(error.advice)") }
    print("  \(held.turbulence.count) reports, \(held.pireps.count) PIREPs, \(held.traffic.count) aircraft")
  }

  /// Queries look at what is held; none of them uses the network.
  static func show(_ client: ContrailClient, _ map: BoundingBox) throws {
    let hexagons = try client.turbulence(with: TurbulenceQuery(area: .viewport(map)))
    for item in hexagons.prefix(3) {
      print(
        "  \(TurbulenceStyle.name(item.sev)) at \(item.altitudeFeet) ft, \(item.ageSeconds / 60) min ago, \(item.h3)")
    }
    for pirep in try client.pireps().prefix(2) { print("  PIREP", pirep.observedDate, pirep.text) }
  }

  /// The aircraft is over Ireland: what lies ahead, and what it feels itself.
  static func fly(_ client: ContrailClient) async throws {
    let position = Coordinate(latitude: 52.5, longitude: -9)
    let aircraft = AircraftPosition(
      coordinate: position, altitudeFeet: 35_000, trackDegrees: 280, groundSpeedKnots: 480)
    for alert in try client.alerts(with: AlertQuery(distanceNM: 300), at: aircraft) where alert.phase == .new {
      print("  ALERT \(TurbulenceStyle.name(alert.severity)) in \(Int(alert.distanceNM)) NM, \(alert.count) reports")
    }
    if client.pendingReportCount == 0 {
      // On disk when this returns, and sent as soon as there is a link.
      try await client.report(at: position, altitudeFeet: 35_000, severity: .light, edr: 0.16)
    }
  }
}

/// Says what happens, as it happens.
@MainActor final class Annunciator: ContrailClientDelegate {
  func didReceiveNewTurbulenceData(areaType: AreaType) { print("new turbulence reports: \(areaType.rawValue)") }
  func didFailToFetchNewData(with error: ClientError, type: ScopeID?) { print("failed: \(error)") }
  func didRecover(type: ScopeID?) { print("recovered: \(type?.name ?? "the log")") }
  func didUpdateOutbox(pendingReports: Int) { print("reports to be confirmed: \(pendingReports)") }
}
