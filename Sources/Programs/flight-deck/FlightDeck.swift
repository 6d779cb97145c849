import Contrail
import ContrailSupport
import Foundation

/// A flight from London to New York on one page: a corridor and a map, live queries, the route in profile, the state of the link and
/// the bytes, alerts by themselves, reports of the aircraft's own, messages for the app's log, and a log for support.
///
///     swift run contrail serve                                   # in one terminal
///     swift run flight-deck                                      # in another
///     swift run flight-deck http://127.0.0.1:8080 --refresh      # what an app does in the background
@main struct FlightDeck {
  static let route = [Coordinate(latitude: 51.47, longitude: -0.45), Coordinate(latitude: 40.64, longitude: -73.78)]

  static func main() async throws {
    let address = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"
    let usage = """
      Usage: flight-deck [URL of the service, by default http://127.0.0.1:8080]
             flight-deck URL --refresh    updates the corridor once, and ends
      """
    if ["-h", "--help"].contains(address) { return print(usage) }
    guard let server = URL(string: address), server.scheme?.hasPrefix("http") == true, server.host() != nil else {
      FileHandle.standardError.write(Data("'\(address)' is not the URL of a service.\n\(usage)\n".utf8))
      exit(64)
    }
    let folder = URL.temporaryDirectory.appending(path: "flight-deck")
    var configuration = ContrailClient.Configuration(server: server, directory: folder)
    // For the app's own log, without keys and positions. Apple's platforms have `LogMessage.osLog(subsystem:)` for it.
    configuration.log = { if $0.level >= .notice { say("log: \($0.text)") } }
    let client = try ContrailClient(configuration)

    // What is wanted: set it at any time, also before the log is open. One turn costs one request.
    var query = client.dataQuery
    query.types = [.turbulence, .pireps, .traffic, .turbulencePolygons]
    query.polygon = route.buffer(widthNM: 100)
    // What the pilot sees of the map.
    let map = try BoundingBox(north: 55, south: 45, west: -15, east: 0)
    query.viewport = map.ring
    query.viewportTypes = .turbulence
    client.dataHistoryTime = .fourHours
    client.dataUpdateFrequency = .fast
    // The bytes of this flight. Traffic is dropped first, the corridor last.
    let day = Date.now.formatted(.iso8601.year().month().day())
    client.byteBudget = ByteBudget(bytes: 1_000_000, per: .flight("LHR-JFK \(day)"))

    let annunciator = Annunciator()
    client.delegate = annunciator
    do {
      // Invalid values are errors here; the property reports them later.
      try client.setDataQuery(query)
      try await client.opened()
    } catch {
      return say("\(error.localizedDescription) \(error.recoverySuggestion ?? "")")
    }

    // What a task of the system does while the app is in the background. On iOS, `registerBackgroundRefresh` registers one.
    if CommandLine.arguments.last == "--refresh" {
      return say(await client.refreshInBackground() ? "The corridor is up to date." : "There was no answer.")
    }

    // The delegate is told of turbulence ahead. The aircraft is over Ireland.
    let aircraft = AircraftCategory(designator: "A359")
    // Criteria of an app begin with those of a monitor, which ignore its own reports.
    var criteria = AlertQuery.monitoring
    criteria.route = route
    criteria.distanceNM = 300
    criteria.aircraft = aircraft
    let monitor = try client.monitor(criteria)
    let position = Coordinate(latitude: 52.5, longitude: -9)
    monitor.update(
      AircraftPosition(coordinate: position, altitudeFeet: 35_000, trackDegrees: 280, groundSpeedKnots: 480))

    // Its own measurements are on disk when this returns, and sent as soon as there is a link.
    if client.pendingReportCount == 0 {
      try await client.report(at: position, altitudeFeet: 35_000, severity: .light, edr: 0.16)
    }

    // The layers of the map. Held data is shown at once, also offline. Later, only changes are drawn.
    async let hexagons: Void = draw(
      "hexagons", try client.observe(TurbulenceQuery(area: .viewport(map), origin: .all, aircraft: aircraft)))
    async let pireps: Void = draw("PIREPs", try client.observe(PIREPQuery()))
    async let traffic: Void = draw("aircraft", try client.observe(TrafficQuery()))
    async let areas: Void = draw("areas", try client.observe(TurbulencePolygonQuery(dataHistoryTime: .fourHours)))
    let here = AircraftPosition(coordinate: position, altitudeFeet: 35_000)
    async let profile: Void = draw(try client.observe(ProfileQuery(along: route, aircraft: here)))
    async let link: Void = watch(client)
    _ = try await (hexagons, pireps, traffic, areas, profile, link)
    withExtendedLifetime((annunciator, monitor)) {}
  }

  /// A layer of the map.
  static func draw<Item>(_ layer: String, _ changes: AsyncStream<ResultChange<Item>>) async {
    for await change in changes {
      say(
        "\(layer): \(change.count), +\(change.inserted.count) ~\(change.changed.count) −\(change.removed.count)")
      for case let item as TurbulenceItem in change.inserted.prefix(2) {
        let state = item.ownState == .heldBack ? "kept from others" : item.ownState?.rawValue ?? "the server's"
        say("  \(TurbulenceStyle.name(item.sev)) at \(item.altitudeFeet) ft, \(state)")
      }
    }
  }

  /// Where it was rough ahead. Where nobody reported, it is unknown and not smooth.
  static func draw(_ changes: AsyncStream<ProfileChange>) async {
    for await change in changes {
      let profile = change.profile
      say("profile: \(change.changedBins.count) of \(profile.binCount) bins to draw")
      for cell in profile.ahead.prefix(3) {
        guard let reports = cell.reports else { continue }
        let start = Int(profile.distancesNM(ofBin: cell.bin).lowerBound)
        let minutes = reports.ageSeconds / 60
        say("  \(start) NM, FL\(cell.level)0: \(TurbulenceStyle.name(reports.worst)), \(minutes) min ago")
      }
    }
  }

  /// The age of the data, and the error if it is old.
  static func watch(_ client: ContrailClient) async throws {
    var isExported = false
    for await status in client.statuses(of: .corridor) {
      let age = status.age().map { "\($0.components.seconds) s old" } ?? "no data"
      let bytes = client.byteStatus
      say(
        "corridor: \(status.phase.rawValue) \(age) \(bytes.sessionBytes) bytes since the launch, saving \(bytes.saving.rawValue)"
      )
      guard let error = status.lastError else { continue }
      say("  \(error.localizedDescription). \(error.advice)")
      // Without positions, keys and records, for the developer.
      guard !isExported else { continue }
      let file = URL.temporaryDirectory.appending(path: "flight-deck-\(UUID()).jsonl")
      try await client.exportLog(to: file)
      say("  a log for support is in \(file.path)")
      isExported = true
    }
  }
}

/// Says what happens, as it happens.
@MainActor final class Annunciator: ContrailClientDelegate {
  func didReceiveNewTurbulenceData(areaType: AreaType) { say("new turbulence reports: \(areaType.rawValue)") }
  func didFailToFetchNewData(with error: ClientError, type: ScopeID?) { say("failed: \(error)") }
  func didRecover(type: ScopeID?) { say("recovered: \(type?.name ?? "the log")") }
  func didUpdateOutbox(pendingReports: Int) { say("reports to be confirmed: \(pendingReports)") }
  func didBeginTurbulence(_ alert: TurbulenceAlert) {
    say(
      "ALERT \(TurbulenceStyle.name(alert.severity)) in \(Int(alert.distanceNM)) NM, \(alert.count) \(alert.count == 1 ? "report" : "reports")"
    )
  }
  func didEndTurbulence(_ alert: TurbulenceAlert) { say("alert \(alert.id) has ended") }
}

/// Prints a line at once, also into a file or a pipe.
func say(_ line: String) {
  print(line)
  fflush(nil)
}
