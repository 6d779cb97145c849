import Contrail
import Foundation

/// Prints the turbulence ahead of an aircraft from London to New York, as it becomes known.
@main struct TurbulenceAhead {
  static func main() async throws {
    let address = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"
    guard let server = URL(string: address) else { return print("'\(address)' is not a URL") }
    let folder = URL.temporaryDirectory.appending(path: "turbulence-ahead")
    let client = try ContrailClient(.init(server: server, directory: folder))
    let (london, newYork) = (
      Coordinate(latitude: 51.47, longitude: -0.45), Coordinate(latitude: 40.64, longitude: -73.78)
    )
    client.dataQuery.routeWidth = 100
    client.dataQuery.route = [london, newYork]
    let aircraft = AircraftPosition(coordinate: london, altitudeFeet: 35_000, groundSpeedKnots: 480)
    for await held in client.updates(for: .corridor) where !held.isEmpty {
      for alert in try client.alerts(with: AlertQuery(distanceNM: 1000), at: aircraft) where alert.phase == .new {
        print(TurbulenceStyle.name(alert.severity), "turbulence in", Int(alert.distanceNM), "nautical miles")
      }
    }
  }
}
