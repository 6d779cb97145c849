import ContrailGeodesy
public import ContrailWire

/// What the engine has decided to do. It is logged before it is done.
public enum Decision: Hashable, Sendable {
  case fetchStarted(FetchStarted)
  case fetchCancelled(FetchCancelled)
  case queryRejected(QueryRejected)
  case errorReported(ErrorReported)
  case uploadStarted(UploadStarted)
  case weatherExpired(WeatherExpired)
  case airportsSwitched(AirportsSwitched)

  /// A request goes out.
  public struct FetchStarted: Hashable, Sendable {
    /// The request's number, from 1.
    public var request: Int64
    public var scope: ScopeID
    public var mode: FetchMode
    public var rule: Rule
    public var reason: Reason
    /// The `seq` of the input from which the decision follows.
    public var cause: Int64
    /// The token that a delta is to follow, in seconds since 1970.
    public var since: Int64?
    /// The area's digest; 0 for the world.
    public var areaDigest: UInt64
    public var types: DataTypeOptions
    public var severities: SeveritySet
    public var altitudes: AltitudeBand
    public var history: DataHistoryTime
    /// How the weather is asked for; nil for other scopes, and alone to count for a scope of weather.
    public var weather: WeatherSpec?
  }

  /// A request under way is given up; its answer will be dropped.
  public struct FetchCancelled: Hashable, Sendable {
    public var request: Int64
    public var scope: ScopeID
    public var rule: Rule
    public var cause: Int64
  }

  /// A part of the query is no area or no range; the scope keeps what it wanted before.
  public struct QueryRejected: Hashable, Sendable {
    public var scope: ScopeID
    /// A stable code, such as `ringOpen`.
    public var reason: String
    /// The property and, where one point is at fault, its index: `polygon[4]`.
    public var place: String
    public var cause: Int64
  }

  /// Something that the application should know, once.
  public struct ErrorReported: Hashable, Sendable {
    public var scope: ScopeID
    public var rule: Rule
    public var code: Notice
    /// The request whose answer showed it.
    public var request: Int64
    public var cause: Int64
  }

  /// Reports of the aircraft's own go out, the oldest first.
  public struct UploadStarted: Hashable, Sendable {
    /// The request's number, counted with those of fetches.
    public var request: Int64
    /// The idempotency key: the same whenever the same reports are sent again.
    public var key: String
    /// How many reports, from the outbox's first.
    public var count: Int64
    public var cause: Int64
  }

  /// The weather that is held no longer holds, and nothing newer could be had yet. It stays, and stays visible.
  public struct WeatherExpired: Hashable, Sendable {
    public var scope: ScopeID
    /// When it was received or confirmed, in milliseconds since 1970.
    public var since: Int64
    public var cause: Int64
  }

  /// The `kind` of the log line.
  public var kind: Kind {
    switch self {
    case .fetchStarted: .fetchStarted
    case .fetchCancelled: .fetchCancelled
    case .queryRejected: .queryRejected
    case .errorReported: .errorReported
    case .uploadStarted: .uploadStarted
    case .weatherExpired: .weatherExpired
    case .airportsSwitched: .airportsSwitched
    }
  }

  /// The scope that it is about.
  public var scope: ScopeID {
    switch self {
    case .fetchStarted(let it): it.scope
    case .fetchCancelled(let it): it.scope
    case .queryRejected(let it): it.scope
    case .errorReported(let it): it.scope
    case .uploadStarted: .outbox
    case .weatherExpired(let it): it.scope
    case .airportsSwitched: .airports
    }
  }

  /// The rule that it follows from.
  public var rule: Rule {
    switch self {
    case .fetchStarted(let it): it.rule
    case .fetchCancelled(let it): it.rule
    case .queryRejected: .invalid
    case .errorReported(let it): it.rule
    case .uploadStarted: .upload
    case .weatherExpired: .expired
    case .airportsSwitched: .switched
    }
  }

  /// The `seq` of the input that it follows from.
  public var cause: Int64 {
    switch self {
    case .fetchStarted(let it): it.cause
    case .fetchCancelled(let it): it.cause
    case .queryRejected(let it): it.cause
    case .errorReported(let it): it.cause
    case .uploadStarted(let it): it.cause
    case .weatherExpired(let it): it.cause
    case .airportsSwitched(let it): it.cause
    }
  }
}

extension Decision {
  /// The request that goes out by it.
  public var startedRequest: Int64? {
    switch self {
    case .fetchStarted(let it): it.request
    case .uploadStarted(let it): it.request
    case .fetchCancelled, .queryRejected, .errorReported, .weatherExpired, .airportsSwitched: nil
    }
  }
}

/// What is reported to the application once.
public enum Notice: String, CaseIterable, Hashable, Sendable {
  /// 401 or 403: nothing is asked again until the credentials change, data are demanded, or the next launch.
  case unauthorized
  /// The server refuses the request as it stands.
  case badRequest
  /// The same full fetch was about to follow itself; it waits.
  case refetchLoop
  /// A full answer doesn't match its own count or checksum; it is shown all the same.
  case serverInconsistent
  /// The server refuses a report of the aircraft's own: it is given up.
  case reportRefused
  /// The weather service says that it won't answer: the token, the quota, or the place.
  case weatherRefused
}
