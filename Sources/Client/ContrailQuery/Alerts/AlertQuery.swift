package import ContrailCore
public import ContrailGeodesy
public import ContrailWire

/// The criteria for turbulence ahead of the aircraft.
///
/// Along a route, a hexagon counts if its centre is within half of ``widthNM`` of the part of the route ahead, up to
/// ``distanceNM`` along it. Without a route, it counts if its centre is within a beam of ``beamDegrees`` along the
/// track. To cover corridors and beams that are narrower than a hexagon, a hexagon also counts if the route or track
/// passes through it, or if the aircraft is in it.
///
/// The route is used while the aircraft is within half of ``widthNM`` of it and before its end; otherwise the beam is
/// used.
public struct AlertQuery: Hashable, Sendable {
  /// The coordinates of the route, connected by great circles; nil for a beam.
  public var route: [Coordinate]?
  /// The distance to look ahead, in nautical miles: along the route, or straight.
  public var distanceNM: Double
  /// The full width of the corridor, in nautical miles.
  public var widthNM: Double
  /// The altitude span above and below the aircraft, in feet, inclusive.
  public var altitudeSpanFeet: Double
  /// The altitudes in feet that count, independent of the aircraft's altitude. Nil applies ``altitudeSpanFeet``.
  ///
  /// The range is rounded outward to thousands of feet.
  public var altRange: ClosedRange<Double>?
  /// The full angle of the beam, in degrees.
  public var beamDegrees: Double
  /// The minimum severity. Smooth never counts.
  public var minimumSeverity: TurbulenceSeverity
  /// The maximum age of reports; nil for all stored reports.
  public var dataHistoryTime: DataHistoryTime?
  /// The sources that are used for a hexagon ahead without any report, even a smooth one. The default is no source.
  public var fallbacks: AlertSources
  /// The time for which reports of this device don't count, in seconds, so that an aircraft isn't warned of what it reported itself. The
  /// default is 0. Only a client knows its own reports.
  public var ownReportsIgnoredSeconds: Int64
  /// The category that decides the severity of a report by its eddy dissipation rate; nil for the service's severity.
  public var aircraft: AircraftCategory?

  /// The maximum of ``distanceNM`` and ``widthNM``, in nautical miles.
  public static let mostNM = 1000.0

  public init(
    route: [Coordinate]? = nil, distanceNM: Double = 100, widthNM: Double = 40, altitudeSpanFeet: Double = 2000,
    altRange: ClosedRange<Double>? = nil, beamDegrees: Double = 15, minimumSeverity: TurbulenceSeverity = .light,
    dataHistoryTime: DataHistoryTime? = nil, fallbacks: AlertSources = [], ownReportsIgnoredSeconds: Int64 = 0,
    aircraft: AircraftCategory? = nil
  ) {
    self.route = route
    self.distanceNM = distanceNM
    self.widthNM = widthNM
    self.altitudeSpanFeet = altitudeSpanFeet
    self.altRange = altRange
    self.beamDegrees = beamDegrees
    self.minimumSeverity = minimumSeverity
    self.dataHistoryTime = dataHistoryTime
    self.fallbacks = fallbacks
    self.ownReportsIgnoredSeconds = ownReportsIgnoredSeconds
    self.aircraft = aircraft
  }

  /// The criteria of a monitor: PIREPs and turbulence polygons count where no report is known, and reports of this device don't count for
  /// half an hour.
  ///
  /// Criteria for a monitor begin with a copy of these: a new query has no fallbacks, and counts reports of this device.
  public static let monitoring = AlertQuery(fallbacks: [.pireps, .areas], ownReportsIgnoredSeconds: 1800)

  /// Returns the clusters of turbulence ahead, nearest first, each with the phase ``TurbulenceAlert/Phase/new``.
  ///
  /// The result is independent of earlier calls. To report each cluster once, use ``AlertTracker``.
  ///
  /// - Parameters:
  ///   - aircraft: The position of the aircraft.
  ///   - reports: The reports, without duplicates, of any age and place.
  ///   - second: The estimated server time, in seconds since 1970.
  /// - Throws: ``QueryError`` if the position or the query is invalid.
  /// - Complexity: O(*n* + *r* + *c* · *l*), with *n* reports, *r* points of the route, *c* cells near the part ahead,
  ///   and *l* legs of it.
  public func alerts(
    for aircraft: AircraftPosition, in reports: some Sequence<TurbulenceReport>, asOf second: Int64
  ) throws(QueryError) -> [TurbulenceAlert] {
    var tracker = AlertTracker(query: self)
    return try tracker.alerts(for: aircraft, in: reports, asOf: second)
  }

  /// Returns the clusters of turbulence ahead in the visible data of corridor and viewport.
  ///
  /// - Parameters:
  ///   - aircraft: The position of the aircraft.
  ///   - state: The state that contains the data.
  ///   - second: The estimated server time, in seconds since 1970.
  /// - Throws: ``QueryError`` if the position or the query is invalid.
  package func alerts(
    for aircraft: AircraftPosition, in state: State, asOf second: Int64
  ) throws(QueryError) -> [TurbulenceAlert] {
    var tracker = AlertTracker(query: self)
    return try tracker.alerts(for: aircraft, in: state, asOf: second)
  }

  func check(_ aircraft: AircraftPosition) throws(QueryError) {
    guard aircraft.coordinate.isValid else { throw .position }
    try check()
  }

  /// Checks the values that don't depend on the aircraft.
  package func check() throws(QueryError) {
    guard distanceNM > 0, distanceNM <= Self.mostNM, widthNM > 0, widthNM <= Self.mostNM, altitudeSpanFeet >= 0 else {
      throw .length
    }
    guard beamDegrees > 0, beamDegrees <= 180 else { throw .angle }
  }

  /// Returns the filter for reports, without their place.
  func filter(_ aircraft: AircraftPosition, asOf second: Int64) -> AlertFilter {
    var feet = -Double.infinity...Double.infinity
    if let altRange {
      let band = AltitudeBand(altRange)
      feet = Double(band.lower) * 1000...Double(band.upper) * 1000
    } else if let altitude = aircraft.knownAltitude {
      feet = altitude - altitudeSpanFeet...altitude + altitudeSpanFeet
    }
    return AlertFilter(
      feet: feet, severity: max(minimumSeverity, .light), limit: RecordFilter.limit(dataHistoryTime, asOf: second),
      aircraft: self.aircraft)
  }
}

/// The criteria for reports in alerts, except their place.
struct AlertFilter {
  var feet: ClosedRange<Double>
  var severity: TurbulenceSeverity
  /// Reports observed at or before this second are excluded.
  var limit: Int64
  var aircraft: AircraftCategory?

  @inline(__always)
  func admits(_ report: TurbulenceReport) -> Bool {
    severity(of: report) >= severity && concerns(report)
  }

  /// Whether it admits a report of any severity.
  @inline(__always)
  func concerns(_ report: TurbulenceReport) -> Bool {
    Int64(report.observedAt) > limit && feet.contains(Double(report.altitude) * 1000)
  }

  @inline(__always)
  func severity(of report: TurbulenceReport) -> TurbulenceSeverity {
    aircraft?.severity(of: report) ?? report.severity
  }
}

/// The sources of an alert.
public struct AlertSources: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Turbulence reports.
  public static let reports = AlertSources(rawValue: 1)
  /// PIREPs that state turbulence and a level.
  public static let pireps = AlertSources(rawValue: 2)
  /// Turbulence polygons with a severity.
  public static let areas = AlertSources(rawValue: 4)
}
