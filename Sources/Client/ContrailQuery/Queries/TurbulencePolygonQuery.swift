import ContrailCore
public import ContrailWire

/// A query for stored global turbulence polygons.
///
/// The server computes separate polygons for each history time. The client stores those of the selected history time
/// and, with `DataQuery.globalTurbulencePolygonsUpToEnabled`, of every shorter one.
/// `State.turbulencePolygonTimes(asOf:)` returns the available ones.
public struct TurbulencePolygonQuery: Hashable, Sendable {
  /// The history time of the polygons.
  public var dataHistoryTime: DataHistoryTime
  /// The area that the turbulence areas must intersect.
  public var area: QueryArea
  /// The altitudes in feet that an area's altitude range must overlap; nil for all.
  public var altRange: ClosedRange<Double>?
  /// The severities. The default is all.
  public var sevs: [TurbulenceSeverity]

  public init(
    dataHistoryTime: DataHistoryTime, area: QueryArea = .everywhere, altRange: ClosedRange<Double>? = nil,
    sevs: [TurbulenceSeverity] = TurbulenceSeverity.allCases
  ) {
    self.dataHistoryTime = dataHistoryTime
    self.area = area
    self.altRange = altRange
    self.sevs = sevs
  }

  /// Returns the areas that match the query, from visible polygons.
  ///
  /// - Parameters:
  ///   - geoJSON: The server's response.
  ///   - token: The server's time of the response, in seconds since 1970; nil if there is none to show.
  ///   - second: The estimated server time, in seconds since 1970.
  /// - Throws: ``QueryError`` if the area is invalid.
  package func polygons(
    in geoJSON: [UInt8], of token: Int64?, asOf second: Int64
  ) throws(QueryError) -> TurbulencePolygons? {
    let meeting = try area.ring().map(AreaMeeting.init)
    guard let token else { return nil }
    let severities = SeveritySet(sevs)
    let areas = TurbulenceArea.areas(in: geoJSON).filter { admits($0, in: meeting, severities) }
    return TurbulencePolygons(history: dataHistoryTime, asOf: token, ageSeconds: token.age(asOf: second), areas: areas)
  }

  /// Whether an area matches the query. Missing properties match.
  func admits(_ area: TurbulenceArea, in meeting: AreaMeeting?, _ severities: SeveritySet) -> Bool {
    if let severity = area.severity, !severities.contains(severity) { return false }
    if let altRange, let base = area.baseFeet, let top = area.topFeet, base <= top {
      guard altRange.overlaps(Double(base)...Double(top)) else { return false }
    }
    return meeting?.meets(area) ?? true
  }
}

/// The turbulence polygons of one history time, as of one server time.
public struct TurbulencePolygons: Hashable, Sendable {
  public let history: DataHistoryTime
  /// The server's time of the response, in seconds since 1970.
  public let asOf: Int64
  /// The age of the response, in seconds.
  public let ageSeconds: Int64
  /// The areas that match the query, in the server's order.
  public let areas: [TurbulenceArea]

  /// Returns a GeoJSON feature collection, with geometries and properties as received and the colours of
  /// ``TurbulenceStyle``.
  ///
  /// - Complexity: O(bytes).
  public func geoJSON() -> String {
    GeoJSON.collection { json in areas.forEach { $0.write(to: &json) } }
  }
}

extension State {
  /// Returns the visible turbulence polygons of a history time; nil if there are none.
  ///
  /// Polygons expire when they are as old as their history time.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - second: The estimated server time, in seconds since 1970.
  /// - Throws: ``QueryError`` if the area is invalid.
  /// - Complexity: O(stored bytes), and O(*v* · *r*) for an area, with *v* corners of polygons and *r* of the area.
  public func turbulencePolygons(
    with query: TurbulencePolygonQuery, asOf second: Int64
  ) throws(QueryError) -> TurbulencePolygons? {
    let held = polygonScope(query.dataHistoryTime, asOf: second)
    return try query.polygons(in: held?.polygons ?? [], of: held?.have?.watermark, asOf: second)
  }

  /// Returns the history times for which `turbulencePolygons(with:asOf:)` has polygons, in ascending order.
  public func turbulencePolygonTimes(asOf second: Int64) -> [DataHistoryTime] {
    DataHistoryTime.allCases.filter { polygonScope($0, asOf: second) != nil }
  }

  /// Returns the scope of a history time if its polygons are visible.
  func polygonScope(_ history: DataHistoryTime, asOf second: Int64) -> Scope? {
    guard let scope = scope(.global(history)), let want = scope.want, let have = scope.have, !scope.polygons.isEmpty,
      want.showsPolygons(of: have.watermark, asOf: second)
    else { return nil }
    return scope
  }
}
