import ContrailCore
public import ContrailWire
import Foundation
import GRDB

/// The turbulence polygons of one history time.
public struct StoredPolygons: Hashable, Sendable {
  public var history: DataHistoryTime
  /// The server's time of the answer, in seconds since 1970.
  public var asOf: Int64
  /// A GeoJSON feature collection as the server sent it.
  public var geoJSON: [UInt8]
}

extension ProjectionStore {
  /// The turbulence polygons of a history time; nil where none are held.
  ///
  /// - Complexity: O(bytes).
  public func polygons(_ history: DataHistoryTime) throws(StoreError) -> StoredPolygons? {
    try read("looking for polygons") { db in
      guard let (key, summary) = try ScopeSummary.fetch(db, .global(history)) else { return nil }
      let statement = try db.cachedStatement(sql: "SELECT body FROM documents WHERE scope = ?")
      guard let body = try Data.fetchOne(statement, arguments: [key]) else { return nil }
      return StoredPolygons(history: history, asOf: summary.asOf, geoJSON: Array(body))
    }
  }

  /// The history times for which polygons are held, ascending.
  public func polygonHistories() throws(StoreError) -> [DataHistoryTime] {
    try summaries().compactMap {
      guard case .global(let history) = $0.id else { return nil }
      return history
    }
  }
}
