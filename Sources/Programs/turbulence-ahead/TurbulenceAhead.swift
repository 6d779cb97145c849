import Contrail
import Foundation

/// Prints the turbulence ahead of an aircraft from London to New York, as it becomes known.
@main struct TurbulenceAhead {
  static func main() async throws {
    let address = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"
    let usage = "Usage: turbulence-ahead [URL of the service, by default http://127.0.0.1:8080]"
    if ["-h", "--help"].contains(address) { return print(usage) }
    guard let server = URL(string: address), server.scheme?.hasPrefix("http") == true, server.host() != nil else {
      FileHandle.standardError.write(Data("'\(address)' is not the URL of a service.\n\(usage)\n".utf8))
      exit(64)
    }
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
        fflush(nil)
      }
    }
  }
}
