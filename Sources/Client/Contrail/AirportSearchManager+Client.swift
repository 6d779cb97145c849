public import ContrailAirports
import ContrailWire

extension AirportSearchManager {
  /// Returns a manager that queries the client's database first, and the client's server if the database has no match.
  ///
  /// ```swift
  /// let searchManager = AirportSearchManager.createOnlineManager(context: client)
  /// let airport = try await searchManager.searchByDirectoryObjectId(objectId: "EGLL").value
  /// ```
  ///
  /// Without a link, a search in a database with airports returns what the database has. Otherwise it fails with
  /// `AirportTransportError`.
  public static func createOnlineManager(context client: ContrailClient) -> AirportSearchManager {
    let airports = client.airports
    return createOnlineManager(database: { try await airports.database() }, service: airports.online)
  }
}
