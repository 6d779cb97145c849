public import ContrailGeodesy
package import ContrailWire

extension RouteProfile {
  /// Returns the cells as a GeoJSON feature collection: a polygon of the bin's length and the width for each cell.
  ///
  /// The properties are `bin`, `fromNM` and `toNM` (along the route), `alt` (thousands of feet), `part` (`flown` or `ahead`), `pireps`
  /// (their number), `areaSev` (the highest severity of areas, if known) and, if there are reports, `sev`, `edr`, `newestSev`,
  /// `newestEDR`, `count`, `observedAt`, `age` (seconds), and the colours of ``TurbulenceStyle``. Without reports, `unknown` is true. The
  /// `id` of a feature is the bin and the level. Cells that are absent are unknown too.
  ///
  /// - Complexity: O(*n*) in the cells.
  public func geoJSON() -> String {
    let flown = binsFlown
    let strips = (0..<binCount).map { strip(ofBin: $0) }
    return GeoJSON.collection { json in
      for cell in cells {
        GeoJSON.feature(id: "\(cell.bin)/\(cell.level)", to: &json) { json in
          GeoJSON.write(ring: strips[cell.bin], to: &json)
        } properties: { json in
          let distances = distancesNM(ofBin: cell.bin)
          json.member("bin", cell.bin)
          json.key("fromNM")
          json.decimal(Int64((distances.lowerBound * 100).rounded()), digits: 2)
          json.key("toNM")
          json.decimal(Int64((distances.upperBound * 100).rounded()), digits: 2)
          json.member("alt", cell.level)
          json.member("part", flown.contains(cell.bin) ? "flown" : "ahead")
          json.member("pireps", cell.pireps.count)
          if let severity = cell.areas.compactMap({ areas[$0].severity }).max() {
            json.member("areaSev", severity.rawValue)
          }
          guard let reports = cell.reports else {
            json.member("unknown", true)
            return
          }
          reports.write(to: &json)
          GeoJSON.writeStyle(of: reports.worst, to: &json)
        }
      }
    }
  }

  /// Returns the strip of a bin as a closed ring, counter-clockwise: as long as the bin, and as wide as the profile.
  public func strip(ofBin bin: Int) -> [Coordinate] {
    let meters = widthNM / 2 * Earth.metersPerNM
    func side(_ edge: Geodesic.Direct, _ turn: Double) -> Coordinate {
      GeodesicLine(from: edge.coordinate, azimuth: edge.finalAzimuth + turn).position(atMeters: meters).coordinate
    }
    let (start, end) = (edges[bin], edges[bin + 1])
    let first = side(start, 90)
    return [first, side(end, 90), side(end, -90), side(start, -90), first]
  }
}

extension ProfileCell.Reports {
  /// Writes the members of an object: the severities and rates, the number, and the time and age of the newest report.
  package func write(to json: inout JSONWriter) {
    json.member("sev", worst.rawValue)
    json.key("edr")
    json.decimal(Int64((maximumEDR * 10_000).rounded()), digits: 4)
    json.member("newestSev", newest.rawValue)
    json.key("newestEDR")
    json.decimal(Int64((newestEDR * 10_000).rounded()), digits: 4)
    json.member("count", count)
    json.member("observedAt", observedAt)
    json.member("age", ageSeconds)
  }
}
