public import ContrailGeodesy
public import ContrailWire

/// The places to fetch weather for, and the parameters of the requests.
///
/// ```swift
/// client.dataQuery.weather.places = [destination]
/// client.dataQuery.weather.spec = WeatherSpec(language: "en_US", unit: "metric:v2", hours: 12)
/// ```
public struct WeatherQuery: Hashable, Sendable {
  /// The places, each a separate scope. The default is none.
  public var places: [RoundedCoordinate] { didSet { history.set(.weatherPlaces) } }
  /// The request parameters for each place.
  public var spec: WeatherSpec { didSet { history.set(.weatherSpec) } }

  /// Records which properties were set; see ``DataQuery``.
  private var history = DataQuery.History()

  public init(places: [RoundedCoordinate] = [], spec: WeatherSpec = WeatherSpec()) {
    self.places = places
    self.spec = spec
  }

  /// A query in which no property is set.
  static var inherited: WeatherQuery {
    var query = WeatherQuery()
    query.history.inherited = [.weatherPlaces, .weatherSpec]
    return query
  }

  var isWhole: Bool { history.inherited.isEmpty }

  func filled(from stored: WeatherQuery) -> WeatherQuery {
    WeatherQuery(
      places: history.inherited.contains(.weatherPlaces) ? stored.places : places,
      spec: history.inherited.contains(.weatherSpec) ? stored.spec : spec)
  }

  func forEditing() -> WeatherQuery {
    var query = self
    query.history = DataQuery.History(inherited: history.inherited, isCopy: true)
    return query
  }

  /// Applies only the properties that were set in a copy from ``forEditing()``.
  mutating func merge(_ copy: WeatherQuery) {
    guard copy.history.isCopy else {
      self = copy
      return
    }
    let edited = copy.history.edited
    if edited.contains(.weatherPlaces) { places = copy.places }
    if edited.contains(.weatherSpec) { spec = copy.spec }
  }
}
