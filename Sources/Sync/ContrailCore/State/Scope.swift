package import ContrailWire

/// The state of one scope: its wanted spec, stored data, in-flight request, and failures.
package struct Scope: Sendable, Equatable {
  package let id: ScopeID

  /// The last valid spec; nil if the scope isn't wanted.
  package internal(set) var want: FetchSpec?
  /// The spec and watermark of the last response that was applied.
  package internal(set) var have: Have?
  /// The in-flight request.
  package internal(set) var inFlight: InFlightRequest?
  /// The refresh that was requested and not yet completed.
  package internal(set) var pendingRefresh = PendingRefresh.none

  /// The server's handle for the area, so that a delta doesn't contain the area.
  package internal(set) var handle: AreaHandle?
  /// The number of answers in a row for which the server didn't know the handle, or that were unreadable.
  package internal(set) var handleLosses: Int64 = 0
  /// The repair of ``have`` that is due; nil if it isn't broken, or must be fetched in full.
  package internal(set) var repair: Repair?

  /// The last changes of the area; nil for scopes other than the viewport.
  package internal(set) var motion: Motion?

  /// The failed attempts, and the earliest time for the next.
  package internal(set) var retry = RetryState()
  /// The time of the last successful response, in milliseconds; nil if there was none.
  package internal(set) var lastSuccessAt: Int64?
  /// Whether the expiry of the stored data was reported; for scopes with ``ScopeID/expiryMS``.
  package internal(set) var isExpired = false
  /// Whether a refusal by the weather service was reported, without a successful response since.
  package internal(set) var isRefused = false
  /// The reason why requests are blocked until something changes.
  package internal(set) var block: Block?
  /// The last full response, as far as the refetch guard needs it.
  package internal(set) var lastFull: LastFull?
  /// The issues that are not yet reported.
  var notices: [PendingIssue] = []

  /// The stored turbulence reports.
  package internal(set) var reports = ReportSet()
  /// The stored PIREPs.
  package internal(set) var pireps = PIREPSet()
  /// The traffic of the last response.
  package internal(set) var traffic: [TrafficPosition] = []
  /// The GeoJSON of the last response, without whitespace, for a polygon scope.
  package internal(set) var polygons: [UInt8] = []
  /// The weather service's last response, without whitespace, for a weather scope. The engine reads only its header
  /// fields.
  package internal(set) var weather: [UInt8] = []

  init(id: ScopeID) {
    self.id = id
  }

  /// Makes a scope that holds data and knows nothing of requests: what a projection of the state holds.
  ///
  /// - Parameter body: The document of a scope of polygons or weather.
  package init(
    previewing id: ScopeID, want: FetchSpec?, have: FetchSpec, watermark: Int64, lastSuccessAt: Int64?,
    reports: ReportSet,
    pireps: PIREPSet, traffic: [TrafficPosition], body: [UInt8]
  ) {
    self.id = id
    self.want = want
    self.have = Have(spec: have, watermark: watermark)
    self.lastSuccessAt = lastSuccessAt
    self.reports = reports
    self.pireps = pireps
    self.traffic = traffic
    if id.weatherPlace == nil { polygons = body } else { weather = body }
  }

  /// A handle of the server for an area.
  package struct AreaHandle: Sendable, Equatable {
    package var name: String
    /// The digest of the area that the handle stands for.
    package var areaDigest: UInt64
    /// Whether the server answers repairs for the area.
    package var repairs = false

    /// The number of losses in a row after which requests contain the area until the next launch.
    package static let maximumLosses: Int64 = 3
  }

  /// A repair that is due.
  package struct Repair: Sendable, Equatable {
    /// The number of cells of the sketch.
    package var cells: Int64
    /// The number of attempts before.
    package var attempts: Int64

    /// The maximum number of attempts.
    package static let maximumAttempts: Int64 = 2

    package init(cells: Int64, attempts: Int64 = 0) {
      self.cells = cells
      self.attempts = attempts
    }
  }

  /// The changes of an area in quick succession, as while a map is dragged. Times are milliseconds since 1970.
  package struct Motion: Sendable, Equatable {
    /// The time of the last change.
    package var changedAt: Int64
    /// The time of the last request, or of the first change if that is later.
    package var since: Int64
    /// Whether the area has changed since then.
    package var isWaiting = false

    /// The time without a change after which the area rests.
    package static let restMS: Int64 = 1500
    /// The longest time without a request while the area moves.
    package static let longestMS: Int64 = 5000

    /// The time at which the area is fetched; nil if it doesn't wait.
    package var fetchedAt: Int64? { isWaiting ? min(changedAt + Self.restMS, since + Self.longestMS) : nil }

    /// Returns the motion after a change.
    func changed(at time: Int64) -> Motion {
      time < changedAt + Self.restMS
        ? Motion(changedAt: time, since: since, isWaiting: true) : Motion(changedAt: time, since: time)
    }
  }

  /// A response that was applied.
  package struct Have: Sendable, Equatable {
    package var spec: FetchSpec
    /// The watermark: seconds since 1970 by the server's clock.
    package var watermark: Int64
    /// The rule that forbids a delta; nil if a delta can follow.
    package var broken: Rule?
    package var etag: String?
  }

  /// An in-flight request.
  package struct InFlightRequest: Sendable, Equatable {
    package var request: Int64
    package var spec: FetchSpec
    package var mode: FetchMode
    package var rule: Rule
    package var since: Int64?
    /// The handle that stands for the area in the request.
    package var handle: String?
    /// The number of cells of a repair's sketch.
    package var cells: Int64?
    /// Whether the credentials changed after the request was sent. A 401 then says nothing about the new ones.
    package var hasOldCredentials = false
  }

  /// The kind of refresh that was requested.
  package enum PendingRefresh: String, Sendable, Comparable, CaseIterable {
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

    package static func < (a: PendingRefresh, b: PendingRefresh) -> Bool { a.strength < b.strength }

    init(_ mode: FetchMode) {
      self = mode == .full ? .full : .delta
    }
  }

  /// The reason why requests are blocked.
  package enum Block: String, Sendable {
    case unauthorized
    case badRequest
  }

  /// The last full response, as recorded for the refetch guard.
  package struct LastFull: Sendable, Equatable {
    package var rule: Rule
    package var spec: FetchSpec
    /// The number of unverified full responses in a row by this rule.
    ///
    /// Their spec is this one or a narrower one.
    package var repeats: Int64
    /// The earliest time for the same fetch, in milliseconds.
    package var notBefore: Int64
    /// Whether a later response matched its checksum.
    package var isVerified: Bool
    /// Whether the guard reported this repetition.
    package var isReported: Bool
    package var request: Int64
    /// Whether it was a repair. It delays no full fetch.
    package var isRepair = false
  }

  package struct PendingIssue: Sendable, Equatable {
    package var code: ReportedIssue
    package var rule: Rule
    package var request: Int64
  }

  // Comparing with nil copies the whole value first; these don't.

  /// Whether ``want`` isn't nil.
  var isWanted: Bool { if case .some = want { true } else { false } }
  /// Whether ``have`` isn't nil.
  var isHolding: Bool { if case .some = have { true } else { false } }
  /// Whether ``inFlight`` isn't nil.
  var isInFlight: Bool { if case .some = inFlight { true } else { false } }

  /// The time at which the stored data expires, in milliseconds.
  ///
  /// Nil for a scope whose data is valid until the next response.
  package var expiresAt: Int64? {
    guard let expiryMS = id.expiryMS, let lastSuccessAt, isHolding else { return nil }
    return lastSuccessAt + expiryMS
  }

  /// The digest of the stored records.
  ///
  /// It is the order-independent sum for an area, and a hash of the bytes for polygons and weather.
  package var digest: UInt64 {
    var hashes = BodyHashes()
    return digest(&hashes)
  }

  /// Returns ``digest``, with the hash of a body that was hashed before.
  func digest(_ hashes: inout BodyHashes) -> UInt64 {
    if !weather.isEmpty { return hashes.hash(weather) }
    if !id.hasDeltas { return polygons.isEmpty ? 0 : hashes.hash(polygons) }
    return traffic.reduce(reports.checksum &+ pireps.checksum) { $0 &+ $1.digest }
  }

  /// The number of stored records.
  package var recordCount: Int { reports.count + pireps.count + traffic.count }

  /// Whether the server may answer in the compact form, and with a handle for the area.
  package var takesHandles: Bool { handleLosses < AreaHandle.maximumLosses }

  /// The handle for a delta of an area.
  func handle(for areaDigest: UInt64) -> String? {
    guard takesHandles, let handle, handle.areaDigest == areaDigest else { return nil }
    return handle.name
  }

  /// Forgets the handle, because an answer to a request with it, or with the offer of one, was of no use.
  mutating func loseHandle() {
    handle = nil
    handleLosses += 1
    repair = nil
  }

  mutating func forget() {
    have = nil
    repair = nil
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
