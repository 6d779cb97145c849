import ContrailGeodesy
import ContrailH3

/// The area of an advisory as valid GeoJSON rings: closed, counter-clockwise and split at the antimeridian.
struct AdvisoryShape {
  var polygons: [PlanePolygon] = []
  /// Whether a ring wasn't closed.
  var wasOpen = false

  /// Reads a GeoJSON feature with a polygon, or a record with `coords` of `lat` and `lon`. Numbers may be strings.
  static func read(_ record: LooseJSON) -> Result<AdvisoryShape, DayPositionError> {
    let geometry = record["geometry"]
    let parts: [[[(latitude: LooseJSON, longitude: LooseJSON)]]]
    switch geometry["type"].text {
    case "Polygon": parts = [rings(geometry["coordinates"])]
    case "MultiPolygon": parts = (geometry["coordinates"].elements ?? []).map { rings($0) }
    case "LineString", "MultiLineString": return .failure(.init(oddity: .line))
    case .some: return .failure(.init(oddity: .unknownGeometry))
    case nil:
      guard let coords = record["coords"].elements else { return .failure(.init(oddity: .unknownGeometry)) }
      if record["geometryType"].text == "LINE" || record["geom"].text == "LINE" {
        return .failure(.init(oddity: .line))
      }
      parts = [[coords.map { ($0["lat"], $0["lon"]) }]]
    }
    var shape = AdvisoryShape()
    for rings in parts {
      var points: [[FixedCoordinate]] = []
      for ring in rings {
        var corners: [FixedCoordinate] = []
        for corner in ring {
          switch DayPosition.read(latitude: corner.latitude, longitude: corner.longitude) {
          case .success(let point): if corners.last != point { corners.append(point) }
          case .failure: return .failure(.init(oddity: .impossiblePosition))
          }
        }
        points.append(corners)
      }
      shape.add(points)
    }
    return shape.polygons.isEmpty ? .failure(.init(oddity: .withoutArea)) : .success(shape)
  }

  private static func rings(_ value: LooseJSON) -> [[(latitude: LooseJSON, longitude: LooseJSON)]] {
    (value.elements ?? []).map { ring in (ring.elements ?? []).map { ($0[1], $0[0]) } }
  }

  /// Adds a polygon from its outer ring and its holes.
  private mutating func add(_ rings: [[FixedCoordinate]]) {
    var whole: [PlanePolygon] = []
    for (index, ring) in rings.enumerated() {
      for part in parts(of: ring) {
        if index == 0 {
          whole.append(PlanePolygon(outer: part, holes: []))
        } else if let owner = whole.indices.first(where: { Dissolve.contains(whole[$0].outer, part[0]) }) {
          whole[owner].holes.append(part.reversed())
        }
      }
    }
    polygons += whole
  }

  /// Returns the parts of a ring on both sides of the antimeridian, closed and counter-clockwise. Parts without area
  /// are omitted.
  private mutating func parts(of corners: [FixedCoordinate]) -> [[FixedCoordinate]] {
    var ring = corners
    guard let first = ring.first, ring.count >= 3 else { return [] }
    if ring.last != first {
      wasOpen = true
      ring.append(first)
    }
    return ring.map(\.coordinate).splitAtAntimeridian().compactMap { part in
      let points = part.compactMap { FixedCoordinate($0) }
      let area = Dissolve.signedArea(points)
      guard points.count >= 4, points.first == points.last, area != 0 else { return nil }
      return area > 0 ? points : points.reversed()
    }
  }
}
