public import ContrailGeodesy
public import ContrailWire

/// The data that the application wants. Set one property or all; the client derives the requests.
///
/// ```swift
/// client.dataQuery.types = [.turbulence, .turbulencePolygons]
/// client.dataQuery.polygon = route.buffer(widthNM: 100)
/// ```
///
/// The defaults are those of the declarations in the reference documentation. Where its prose differs (`light` as the
/// default of `types`), the declaration takes precedence.
///
/// A client's query has the values of the last launch from the start, so that editing one property in place keeps all others.
public struct DataQuery: Hashable, Sendable {
  /// The kinds of data to fetch. The default is turbulence.
  public var types: DataTypeOptions

  /// The kinds of data to fetch inside ``viewport``. Nil means ``types``; the empty set fetches nothing.
  public var viewportTypes: DataTypeOptions?

  /// The severities of turbulence to fetch. The default is all; an empty array fetches no turbulence.
  public var sevs: [TurbulenceSeverity]

  /// The area to fetch data for, such as a route corridor: a closed ring of 4 to 250 coordinates.
  ///
  /// Its data is kept on disk. It takes precedence over ``route`` and ``routeWidth``. A ring that crosses or touches
  /// itself is rejected. `Ring` describes how a ring is read. A rectangle that is 180° wide or more is read as in
  /// ``viewport``.
  public var polygon: [Coordinate]?

  /// The visible area of the map: a closed ring of 4 to 250 coordinates.
  ///
  /// In the simplest case it is `[NorthWest, NorthEast, SouthEast, SouthWest, NorthWest]`. Its data is kept in memory
  /// until the next launch.
  ///
  /// It is read like ``polygon``: each edge takes the shorter way around the globe. A rectangle that begins with its
  /// north-western or south-western corner is read from west to east, whatever its width: from −170° to 170° it is 340° wide,
  /// and from 170° to −170° it is 20° wide and crosses the antimeridian. `BoundingBox` makes the ring of any map region.
  public var viewport: [Coordinate]?

  /// Whether to fetch turbulence polygons for the whole world, or only for ``polygon``. The default is true.
  public var globalEnabled: Bool

  /// Whether to fetch polygons of all history times up to the selected one. The default is false.
  ///
  /// If false, only polygons of the selected history time are fetched.
  public var globalTurbulencePolygonsUpToEnabled: Bool

  /// The altitudes to fetch turbulence for, in feet. Nil means all.
  ///
  /// The range is rounded outward to thousands of feet and clamped to 0…52,000.
  public var altRange: ClosedRange<Double>?

  /// The coordinates of the route, connected by great circles. Together with ``routeWidth`` it defines the corridor.
  ///
  /// Set the width first: a route without a width, or with a single point, is reported as invalid, unless ``polygon`` is
  /// set.
  public var route: [Coordinate]?

  /// The full width of the corridor, in nautical miles. There is no default; 50 to 150 is usual.
  public var routeWidth: Double?

  /// The places to fetch weather for, such as the destination. The default is none; an area is not required.
  public var weather: WeatherQuery

  public init(
    types: DataTypeOptions = .turbulence, sevs: [TurbulenceSeverity] = TurbulenceSeverity.allCases,
    polygon: [Coordinate]? = nil
  ) {
    self.types = types
    self.sevs = sevs
    self.polygon = polygon
    viewportTypes = nil
    viewport = nil
    globalEnabled = true
    globalTurbulencePolygonsUpToEnabled = false
    altRange = nil
    route = nil
    routeWidth = nil
    weather = WeatherQuery()
  }
}

extension DataQuery {
  /// Creates a query with an area of points of another type, such as `CLLocationCoordinate2D`.
  public init(
    types: DataTypeOptions = .turbulence, sevs: [TurbulenceSeverity] = TurbulenceSeverity.allCases,
    polygon: [some GeographicPoint]
  ) {
    self.init(types: types, sevs: sevs, polygon: Optional(polygon.asCoordinates))
  }
}

extension DataQuery {
  /// Applies the changes between `base` and this query to another query, and returns the result.
  ///
  /// - Parameters:
  ///   - base: The query that was edited to make this one.
  ///   - other: The query to apply the edits to.
  package func edits(since base: DataQuery, appliedTo other: DataQuery) -> DataQuery {
    guard other != base else { return self }
    var query = other
    if types != base.types { query.types = types }
    if viewportTypes != base.viewportTypes { query.viewportTypes = viewportTypes }
    if sevs != base.sevs { query.sevs = sevs }
    if polygon != base.polygon { query.polygon = polygon }
    if viewport != base.viewport { query.viewport = viewport }
    if globalEnabled != base.globalEnabled { query.globalEnabled = globalEnabled }
    if globalTurbulencePolygonsUpToEnabled != base.globalTurbulencePolygonsUpToEnabled {
      query.globalTurbulencePolygonsUpToEnabled = globalTurbulencePolygonsUpToEnabled
    }
    if altRange != base.altRange { query.altRange = altRange }
    if route != base.route { query.route = route }
    if routeWidth != base.routeWidth { query.routeWidth = routeWidth }
    if weather.places != base.weather.places { query.weather.places = weather.places }
    if weather.spec != base.weather.spec { query.weather.spec = weather.spec }
    return query
  }
}
