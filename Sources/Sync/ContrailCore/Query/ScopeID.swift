public import ContrailGeodesy
public import ContrailWire

/// A unit of data that is fetched and updated independently.
public enum ScopeID: Hashable, Sendable, Comparable {
  /// The area around the route, stored on disk.
  case corridor
  /// The visible area of the map, stored until the next launch.
  case viewport
  /// The turbulence polygons of one history time.
  case global(DataHistoryTime)
  /// The upload queue of ownship reports. Nothing is fetched, but rules for waiting and failures apply as in other
  /// scopes.
  case outbox
  /// The weather of a place.
  case weather(RoundedCoordinate)
  /// The AIRAC cycle of airport data. Its files are downloaded separately; the engine decides when the cycle takes
  /// effect.
  case airports

  /// The name in logs: `corridor`, `viewport`, `global.7200`, `weather.-0.4500,51.4700`.
  public var name: String {
    switch self {
    case .corridor: "corridor"
    case .viewport: "viewport"
    case .global(let history): "global.\(history.seconds)"
    case .outbox: "outbox"
    case .weather(let place): "weather.\(place.key)"
    case .airports: "airports"
    }
  }

  /// The scope in a message, such as `the corridor`.
  package var subject: String {
    switch self {
    case .corridor: "the corridor"
    case .viewport: "the viewport"
    case .global(let history): "the turbulence areas of \(history.seconds / 3600) h"
    case .outbox: "the ownship reports"
    case .weather: "the weather"
    case .airports: "the airports"
    }
  }

  /// Creates the scope with the given name; nil if the name is invalid.
  public init?(name: String) {
    switch name {
    case "corridor": self = .corridor
    case "viewport": self = .viewport
    case "outbox": self = .outbox
    case "airports": self = .airports
    default:
      if name.hasPrefix("weather."), let place = RoundedCoordinate(String(name.dropFirst("weather.".count))) {
        self = .weather(place)
        return
      }
      guard name.hasPrefix("global."), let seconds = Int64(name.dropFirst("global.".count)),
        let history = DataHistoryTime(rawValue: seconds)
      else { return nil }
      self = .global(history)
    }
  }

  /// Whether the server supports deltas. Other scopes revalidate with the stored ETag.
  public var hasDeltas: Bool {
    switch self {
    case .corridor, .viewport: true
    case .global, .outbox, .weather, .airports: false
    }
  }

  /// The place of a weather scope; nil for other scopes.
  public var weatherPlace: RoundedCoordinate? {
    if case .weather(let place) = self { place } else { nil }
  }

  /// The validity of a response in milliseconds; nil if it is valid until the next one.
  ///
  /// The value is defined by the weather service's client.
  public var expiryMS: Int64? {
    weatherPlace == nil ? nil : 5 * 60_000
  }
}
