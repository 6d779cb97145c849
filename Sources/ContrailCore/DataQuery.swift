public import ContrailGeodesy
public import ContrailWire

/// Which data the application wants. Set one property or the whole; what must be fetched follows by itself.
///
/// ```swift
/// client.dataQuery.types = [.turbulence, .turbulencePolygons]
/// client.dataQuery.polygon = route.buffer(widthNM: 100)
/// ```
///
/// The defaults are those of the declarations in the reference that this type follows: where its prose says otherwise
/// (`light` as the default of `types`), the declaration stands.
public struct DataQuery: Hashable, Sendable {
  /// The kinds of data to fetch. Turbulence alone by default.
  public var types: DataTypeOptions

  /// The kinds of data to fetch inside ``viewport``: nil means ``types``, the empty set means nothing at all.
  public var viewportTypes: DataTypeOptions?

  /// The severities of turbulence to fetch. All by default; with none, no turbulence is fetched.
  public var sevs: [TurbulenceSeverity]

  /// The area to fetch inside, such as a route's corridor: a closed ring of 4 to 250 coordinates. Its data are kept on disk.
  ///
  /// It wins over ``route`` and ``routeWidth``. How a ring is read: see `Ring`. One that crosses or touches itself is refused.
  public var polygon: [Coordinate]?

  /// The visible area of the map: a closed ring of 4 to 250 coordinates, in the simplest case
  /// `[NorthWest, NorthEast, SouthEast, SouthWest, NorthWest]`. Its data are kept in memory until the next launch.
  ///
  /// It is read as ``polygon`` is, so each edge goes the short way. A map that may show more than 180° of longitude says so with
  /// `BoundingBox`: `viewport = try BoundingBox(north: 80, south: -60, west: -170, east: 170).ring`.
  public var viewport: [Coordinate]?

  /// Whether turbulence polygons are fetched for the whole world; otherwise for ``polygon`` only. True by default.
  public var globalEnabled: Bool

  /// Whether polygons are fetched for every history time up to the one that is set, not only for that one. False by default.
  public var globalTurbulencePolygonsUpToEnabled: Bool

  /// The altitudes to fetch turbulence for, in feet; rounded outward to thousands and clamped to 0…52,000. Nil means all.
  public var altRange: ClosedRange<Double>?

  /// The route's line, as coordinates along the great circle. With ``routeWidth`` it makes the corridor.
  ///
  /// Set the width first: a route without a width, and without a ``polygon`` that wins over it, is reported as invalid.
  public var route: [Coordinate]?

  /// The corridor's width from its left to its right edge, in nautical miles; 50 to 150 is usual. It has no default.
  public var routeWidth: Double?

  /// The places of which the weather is wanted, such as the destination. None by default; they need no area.
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
