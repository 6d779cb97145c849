package import ContrailAirportData
package import ContrailGeodesy
import ContrailWire

/// A directory that asks the database first, and a service if the database has no match.
package struct OfflineFirstSearchService: AirportSearchService {
  private let database: @Sendable () async throws -> AirportDatabase
  private let service: any AirportSearchService

  /// Creates a directory.
  ///
  /// - Parameters:
  ///   - database: Returns the database.
  ///   - service: The service to ask if the database has no match.
  package init(
    database: @escaping @Sendable () async throws -> AirportDatabase, service: any AirportSearchService
  ) {
    self.database = database
    self.service = service
  }

  package func airport(identifier: String) async throws -> Airport? {
    let (found, hasAirports) = await offline { try $0.airport(identifier: identifier) }
    if let found, let airport = found { return airport }
    return try await online(hasAirports, none: nil) { try await service.airport(identifier: identifier) }
  }

  package func airports(matching text: String, limit: Int) async throws -> [Airport] {
    let (found, hasAirports) = await offline { try $0.airports(matching: text, limit: limit) }
    if let found, !found.isEmpty { return found }
    return try await online(hasAirports, none: []) { try await service.airports(matching: text, limit: limit) }
  }

  package func airports(nearest point: Coordinate, count: Int) async throws -> [NearbyAirport] {
    let (found, hasAirports) = await offline { try $0.airports(nearest: point, count: count) }
    if let found, !found.isEmpty { return found }
    return try await online(hasAirports, none: []) { try await service.airports(nearest: point, count: count) }
  }

  /// Returns the result of the database, or nil if it can't be queried, and whether it has airports.
  private func offline<Found: Sendable>(_ search: (AirportDatabase) throws -> Found) async -> (Found?, Bool) {
    do {
      let database = try await database()
      return (try search(database), try database.status().current != nil)
    } catch {
      return (nil, false)
    }
  }

  /// Returns the result of the service. If it can't be reached, the result of a database with airports counts.
  private func online<Found: Sendable>(
    _ hasAirports: Bool, none: Found, _ search: () async throws -> Found
  ) async throws -> Found {
    do {
      return try await search()
    } catch let error as AirportTransportError where hasAirports && error.code == .unreachable {
      return none
    }
  }
}
