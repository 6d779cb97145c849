package import ContrailGeodesy
package import ContrailH3
public import ContrailWire

// GeoJSON according to RFC 7946: rings are closed, counter-clockwise, and split at the antimeridian. Colours are
// properties of the simplestyle specification 1.1.0 (github.com/mapbox/simplestyle-spec), which many maps support.

extension Sequence<TurbulenceItem> {
  /// Returns the hexagons as a GeoJSON feature collection.
  ///
  /// The properties are `alt` (thousands of feet), `sev`, `edr`, `observedAt`, `age` (seconds), `count`, and the
  /// colours of ``TurbulenceStyle``. The `id` of a feature is the H3 index of the hexagon.
  ///
  /// - Complexity: O(*n*).
  public func geoJSON() -> String {
    GeoJSON.collection { json in
      for item in self {
        GeoJSON.feature(id: item.h3, to: &json) { json in
          GeoJSON.write(cell: item.cell, to: &json)
        } properties: { json in
          json.member("alt", item.alt)
          json.member("sev", item.sev.rawValue)
          json.key("edr")
          json.decimal(Int64(item.report.edrE4), digits: 4)
          json.member("observedAt", item.observedAt)
          json.member("age", item.ageSeconds)
          json.member("count", item.count)
          GeoJSON.writeStyle(of: item.sev, to: &json)
        }
      }
    }
  }
}

extension Sequence<PIREP> {
  /// Returns the reports as a GeoJSON feature collection of points.
  ///
  /// The properties are `fl` (hundreds of feet) and `sev`, if the report states them, `urgent`, `observedAt`, `age`
  /// (seconds), `text`, and `marker-color` by severity. The `id` of a feature is the identifier of the report.
  ///
  /// - Parameter second: The time that `age` refers to, in seconds since 1970.
  /// - Complexity: O(*n*).
  public func geoJSON(asOf second: Int64) -> String {
    GeoJSON.collection { json in
      for pirep in self {
        GeoJSON.feature(id: pirep.id, to: &json) { json in
          GeoJSON.write(point: pirep.position, to: &json)
        } properties: { json in
          GeoJSON.writeContents(of: pirep, asOf: second, to: &json)
        }
      }
    }
  }
}

extension Sequence<TrafficPosition> {
  /// Returns the positions as a GeoJSON feature collection of points.
  ///
  /// The properties are `callsign`, `alt` (feet), `gs` (knots) and `track` (degrees), if known, `observedAt`, and `age`
  /// (seconds). The `id` of a feature is the identifier of the aircraft.
  ///
  /// - Parameter second: The time that `age` refers to, in seconds since 1970.
  /// - Complexity: O(*n*).
  public func geoJSON(asOf second: Int64) -> String {
    GeoJSON.collection { json in
      for aircraft in self {
        GeoJSON.feature(id: aircraft.id, to: &json) { json in
          GeoJSON.write(point: aircraft.position, to: &json)
        } properties: { json in
          GeoJSON.writeContents(of: aircraft, asOf: second, to: &json)
        }
      }
    }
  }
}

/// Writes the parts of GeoJSON documents.
package enum GeoJSON {
  static func collection(_ features: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("type", "FeatureCollection")
      json.key("features")
      json.array(features)
    }
    return json.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  package static func feature(
    id: String, to json: inout JSONWriter, geometry: (inout JSONWriter) -> Void,
    properties: (inout JSONWriter) -> Void
  ) {
    json.object { json in
      json.member("type", "Feature")
      json.member("id", id)
      json.key("geometry")
      geometry(&json)
      json.key("properties")
      json.object(properties)
    }
  }

  package static func writeTime(_ observedAt: Int64, asOf second: Int64, to json: inout JSONWriter) {
    json.member("observedAt", observedAt)
    json.member("age", observedAt.age(asOf: second))
  }

  /// Writes the properties of a PIREP.
  package static func writeContents(of pirep: PIREP, asOf second: Int64, to json: inout JSONWriter) {
    if let level = pirep.flightLevel { json.member("fl", level) }
    if let severity = pirep.severity { json.member("sev", severity.rawValue) }
    json.member("urgent", pirep.isUrgent)
    writeTime(pirep.observedAt, asOf: second, to: &json)
    json.member("text", pirep.text)
    if let severity = pirep.severity { json.member("marker-color", TurbulenceStyle.fill(severity).hex) }
  }

  /// Writes the properties of an aircraft.
  package static func writeContents(of aircraft: TrafficPosition, asOf second: Int64, to json: inout JSONWriter) {
    json.member("callsign", aircraft.callsign)
    if let feet = aircraft.altitudeFeet { json.member("alt", feet) }
    if let knots = aircraft.groundSpeedKnots { json.member("gs", knots) }
    if let track = aircraft.trackDegrees { json.member("track", track) }
    writeTime(aircraft.observedAt, asOf: second, to: &json)
  }

  /// The names of the properties that ``writeStyle(of:to:)`` writes.
  static let styleNames = ["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width"]

  package static func writeStyle(of severity: TurbulenceSeverity, to json: inout JSONWriter) {
    let fill = TurbulenceStyle.fill(severity)
    json.member("fill", fill.hex)
    json.key("fill-opacity")
    json.decimal(Int64((fill.alpha * 100).rounded()), digits: 2)
    let border = TurbulenceStyle.border(severity)
    json.member("stroke", (border ?? fill).hex)
    json.key("stroke-opacity")
    json.decimal(border.map { Int64(($0.alpha * 100).rounded()) } ?? 0, digits: 2)
    json.key("stroke-width")
    json.decimal(border == nil ? 0 : Int64((TurbulenceStyle.borderWidthPoints * 100).rounded()), digits: 2)
  }

  package static func write(point: FixedCoordinate, to json: inout JSONWriter) {
    json.object { json in
      json.member("type", "Point")
      json.key("coordinates")
      write(position: point, to: &json)
    }
  }

  /// Writes longitude and latitude, with the longitude within ±180°.
  private static func write(position: FixedCoordinate, to json: inout JSONWriter) {
    let half = 180 * FixedCoordinate.degree
    var longitude = position.longitudeE7
    if longitude.magnitude > UInt64(half) {
      longitude %= 2 * half
      if longitude > half { longitude -= 2 * half }
      if longitude < -half { longitude += 2 * half }
    }
    json.array { json in
      json.decimal(longitude, digits: 7)
      json.decimal(position.latitudeE7, digits: 7)
    }
  }

  /// Writes the boundary of a cell, split at the antimeridian; null for no cell.
  package static func write(cell: H3Cell?, to json: inout JSONWriter) {
    guard let cell else { return json.null() }
    if let plain = plainBoundary(of: cell) { return write(polygons: [plain], to: &json) }
    let boundary = cell.boundary
    write(ring: boundary + boundary.prefix(1), to: &json)
  }

  /// Returns the closed boundary of a cell; nil if it crosses the antimeridian or is near a pole.
  private static func plainBoundary(of cell: H3Cell) -> [FixedCoordinate]? {
    cell.withBoundary { vertices in
      let points = vertices.compactMap { FixedCoordinate($0) }
      guard let first = points.first, points.count == vertices.count else { return nil }
      let west = points.reduce(first.longitudeE7) { min($0, $1.longitudeE7) }
      let east = points.reduce(first.longitudeE7) { max($0, $1.longitudeE7) }
      return east - west < 180 * FixedCoordinate.degree ? points + [first] : nil
    }
  }

  /// Writes a closed ring, split at the antimeridian.
  package static func write(ring: [Coordinate], to json: inout JSONWriter) {
    write(polygons: ring.splitAtAntimeridian().map { $0.compactMap { FixedCoordinate($0) } }, to: &json)
  }

  /// Writes a line, or several.
  package static func write(lines: [[Coordinate]], to json: inout JSONWriter) {
    let lines = lines.map { $0.compactMap { FixedCoordinate($0) } }
    json.object { json in
      json.member("type", lines.count == 1 ? "LineString" : "MultiLineString")
      json.key("coordinates")
      if lines.count == 1 {
        write(positions: lines[0], to: &json)
      } else {
        json.array { json in lines.forEach { write(positions: $0, to: &json) } }
      }
    }
  }

  /// Writes a polygon, or a multipolygon for more than one ring.
  private static func write(polygons rings: [[FixedCoordinate]], to json: inout JSONWriter) {
    json.object { json in
      json.member("type", rings.count == 1 ? "Polygon" : "MultiPolygon")
      json.key("coordinates")
      if rings.count == 1 {
        write(polygon: rings[0], to: &json)
      } else {
        json.array { json in rings.forEach { write(polygon: $0, to: &json) } }
      }
    }
  }

  private static func write(polygon ring: [FixedCoordinate], to json: inout JSONWriter) {
    json.array { json in write(positions: ring, to: &json) }
  }

  /// Writes an array of positions.
  package static func write(positions: [FixedCoordinate], to json: inout JSONWriter) {
    json.array { json in positions.forEach { write(position: $0, to: &json) } }
  }
}
