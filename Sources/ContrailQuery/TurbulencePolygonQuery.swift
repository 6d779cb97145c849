public import ContrailCore
public import ContrailWire

/// Which of the global turbulence polygons that are held are asked for.
///
/// The server makes polygons for each history time by itself. Held are those of the history time that is set, and with
/// `DataQuery.globalTurbulencePolygonsUpToEnabled` those of every shorter one; `State.turbulencePolygonTimes(asOf:)` names them.
public struct TurbulencePolygonQuery: Hashable, Sendable {
  /// Polygons of which history time.
  public var dataHistoryTime: DataHistoryTime
  /// Only areas that share a point with this one.
  public var area: QueryArea
  /// Only areas between whose lowest and highest report some of these altitudes lie, in feet; nil means all.
  public var altRange: ClosedRange<Double>?
  /// The severities; all by default.
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

  /// The areas that the query asks for, of polygons that are shown.
  ///
  /// - Parameters:
  ///   - geoJSON: The server's answer.
  ///   - token: The server's time of the answer, in seconds since 1970; nil where there is none to show.
  package func polygons(
    in geoJSON: [UInt8], of token: Int64?, asOf second: Int64
  ) throws(QueryFault) -> TurbulencePolygons? {
    let meeting = try area.ring().map(AreaMeeting.init)
    guard let token else { return nil }
    let severities = SeveritySet(sevs)
    let areas = TurbulenceArea.areas(in: geoJSON).filter { admits($0, in: meeting, severities) }
    return TurbulencePolygons(history: dataHistoryTime, asOf: token, ageSeconds: token.age(asOf: second), areas: areas)
  }

  /// Whether an area is asked for. What an area doesn't say of itself is no reason to leave it out.
  func admits(_ area: TurbulenceArea, in meeting: AreaMeeting?, _ severities: SeveritySet) -> Bool {
    if let severity = area.severity, !severities.contains(severity) { return false }
    if let altRange, let base = area.baseFeet, let top = area.topFeet, base <= top {
      guard altRange.overlaps(Double(base)...Double(top)) else { return false }
    }
    return meeting?.meets(area) ?? true
  }
}

/// The turbulence polygons of one history time, as of one time of the server.
public struct TurbulencePolygons: Hashable, Sendable {
  public let history: DataHistoryTime
  /// The server's time of the answer, in seconds since 1970.
  public let asOf: Int64
  /// How long ago that was, in seconds.
  public let ageSeconds: Int64
  /// The areas that the query asks for, in the server's order.
  public let areas: [TurbulenceArea]

  /// A GeoJSON feature collection: geometries and properties as the server sent them, and the colours of ``TurbulenceStyle``.
  ///
  /// - Complexity: O(bytes).
  public func geoJSON() -> String {
    GeoJSON.collection { json in areas.forEach { $0.write(to: &json) } }
  }
}

extension State {
  /// The turbulence polygons of a history time that are held and wanted; nil where there are none, or where they are as old as their
  /// history, so that nothing in them holds any more.
  ///
  /// - Parameter second: the server's time as far as it is known, in seconds since 1970.
  /// - Throws: ``QueryFault`` for an area that is none.
  /// - Complexity: O(bytes held), and O(*v* · *r*) for an area: *v* corners of polygons, *r* of the area.
  public func turbulencePolygons(
    with query: TurbulencePolygonQuery, asOf second: Int64
  ) throws(QueryFault) -> TurbulencePolygons? {
    let held = polygons(query.dataHistoryTime, asOf: second)
    return try query.polygons(in: held?.0.polygons ?? [], of: held?.token, asOf: second)
  }

  /// The history times for which `turbulencePolygons(with:asOf:)` has polygons, ascending.
  public func turbulencePolygonTimes(asOf second: Int64) -> [DataHistoryTime] {
    DataHistoryTime.allCases.filter { polygons($0, asOf: second) != nil }
  }

  private func polygons(_ history: DataHistoryTime, asOf second: Int64) -> (Scope, token: Int64)? {
    guard let scope = scope(.global(history)), let want = scope.want, let have = scope.have, !scope.polygons.isEmpty,
      want.showsPolygons(of: have.token, asOf: second)
    else { return nil }
    return (scope, have.token)
  }
}
