public import ContrailGeodesy
public import ContrailWire

/// One thing with its own freshness.
public enum ScopeID: Hashable, Sendable, Comparable {
  /// The area round the route, kept on disk.
  case corridor
  /// The visible area of the map, kept until the next launch.
  case viewport
  /// The turbulence polygons of one history time.
  case global(DataHistoryTime)
  /// What the aircraft itself has reported: it goes out and doesn't come in, but waits and fails as the others do.
  case outbox
  /// The weather of a place.
  case weather(RoundedCoordinate)
  /// The cycle of airports. Files of it come in their own way; what is decided is when it is in use.
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

  /// The scope of a name.
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

  /// Whether the server answers deltas; the others ask again with the ETag that they hold.
  public var hasDeltas: Bool {
    switch self {
    case .corridor, .viewport: true
    case .global, .outbox, .weather, .airports: false
    }
  }

  /// The place, for a scope of weather.
  public var weatherPlace: RoundedCoordinate? {
    if case .weather(let place) = self { place } else { nil }
  }

  /// How long an answer holds, in milliseconds, as the weather service's client has it; nil for what holds until the next one.
  public var expiryMS: Int64? {
    weatherPlace == nil ? nil : 5 * 60_000
  }
}
