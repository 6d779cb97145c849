public import ContrailGeodesy
public import ContrailWire

/// An area of turbulence from the global polygons.
public struct TurbulenceArea: Hashable, Sendable {
  /// The severity; nil if the server doesn't state it.
  public private(set) var severity: TurbulenceSeverity?
  /// The altitude of the lowest report, in feet.
  public private(set) var baseFeet: Int?
  /// The altitude of the highest report, in feet.
  public private(set) var topFeet: Int?
  /// The number of reports.
  public private(set) var count: Int?
  /// The polygons, each an outer ring followed by its holes. Rings are closed, and split at the antimeridian.
  public private(set) var polygons: [[[Coordinate]]] = []

  /// The hash of the geometry and the properties as received.
  var digest: UInt64 {
    properties.reduce(Digest.hash(geometry)) { Digest.mix($0 &+ Digest.hash($1.name.utf8)) &+ Digest.hash($1.value) }
  }

  /// The geometry as received.
  private var geometry: [UInt8] = []
  /// The properties as received, by name.
  private var properties: [Property] = []

  private struct Property: Hashable {
    var name: String
    var value: [UInt8]
  }

  /// Returns the areas of a feature collection. Features that aren't polygons are omitted.
  static func areas(in document: [UInt8]) -> [TurbulenceArea] {
    document.withUnsafeBytes { bytes in
      var areas: [TurbulenceArea] = []
      var json = JSONReader(bytes)
      // Invalid collections were rejected on receipt. If one is truncated, the areas before the end are returned.
      try? json.object { (key, json) throws(JSONError) in
        guard case "features" = key else {
          try json.skipValue()
          return
        }
        try json.array { (json) throws(JSONError) in
          if let area = TurbulenceArea(json.slice(try json.skipValue())) { areas.append(area) }
        }
      }
      return areas
    }
  }

  private init?(_ feature: UnsafeRawBufferPointer) {
    do throws(JSONError) {
      var json = JSONReader(feature)
      try json.object { (key, json) throws(JSONError) in
        switch key {
        case "geometry":
          let range = try json.skipValue()
          geometry = Array(json.slice(range))
          var inner = JSONReader(json.slice(range))
          polygons = try Self.polygons(&inner)
        case "properties":
          guard try !json.null() else { return }
          try json.object { (name, json) throws(JSONError) in
            let range = try json.skipValue()
            let value = json.slice(range)
            properties.append(Property(name: name.string, value: Array(value)))
            read(name, value)
          }
        default: try json.skipValue()
        }
      }
    } catch {
      return nil
    }
    if polygons.isEmpty { return nil }
  }

  private mutating func read(_ name: JSONKey, _ value: UnsafeRawBufferPointer) {
    var json = JSONReader(value)
    switch name {
    case "severity", "sev":
      guard let code: UInt8 = try? json.integer(in: 0...UInt8.max) else { return }
      severity = TurbulenceSeverity(rawValue: code)
    case "baseAltitude": baseFeet = (try? json.integer(in: 0...1000)).map { (thousands: Int) in thousands * 1000 }
    case "topAltitude": topFeet = (try? json.integer(in: 0...1000)).map { (thousands: Int) in thousands * 1000 }
    case "count": count = try? json.integer(in: 0...Int.max)
    default: break
    }
  }

  private static func polygons(_ json: inout JSONReader) throws(JSONError) -> [[[Coordinate]]] {
    var type = ""
    var coordinates: Range<Int>?
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "type": type = try json.string()
      case "coordinates": coordinates = try json.skipValue()
      default: try json.skipValue()
      }
    }
    guard let coordinates else { return [] }
    var inner = JSONReader(json.slice(coordinates))
    switch type {
    case "Polygon": return [try polygon(&inner)]
    case "MultiPolygon":
      var polygons: [[[Coordinate]]] = []
      try inner.array { (json) throws(JSONError) in polygons.append(try polygon(&json)) }
      return polygons
    default: return []
    }
  }

  private static func polygon(_ json: inout JSONReader) throws(JSONError) -> [[Coordinate]] {
    var rings: [[Coordinate]] = []
    try json.array { (json) throws(JSONError) in
      var ring: [Coordinate] = []
      try json.array { (json) throws(JSONError) in
        var parts: [Int64] = []
        try json.array { (json) throws(JSONError) in parts.append(try json.scaled(by: 7)) }
        guard parts.count >= 2 else { throw json.fault("a position must have a longitude and a latitude") }
        ring.append(FixedCoordinate(latitudeE7: parts[1], longitudeE7: parts[0]).coordinate)
      }
      rings.append(ring)
    }
    return rings
  }

  /// Whether a place is in the area, in the plane of longitude and latitude.
  ///
  /// - Complexity: O(*v*) in the corners of the polygons at its latitude.
  func contains(_ place: Coordinate) -> Bool {
    let longitude = place.longitude.remainder(dividingBy: 360)
    return polygons.contains { polygon in
      guard let outer = polygon.first, outer.contains(where: { $0.latitude >= place.latitude }),
        outer.contains(where: { $0.latitude <= place.latitude })
      else { return false }
      return Self.polygon(polygon, containsLatitude: place.latitude, longitude: longitude)
    }
  }

  /// Whether a point is in a polygon: inside its outer ring and outside its holes.
  static func polygon(_ rings: [[Coordinate]], containsLatitude latitude: Double, longitude: Double) -> Bool {
    var isInside = false
    for ring in rings {
      for (a, b) in zip(ring, ring.dropFirst()) where (a.latitude > latitude) != (b.latitude > latitude) {
        let share = (latitude - a.latitude) / (b.latitude - a.latitude)
        if longitude < a.longitude + (b.longitude - a.longitude) * share { isInside.toggle() }
      }
    }
    return isInside
  }

  /// Writes the area as a feature of GeoJSON.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("type", "Feature")
      json.key("geometry")
      json.verbatim(geometry)
      json.key("properties")
      json.object { json in
        for property in properties where severity == nil || !GeoJSON.styleNames.contains(property.name) {
          json.key(named: property.name)
          json.verbatim(property.value)
        }
        if let severity { GeoJSON.writeStyle(of: severity, to: &json) }
      }
    }
  }
}
