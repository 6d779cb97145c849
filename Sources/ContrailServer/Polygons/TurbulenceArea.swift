#if Online
  import ContrailGeodesy
  import ContrailWire

  /// Where turbulence of one severity was met: cells of H3 resolution 3 that hang together. Or where it is warned of.
  struct TurbulenceArea: Hashable, Sendable {
    /// That of the most severe report in each of the cells.
    var severity: TurbulenceSeverity
    /// The lowest report, in thousands of feet.
    var base: UInt8
    /// The highest report, in thousands of feet.
    var top: UInt8
    /// How many reports of light turbulence or more there are; 1 for an advisory.
    var count: Int
    /// More than one where the antimeridian divides the area.
    var polygons: [PlanePolygon]
    /// What names the advisory, such as `G-AIRMET TURB-HI 1W`; nil for an area that is made of reports.
    var advisory: String?

    /// Writes the area as a GeoJSON feature (RFC 7946, 3.2).
    func write(to json: inout JSONWriter) {
      json.object { json in
        json.key("type")
        json.value("Feature")
        json.key("properties")
        json.object { json in
          json.key("severity")
          json.value(severity.rawValue)
          json.key("baseAltitude")
          json.value(base)
          json.key("topAltitude")
          json.value(top)
          json.key("count")
          json.value(count)
          if let advisory {
            json.key("advisory")
            json.value(advisory)
          }
        }
        json.key("geometry")
        json.object { json in
          json.key("type")
          json.value(polygons.count == 1 ? "Polygon" : "MultiPolygon")
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

  extension TurbulenceArea {
    /// Whether the area and a ring have a point in common: one holds a corner of the other, or their edges cross.
    ///
    /// An area whose hole holds the whole ring counts too: that is the safe side.
    func meets(_ ring: Ring) -> Bool {
      for polygon in polygons {
        if polygon.outer.contains(where: ring.contains) { return true }
        if ring.points.contains(where: { Dissolve.contains(polygon.outer, $0) }) { return true }
        for (a, b) in zip(ring.points, ring.points.dropFirst()) where Self.crosses(polygon.outer, a, b) { return true }
      }
      return false
    }

    /// Whether an edge of the outline crosses the edge from `a` the short way to `b`, on any side of the antimeridian.
    private static func crosses(_ outline: [FixedCoordinate], _ a: FixedCoordinate, _ b: FixedCoordinate) -> Bool {
      let (start, end) = (a.coordinate, b.coordinate)
      let run = (end.longitude - start.longitude).remainder(dividingBy: 360)
      return [-360.0, 0, 360].contains { shift in
        let p = SIMD2(start.longitude + shift, start.latitude)
        let q = SIMD2(p.x + run, end.latitude)
        return zip(outline, outline.dropFirst()).contains { edge in
          let r = SIMD2(edge.0.coordinate.longitude, edge.0.coordinate.latitude)
          let s = SIMD2(edge.1.coordinate.longitude, edge.1.coordinate.latitude)
          return side(p, q, r) * side(p, q, s) <= 0 && side(r, s, p) * side(r, s, q) <= 0
            && max(p.x, q.x) >= min(r.x, s.x) && max(r.x, s.x) >= min(p.x, q.x)
        }
      }
    }

    /// Above zero where `c` lies to the left of the way from `a` to `b`.
    private static func side(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Double {
      (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
  }
#endif
