package import ContrailWire

/// The `kind` of a log line.
package enum Kind: String, CaseIterable, Hashable, Sendable {
  // Inputs.
  case sessionStarted = "session.started"
  case queryChanged = "query.changed"
  case historyChanged = "history.changed"
  case frequencyChanged = "frequency.changed"
  case refreshRequested = "refresh.requested"
  case connectivityChanged = "connectivity.changed"
  case credentialsChanged = "credentials.changed"
  case clockAdjusted = "clock.adjusted"
  case clockTicked = "clock.ticked"
  case responseReceived = "response.received"
  case responseFailed = "response.failed"
  case reportTracked = "report.tracked"
  case airportsChecked = "airports.checked"
  case airportsDownloaded = "airports.downloaded"
  case airportsLoaded = "airports.loaded"
  case airportsDeferred = "airports.deferred"
  case airportsFailed = "airports.failed"
  case weatherReceived = "weather.received"
  case weatherFailed = "weather.failed"
  case airportsDelivery = "airports.delivery"
  case listeningChanged = "listening.changed"
  case backgroundChanged = "background.changed"
  case budgetChanged = "budget.changed"
  case linkChanged = "link.changed"
  // Decisions.
  case fetchStarted = "fetch.started"
  case fetchCancelled = "fetch.cancelled"
  case queryRejected = "query.rejected"
  case errorReported = "error.reported"
  case uploadStarted = "upload.started"
  case weatherExpired = "weather.expired"
  case airportsSwitched = "airports.switched"
  case airportsRequested = "airports.requested"
  case savingChanged = "saving.changed"
  // Marks.
  case segmentOpened = "segment.opened"
  case snapshotPart = "snapshot.part"
  case snapshotEnded = "snapshot.ended"
  case stateDigested = "state.digested"
  case logSynced = "log.synced"

  /// The role of a log line.
  package enum Role: Hashable, Sendable {
    /// External input.
    case input
    /// A decision derived from the state.
    case decision
    /// A line that is verified if present, and never required.
    case mark
  }

  package var role: Role {
    switch self {
    case .sessionStarted, .queryChanged, .historyChanged, .frequencyChanged, .refreshRequested, .connectivityChanged,
      .credentialsChanged, .clockAdjusted, .clockTicked, .responseReceived, .responseFailed, .reportTracked,
      .airportsChecked, .airportsDownloaded, .airportsLoaded, .airportsDeferred, .airportsFailed, .airportsDelivery,
      .weatherReceived, .weatherFailed, .listeningChanged, .backgroundChanged, .budgetChanged, .linkChanged:
      .input
    case .fetchStarted, .fetchCancelled, .queryRejected, .errorReported, .uploadStarted, .weatherExpired,
      .airportsSwitched, .airportsRequested, .savingChanged:
      .decision
    case .segmentOpened, .snapshotPart, .snapshotEnded, .stateDigested, .logSynced: .mark
    }
  }
}

/// An external event. Only inputs and decisions change the state.
///
/// What is large is indirect, because events are passed on several times.
package enum Input: Hashable, Sendable {
  indirect case sessionStarted(Session)
  indirect case queryChanged(ResolvedQuery)
  case historyChanged(DataHistoryTime)
  case frequencyChanged(DataUpdateFrequency)
  /// `fetchData(refresh:)` was called: a full fetch if `full` is true, otherwise a delta.
  case refreshRequested(full: Bool)
  case connectivityChanged(isOnline: Bool)
  /// The credentials changed. Credentials are never logged.
  case credentialsChanged
  /// The wall clock was changed by the given time. `at` continues by the monotonic clock.
  case clockAdjusted(byMS: Int64)
  /// The timer of a scope fired.
  case clockTicked(scope: ScopeID, due: Int64)
  indirect case responseReceived(Response)
  case responseFailed(request: Int64, failure: TransportFailure, sent: SentBytes? = nil)
  /// The aircraft reported turbulence, or smooth air. The report is kept until the server confirms it.
  case reportTracked(TurbulenceReport)
  indirect case airportsChecked(AirportsChecked)
  indirect case airportsDownloaded(AirportsDownloaded)
  indirect case airportsLoaded(AirportsLoaded)
  /// The user deferred the load of a cycle.
  indirect case airportsDeferred(AirportEdition)
  /// A load failed. The code is stable, such as `cancelled`.
  indirect case airportsFailed(AirportEdition, code: String)
  /// The weather service answered a request that the app made on its own.
  indirect case weatherReceived(WeatherReceived)
  /// A weather request that the app made on its own failed without an answer.
  indirect case weatherFailed(WeatherLookup, failure: TransportFailure)
  /// Whether the client loads airports by itself.
  case airportsDelivery(isAutomatic: Bool)
  /// The application set which news is urgent, and how long silence may last.
  indirect case listeningChanged(ListeningSettings)
  /// The application entered or left the background.
  case backgroundChanged(isInBackground: Bool)
  /// The application set how many bytes may be used.
  indirect case budgetChanged(ByteBudget)
  /// The system says another thing of the link.
  case linkChanged(LinkCost)

  /// A launch of the engine.
  package struct Session: Hashable, Sendable {
    /// The engine's version.
    package var engine: String
    /// The session's identifier, unique within this log.
    package var id: String
    /// The seed of the backoff jitter.
    package var seed: UInt64
    /// The kind of service at the server's URL.
    package var service: ServiceProfile
    /// Whether a weather service is configured. Noted only if the service at the server's URL has no weather.
    package var hasWeatherService: Bool

    package init(
      engine: String, id: String, seed: UInt64, service: ServiceProfile = .contrail, hasWeatherService: Bool = false
    ) {
      self.engine = engine
      self.id = id
      self.seed = seed
      self.service = service
      self.hasWeatherService = hasWeatherService && !service.isContrail
    }
  }

  /// A response of the server, with any status.
  package struct Response: Hashable, Sendable {
    package var request: Int64
    /// The HTTP status.
    package var status: Int
    /// The bytes on the wire: headers and body as sent, compressed.
    package var wireBytes: Int64
    /// The part of ``wireBytes`` that is the head; nil in logs that don't count it.
    package var headBytes: Int64?
    /// The bytes of the request; nil in logs that don't count them.
    package var sent: SentBytes?
    /// The server's time in milliseconds since 1970; nil if the response doesn't state it.
    package var serverTimeMS: Int64?
    /// `Retry-After` in seconds.
    package var retryAfterSeconds: Int64?
    package var etag: String?
    /// The handle under which the server remembers the area of the request; nil if it doesn't.
    package var handle: String?
    /// Whether the server answers repairs for the area.
    package var repairs: Bool
    /// The longest time that the server holds a request for the area, in seconds; 0 if it holds none.
    package var holdSeconds: Int64
    /// The form of the body on the wire, if it isn't JSON. The log always contains JSON.
    package var form: BodyForm?
    package var body: Body

    package init(
      request: Int64, status: Int, wireBytes: Int64, headBytes: Int64? = nil, sent: SentBytes? = nil,
      serverTimeMS: Int64? = nil, retryAfterSeconds: Int64? = nil, etag: String? = nil, handle: String? = nil,
      repairs: Bool = false, holdSeconds: Int64 = 0, form: BodyForm? = nil, body: Body = .none
    ) {
      self.request = request
      self.status = status
      self.wireBytes = wireBytes
      self.headBytes = headBytes
      self.sent = sent
      self.serverTimeMS = serverTimeMS
      self.retryAfterSeconds = retryAfterSeconds
      self.etag = etag
      self.handle = handle
      self.repairs = repairs
      self.holdSeconds = holdSeconds
      self.form = form
      self.body = body
    }
  }

  /// The form of a body on the wire.
  package enum BodyForm: String, Hashable, Sendable, CaseIterable {
    /// `application/vnd.contrail`.
    case compact
  }

  /// The body of a response, and where the log keeps it.
  package enum Body: Sendable {
    case none
    /// Valid JSON on one line, written into the log line unchanged.
    case inline([UInt8])
    /// Valid JSON that is already decoded. Its bytes are exactly the `json` of the value.
    case answer(ObservationsAnswer)
    /// Valid JSON on one line, an object that is already read.
    case document(JSONDocument)
    /// Any other body: a blob named by its SHA-256, with its bytes.
    case blob(BlobName, [UInt8])

    /// The bytes; empty if there is no body.
    package var bytes: [UInt8] {
      switch self {
      case .none: []
      case .inline(let bytes), .blob(_, let bytes): bytes
      case .answer(let answer): answer.json
      case .document(let document): document.bytes
      }
    }
  }

  package var kind: Kind {
    switch self {
    case .sessionStarted: .sessionStarted
    case .queryChanged: .queryChanged
    case .historyChanged: .historyChanged
    case .frequencyChanged: .frequencyChanged
    case .refreshRequested: .refreshRequested
    case .connectivityChanged: .connectivityChanged
    case .credentialsChanged: .credentialsChanged
    case .clockAdjusted: .clockAdjusted
    case .clockTicked: .clockTicked
    case .responseReceived: .responseReceived
    case .responseFailed: .responseFailed
    case .reportTracked: .reportTracked
    case .airportsChecked: .airportsChecked
    case .airportsDownloaded: .airportsDownloaded
    case .airportsLoaded: .airportsLoaded
    case .airportsDeferred: .airportsDeferred
    case .airportsFailed: .airportsFailed
    case .weatherReceived: .weatherReceived
    case .weatherFailed: .weatherFailed
    case .airportsDelivery: .airportsDelivery
    case .listeningChanged: .listeningChanged
    case .backgroundChanged: .backgroundChanged
    case .budgetChanged: .budgetChanged
    case .linkChanged: .linkChanged
    }
  }
}

extension Input.Body: Hashable {
  /// Whether both are stored in the same place with the same bytes. A decoded body equals its undecoded bytes.
  package static func == (a: Input.Body, b: Input.Body) -> Bool {
    switch (a, b) {
    case (.answer(let a), .answer(let b)): a == b
    case (.none, .none): true
    case (.blob(let aName, let a), .blob(let bName, let b)): aName == bName && a == b
    case (.none, _), (_, .none), (.blob, _), (_, .blob): false
    default: a.bytes == b.bytes
    }
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// The bytes of a request on the wire.
package struct SentBytes: Hashable, Sendable {
  /// Head and body as sent, compressed.
  package var total: Int64
  /// The part of ``total`` that is the head.
  package var head: Int64

  package init(total: Int64, head: Int64) {
    self.total = total
    self.head = head
  }

  /// Of a request that shared the exchange of another, with which the bytes are counted.
  package static let zero = SentBytes(total: 0, head: 0)
}

/// The name of a content-addressed body: its SHA-256 in hexadecimal, and its size.
package struct BlobName: Hashable, Sendable {
  package var sha256: String
  package var byteCount: Int

  package init(sha256: String, byteCount: Int) {
    self.sha256 = sha256
    self.byteCount = byteCount
  }
}

/// The reason why no response arrived.
package enum TransportFailure: String, CaseIterable, Hashable, Sendable {
  /// The server could not be reached, or the connection was lost.
  case network
  /// The request timed out.
  case timeout
  /// A secure connection could not be established.
  case security
  /// The response was larger than allowed.
  case tooLarge

  /// Whether the connection ended, or nothing came.
  var isOfConnection: Bool { self == .network || self == .timeout }
}

/// A log line that the fold doesn't apply but can verify.
package enum Mark: Hashable, Sendable {
  case segmentOpened
  case snapshotPart(SnapshotPart)
  case snapshotEnded
  case stateDigested(StateDigest)
  case logSynced
}

/// The digests of a state.
package struct StateDigest: Hashable, Sendable {
  /// The digests of the scopes that hold data, in the order of the scopes.
  package var scopes: [ScopeDigest]
  /// The digest of all other state that affects decisions.
  package var control: UInt64

  package init(scopes: [ScopeDigest], control: UInt64) {
    self.scopes = scopes
    self.control = control
  }

  package struct ScopeDigest: Hashable, Sendable {
    package var scope: ScopeID
    package var digest: UInt64
  }

  /// The digests of scopes and control combined into one number, for display in tables.
  package var combined: UInt64 {
    scopes.reduce(control) { Digest.mix($0 &+ Digest.mix($1.digest &+ Digest.hash($1.scope.name.utf8))) }
  }
}

/// The content of a log line.
package enum Event: Hashable, Sendable {
  case input(Input)
  case decision(Decision)
  case mark(Mark)
}
