import ContrailGeodesy
import ContrailH3
import ContrailWire

/// Reads SIGMETs and G-AIRMETs.
///
/// Supported formats are the JSON of the Aviation Weather Center (`/api/data/airsigmet`, `isigmet` and `gairmet`,
/// `format=json`), the same data as GeoJSON feature collections, and JSON lines of snapshots
/// `{"snapshot":…,"geojson":…}`.
struct AdvisoryReader {
  private(set) var advisories: [Advisory] = []
  private(set) var files: [DayReport.File] = []
  private var known: Set<Key> = []

  /// The identity of an advisory, which snapshots repeat while it is valid.
  private struct Key: Hashable {
    let area: PolygonsAnswer.Area
    let end: Int64
  }

  /// Half the interval between two G-AIRMETs in seconds. A G-AIRMET describes one moment, three hours from the next
  /// (Aviation Weather Center, "G-AIRMET Help"), and is valid for the times closest to it.
  private static let halfStep: Int64 = 5400
  /// The validity in seconds of a SIGMET without an end (ICAO Annex 3, chapter 7: at most four hours).
  private static let usualSpan: Int64 = 14_400

  mutating func read(_ path: String) throws(DayError) {
    var file = DayReport.File(path: path, kind: .sigmets)
    var form = DayForm(
      path: path, expected: "SIGMETs or G-AIRMETs, which have a hazard, in a list or a GeoJSON feature collection")
    read(try DayDocument.documents(of: DayFile.contents(of: path), file: path), &file, &form)
    try form.check()
    files.append(file)
  }

  /// Reads the documents of a file or of a feed's answer.
  mutating func read(_ documents: [DayDocument], _ file: inout DayReport.File, _ form: inout DayForm) {
    documents.forEachRecord(
      \.advisories, with: "hazard",
      at: { DayTime.seconds($0["snapshot"]) ?? DayTime.seconds($1["metadata"]["creationTime"]) }, &file, &form
    ) { read($0, &$1) }
  }

  private mutating func read(_ record: DayRecord, _ file: inout DayReport.File) {
    let (fields, place, snapshot) = (record.fields, record.place, record.documentTime)
    // SIGMETs of the United States have a type, others a flight information region.
    let isGAirmet = fields["airSigmetType"] == .null && fields["firId"] == .null
    let times = isGAirmet ? Self.gAirmetTimes(fields, snapshot) : Self.sigmetTimes(fields, snapshot)
    if let times { file.listAdvisory(arrival: times.arrival) }
    let shape: AdvisoryShape
    switch AdvisoryShape.read(record.value) {
    case .success(let read): shape = read
    case .failure(let fault): return file.note(fault.oddity, at: place)
    }
    // SIGMETs contain TURB, G-AIRMETs TURB-HI and TURB-LO.
    guard record.mark.hasPrefix("TURB") else { return file.note(.otherHazard, at: place) }
    guard let times else { return file.note(.withoutTime, at: place) }

    let ends = isGAirmet ? Self.gAirmetEnds(fields) : Self.sigmetEnds(fields)
    let isInverted = ends.base > ends.top
    // After swapping inverted altitudes, the band is always valid, because clamping keeps the order.
    guard let band = AltitudeBand(feet: min(ends.base, ends.top), max(ends.base, ends.top)) else { return }
    let severity = isGAirmet ? Self.gAirmetSeverity(fields) : Self.sigmetSeverity(fields)
    let area = PolygonsAnswer.Area(
      severity: severity ?? .moderate, base: band.lower, top: band.upper, count: 1, polygons: shape.polygons,
      advisory: isGAirmet ? Self.gAirmetName(fields, record.mark) : Self.sigmetName(fields))
    guard known.insert(Key(area: area, end: times.end)).inserted else { return file.note(.double, at: place) }
    if shape.wasOpen { file.note(.openRing, at: place) }
    if isInverted { file.note(.invertedAltitudes, at: place) }
    if severity == nil { file.note(.unknownSeverity, at: place) }
    file.serve(arrival: times.arrival)
    advisories.append(Advisory(area: area, arrival: times.arrival, start: times.start, end: times.end))
  }

  private typealias Times = (arrival: Int64, start: Int64, end: Int64)
}

// MARK: - SIGMETs

extension AdvisoryReader {
  /// Returns the times of a SIGMET, which is valid from its issue to its end.
  private static func sigmetTimes(_ fields: LooseJSON, _ snapshot: Int64?) -> Times? {
    let end = DayTime.seconds(fields["validTimeTo"])
    let start = DayTime.seconds(fields["validTimeFrom"])
    let came =
      DayTime.seconds(fields["receiptTime"]) ?? snapshot ?? DayTime.seconds(fields["creationTime"]) ?? start
    guard let arrival = came ?? end.map({ $0 - usualSpan }) else { return nil }
    return (arrival, arrival, end ?? (start ?? arrival) + usualSpan)
  }

  /// Returns base and top in feet.
  ///
  /// United States SIGMETs have two bases and two tops, each of which may be null. Others have one of each. A missing
  /// base is the ground; a missing top or 0 is the ceiling.
  private static func sigmetEnds(_ fields: LooseJSON) -> (base: Int64, top: Int64) {
    let bases = ["altitudeLow1", "altitudeLow2", "base"].compactMap { fields[$0].integer }
    let tops = ["altitudeHi1", "altitudeHi2", "top"].compactMap { fields[$0].integer }.filter { $0 > 0 }
    return (bases.min() ?? 0, tops.max() ?? ceilingFeet)
  }

  /// Returns the severity: severe for a SIGMET for turbulence (ICAO Annex 3, appendix 6, 1.1.4), moderate for an
  /// AIRMET.
  private static func sigmetSeverity(_ fields: LooseJSON) -> TurbulenceSeverity? {
    switch fields["airSigmetType"].text ?? "SIGMET" {
    case "SIGMET": .moderateSevere
    case "AIRMET": .moderate
    default: nil
    }
  }

  /// Returns a name such as `SIGMET WHISKEY 1`, from the series or from the matching line of the bulletin.
  private static func sigmetName(_ fields: LooseJSON) -> String {
    let type = fields["airSigmetType"].text ?? "SIGMET"
    let region = fields["firId"].text.map { " \($0)" } ?? ""
    if let series = fields["seriesId"].text { return "\(type)\(region) \(series)" }
    let lines = (fields["rawAirSigmet"].text ?? "").split(whereSeparator: \.isNewline)
    guard let line = lines.first(where: { $0.hasPrefix("\(type) ") && $0.contains(" VALID") }),
      let end = line.firstRange(of: " VALID")
    else { return type }
    return String(line[..<end.lowerBound])
  }

  fileprivate static var ceilingFeet: Int64 { Int64(AltitudeBand.ceiling) * 1000 }
}

// MARK: - G-AIRMETs

extension AdvisoryReader {
  /// Returns the times of a G-AIRMET, which is valid around its moment, but not before its arrival.
  ///
  /// GeoJSON contains that moment in `validTimeTo` and the time of issue in `validTimeFrom`.
  private static func gAirmetTimes(_ fields: LooseJSON, _ snapshot: Int64?) -> Times? {
    let issue = DayTime.seconds(fields["receiptTime"]) ?? DayTime.seconds(fields["issueTime"])
    let moment = DayTime.seconds(fields["validTime"]) ?? DayTime.seconds(fields["validTimeTo"])
    guard let moment, let arrival = issue ?? snapshot ?? DayTime.seconds(fields["validTimeFrom"]) else { return nil }
    return (arrival, max(arrival, moment - halfStep), moment + halfStep)
  }

  /// Returns base and top in feet, converted from hundreds of feet. A missing base is the ground; a missing top or 0
  /// is the ceiling.
  private static func gAirmetEnds(_ fields: LooseJSON) -> (base: Int64, top: Int64) {
    func feet(_ name: String, freezing: [String]) -> Int64? {
      switch fields[name].text {
      case "SFC": return 0
      // The lowest freezing level in the area.
      case "FZL":
        return freezing.lazy.compactMap { fields[$0].text == "SFC" ? 0 : fields[$0].integer }.first
          .map { bounded($0) * 100 }
      default: return fields[name].integer.map { bounded($0) * 100 }
      }
    }
    let base = feet("base", freezing: ["fzlbase", "fzlBase"])
    let top = feet("top", freezing: ["fzltop", "fzlTop"])
    return (base ?? 0, top.flatMap { $0 > 0 ? $0 : nil } ?? ceilingFeet)
  }

  private static func bounded(_ hundreds: Int64) -> Int64 { min(max(hundreds, -100), 10_000) }

  /// Returns the severity. Moderate is the default, because G-AIRMETs report moderate turbulence (Aviation Weather
  /// Center, "G-AIRMET Help").
  private static func gAirmetSeverity(_ fields: LooseJSON) -> TurbulenceSeverity? {
    switch fields["severity"].text {
    case nil, "MOD": .moderate
    case "LGT": .light
    case "LGT-MOD": .lightModerate
    case "MOD-SEV", "SEV", "SVR": .moderateSevere
    default: nil
    }
  }

  private static func gAirmetName(_ fields: LooseJSON, _ hazard: String) -> String {
    "G-AIRMET \(hazard)" + (fields["tag"].text.map { " \($0)" } ?? "")
  }
}

/// A turbulence warning for an area and a period.
struct Advisory: Hashable, Sendable {
  var area: PolygonsAnswer.Area
  /// The time of issue or receipt in seconds since 1970. The warning is unknown before.
  var arrival: Int64
  /// The beginning of validity in seconds since 1970.
  var start: Int64
  /// The end of validity in seconds since 1970.
  var end: Int64
}

/// The area of an advisory as valid GeoJSON rings: closed, counter-clockwise and split at the antimeridian.
struct AdvisoryShape {
  var polygons: [PlanePolygon] = []
  /// Whether a ring wasn't closed.
  var wasOpen = false

  /// Reads a GeoJSON feature with a polygon, or a record with `coords` of `lat` and `lon`, or lists of these. Numbers may be strings.
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
      // Records with several areas have a list of corners for each.
      let rings = coords.first?.elements == nil ? [coords] : coords.compactMap(\.elements)
      parts = rings.map { ring in [ring.map { ($0["lat"], $0["lon"]) }] }
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
