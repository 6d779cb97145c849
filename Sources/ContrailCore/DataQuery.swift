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
///
/// A query remembers which of its properties were set. A client whose log isn't open yet gives out a query in which none is: what it
/// shows are defaults, and a property that isn't set stays as the last launch left it.
public struct DataQuery: Hashable, Sendable {
  /// The kinds of data to fetch. Turbulence alone by default.
  ///
  /// Inserting and removing in place changes what was set before by that; assigning replaces it.
  public var types: DataTypeOptions {
    get { typesValue }
    set {
      typesValue = newValue
      history.set(.types)
      history.types = Edit()
    }
    _modify {
      // Of a set that an earlier launch left nothing is known: what is inserted and removed tells all.
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

  /// The kinds of data to fetch inside ``viewport``: nil means ``types``, the empty set means nothing at all.
  public var viewportTypes: DataTypeOptions? { didSet { history.set(.viewportTypes) } }

  /// The severities of turbulence to fetch. All by default; with none, no turbulence is fetched.
  public var sevs: [TurbulenceSeverity] { didSet { history.set(.sevs) } }

  /// The area to fetch inside, such as a route's corridor: a closed ring of 4 to 250 coordinates. Its data are kept on disk.
  ///
  /// It wins over ``route`` and ``routeWidth``. How a ring is read: see `Ring`. One that crosses or touches itself is refused.
  public var polygon: [Coordinate]? { didSet { history.set(.polygon) } }

  /// The visible area of the map: a closed ring of 4 to 250 coordinates, in the simplest case
  /// `[NorthWest, NorthEast, SouthEast, SouthWest, NorthWest]`. Its data are kept in memory until the next launch.
  ///
  /// It is read as ``polygon`` is, so each edge goes the short way. A map that may show more than 180° of longitude says so with
  /// `BoundingBox`: `viewport = try BoundingBox(north: 80, south: -60, west: -170, east: 170).ring`.
  public var viewport: [Coordinate]? { didSet { history.set(.viewport) } }

  /// Whether turbulence polygons are fetched for the whole world; otherwise for ``polygon`` only. True by default.
  public var globalEnabled: Bool { didSet { history.set(.globalEnabled) } }

  /// Whether polygons are fetched for every history time up to the one that is set, not only for that one. False by default.
  public var globalTurbulencePolygonsUpToEnabled: Bool { didSet { history.set(.upToEnabled) } }

  /// The altitudes to fetch turbulence for, in feet; rounded outward to thousands and clamped to 0…52,000. Nil means all.
  public var altRange: ClosedRange<Double>? { didSet { history.set(.altRange) } }

  /// The route's line, as coordinates along the great circle. With ``routeWidth`` it makes the corridor.
  ///
  /// Set the width first: a route without a width, and without a ``polygon`` that wins over it, is reported as invalid.
  public var route: [Coordinate]? { didSet { history.set(.route) } }

  /// The corridor's width from its left to its right edge, in nautical miles; 50 to 150 is usual. It has no default.
  public var routeWidth: Double? { didSet { history.set(.routeWidth) } }

  /// The places of which the weather is wanted, such as the destination. None by default; they need no area.
  public var weather: WeatherQuery

  /// Which properties were set, and how. It is ignored by `==`.
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

// MARK: What was set

extension DataQuery {
  /// The properties, to remember which were set.
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

  /// What was inserted into a set of types and removed from it in place.
  struct Edit: Sendable {
    var inserted: DataTypeOptions = []
    var removed: DataTypeOptions = []

    /// Adds another edit behind this one.
    mutating func merge(_ next: Edit) {
      inserted = inserted.subtracting(next.removed).union(next.inserted)
      removed = removed.subtracting(next.inserted).union(next.removed)
    }

    func applied(to types: DataTypeOptions) -> DataTypeOptions { types.union(inserted).subtracting(removed) }
  }

  /// Which properties were assigned, which edited in place, and which are still as the log has them.
  struct History: Hashable, Sendable {
    /// Not set since the launch: shown are defaults, meant is what the log holds.
    var inherited: Properties = []
    /// Assigned since ``DataQuery/forEditing()``.
    var edited: Properties = []
    /// What was inserted and removed since the types were assigned.
    var types = Edit()
    /// Made by ``DataQuery/forEditing()``, and not replaced since.
    var isCopy = false

    mutating func set(_ property: Properties) {
      inherited.remove(property)
      edited.insert(property)
    }

    static func == (a: History, b: History) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// A query with no property set: every property stays as the last launch left it.
  package static var inherited: DataQuery {
    var query = DataQuery()
    query.history.inherited = .all
    query.weather = .inherited
    return query
  }

  /// Whether nothing of it is left to an earlier launch.
  package var isWhole: Bool { history.inherited.isEmpty && weather.isWhole }

  /// This query with each property that isn't set as it is in `stored`.
  package func filled(from stored: DataQuery) -> DataQuery {
    var query = self
    query.take(history.inherited, from: stored)
    query.weather = weather.filled(from: stored.weather)
    // What was inserted and removed in place goes on top of what is there.
    if history.inherited.contains(.types) { query.typesValue = history.types.applied(to: stored.types) }
    query.history = History()
    return query
  }

  /// The same query with no property marked as set: to be edited in place and then given to ``merge(_:)``.
  package func forEditing() -> DataQuery {
    var query = self
    query.history = History(inherited: history.inherited, isCopy: true)
    query.weather = weather.forEditing()
    return query
  }

  /// Takes over what was set in a copy of ``forEditing()``, and nothing else: what another thread has set meanwhile stays.
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
