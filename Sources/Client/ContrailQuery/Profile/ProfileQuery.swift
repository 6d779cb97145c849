public import ContrailCore
public import ContrailGeodesy
public import ContrailWire

/// A query for the stored turbulence along a route, by distance and flight level.
///
/// ```swift
/// var query = ProfileQuery(along: route, widthNM: 40)
/// query.aircraft = AircraftPosition(coordinate: here, altitudeFeet: 37_000)
/// let profile = try client.profile(with: query)
/// ```
public struct ProfileQuery: Hashable, Sendable {
  /// The route, connected by geodesics.
  public var route: [Coordinate]
  /// The full width within which reports count, in nautical miles: 0.1 to 1,000. The default is 40.
  ///
  /// A report counts if the centre of its hexagon is within half the width of the route.
  public var widthNM: Double
  /// The length of a bin in nautical miles: 1 to 100. The default is 10, about the diameter of a hexagon.
  public var binNM: Double
  /// The altitudes in feet, inclusive; nil for all. They are rounded as in ``TurbulenceQuery/altRange``.
  public var altRange: ClosedRange<Double>?
  /// The maximum age of reports; nil for all stored reports.
  ///
  /// It is also the history time of the areas. If it is nil, areas use the history time of the application.
  public var dataHistoryTime: DataHistoryTime?
  /// The scope whose reports are used, corridor or viewport. Nil means both, with each report once.
  public var scope: ScopeID?
  /// Whether the server's reports count, the device's own, or both, each report once. The default is both.
  ///
  /// An own report counts as soon as it is stored, also offline. Only a client has own reports. Areas and PIREPs are the server's in any
  /// case.
  public var origin: ReportOrigin
  /// The category that decides severities by the eddy dissipation rate; nil for the service's severities.
  ///
  /// It applies to reports. Areas and PIREPs keep their severities.
  public var category: AircraftCategory?
  /// The own aircraft, which divides the route into the part flown and the part ahead; nil if it isn't known.
  public var aircraft: AircraftPosition?

  public init(
    along route: [Coordinate], widthNM: Double = 40, binNM: Double = 10, altRange: ClosedRange<Double>? = nil,
    dataHistoryTime: DataHistoryTime? = nil, scope: ScopeID? = nil, origin: ReportOrigin = .all,
    category: AircraftCategory? = nil, aircraft: AircraftPosition? = nil
  ) {
    self.route = route
    self.widthNM = widthNM
    self.binNM = binNM
    self.altRange = altRange
    self.dataHistoryTime = dataHistoryTime
    self.scope = scope
    self.origin = origin
    self.category = category
    self.aircraft = aircraft
  }

  /// Creates a query with a route of points of another type, such as `CLLocationCoordinate2D`.
  public init(along route: [some GeographicPoint], widthNM: Double = 40) {
    self.init(along: route.asCoordinates, widthNM: widthNM)
  }

  /// The widths of a profile, in nautical miles.
  public static let widthsNM = 0.1...1000.0
  /// The lengths of a bin, in nautical miles.
  public static let binsNM = 1.0...100.0
  /// The maximum number of bins of a profile.
  public static let mostBins = 10_000

  func check() throws(QueryError) {
    guard Self.widthsNM.contains(widthNM), Self.binsNM.contains(binNM) else { throw .profile }
    if let aircraft, !aircraft.coordinate.isValid { throw .position }
    try QueryError.check(scope)
  }
}
