import ContrailGeodesy
package import ContrailWire

/// An action that the engine takes. It is logged before it is carried out.
///
/// It is indirect, because decisions are large and passed on several times.
package indirect enum Decision: Hashable, Sendable {
  case fetchStarted(FetchStarted)
  case fetchCancelled(FetchCancelled)
  case queryRejected(QueryRejected)
  case errorReported(ErrorReported)
  case uploadStarted(UploadStarted)
  case weatherExpired(WeatherExpired)
  case airportsSwitched(AirportsSwitched)
  case airportsRequested(AirportsRequested)
  case savingChanged(SavingChanged)

  /// A request is sent.
  package struct FetchStarted: Hashable, Sendable, Filtered {
    /// The request's number, starting at 1.
    package var request: Int64
    package var scope: ScopeID
    package var mode: FetchMode
    package var rule: Rule
    /// The `seq` of the input that caused the decision.
    package var cause: Int64
    /// The watermark that the delta starts from, in seconds since 1970.
    package var since: Int64?
    /// The handle that stands for the area in the request; nil if the request contains the area.
    package var handle: String?
    /// The number of cells of a repair's sketch; nil for other modes.
    package var cells: Int64?
    /// How long the server may hold the request; nil for an answer at once.
    package var hold: HoldTerms?
    /// The digest of the area; 0 for the whole world.
    package var areaDigest: UInt64
    package var filter: Filter
    /// The parameters of a weather request; nil for other scopes. For a weather scope, only these apply.
    package var weather: WeatherSpec?
  }

  /// An in-flight request is cancelled; its response will be dropped.
  package struct FetchCancelled: Hashable, Sendable {
    package var request: Int64
    package var scope: ScopeID
    package var rule: Rule
    package var cause: Int64
  }

  /// A part of the query is invalid; the scope keeps its last valid spec.
  package struct QueryRejected: Hashable, Sendable {
    package var scope: ScopeID
    /// A stable code, such as `ringOpen`.
    package var reason: String
    /// The property and, if a single point is invalid, its index: `polygon[4]`.
    package var place: String
    package var cause: Int64
  }

  /// An issue that is reported to the application once.
  package struct ErrorReported: Hashable, Sendable {
    package var scope: ScopeID
    package var rule: Rule
    package var code: ReportedIssue
    /// The request whose response revealed the issue; 0 if the issue is reported again.
    package var request: Int64
    package var cause: Int64
  }

  /// Ownship reports are uploaded, the oldest first.
  package struct UploadStarted: Hashable, Sendable {
    /// The request's number, in the same sequence as those of fetches.
    package var request: Int64
    /// The idempotency key. A retry of the same reports uses the same key.
    package var key: String
    /// The number of reports, from the start of the outbox.
    package var count: Int64
    package var cause: Int64
  }

  /// The stored weather has expired without a newer response. It is kept and stays visible.
  package struct WeatherExpired: Hashable, Sendable {
    package var scope: ScopeID
    /// The time at which it was received or confirmed, in milliseconds since 1970.
    package var since: Int64
    package var cause: Int64
  }

  /// Another part of the data is dropped to save bytes.
  package struct SavingChanged: Hashable, Sendable {
    package var saving: DataSaving
    /// The bytes used of the budget.
    package var used: Int64
    /// The bytes of the budget; nil without a limit.
    package var budget: Int64?
    package var cause: Int64
  }

  /// The `kind` of the log line.
  package var kind: Kind {
    switch self {
    case .fetchStarted: .fetchStarted
    case .fetchCancelled: .fetchCancelled
    case .queryRejected: .queryRejected
    case .errorReported: .errorReported
    case .uploadStarted: .uploadStarted
    case .weatherExpired: .weatherExpired
    case .airportsSwitched: .airportsSwitched
    case .airportsRequested: .airportsRequested
    case .savingChanged: .savingChanged
    }
  }

  /// The scope that the decision applies to.
  package var scope: ScopeID {
    switch self {
    case .fetchStarted(let it): it.scope
    case .fetchCancelled(let it): it.scope
    case .queryRejected(let it): it.scope
    case .errorReported(let it): it.scope
    case .uploadStarted: .outbox
    case .weatherExpired(let it): it.scope
    case .airportsSwitched, .airportsRequested: .airports
    case .savingChanged: .corridor
    }
  }

  /// The rule that led to the decision.
  package var rule: Rule {
    switch self {
    case .fetchStarted(let it): it.rule
    case .fetchCancelled(let it): it.rule
    case .queryRejected: .invalid
    case .errorReported(let it): it.rule
    case .uploadStarted: .upload
    case .weatherExpired: .expired
    case .airportsSwitched: .switched
    case .airportsRequested: .delivered
    case .savingChanged: .saving
    }
  }

  /// The `seq` of the input that caused the decision.
  package var cause: Int64 {
    switch self {
    case .fetchStarted(let it): it.cause
    case .fetchCancelled(let it): it.cause
    case .queryRejected(let it): it.cause
    case .errorReported(let it): it.cause
    case .uploadStarted(let it): it.cause
    case .weatherExpired(let it): it.cause
    case .airportsSwitched(let it): it.cause
    case .airportsRequested(let it): it.cause
    case .savingChanged(let it): it.cause
    }
  }
}

extension Decision {
  /// The number of the request that the decision starts; nil if it starts none.
  package var startedRequest: Int64? {
    switch self {
    case .fetchStarted(let it): it.request
    case .uploadStarted(let it): it.request
    case .fetchCancelled, .queryRejected, .errorReported, .weatherExpired, .airportsSwitched, .airportsRequested,
      .savingChanged:
      nil
    }
  }
}

/// An issue that is reported to the application once.
package enum ReportedIssue: String, CaseIterable, Hashable, Sendable {
  /// 401 or 403: requests stop until the credentials change, a refresh is requested, or the app launches again.
  case unauthorized
  /// The server rejects the request as invalid.
  case badRequest
  /// The same full fetch was about to repeat without progress; it is delayed.
  case refetchLoop
  /// A full response doesn't match its own count or checksum; the data is shown nevertheless.
  case serverInconsistent
  /// The server rejects an ownship report; the report is discarded.
  case reportRefused
  /// The service accepts an upload, and keeps some of its reports from others.
  case reportHeldBack
  /// The weather service refuses the request because of the token, the quota, or the place.
  case weatherRefused
}
