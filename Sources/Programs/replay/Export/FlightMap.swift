import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailQuery
package import ContrailReplay
import ContrailWire

/// Writes what a client holds at a time as GeoJSON (RFC 7946).
///
/// Rings are closed, outer rings are counter-clockwise and holes clockwise, and areas and lines are split at the antimeridian. Each feature
/// has a `kind`: `route`, `area`, `turbulenceArea`, `report`, `pirep`, `traffic` or `own`. A record has the `scopes` that hold it, and
/// `shown`: whether the filters and the history of the query show it at the time.
package struct FlightMap: Sendable {
  /// The value of the member `generator`, by which an earlier export is recognized.
  package static let generator = "contrail replay export"

  private let inspection: Inspection
  /// The time of the server, in seconds since 1970.
  private let second: Int64

  package init(_ inspection: Inspection) {
    self.inspection = inspection
    second = (inspection.at + (inspection.state.serverOffsetMS ?? 0)) / 1000
  }

  /// The document, ending with a line feed.
  ///
  /// - Complexity: O(held records).
  package var geoJSON: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("type", "FeatureCollection")
      json.member("generator", Self.generator)
      json.member("seq", inspection.seq)
      json.member("at", Words.utc(inspection.at))
      json.key("features")
      json.array { json in
        writeRoute(to: &json)
        writeAreas(to: &json)
        writeTurbulenceAreas(to: &json)
        writeReports(to: &json)
        writePIREPs(to: &json)
        writeTraffic(to: &json)
        writeOwn(to: &json)
      }
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }

  // MARK: The query

  /// The distance between points of the route's great circles, in nautical miles.
  private static let legNM = 30.0

  private func writeRoute(to json: inout JSONWriter) {
    // A route of one point isn't a line.
    guard let route = inspection.state.route, route.lengthNM > 0 else { return }
    var points = route.densified(maximumNM: Self.legNM)
    // A line whose last point is its first one would be read as a ring.
    var parts: [[Coordinate]] = []
    if points.count > 2, points.first == points.last {
      parts = Array(points.suffix(2)).splitAtAntimeridian()
      points.removeLast()
    }
    parts = points.splitAtAntimeridian() + parts
    GeoJSON.feature(id: "route", to: &json) { json in
      GeoJSON.write(lines: parts, to: &json)
    } properties: { json in
      json.member("kind", "route")
    }
  }

  private func writeAreas(to json: inout JSONWriter) {
    for scope in inspection.state.scopes {
      guard case .ring(let ring)? = scope.want?.area else { continue }
      GeoJSON.feature(id: scope.id.name, to: &json) { json in
        GeoJSON.write(ring: ring.points.map(\.coordinate), to: &json)
      } properties: { json in
        json.member("kind", "area")
        json.member("scope", scope.id.name)
        json.member("asOf", scope.have?.watermark)
        json.member("age", scope.have.map { second - $0.watermark })
      }
    }
  }

  private func writeTurbulenceAreas(to json: inout JSONWriter) {
    for history in inspection.state.turbulencePolygonTimes(asOf: second) {
      let query = TurbulencePolygonQuery(dataHistoryTime: history)
      guard let held = try? inspection.state.turbulencePolygons(with: query, asOf: second) else { continue }
      for (index, area) in held.areas.enumerated() {
        GeoJSON.feature(id: "\(ScopeID.global(history).name)/\(index)", to: &json) { json in
          write(polygons: area.polygons, to: &json)
        } properties: { json in
          json.member("kind", "turbulenceArea")
          json.member("scope", ScopeID.global(history).name)
          json.member("sev", area.severity?.rawValue)
          json.member("baseFeet", area.baseFeet)
          json.member("topFeet", area.topFeet)
          json.member("count", area.count)
          json.member("asOf", held.asOf)
          json.member("age", held.ageSeconds)
          if let severity = area.severity { GeoJSON.writeStyle(of: severity, to: &json) }
        }
      }
    }
  }

  /// Writes polygons with holes, whatever their orientation. The service splits them at the antimeridian.
  private func write(polygons: [[[Coordinate]]], to json: inout JSONWriter) {
    json.object { json in
      json.member("type", "MultiPolygon")
      json.key("coordinates")
      json.array { json in
        for polygon in polygons {
          json.array { json in
            for (index, ring) in polygon.enumerated() {
              let isTurned = Self.isClockwise(ring) != (index > 0)
              GeoJSON.write(
                positions: (isTurned ? ring.reversed() : ring).compactMap { FixedCoordinate($0) }, to: &json)
            }
          }
        }
      }
    }
  }

  /// Whether a ring is clockwise on a map.
  private static func isClockwise(_ ring: [Coordinate]) -> Bool {
    guard let origin = ring.first else { return false }
    var doubledArea = 0.0
    for (a, b) in zip(ring, ring.dropFirst()) {
      doubledArea += (b.longitude - a.longitude) * (a.latitude + b.latitude - 2 * origin.latitude)
    }
    return doubledArea > 0
  }

  // MARK: Records

  /// A record with the scopes that hold it.
  private struct Held<Record> {
    var record: Record
    var scopes: [String]
    var isShown: Bool
  }

  /// Returns the records of the scopes, each once, in the order of the scopes.
  private func collect<Record, Key: Hashable>(
    _ records: (Scope) -> [Record], key: (Record) -> Key, shown: (FetchSpec, Record) -> Bool
  ) -> [Held<Record>] {
    var held: [Held<Record>] = []
    var places: [Key: Int] = [:]
    for scope in inspection.state.scopes where scope.id.hasDeltas {
      for record in records(scope) {
        let isShown = scope.want.map { shown($0, record) } ?? false
        if let place = places[key(record)] {
          held[place].scopes.append(scope.id.name)
          held[place].isShown = held[place].isShown || isShown
        } else {
          places[key(record)] = held.count
          held.append(Held(record: record, scopes: [scope.id.name], isShown: isShown))
        }
      }
    }
    return held
  }

  private func write<Record>(_ held: Held<Record>, kind: String, to json: inout JSONWriter) {
    json.member("kind", kind)
    json.key("scopes")
    json.array { json in held.scopes.forEach { json.value($0) } }
    json.member("shown", held.isShown)
  }

  private func writeReports(to json: inout JSONWriter) {
    let held = collect({ $0.reports.sorted }, key: { $0 }) { want, report in
      want.types.contains(.turbulence) && want.filter.reports(asOf: second).admits(report)
    }
    for entry in held {
      let report = entry.record
      let cell = String(report.h3Index, radix: 16)
      let id = "\(cell)/\(report.altitude)/\(report.severityCode)/\(report.edrE4)/\(report.observedAt)"
      GeoJSON.feature(id: id, to: &json) { json in
        GeoJSON.write(cell: H3Cell(packed22: report.cell), to: &json)
      } properties: { json in
        write(entry, kind: "report", to: &json)
        GeoJSON.writeTime(Int64(report.observedAt), asOf: second, to: &json)
        json.member("h3", cell)
        json.member("alt", Int(report.altitude))
        json.member("sev", report.severityCode)
        json.key("edr")
        json.decimal(Int64(report.edrE4), digits: 4)
        GeoJSON.writeStyle(of: report.severity, to: &json)
      }
    }
  }

  private func writePIREPs(to json: inout JSONWriter) {
    let held = collect({ $0.pireps.sorted }, key: { "\($0.id) \($0.updatedAt)" }) { want, pirep in
      want.types.contains(.pireps) && want.shows(pirep, asOf: second)
    }
    for entry in held {
      GeoJSON.feature(id: entry.record.id, to: &json) { json in
        GeoJSON.write(point: entry.record.position, to: &json)
      } properties: { json in
        write(entry, kind: "pirep", to: &json)
        GeoJSON.writeContents(of: entry.record, asOf: second, to: &json)
      }
    }
  }

  private func writeTraffic(to json: inout JSONWriter) {
    let held = collect({ $0.traffic }, key: { "\($0.id) \($0.observedAt)" }) { want, aircraft in
      want.shows(aircraft, asOf: second)
    }
    for entry in held {
      GeoJSON.feature(id: entry.record.id, to: &json) { json in
        GeoJSON.write(point: entry.record.position, to: &json)
      } properties: { json in
        write(entry, kind: "traffic", to: &json)
        GeoJSON.writeContents(of: entry.record, asOf: second, to: &json)
      }
    }
  }

  /// The place of the last report of the own aircraft: a log has no other positions.
  private func writeOwn(to json: inout JSONWriter) {
    guard let report = inspection.lastOwnReport, let place = report.coordinate.flatMap({ FixedCoordinate($0) }) else {
      return
    }
    GeoJSON.feature(id: "own", to: &json) { json in
      GeoJSON.write(point: place, to: &json)
    } properties: { json in
      json.member("kind", "own")
      json.member("alt", Int(report.altitude))
      json.member("sev", report.severityCode)
      GeoJSON.writeTime(Int64(report.observedAt), asOf: second, to: &json)
    }
  }
}
