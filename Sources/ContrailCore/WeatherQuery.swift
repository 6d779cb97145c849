public import ContrailGeodesy
public import ContrailWire

/// Of which places the weather is wanted, and how the service is to tell it.
///
/// ```swift
/// client.dataQuery.weather.places = [destination]
/// client.dataQuery.weather.spec = WeatherSpec(language: "en_US", unit: "metric:v2", hours: 12)
/// ```
public struct WeatherQuery: Hashable, Sendable {
  /// The places, each a scope of its own. None by default.
  public var places: [RoundedCoordinate] { didSet { history.set(.weatherPlaces) } }
  /// How the service is to answer for each of them.
  public var spec: WeatherSpec { didSet { history.set(.weatherSpec) } }

  /// Which properties were set; see ``DataQuery``.
  private var history = DataQuery.History()

  public init(places: [RoundedCoordinate] = [], spec: WeatherSpec = WeatherSpec()) {
    self.places = places
    self.spec = spec
  }

  /// A query of which nothing is set.
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

  /// Takes over what was set in a copy of ``forEditing()``.
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
