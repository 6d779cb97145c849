import ContrailGeodesy
package import ContrailH3

/// A response with turbulence areas: a GeoJSON feature collection.
package struct PolygonsAnswer: Hashable, Sendable {
  /// The time of the areas in seconds since 1970.
  package var token: Int64
  package var areas: [Area]

  package init(token: Int64, areas: [Area]) {
    self.token = token
    self.areas = areas
  }

  /// An area with turbulence of one severity: connected cells of H3 resolution 3, or an advisory.
  package struct Area: Hashable, Sendable {
    /// The maximum severity.
    package var severity: TurbulenceSeverity
    /// The lowest altitude in thousands of feet.
    package var base: UInt8
    /// The highest altitude in thousands of feet.
    package var top: UInt8
    /// The number of reports of at least light turbulence, or 1 for an advisory.
    package var count: Int
    /// The polygons. There are several if the antimeridian divides the area.
    package var polygons: [PlanePolygon]
    /// The cells whose union the polygons are, sorted; empty if they aren't a union of cells.
    package var cells: [H3Cell]
    /// The name of the advisory, such as `G-AIRMET TURB-HI 1W`, or `nil` for an area from reports.
    package var advisory: String?

    package init(
      severity: TurbulenceSeverity, base: UInt8, top: UInt8, count: Int, polygons: [PlanePolygon] = [],
      cells: [H3Cell] = [], advisory: String? = nil
    ) {
      self.severity = severity
      self.base = base
      self.top = top
      self.count = count
      self.polygons = polygons
      self.cells = cells
      self.advisory = advisory
    }
  }

  /// Returns areas with the outlines of their cells as polygons, sorted by severity, then from south to north.
  ///
  /// - Complexity: O(*n* log *n*) in the cells, plus O(holes × polygons) of each area.
  package static func outlined(_ areas: [Area]) -> [Area] {
    var outlines = CellOutlines()
    var parts: [UInt64: [[FixedCoordinate]]] = [:]
    for cell in areas.flatMap({ $0.cells }).sorted(by: { $0.rawValue < $1.rawValue }) {
      parts[cell.rawValue] = outlines.parts(of: cell)
    }
    return areas.compactMap { area in
      var area = area
      area.polygons = Dissolve.polygons(of: area.cells.flatMap { parts[$0.rawValue] ?? [] })
      return area.polygons.isEmpty ? nil : area
    }
    .sorted { $0.precedes($1) }
  }

  // MARK: JSON

  /// The GeoJSON feature collection (RFC 7946, 3.3).
  package var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("type", "FeatureCollection")
      json.member("lastUpdatedAt", token)
      json.key("features")
      json.array { json in areas.forEach { $0.write(to: &json) } }
    }
    return json.bytes
  }

  /// Checks that the document is a GeoJSON feature collection and returns its `lastUpdatedAt`. The client passes the rest on
  /// unchanged.
  ///
  /// - Throws: ``WireError`` if a member is missing or of another type.
  package static func token(_ document: JSONDocument) throws(WireError) -> Int64 {
    var token: Int64?
    var isCollection = false
    var hasFeatures = false
    do throws(JSONError) {
      try document.forEachMember { (key, json) throws(JSONError) in
        switch key {
        case "type": isCollection = try json.string() == "FeatureCollection"
        case "features":
          guard json.isAtArray else { throw json.fault("expected an array") }
          hasFeatures = true
        case "lastUpdatedAt": token = try json.unixTime()
        default: break
        }
      }
    } catch {
      throw WireError.json(error)
    }
    guard isCollection, hasFeatures else { throw WireError.missing("features of a FeatureCollection") }
    guard let token else { throw WireError.missing("lastUpdatedAt") }
    return token
  }
}

extension PolygonsAnswer.Area {
  fileprivate func precedes(_ other: PolygonsAnswer.Area) -> Bool {
    guard let first = polygons.first?.outer.first, let second = other.polygons.first?.outer.first else { return false }
    return (severity.rawValue, first.latitudeE7, first.longitudeE7)
      < (other.severity.rawValue, second.latitudeE7, second.longitudeE7)
  }

  /// Writes the area as a GeoJSON feature (RFC 7946, 3.2).
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("type", "Feature")
      json.key("properties")
      json.object { json in
        json.member("severity", severity.rawValue)
        json.member("baseAltitude", base)
        json.member("topAltitude", top)
        json.member("count", count)
        if let advisory { json.member("advisory", advisory) }
      }
      json.key("geometry")
      json.object { json in
        json.member("type", polygons.count == 1 ? "Polygon" : "MultiPolygon")
        json.key("coordinates")
        if polygons.count == 1 {
          Self.write(polygons[0], to: &json)
        } else {
          json.array { json in polygons.forEach { Self.write($0, to: &json) } }
        }
      }
    }
  }

  private static func write(_ polygon: PlanePolygon, to json: inout JSONWriter) {
    json.array { json in
      for ring in [polygon.outer] + polygon.holes {
        json.array { json in
          for point in ring {
            json.array { json in
              json.decimal(point.longitudeE7, digits: 7)
              json.decimal(point.latitudeE7, digits: 7)
            }
          }
        }
      }
    }
  }
}
