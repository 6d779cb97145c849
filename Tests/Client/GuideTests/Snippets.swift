import Contrail
import Foundation

// The snippets of the guides, the README and the doc comments, compiled as an application compiles them: with one import, and with
// the settings of a new package. `GuideTests` compares the documents with this file, without regard to white space.

// MARK: The client

func overview(server: URL, key: String, folder: URL, route: [Coordinate]) async throws {
  let client = try ContrailClient(.init(server: server, apiKey: key, directory: folder))
  client.dataQuery.polygon = route.buffer(widthNM: 100)
  for await held in client.updates(for: .corridor) { show(held.turbulence) }
}

func readme(server: URL, key: String, folder: URL, route: [Coordinate]) async throws {
  let client = try ContrailClient(.init(server: server, apiKey: key, directory: folder))
  client.dataQuery.types = [.turbulence, .pireps]
  client.dataQuery.polygon = route.buffer(widthNM: 100)
  client.dataHistoryTime = .fourHours
  for await held in client.updates(for: .corridor) { show(held.turbulence) }
}

func report(_ client: ContrailClient, position: Coordinate) async throws {
  try await client.report(at: position, altitudeFeet: 34_600, severity: .moderate, edr: 0.31)
}

@MainActor
func observe(_ client: ContrailClient) {
  let corridor = ObservableStatus(of: .corridor, in: client)
  show(corridor.status.phase.rawValue)
}

// MARK: From the turbulence SDK

func createClient(server: URL, key: String, folder: URL) throws {
  let client = try ContrailClient(.init(server: server, apiKey: key, directory: folder))
  show(client)
}

func setTypes(_ client: ContrailClient) {
  client.dataQuery.types = [.turbulence, .turbulencePolygons]
  client.dataQuery = DataQuery(types: [.turbulence, .turbulencePolygons])
}

func setPolygon(_ client: ContrailClient, polygon: [Coordinate]) {
  client.dataQuery.polygon = polygon
  client.dataQuery = DataQuery(polygon: polygon)
}

func setCorridor(_ client: ContrailClient, route: [Coordinate]) {
  client.dataQuery.polygon = route.buffer(widthNM: 100).simplified()
}

func setMapCorridor(_ client: ContrailClient, line: [Coordinate]) {
  client.dataQuery.polygon = line.buffer(widthNM: 100).asCoordinates
}

func setRoute(_ client: ContrailClient, route: [Coordinate]) {
  client.dataQuery.routeWidth = 100
  client.dataQuery.route = route
}

func setViewport(_ client: ContrailClient, polygon: [Coordinate]) throws {
  client.dataQuery.viewport = polygon.simplified()
  client.dataQuery.viewport = try BoundingBox(north: 55, south: 45, west: -30, east: -10).ring
}

func setUpTo(_ client: ContrailClient) {
  client.dataQuery.globalTurbulencePolygonsUpToEnabled = false
}

func setSeverities(_ client: ContrailClient) {
  client.dataQuery.sevs = [.moderate, .moderateSevere]
}

func setTimes(_ client: ContrailClient) {
  client.dataHistoryTime = .twoHours
  client.dataUpdateFrequency = .fast
}

func fetch(_ client: ContrailClient) {
  client.fetchData(refresh: true)
}

@MainActor
final class MapController: ContrailClientDelegate {
  func didReceiveNewTurbulencePolygons() { drawPolygons() }
  func didReceiveNewTurbulenceData(areaType: AreaType) { drawHexagons() }
  func didFailToFetchNewData(with error: any Error, type: ScopeID?) { show(error.localizedDescription) }
  func didRecover(type: ScopeID?) { hideError() }
}

func readLastUpdate(_ client: ContrailClient) {
  let lastUpdate = client.lastUpdateTime(of: .corridor)
  show(lastUpdate as Any)
}

func queryTurbulence(_ client: ContrailClient) throws {
  let query = TurbulenceQuery(
    area: .viewport(north: 55, south: 45, west: -30, east: -10), altRange: 34_000...40_000, minimumSeverity: .light)
  for item in try client.turbulence(with: query) { draw(item.ring, TurbulenceStyle.fill(item.sev)) }
}

func profileQuery(_ client: ContrailClient, route: [Coordinate], here: Coordinate) throws {
  var query = ProfileQuery(along: route, widthNM: 40)
  query.aircraft = AircraftPosition(coordinate: here, altitudeFeet: 37_000)
  let profile = try client.profile(with: query)
  show(profile)
}

func queryProfile(_ client: ContrailClient, route: [Coordinate], position: AircraftPosition) throws {
  let profile = try client.profile(along: route, widthNM: 40, at: position)
  for cell in profile.ahead where cell.level == 37 {
    if case .reported(let air) = cell.turbulence { draw(cell.bin, air.worst, air.ageSeconds) }
  }
}

func queryPolygons(_ client: ContrailClient) throws {
  let polygons = try client.turbulencePolygons(with: TurbulencePolygonQuery(dataHistoryTime: .twoHours))
  if let polygons { show(polygons.geoJSON()) }
}

func alert(_ client: ContrailClient, route: [Coordinate], position: AircraftPosition) throws {
  for alert in try client.alerts(with: AlertQuery(route: route), at: position) where alert.phase == .new {
    say("\(TurbulenceStyle.name(alert.severity)) turbulence in \(Int(alert.distanceNM)) miles")
  }
}

func alertCabin(_ client: ContrailClient, position: AircraftPosition) throws {
  var cabin = AlertTracker(query: AlertQuery(minimumSeverity: .moderate))
  let alerts = try client.alerts(at: position, with: &cabin)
  show(alerts)
}

// MARK: From the map SDK's futures

@MainActor
final class AirportPanel {
  private var directoryCancellable: Cancellable?
  private var areaCancellable: Cancellable?

  func find(_ id: String, in client: ContrailClient) async throws {
    let searchManager = AirportSearchManager.createOnlineManager(context: client)
    let future = searchManager.searchByDirectoryObjectId(objectId: id)
    self.directoryCancellable = future.sink(
      receiveValue: { [weak self] airport in
        guard let airport else { return }
        DispatchQueue.main.async { self?.handle(airport) }
      },
      failure: { [weak self] error in
        DispatchQueue.main.async { self?.handle(error) }
      })
  }

  func findOnMainThread(_ id: String, with searchManager: AirportSearchManager) {
    self.directoryCancellable = searchManager.searchById(id).sinkOnMainThread(
      receiveValue: { [weak self] airport in
        guard let airport else { return }
        self?.handle(airport)
      },
      failure: { [weak self] error in self?.handle(error) })
  }

  func follow(_ visibleArea: Channel<[Coordinate]>) {
    self.areaCancellable = visibleArea.sinkOnMainThread { [weak self] area in
      self?.handle(area)
    }
  }

  func end() {
    self.areaCancellable?.cancel()
  }

  private func handle(_ value: Any) {}
}

func sinkOnQueue(_ client: ContrailClient, queue: DispatchQueue) -> Cancellable {
  let cancellable = client.turbulenceFuture().sink(
    on: queue, receiveValue: { items in show(items) }, failure: { error in show(error) })
  return cancellable
}

func combine(_ client: ContrailClient) {
  let subscription = client.turbulenceFuture().asCombineFuture().sink(
    receiveCompletion: { completion in
      switch completion {
      case .failure(let error): show(error)
      case .finished: break
      }
    },
    receiveValue: { items in show(items) })
  show(subscription)
}

func combineChannel(_ client: ContrailClient) {
  let subscription = client.channel(for: .corridor).asPublisher().sink { held in show(held.turbulence) }
  show(subscription)
}

func awaitFuture(_ client: ContrailClient) async throws {
  let items = try await client.turbulenceFuture().value
  for await held in client.channel(for: .corridor).values() { show(held.turbulence, items) }
}

func followMap(_ client: ContrailClient, area: [Coordinate]) {
  let visibleArea = ChannelSource<[Coordinate]>()
  client.followViewport(visibleArea.channel)
  // Whenever the map reports a new area:
  visibleArea.send(area)
}

func listen(_ client: ContrailClient) {
  client.listening.urgentSeverity = .light
  client.listening.confirmationMinutes = 5
}

// MARK: - What the snippets call

func show(_ values: Any...) {}
func say(_ text: String) {}
func draw(_ ring: [Coordinate], _ color: TurbulenceStyle.Color) {}
func draw(_ bin: Int, _ severity: TurbulenceSeverity, _ ageSeconds: Int64) {}
func drawPolygons() {}
func drawHexagons() {}
func hideError() {}
