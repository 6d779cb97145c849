public import ContrailAirportData
public import ContrailGeodesy
import GRDB

extension AirportDatabase {
  /// Returns the airports nearest to a point, nearest first.
  ///
  /// The search works everywhere, including the poles and the antimeridian. Distances are great-circle distances as
  /// calculated by `Coordinate.distanceNM(to:)`.
  ///
  /// - Parameters:
  ///   - point: The point. If the coordinate is invalid, the result is empty.
  ///   - count: The maximum number of airports.
  ///   - minimumRunwayMeters: The minimum length of the longest runway, or `nil` for all airports.
  /// - Throws: ``AirportStoreError``.
  /// - Complexity: O(*k* log *n*), with *k* airports within about twice the radius that contains the requested number.
  public func airports(
    nearest point: Coordinate, count: Int, minimumRunwayMeters: Double? = nil
  ) throws(AirportStoreError) -> [NearbyAirport] {
    guard count > 0, point.isValid else { return [] }
    return try read("searching for the nearest airports") { db in
      var radius = 32.0
      while true {
        let isAll = radius > .pi * Earth.meanRadiusNM
        let hits = try Self.hits(db, around: point, radiusNM: radius, minimumRunwayMeters)
        if hits.count >= count || isAll {
          let found = try Self.nearby(db, hits, point, limit: count)
          // The result can be smaller, because the hits may include rows that aren't in use.
          if found.count == count || isAll { return found }
        }
        radius *= 4
      }
    }
  }

  /// Returns the airports within a distance of a point, nearest first.
  ///
  /// - Parameters:
  ///   - radiusNM: The maximum distance in nautical miles, inclusive.
  ///   - point: The point. If the coordinate is invalid, the result is empty.
  ///   - minimumRunwayMeters: The minimum length of the longest runway, or `nil` for all airports.
  /// - Throws: ``AirportStoreError``.
  public func airports(
    within radiusNM: Double, of point: Coordinate, minimumRunwayMeters: Double? = nil
  ) throws(AirportStoreError) -> [NearbyAirport] {
    guard radiusNM >= 0, point.isValid else { return [] }
    return try read("searching for airports around a point") { db in
      let hits = try Self.hits(db, around: point, radiusNM: radiusNM, minimumRunwayMeters)
      return try Self.nearby(db, hits, point, limit: .max)
    }
  }

  /// Returns the airports along a route, in the order of the route.
  ///
  /// - Parameters:
  ///   - route: The points of the route, connected by great circles. One point is the centre of a circle. No points
  ///     give an empty result.
  ///   - widthNM: The full width of the corridor in nautical miles.
  ///   - minimumRunwayMeters: The minimum length of the longest runway, or `nil` for all airports.
  /// - Throws: ``AirportStoreError``.
  /// - Complexity: O(*l* log *n* + *k l*), with *l* legs and *k* airports near the route.
  public func airports(
    along route: [Coordinate], widthNM: Double, minimumRunwayMeters: Double? = nil
  ) throws(AirportStoreError) -> [RouteAirport] {
    guard widthNM >= 0, !route.isEmpty, route.allSatisfy(\.isValid) else { return [] }
    let half = widthNM / 2
    let points = route.densified(maximumNM: 200)
    return try read("searching for airports along a route") { db in
      var places: [Int64: Coordinate] = [:]
      // A single point is a leg to itself.
      let ends = points.count > 1 ? points.dropFirst() : points[...]
      for (start, end) in zip(points, ends) {
        // A circle around the middle of a leg contains all points near the leg.
        let middle = start.interpolated(to: end, fraction: 0.5)
        let radius = half + start.distanceNM(to: end) / 2 + 0.01
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

  /// Returns the airports within a polygon, sorted by record ID.
  ///
  /// - Parameters:
  ///   - ring: The polygon.
  ///   - minimumRunwayMeters: The minimum length of the longest runway, or `nil` for all airports.
  /// - Throws: ``AirportStoreError``.
  public func airports(in ring: Ring, minimumRunwayMeters: Double? = nil) throws(AirportStoreError) -> [Airport] {
    let cap = BoundingCap(containing: ring)
    return try read("searching for airports in an area") { db in
      let generation = try Self.generation(db)
      return try Self.places(db, around: cap.center, radiusNM: cap.radiusNM, minimumRunwayMeters)
        .filter { ring.contains($0.1) }
        .compactMap { try Self.airport(db, key: $0.0, generation) }
        .sorted { $0.recordID < $1.recordID }
    }
  }

  // MARK: Keys

  /// The key of a row with its distance.
  private typealias Hit = (key: Int64, distance: Double, place: Coordinate)

  /// Returns the rows within a circle, nearest first, including rows that aren't in use.
  private static func hits(
    _ db: Database, around point: Coordinate, radiusNM: Double, _ minimumRunwayMeters: Double?
  ) throws -> [Hit] {
    try places(db, around: point, radiusNM: radiusNM, minimumRunwayMeters)
      .map { (key: $0.0, distance: point.distanceNM(to: $0.1), place: $0.1) }
      .filter { $0.distance <= radiusNM }
      .sorted { ($0.distance, $0.key) < ($1.distance, $1.key) }
  }

  /// Returns the rows of all cells that touch the box around a circle, including rows that aren't in use.
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
      places.append((row.integer(0), Coordinate(latitude: row.number(1), longitude: row.number(2))))
    }
    return places
  }

  /// Returns the airport of a row, or `nil` if the row isn't in use.
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
  /// Returns the distance of a point from the route, and the distance along the route to its nearest point.
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
