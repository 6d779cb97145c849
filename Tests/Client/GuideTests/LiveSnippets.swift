import Contrail
import Foundation

// The snippets about live queries and monitors.

private let layer = Layer()
private let banner = Banner()

func observeHexagons(_ client: ContrailClient, map: BoundingBox) async throws {
  for await change in try client.observe(TurbulenceQuery(area: .viewport(map))) {
    layer.remove(change.removed)
    layer.add(change.inserted)
    layer.update(change.changed)
  }
}

@MainActor
func observeInSwiftUI(_ client: ContrailClient) throws {
  let hexagons = ObservableResult(try client.observe(TurbulenceQuery()))
  show("\(hexagons.items.count) hexagons")
}

@MainActor
func observeProfileInSwiftUI(_ client: ContrailClient, route: [Coordinate]) throws {
  let ahead = ObservableProfile(try client.observe(ProfileQuery(along: route)))
  show("\(ahead.profile?.cells.count ?? 0) cells")
}

func monitorTurbulence(_ client: ContrailClient, here: Coordinate) async throws {
  let monitor = try client.monitor()
  monitor.update(AircraftPosition(coordinate: here, altitudeFeet: 35_000, trackDegrees: 280))
  for await event in monitor.events {
    switch event {
    case .began(let alert): banner.show(alert)
    case .changed(let alert): banner.update(alert)
    case .ended(let alert): banner.remove(alert.id)
    }
  }
}

func showOwnReports(_ client: ContrailClient) async throws {
  for await change in try client.observe(TurbulenceQuery(origin: .own)) {
    for item in change.items { draw(item.ring, dashed: item.ownState != .confirmed) }
  }
}

func rateForAircraft(_ client: ContrailClient) throws {
  let aircraft = AircraftCategory(designator: "B738")
  let items = try client.turbulence(with: TurbulenceQuery(minimumSeverity: .moderate, aircraft: aircraft))
  show(items)
}

func setCheckedQuery(_ client: ContrailClient, query: DataQuery) {
  do {
    try client.setDataQuery(query)
  } catch {
    show(error.localizedDescription)
  }
}

/// A module that has names of this library, too: qualified, each is found.
func useQualifiedNames(_ response: Contrail.WeatherResponse) -> Contrail.WeatherWind? { response.result.realtime?.wind }

private func draw(_ ring: [Coordinate], dashed: Bool) {}

private struct Layer {
  func remove(_ ids: [TurbulenceItem.ID]) {}
  func add(_ items: [TurbulenceItem]) {}
  func update(_ items: [TurbulenceItem]) {}
}

private struct Banner {
  func show(_ alert: TurbulenceAlert) {}
  func update(_ alert: TurbulenceAlert) {}
  func remove(_ id: Int) {}
}

func monitorFarAhead(_ client: ContrailClient) throws -> TurbulenceMonitor {
  var criteria = AlertQuery.monitoring
  criteria.distanceNM = 300
  let monitor = try client.monitor(criteria)
  return monitor
}
