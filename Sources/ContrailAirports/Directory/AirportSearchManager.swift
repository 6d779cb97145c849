public import ContrailAirportData
public import ContrailDeferred
public import ContrailGeodesy

/// Looks airports up by identifier, in whatever has them: a database on this device, or a service.
public protocol AirportSearchService: Sendable {
  /// The airport of an ICAO, IATA, local or record identifier; nil if there is none.
  func airport(identifier: String) async throws -> Airport?
  /// The airports whose name and city have words that begin as those given do.
  func airports(matching text: String, limit: Int) async throws -> [Airport]
  /// The airports nearest to a point, the nearest first.
  func airports(nearest point: Coordinate, count: Int) async throws -> [NearbyAirport]
}

/// The directory of airports, to be asked from code with and without `async`.
///
/// ```swift
/// let search = AirportSearchManager.createOfflineManager(database: database)
/// self.connection = search.searchById("EGLL").sinkOnMainThread(
///   receiveValue: { [weak self] airport in
///     guard let airport else { return }
///     self?.show(airport)
///   },
///   failure: { [weak self] error in self?.show(error) })
/// let airport = try await search.searchById("EGLL").value
/// ```
///
/// What isn't found is nil or an empty list, never a failure.
public final class AirportSearchManager: Sendable {
  private let service: any AirportSearchService

  private init(_ service: any AirportSearchService) {
    self.service = service
  }

  /// A manager that asks the cycle in use in a database on this device.
  public static func createOfflineManager(database: AirportDatabase) -> AirportSearchManager {
    AirportSearchManager(DatabaseSearchService(database: database))
  }

  /// A manager that asks a service.
  ///
  /// - Parameter service: What the application reaches over a network.
  public static func createOnlineManager(service: any AirportSearchService) -> AirportSearchManager {
    AirportSearchManager(service)
  }

  /// The airport of an ICAO, IATA, local or record identifier; nil if there is none.
  public func searchById(_ id: String) -> Future<Airport?> {
    let service = service
    return Future { try await service.airport(identifier: id) }
  }

  /// The airports whose name and city have words that begin as those given do: `heathr` finds Heathrow.
  public func searchByText(_ text: String, limit: Int = 25) -> Future<[Airport]> {
    let service = service
    return Future { try await service.airports(matching: text, limit: limit) }
  }

  /// The airports nearest to a point, the nearest first.
  public func searchNearest(to point: Coordinate, count: Int = 10) -> Future<[NearbyAirport]> {
    let service = service
    return Future { try await service.airports(nearest: point, count: count) }
  }

  /// The runways of an airport, the longest first; none if there is no such airport.
  public func searchRunways(ofAirportWithId id: String) -> Future<[Runway]> {
    let service = service
    return Future { try await service.airport(identifier: id)?.runwaysLongestFirst ?? [] }
  }
}

/// The database as a service.
private struct DatabaseSearchService: AirportSearchService {
  let database: AirportDatabase

  func airport(identifier: String) async throws -> Airport? { try database.airport(identifier: identifier) }

  func airports(matching text: String, limit: Int) async throws -> [Airport] {
    try database.airports(matching: text, limit: limit)
  }

  func airports(nearest point: Coordinate, count: Int) async throws -> [NearbyAirport] {
    try database.airports(nearest: point, count: count)
  }
}
