import ContrailCore
import ContrailGeodesy
public import ContrailWire
import GRDB

extension ProjectionStore {
  /// The PIREPs of an area, by time, then key.
  ///
  /// - Parameters:
  ///   - area: Where, by the position itself.
  ///   - observedAfter: Only what was observed later, in seconds since 1970; nil for all.
  /// - Complexity: O(*n*) in the PIREPs between the area's southernmost and northernmost latitude.
  public func pireps(in area: Area, observedAfter: Int64? = nil) throws(StoreError) -> [PIREP] {
    try points(PIREP.columns, "pireps", in: area, after: observedAfter, orderedBy: "observedAt, id", PIREP.init) {
      $0.position
    }
  }

  /// The other aircraft in an area, in the order of the server's answer.
  ///
  /// - Parameters:
  ///   - area: Where, by the position itself.
  ///   - observedAfter: Only positions seen later, in seconds since 1970: the server's time less
  ///     `TrafficPosition.lifetimeSeconds`; nil for all.
  /// - Complexity: O(*n*) in the aircraft between the area's southernmost and northernmost latitude.
  public func traffic(in area: Area, observedAfter: Int64? = nil) throws(StoreError) -> [TrafficPosition] {
    try points(
      TrafficPosition.columns, "traffic", in: area, after: observedAfter, orderedBy: "ordinal", TrafficPosition.init
    ) {
      $0.position
    }
  }

  /// Latitude has no seam: an index on it and the ring's own test are right at the antimeridian and the poles with no box to split.
  private func points<Point>(
    _ columns: String, _ table: String, in area: Area, after: Int64?, orderedBy order: String, _ decode: (Row) -> Point,
    at position: (Point) -> FixedCoordinate
  ) throws(StoreError) -> [Point] {
    let (latitudes, ring) = area.latitudesE7
    return try read("looking for \(table)") { db in
      guard let (key, _) = try ScopeSummary.fetch(db, Self.area) else { return [] }
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(columns) FROM \(table)
          WHERE scope = ? AND latitudeE7 BETWEEN ? AND ? AND observedAt > ? ORDER BY \(order)
          """)
      let cursor = try Row.fetchCursor(
        statement, arguments: [key, latitudes.lowerBound, latitudes.upperBound, after ?? Int64.min])
      var found: [Point] = []
      while let row = try cursor.next() {
        let point = decode(row)
        if ring?.contains(position(point)) ?? true { found.append(point) }
      }
      return found
    }
  }
}

extension Area {
  /// The latitudes between which the area lies, and its ring; 1e-7 degrees.
  fileprivate var latitudesE7: (ClosedRange<Int64>, Ring?) {
    let pole = 90 * FixedCoordinate.degree
    guard case .ring(let ring) = self else { return (-pole...pole, nil) }
    let south = ring.pole == .south ? -pole : ring.points.reduce(pole) { min($0, $1.latitudeE7) }
    let north = ring.pole == .north ? pole : ring.points.reduce(-pole) { max($0, $1.latitudeE7) }
    return (south...max(south, north), ring)
  }
}
