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
/// A query records which of its properties were set. While the log isn't open yet, the client returns a query in which
/// no property is set: the values you read are defaults, and a property that you don't set keeps its value from the
/// last launch.
public struct DataQuery: Hashable, Sendable {
  /// The kinds of data to fetch. The default is turbulence.
  ///
  /// Inserting and removing elements in place edits the current set; assigning replaces it.
  public var types: DataTypeOptions {
    get { typesValue }
    set {
      typesValue = newValue
      history.set(.types)
      history.types = Edit()
    }
    _modify {
      // The set from an earlier launch is not known here, so record only the insertions and removals.
      let before: DataTypeOptions = history.inherited.contains(.types) ? [] : typesValue
      var edited = DataTypeOptions(rawValue: before.rawValue)
      yield &edited
      let edit = Edit(
        inserted: edited.subtracting(before),
        removed: before.subtracting(edited).union(DataTypeOptions(rawValue: edited.removals)))
      history.types.merge(edit)
      typesValue = edit.applied(to: typesValue)
    }
  }
  private var typesValue: DataTypeOptions

  /// The kinds of data to fetch inside ``viewport``. Nil means ``types``; the empty set fetches nothing.
  public var viewportTypes: DataTypeOptions? { didSet { history.set(.viewportTypes) } }

  /// The severities of turbulence to fetch. The default is all; an empty array fetches no turbulence.
  public var sevs: [TurbulenceSeverity] { didSet { history.set(.sevs) } }

  /// The area to fetch data for, such as a route corridor: a closed ring of 4 to 250 coordinates.
  ///
  /// Its data is kept on disk. It takes precedence over ``route`` and ``routeWidth``. A ring that crosses or touches
  /// itself is rejected. `Ring` describes how a ring is read.
  public var polygon: [Coordinate]? { didSet { history.set(.polygon) } }

  /// The visible area of the map: a closed ring of 4 to 250 coordinates.
  ///
  /// In the simplest case it is `[NorthWest, NorthEast, SouthEast, SouthWest, NorthWest]`. Its data is kept in memory
  /// until the next launch.
  ///
  /// It is read like ``polygon``: each edge takes the shorter way around the globe. For a map that may show more than
  /// 180° of longitude, use `BoundingBox`: `viewport = try BoundingBox(north: 80, south: -60, west: -170, east:
  /// 170).ring`.
  public var viewport: [Coordinate]? { didSet { history.set(.viewport) } }

  /// Whether to fetch turbulence polygons for the whole world, or only for ``polygon``. The default is true.
  public var globalEnabled: Bool { didSet { history.set(.globalEnabled) } }

  /// Whether to fetch polygons of all history times up to the selected one. The default is false.
  ///
  /// If false, only polygons of the selected history time are fetched.
  public var globalTurbulencePolygonsUpToEnabled: Bool { didSet { history.set(.upToEnabled) } }

  /// The altitudes to fetch turbulence for, in feet. Nil means all.
  ///
  /// The range is rounded outward to thousands of feet and clamped to 0…52,000.
  public var altRange: ClosedRange<Double>? { didSet { history.set(.altRange) } }

  /// The coordinates of the route, connected by great circles. Together with ``routeWidth`` it defines the corridor.
  ///
  /// Set the width first: a route without a width is reported as invalid, unless ``polygon`` is set.
  public var route: [Coordinate]? { didSet { history.set(.route) } }

  /// The full width of the corridor, in nautical miles. There is no default; 50 to 150 is usual.
  public var routeWidth: Double? { didSet { history.set(.routeWidth) } }

  /// The places to fetch weather for, such as the destination. The default is none; an area is not required.
  public var weather: WeatherQuery

  /// Records which properties were set, and how. Ignored by `==`.
  private var history = History()

  public init(
    types: DataTypeOptions = .turbulence, sevs: [TurbulenceSeverity] = TurbulenceSeverity.allCases,
    polygon: [Coordinate]? = nil
  ) {
    typesValue = types
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

// MARK: Set properties

extension DataQuery {
  /// The properties, as flags that record which were set.
  struct Properties: OptionSet, Sendable {
    let rawValue: UInt16

    static let types = Properties(rawValue: 1 << 0)
    static let viewportTypes = Properties(rawValue: 1 << 1)
    static let sevs = Properties(rawValue: 1 << 2)
    static let polygon = Properties(rawValue: 1 << 3)
    static let viewport = Properties(rawValue: 1 << 4)
    static let globalEnabled = Properties(rawValue: 1 << 5)
    static let upToEnabled = Properties(rawValue: 1 << 6)
    static let altRange = Properties(rawValue: 1 << 7)
    static let route = Properties(rawValue: 1 << 8)
    static let routeWidth = Properties(rawValue: 1 << 9)
    static let weatherPlaces = Properties(rawValue: 1 << 10)
    static let weatherSpec = Properties(rawValue: 1 << 11)
    static let all = Properties(rawValue: 1 << 12 - 1)
  }

  /// The elements inserted into and removed from a set of types in place.
  struct Edit: Sendable {
    var inserted: DataTypeOptions = []
    var removed: DataTypeOptions = []

    /// Appends another edit to this one.
    mutating func merge(_ next: Edit) {
      inserted = inserted.subtracting(next.removed).union(next.inserted)
      removed = removed.subtracting(next.inserted).union(next.removed)
    }

    func applied(to types: DataTypeOptions) -> DataTypeOptions { types.union(inserted).subtracting(removed) }
  }

  /// Records which properties were assigned, edited in place, or inherited from the log.
  struct History: Hashable, Sendable {
    /// Properties not set since the launch: they read as defaults, and the logged values apply.
    var inherited: Properties = []
    /// Properties assigned since ``DataQuery/forEditing()``.
    var edited: Properties = []
    /// The elements inserted and removed since the types were assigned.
    var types = Edit()
    /// Whether the query was created by ``DataQuery/forEditing()`` and not replaced since.
    var isCopy = false

    mutating func set(_ property: Properties) {
      inherited.remove(property)
      edited.insert(property)
    }

    static func == (a: History, b: History) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// A query in which no property is set: each one keeps its value from the last launch.
  package static var inherited: DataQuery {
    var query = DataQuery()
    query.history.inherited = .all
    query.weather = .inherited
    return query
  }

  /// Whether all properties are set, so that none is inherited from an earlier launch.
  package var isWhole: Bool { history.inherited.isEmpty && weather.isWhole }

  /// Returns this query with each unset property taken from `stored`.
  package func filled(from stored: DataQuery) -> DataQuery {
    var query = self
    query.take(history.inherited, from: stored)
    query.weather = weather.filled(from: stored.weather)
    // In-place edits apply to the stored types.
    if history.inherited.contains(.types) { query.typesValue = history.types.applied(to: stored.types) }
    query.history = History()
    return query
  }

  /// Returns a copy in which no property is marked as set, to edit in place and pass to ``merge(_:)``.
  package func forEditing() -> DataQuery {
    var query = self
    query.history = History(inherited: history.inherited, isCopy: true)
    query.weather = weather.forEditing()
    return query
  }

  /// Applies only the properties that were set in a copy from ``forEditing()``, so that concurrent changes are kept.
  package mutating func merge(_ copy: DataQuery) {
    guard copy.history.isCopy else {
      self = copy
      return
    }
    let edited = copy.history.edited
    take(edited, from: copy)
    history.inherited.subtract(edited)
    if edited.contains(.types) {
      history.types = Edit()
    } else {
      typesValue = copy.history.types.applied(to: typesValue)
      history.types.merge(copy.history.types)
    }
    weather.merge(copy.weather)
  }

  private mutating func take(_ properties: Properties, from other: DataQuery) {
    let history = history
    if properties.contains(.types) { typesValue = other.typesValue }
    if properties.contains(.viewportTypes) { viewportTypes = other.viewportTypes }
    if properties.contains(.sevs) { sevs = other.sevs }
    if properties.contains(.polygon) { polygon = other.polygon }
    if properties.contains(.viewport) { viewport = other.viewport }
    if properties.contains(.globalEnabled) { globalEnabled = other.globalEnabled }
    if properties.contains(.upToEnabled) {
      globalTurbulencePolygonsUpToEnabled = other.globalTurbulencePolygonsUpToEnabled
    }
    if properties.contains(.altRange) { altRange = other.altRange }
    if properties.contains(.route) { route = other.route }
    if properties.contains(.routeWidth) { routeWidth = other.routeWidth }
    self.history = history
  }
}
