import ContrailCore
public import ContrailGeodesy
import ContrailWire
import Foundation
import GRDB

/// The weather of a place.
public struct StoredWeather: Hashable, Sendable {
  public var place: RoundedCoordinate
  /// The server's time of the answer, in seconds since 1970.
  public var asOf: Int64
  /// The service's answer as JSON.
  public var json: [UInt8]
}

extension ProjectionStore {
  /// The weather of a place, however old; nil where none is held.
  ///
  /// - Complexity: O(bytes).
  public func weather(at place: RoundedCoordinate) throws(StoreError) -> StoredWeather? {
    try read("looking for weather") { db in
      guard let (key, summary) = try ScopeSummary.fetch(db, .weather(place)) else { return nil }
      let statement = try db.cachedStatement(sql: "SELECT body FROM documents WHERE scope = ?")
      guard let body = try Data.fetchOne(statement, arguments: [key]) else { return nil }
      return StoredWeather(place: place, asOf: summary.asOf, json: Array(body))
    }
  }

  /// The places whose weather is held.
  public func weatherPlaces() throws(StoreError) -> [RoundedCoordinate] {
    try summaries().compactMap(\.id.weatherPlace)
  }
}
