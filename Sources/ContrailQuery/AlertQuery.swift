public import ContrailCore
public import ContrailGeodesy
public import ContrailWire

/// What counts as turbulence ahead of the aircraft.
///
/// Along a route, a hexagon counts if its centre lies within half of ``widthNM`` of the part of the route that is ahead, up to
/// ``distanceNM`` along it; without a route, if its centre lies in a beam of ``beamDegrees`` along the track. So that nothing is missed
/// where corridor or beam are narrower than a hexagon, it also counts if the route or the track itself leads through it, or if the
/// aircraft is in it.
///
/// The route is followed while the aircraft is within half of ``widthNM`` of it and not past its end; otherwise the beam is used.
public struct AlertQuery: Hashable, Sendable {
  /// The route's line, as coordinates along the great circle; nil for a beam.
  public var route: [Coordinate]?
  /// How far ahead, in nautical miles: along the route, or straight.
  public var distanceNM: Double
  /// The corridor's width from its left to its right edge, in nautical miles.
  public var widthNM: Double
  /// How far above and below the aircraft, in feet; reports at both limits count.
  public var altitudeSpanFeet: Double
  /// Altitudes in feet that count whatever the aircraft's own: rounded outward to thousands. Nil for ``altitudeSpanFeet``.
  public var altRange: ClosedRange<Double>?
  /// The beam's angle from its left to its right edge, in degrees.
  public var beamDegrees: Double
  /// The mildest turbulence that counts; smooth never does.
  public var minimumSeverity: TurbulenceSeverity
  /// How far back; nil means all that is held.
  public var dataHistoryTime: DataHistoryTime?

  /// The farthest that is looked, and the widest, in nautical miles.
  public static let mostNM = 1000.0

  public init(
    route: [Coordinate]? = nil, distanceNM: Double = 100, widthNM: Double = 40, altitudeSpanFeet: Double = 2000,
    altRange: ClosedRange<Double>? = nil, beamDegrees: Double = 15, minimumSeverity: TurbulenceSeverity = .light,
    dataHistoryTime: DataHistoryTime? = nil
  ) {
    self.route = route
    self.distanceNM = distanceNM
    self.widthNM = widthNM
    self.altitudeSpanFeet = altitudeSpanFeet
    self.altRange = altRange
    self.beamDegrees = beamDegrees
    self.minimumSeverity = minimumSeverity
    self.dataHistoryTime = dataHistoryTime
  }

  /// The turbulence ahead in clusters, the nearest first, each as ``TurbulenceAlert/Phase/new``: what is there now, whatever was told
  /// before. ``AlertTracker`` tells each cluster once.
  ///
  /// - Parameters:
  ///   - reports: each once, of whatever age and place.
  ///   - second: the server's time as far as it is known, in seconds since 1970.
  /// - Throws: ``QueryFault``.
  /// - Complexity: O(*n* + *r* + *c* · *l*): *n* reports, *r* points of the route, *c* cells near the part ahead, *l* its legs.
  public func alerts(
    for aircraft: AircraftPosition, in reports: some Sequence<TurbulenceReport>, asOf second: Int64
  ) throws(QueryFault) -> [TurbulenceAlert] {
    var tracker = AlertTracker(query: self)
    return try tracker.alerts(for: aircraft, in: reports, asOf: second)
  }

  /// The same from what is held and wanted in corridor and viewport.
  public func alerts(
    for aircraft: AircraftPosition, in state: State, asOf second: Int64
  ) throws(QueryFault) -> [TurbulenceAlert] {
    var tracker = AlertTracker(query: self)
    return try tracker.alerts(for: aircraft, in: state, asOf: second)
  }

  func check(_ aircraft: AircraftPosition) throws(QueryFault) {
    guard aircraft.coordinate.isValid else { throw .position }
    guard distanceNM > 0, distanceNM <= Self.mostNM, widthNM > 0, widthNM <= Self.mostNM, altitudeSpanFeet >= 0 else {
      throw .length
    }
    guard beamDegrees > 0, beamDegrees <= 180 else { throw .angle }
  }

  /// Which reports count, but for their place.
  func filter(_ aircraft: AircraftPosition, asOf second: Int64) -> AlertFilter {
    var feet = -Double.infinity...Double.infinity
    if let altRange {
      let band = AltitudeBand(altRange)
      feet = Double(band.lower) * 1000...Double(band.upper) * 1000
    } else if let altitude = aircraft.altitudeFeet, altitude.isFinite {
      feet = altitude - altitudeSpanFeet...altitude + altitudeSpanFeet
    }
    return AlertFilter(
      feet: feet, severity: max(minimumSeverity, .light), limit: RecordFilter.limit(dataHistoryTime, asOf: second))
  }
}

/// Which reports count for alerts, but for their place.
struct AlertFilter {
  var feet: ClosedRange<Double>
  var severity: TurbulenceSeverity
  /// What was observed at this second or before doesn't count.
  var limit: Int64

  @inline(__always)
  func admits(_ report: TurbulenceReport) -> Bool {
    report.severity >= severity && Int64(report.observedAt) > limit && feet.contains(Double(report.altitude) * 1000)
  }
}
