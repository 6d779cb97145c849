// Uses of the package with Apple's types; see README.md.

import Combine
import Contrail
import CoreLocation
import CryptoKit
import Foundation
import WeatherKit

@MainActor
func use(_ client: ContrailClient, _ route: [CLLocationCoordinate2D], _ bag: inout [any Combine.Cancellable]) throws {
  client.dataQuery.polygon = route.buffer(widthNM: 100)
  client.dataQuery.polygon = route.simplified(tolerance: 0.1)
  client.dataQuery.viewport = route.asCoordinates
  client.dataQuery.route = route.asCoordinates
  client.dataQuery = DataQuery(polygon: route)
  if let position = route.first {
    _ = try client.weather(at: position)
    _ = position.coordinate.distanceNM(to: route[1].coordinate)
    _ = try RoundedCoordinate(Coordinate(position))
  }
  for item in try client.turbulence() { _ = item.coordinate?.clLocationCoordinate2D }
  let monitor = try client.monitor()
  monitor.update(AircraftPosition(CLLocation(latitude: 50, longitude: 0)))
  Task { try await monitor.followLocation() }
  var configuration = ContrailClient.Configuration(server: URL(filePath: "/"), directory: URL(filePath: "/"))
  configuration.fileProtection = .unlessOpen
  configuration.isExcludedFromBackup = false
  configuration.connection.credentialField = .bearer
  configuration.connection.credentials = { _ in .init("token", expiresAt: .now + 3600) }
  configuration.logSigner = P256LogSigner(try SecureEnclave.P256.Signing.PrivateKey())
  if !SecureEnclave.isAvailable { configuration.logSigner = P256LogSigner(P256.Signing.PrivateKey()) }
  configuration.log = LogMessage.osLog(subsystem: "com.example.flight")
  ContrailClient.registerBackgroundRefresh("com.example.flight.refresh") { [weak client] in client }
  bag.append(client.channel(for: .corridor).sinkOnMainThread { print($0.turbulence.count) })
}

/// Names that this package shares with WeatherKit are qualified; those of its internals don't disturb CryptoKit's.
@MainActor
func use(_ alert: WeatherKit.WeatherAlert, _ service: Contrail.WeatherService, _ error: any Error) -> [Contrail
  .WeatherAlert]
{
  let digest: any Digest = SHA256.hash(data: alert.summary.utf8)
  if error is Contrail.WeatherError { print(error, digest) }
  var query = DataQuery()
  query.weather = Contrail.WeatherQuery()
  return []
}
