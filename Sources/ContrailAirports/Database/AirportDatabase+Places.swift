public import ContrailAirportData
public import ContrailGeodesy
import GRDB

extension AirportDatabase {
  /// The airports nearest to a point, the nearest first: anywhere, at the poles and across the antimeridian too.
  ///
  /// Distances are along great circles, as `Coordinate.distanceNM(to:)` has them.
  ///
  /// - Parameters:
  ///   - point: Where from. With no valid coordinate, nothing is found.
  ///   - count: How many at most.
  ///   - minimumRunwayMeters: Only those with a runway of this length; nil for all.
  /// - Complexity: O(*k* log *n*) in the airports *k* within twice the radius or so that holds as many as asked for.
  public func airports(
    nearest point: Coordinate, count: Int, minimumRunwayMeters: Double? = nil
  ) throws(AirportStoreError) -> [NearbyAirport] {
    guard count > 0, point.isValid else { return [] }
    return try read("looking for the nearest airports") { db in
      var radius = 32.0
      while true {
        let isAll = radius > .pi * Earth.meanRadiusNM
        let hits = try Self.hits(db, around: point, radiusNM: radius, minimumRunwayMeters)
        if hits.count >= count || isAll {
          let found = try Self.nearby(db, hits, point, limit: count)
          // Fewer, where rows were among them that aren't in use.
          if found.count == count || isAll { return found }
        }
        radius *= 4
      }
    }
  }

  /// The airports within a radius of a point, the nearest first; see ``airports(nearest:count:minimumRunwayMeters:)``.
  ///
  /// - Parameter radiusNM: In nautical miles, the rim included.
  public func airports(
    within radiusNM: Double, of point: Coordinate, minimumRunwayMeters: Double? = nil
  ) throws(AirportStoreError) -> [NearbyAirport] {
    guard radiusNM >= 0, point.isValid else { return [] }
    return try read("looking for airports around a point") { db in
      let hits = try Self.hits(db, around: point, radiusNM: radiusNM, minimumRunwayMeters)
      return try Self.nearby(db, hits, point, limit: .max)
    }
  }

  /// The airports along a route, in the order in which the route comes by.
  ///
  /// - Parameters:
  ///   - route: Its points; the legs between are great circles. One point is a circle; none finds nothing.
  ///   - widthNM: The width of the corridor in nautical miles: half of it to either side.
  ///   - minimumRunwayMeters: Only those with a runway of this length; nil for all.
  /// - Complexity: O(*l* log *n* + *k l*) in the legs *l* and the airports *k* near the route.
  public func airports(
    along route: [Coordinate], widthNM: Double, minimumRunwayMeters: Double? = nil
  ) throws(AirportStoreError) -> [RouteAirport] {
    guard widthNM >= 0, !route.isEmpty, route.allSatisfy(\.isValid) else { return [] }
    let half = widthNM / 2
    let points = route.densified(maximumNM: 200)
    return try read("looking for airports along a route") { db in
      var places: [Int64: Coordinate] = [:]
      for (index, point) in points.enumerated() {
        let next = points[min(index + 1, points.count - 1)]
        if index > 0, index == points.count - 1 { break }
        // A circle round the middle of a leg holds all that is near the leg.
        let middle = point.interpolated(to: next, fraction: 0.5)
        let radius = half + point.distanceNM(to: next) / 2 + 0.01
        for hit in try Self.places(db, around: middle, radiusNM: radius, minimumRunwayMeters) { places[hit.0] = hit.1 }
      }
      var found: [(key: Int64, distance: Double, along: Double)] = []
      for (key, place) in places {
        let (distance, along) = route.nearest(to: place)
        if distance <= half { found.append((key, distance, along)) }
      }
      found.sort { ($0.along, $0.distance, $0.key) < ($1.along, $1.distance, $1.key) }
      let generation = try Self.generation(db)
      return try found.compactMap { hit in
        try Self.airport(db, key: hit.key, generation).map {
          RouteAirport(airport: $0, distanceNM: hit.distance, alongNM: hit.along)
        }
      }
    }
  }

  /// The airports within a ring, by record ID.
  public func airports(in ring: Ring, minimumRunwayMeters: Double? = nil) throws(AirportStoreError) -> [Airport] {
    let cap = BoundingCap(containing: ring)
    return try read("looking for airports in an area") { db in
      let generation = try Self.generation(db)
      return try Self.places(db, around: cap.center, radiusNM: cap.radiusNM, minimumRunwayMeters)
        .filter { ring.contains($0.1) }
        .compactMap { try Self.airport(db, key: $0.0, generation) }
        .sorted { $0.recordID < $1.recordID }
    }
  }

  // MARK: Keys

  /// A row's key and how far away it is.
  private typealias Hit = (key: Int64, distance: Double, place: Coordinate)

  /// The rows within a circle, the nearest first, in use or not.
  private static func hits(
    _ db: Database, around point: Coordinate, radiusNM: Double, _ minimumRunwayMeters: Double?
  ) throws -> [Hit] {
    try places(db, around: point, radiusNM: radiusNM, minimumRunwayMeters)
      .map { (key: $0.0, distance: point.distanceNM(to: $0.1), place: $0.1) }
      .filter { $0.distance <= radiusNM }
      .sorted { ($0.distance, $0.key) < ($1.distance, $1.key) }
  }

  /// The rows of all cells that touch the box around a circle, in use or not.
  private static func places(
    _ db: Database, around point: Coordinate, radiusNM: Double, _ minimumRunwayMeters: Double?
  ) throws -> [(Int64, Coordinate)] {
    let (center, reach) = (SpherePoint(point), SpherePoint.chord(radiusNM))
    let row = try RowReader(
      db,
      """
      SELECT p.airport, p.latitude, p.longitude
      FROM airportCells AS c CROSS JOIN airportPlaces AS p ON p.cell = c.cell
      WHERE c.x1 >= ?1 AND c.x0 <= ?2 AND c.y1 >= ?3 AND c.y0 <= ?4 AND c.z1 >= ?5 AND c.z0 <= ?6
        AND (?7 IS NULL OR p.longestRunwayMeters >= ?7)
      """,
      [
        center.x - reach, center.x + reach, center.y - reach, center.y + reach, center.z - reach, center.z + reach,
        minimumRunwayMeters,
      ])
    var places: [(Int64, Coordinate)] = []
    while try row.next() {
      places.append((row.integer(0), Coordinate(latitude: row.real(1) ?? 0, longitude: row.real(2) ?? 0)))
    }
    return places
  }

  /// The airport of a row; nil if the row isn't in use.
  private static func airport(_ db: Database, key: Int64, _ generation: Int64) throws -> Airport? {
    let row = try RowReader(
      db, "SELECT \(columns) FROM airports AS a WHERE a.airport = ?2 AND \(isInUse)", [generation, key])
    guard try row.next() else { return nil }
    defer { row.stop() }
    return try airport(db, row)
  }

  private static func nearby(
    _ db: Database, _ hits: [Hit], _ point: Coordinate, limit: Int
  ) throws -> [NearbyAirport] {
    let generation = try generation(db)
    var found: [NearbyAirport] = []
    for hit in hits {
      if found.count == limit { break }
      guard let airport = try airport(db, key: hit.key, generation) else { continue }
      found.append(
        NearbyAirport(airport: airport, distanceNM: hit.distance, azimuth: point.azimuth(to: hit.place)))
    }
    return found
  }
}

extension [Coordinate] {
  /// How far a point is from the route, and how far along the route its nearest point is.
  fileprivate func nearest(to point: Coordinate) -> (distanceNM: Double, alongNM: Double) {
    guard count > 1 else { return (first?.distanceNM(to: point) ?? .infinity, 0) }
    var best = (distanceNM: Double.infinity, alongNM: 0.0)
    var before = 0.0
    for index in indices.dropFirst() {
      let (start, end) = (self[index - 1], self[index])
      let (length, distance) = (start.distanceNM(to: end), point.distanceNM(toLegFrom: start, to: end))
      if distance < best.distanceNM {
        best = (distance, before + Swift.min(Swift.max(point.alongTrackNM(from: start, to: end), 0), length))
      }
      before += length
    }
    return best
  }
}
