public import ContrailWire

/// What the engine knows of one scope: what is wanted, what is held, what is under way, and what went wrong.
public struct Scope: Sendable, Equatable {
  public let id: ScopeID

  /// The last valid spec; nil when nothing is wanted.
  public internal(set) var want: FetchSpec?
  /// The spec and token of the last answer that was applied.
  public internal(set) var have: Have?
  /// The request under way.
  public internal(set) var flight: Flight?
  /// A refresh that was asked for and not yet given.
  public internal(set) var demand = Demand.none

  /// How many attempts have failed in a row.
  public internal(set) var failures: Int64 = 0
  /// Nothing is asked before this time, in milliseconds.
  public internal(set) var notBefore: Int64 = 0
  /// When the last request went out, in milliseconds.
  public internal(set) var lastAttemptAt: Int64 = 0
  /// The end of the wait that the server asked for, in milliseconds.
  public internal(set) var retryAfter: Int64 = 0
  /// When an answer was last applied or confirmed, in milliseconds; nil if never.
  public internal(set) var lastSuccessAt: Int64?
  /// That what is held has expired was said; for scopes with ``ScopeID/expiryMS``.
  public internal(set) var isExpired = false
  /// That the weather service won't answer was said, and it hasn't answered since.
  public internal(set) var isRefused = false
  /// Why nothing is asked until something changes.
  public internal(set) var block: Block?
  /// The last full answer, as far as the guard against loops needs it.
  public internal(set) var lastFull: LastFull?
  /// What is yet to be reported.
  var notices: [PendingNotice] = []

  /// The turbulence reports that are held.
  public internal(set) var reports = ReportSet()
  /// The PIREPs that are held.
  public internal(set) var pireps = PIREPSet()
  /// The traffic of the last answer.
  public internal(set) var traffic: [TrafficPosition] = []
  /// The GeoJSON of the last answer without white space, for a scope of polygons.
  public internal(set) var polygons: [UInt8] = []
  /// The weather service's last answer without white space, for a scope of weather: the engine looks at its head only.
  public internal(set) var weather: [UInt8] = []

  init(id: ScopeID) {
    self.id = id
  }

  /// Makes a scope that holds data and knows nothing of requests: what a projection of the state holds.
  ///
  /// - Parameter body: The document of a scope of polygons or weather.
  package init(
    previewing id: ScopeID, want: FetchSpec?, have: FetchSpec, token: Int64, lastSuccessAt: Int64?, reports: ReportSet,
    pireps: PIREPSet, traffic: [TrafficPosition], body: [UInt8]
  ) {
    self.id = id
    self.want = want
    self.have = Have(spec: have, token: token)
    self.lastSuccessAt = lastSuccessAt
    self.reports = reports
    self.pireps = pireps
    self.traffic = traffic
    if id.weatherPlace == nil { polygons = body } else { weather = body }
  }

  /// An answer that was applied.
  public struct Have: Sendable, Equatable {
    public var spec: FetchSpec
    /// Seconds since 1970 by the server's clock.
    public var token: Int64
    /// Why a delta cannot follow.
    public var broken: Reason?
    public var etag: String?
  }

  /// A request that has gone out.
  public struct Flight: Sendable, Equatable {
    public var request: Int64
    public var spec: FetchSpec
    public var mode: FetchMode
    public var reason: Reason
    public var since: Int64?
    /// The credentials have changed since it went out: that they were refused says nothing of the new ones.
    public var hasOldCredentials = false
  }

  /// The strength of a refresh that was asked for.
  public enum Demand: String, Sendable, Comparable, CaseIterable {
    case none
    case delta
    case full

    private var strength: Int {
      switch self {
      case .none: 0
      case .delta: 1
      case .full: 2
      }
    }

    public static func < (a: Demand, b: Demand) -> Bool { a.strength < b.strength }

    init(_ mode: FetchMode) {
      self = mode == .full ? .full : .delta
    }
  }

  public enum Block: String, Sendable {
    case unauthorized
    case badRequest
  }

  /// What the guard remembers of the last full answer.
  public struct LastFull: Sendable, Equatable {
    public var reason: Reason
    public var spec: FetchSpec
    /// How often in a row a full answer had this reason and this spec or a narrower one, with nothing verified between.
    public var repeats: Int64
    /// The same fetch may go out again from this time on, in milliseconds.
    public var notBefore: Int64
    /// An answer has matched its checksum since.
    public var isVerified: Bool
    /// The guard has reported this repetition.
    public var isReported: Bool
    public var request: Int64
  }

  package struct PendingNotice: Sendable, Equatable {
    package var code: Notice
    package var request: Int64
  }

  /// When what is held expires, in milliseconds; nil for a scope whose answers hold until the next one.
  public var expiresAt: Int64? {
    guard let expiryMS = id.expiryMS, let lastSuccessAt, have != nil else { return nil }
    return lastSuccessAt + expiryMS
  }

  /// The digest of the records that are held: the order-free sum for an area, a hash of the bytes for polygons and weather.
  public var digest: UInt64 {
    if !weather.isEmpty { return Digest.hash(weather) }
    if !id.hasDeltas { return polygons.isEmpty ? 0 : Digest.hash(polygons) }
    return traffic.reduce(reports.checksum &+ pireps.checksum) { $0 &+ $1.digest }
  }

  /// How many records are held.
  public var recordCount: Int { reports.count + pireps.count + traffic.count }

  mutating func forget() {
    have = nil
    reports = ReportSet()
    pireps = PIREPSet()
    traffic = []
    polygons = []
    weather = []
    isExpired = false
    isRefused = false
    lastFull = nil
    lastSuccessAt = nil
  }
}
