public import ContrailWire

/// The `kind` of a log line.
public enum Kind: String, CaseIterable, Hashable, Sendable {
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
  // Decisions.
  case fetchStarted = "fetch.started"
  case fetchCancelled = "fetch.cancelled"
  case queryRejected = "query.rejected"
  case errorReported = "error.reported"
  case uploadStarted = "upload.started"
  case weatherExpired = "weather.expired"
  case airportsSwitched = "airports.switched"
  // Marks.
  case segmentOpened = "segment.opened"
  case snapshotPart = "snapshot.part"
  case snapshotEnded = "snapshot.ended"
  case stateDigested = "state.digested"
  case logSynced = "log.synced"

  /// What a line of this kind is for.
  public enum Role: Hashable, Sendable {
    /// Something that came from outside.
    case input
    /// Something that follows from the state.
    case decision
    /// Something that is verified where it is present, and never required.
    case mark
  }

  public var role: Role {
    switch self {
    case .sessionStarted, .queryChanged, .historyChanged, .frequencyChanged, .refreshRequested, .connectivityChanged,
      .credentialsChanged, .clockAdjusted, .clockTicked, .responseReceived, .responseFailed, .reportTracked,
      .airportsChecked, .airportsDownloaded, .airportsLoaded, .airportsDeferred, .airportsFailed:
      .input
    case .fetchStarted, .fetchCancelled, .queryRejected, .errorReported, .uploadStarted, .weatherExpired,
      .airportsSwitched:
      .decision
    case .segmentOpened, .snapshotPart, .snapshotEnded, .stateDigested, .logSynced: .mark
    }
  }
}

/// Something that came from outside: the only thing, with the decisions, that changes the state.
public enum Input: Hashable, Sendable {
  case sessionStarted(Session)
  case queryChanged(ResolvedQuery)
  case historyChanged(DataHistoryTime)
  case frequencyChanged(DataUpdateFrequency)
  /// `fetchData(refresh:)`: everything anew, or what is new.
  case refreshRequested(full: Bool)
  case connectivityChanged(isOnline: Bool)
  /// Other credentials are in use; what they are is never logged.
  case credentialsChanged
  /// The wall clock was set, by so many milliseconds. `at` goes on by the monotonic clock.
  case clockAdjusted(byMS: Int64)
  /// The time came for which a scope had asked to be woken.
  case clockTicked(scope: ScopeID, due: Int64)
  case responseReceived(Response)
  case responseFailed(request: Int64, failure: TransportFailure)
  /// The aircraft has felt turbulence, or none: the report is kept until the server has confirmed it.
  case reportTracked(TurbulenceReport)
  case airportsChecked(AirportsChecked)
  case airportsDownloaded(AirportsDownloaded)
  case airportsLoaded(AirportsLoaded)
  /// The user has put the load of a cycle off.
  case airportsDeferred(AirportEdition)
  /// A load ended without success; the code is stable, such as `cancelled`.
  case airportsFailed(AirportEdition, code: String)

  /// A launch of the engine.
  public struct Session: Hashable, Sendable {
    /// The engine's version.
    public var engine: String
    /// The session's name, unique for this log.
    public var id: String
    /// What jitter is drawn from.
    public var seed: UInt64

    public init(engine: String, id: String, seed: UInt64) {
      self.engine = engine
      self.id = id
      self.seed = seed
    }
  }

  /// An answer of the server, whatever it says.
  public struct Response: Hashable, Sendable {
    public var request: Int64
    /// The HTTP status.
    public var status: Int
    /// Bytes on the wire: head and body as they were sent, compressed.
    public var wireBytes: Int64
    /// The server's time in milliseconds since 1970, where it told it.
    public var serverTimeMS: Int64?
    /// `Retry-After` in seconds.
    public var retryAfterSeconds: Int64?
    public var etag: String?
    public var body: Body

    public init(
      request: Int64, status: Int, wireBytes: Int64, serverTimeMS: Int64? = nil, retryAfterSeconds: Int64? = nil,
      etag: String? = nil, body: Body = .none
    ) {
      self.request = request
      self.status = status
      self.wireBytes = wireBytes
      self.serverTimeMS = serverTimeMS
      self.retryAfterSeconds = retryAfterSeconds
      self.etag = etag
      self.body = body
    }
  }

  /// The body of an answer and where the log keeps it.
  public enum Body: Sendable {
    case none
    /// Valid JSON on one line: it stands in the log's line as it is.
    case inline([UInt8])
    /// The same, read already: its bytes are exactly those that the answer's `json` gives.
    case answer(ObservationsAnswer)
    /// Anything else: a blob named by its SHA-256, and its bytes.
    case blob(BlobName, [UInt8])

    /// The bytes, empty where there is no body.
    public var bytes: [UInt8] {
      switch self {
      case .none: []
      case .inline(let bytes), .blob(_, let bytes): bytes
      case .answer(let answer): answer.json
      }
    }
  }

  public var kind: Kind {
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
    }
  }
}

extension Input.Body: Hashable {
  /// Whether both are the same bytes in the same place; whether one of them has been read already doesn't matter.
  public static func == (a: Input.Body, b: Input.Body) -> Bool {
    switch (a, b) {
    case (.answer(let a), .answer(let b)): a == b
    case (.none, .none): true
    case (.blob(let aName, let a), .blob(let bName, let b)): aName == bName && a == b
    case (.inline, .inline), (.inline, .answer), (.answer, .inline): a.bytes == b.bytes
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// A content-addressed body: its SHA-256 in hexadecimal and its size.
public struct BlobName: Hashable, Sendable {
  public var sha256: String
  public var byteCount: Int

  public init(sha256: String, byteCount: Int) {
    self.sha256 = sha256
    self.byteCount = byteCount
  }
}

/// Why no answer came.
public enum TransportFailure: String, CaseIterable, Hashable, Sendable {
  /// The server could not be reached, or the connection broke.
  case network
  /// No answer in time.
  case timeout
  /// The connection could not be made safe.
  case security
  /// The answer was larger than is allowed.
  case tooLarge
}

/// A line of the log that is not for the fold, but checked by it.
public enum Mark: Hashable, Sendable {
  case segmentOpened
  case snapshotPart(SnapshotPart)
  case snapshotEnded
  case stateDigested(StateDigest)
  case logSynced
}

/// The digests of a state.
public struct StateDigest: Hashable, Sendable {
  /// A digest per scope that holds data, in the order of the scopes.
  public var scopes: [ScopeDigest]
  /// The digest of everything else that decides.
  public var control: UInt64

  public struct ScopeDigest: Hashable, Sendable {
    public var scope: ScopeID
    public var digest: UInt64
  }

  /// Scopes and control in one number, for a table's column.
  public var combined: UInt64 {
    scopes.reduce(control) { Digest.mix($0 &+ Digest.mix($1.digest &+ Digest.hash($1.scope.name.utf8))) }
  }
}

/// What a line of the log says.
public enum Event: Hashable, Sendable {
  case input(Input)
  case decision(Decision)
  case mark(Mark)
}
