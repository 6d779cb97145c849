public import ContrailAirportData
public import ContrailGeodesy
public import ContrailHTTP

/// A source of airports for queries, such as a database on the device or a web service.
public protocol AirportSearchService: Sendable {
  /// Returns the airport with an ICAO, IATA, local or record identifier, or `nil` if no airport has it.
  func airport(identifier: String) async throws -> Airport?
  /// Returns the airports whose name and city contain words that begin with the given words.
  func airports(matching text: String, limit: Int) async throws -> [Airport]
  /// Returns the airports nearest to a point, nearest first.
  func airports(nearest point: Coordinate, count: Int) async throws -> [NearbyAirport]
}

/// A directory of airports for code with and without `async`.
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
/// A search without a match returns `nil` or an empty array, not an error.
public final class AirportSearchManager: Sendable {
  private let service: any AirportSearchService

  private init(_ service: any AirportSearchService) {
    self.service = service
  }

  /// Returns a manager that queries the cycle in use in a database.
  public static func createOfflineManager(database: AirportDatabase) -> AirportSearchManager {
    AirportSearchManager(DatabaseSearchService(database: database))
  }

  /// Returns a manager that queries a service.
  ///
  /// - Parameter service: The service, implemented by the application.
  public static func createOnlineManager(service: any AirportSearchService) -> AirportSearchManager {
    AirportSearchManager(service)
  }

  /// Returns a manager that queries the database first, and a service if the database has no match.
  package static func createOnlineManager(
    database: @escaping @Sendable () async throws -> AirportDatabase, service: any AirportSearchService
  ) -> AirportSearchManager {
    AirportSearchManager(OfflineFirstSearchService(database: database, service: service))
  }

  /// Returns the airport with an ID that a search returned (`Airport.id`), or with an ICAO, IATA or local identifier.
  public func searchByDirectoryObjectId(objectId: String) -> Future<Airport?> { searchById(objectId) }

  /// Returns the airports whose name and city contain words that begin with the given words: `heathr` finds Heathrow.
  public func search(_ text: String, limit: Int = 25) -> Future<[Airport]> { searchByText(text, limit: limit) }

  /// Returns the airport with an ICAO, IATA, local or record identifier, or `nil` if no airport has it.
  public func searchById(_ id: String) -> Future<Airport?> {
    let service = service
    return Future { try await service.airport(identifier: id) }
  }

  /// Returns the airports whose name and city contain words that begin with the given words: `heathr` finds Heathrow.
  public func searchByText(_ text: String, limit: Int = 25) -> Future<[Airport]> {
    let service = service
    return Future { try await service.airports(matching: text, limit: limit) }
  }

  /// Returns the airports nearest to a point, nearest first.
  public func searchNearest(to point: Coordinate, count: Int = 10) -> Future<[NearbyAirport]> {
    let service = service
    return Future { try await service.airports(nearest: point, count: count) }
  }

  /// Returns the runways of an airport, longest first, or an empty array if there is no such airport.
  public func searchRunways(ofAirportWithId id: String) -> Future<[Runway]> {
    let service = service
    return Future { try await service.airport(identifier: id)?.runwaysLongestFirst ?? [] }
  }
}

/// A search service for a database.
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
