package import ContrailWire

/// The state of one scope: the wanted data, the held data, and the request.
///
/// A scope does its own work: it takes requests, answers and changes of what is wanted, and plans its next action
/// (`State+DeltaOrFull.swift`). ``State`` passes each line to the scopes that it concerns.
package struct Scope: Sendable, Equatable {
  package let id: ScopeID

  /// The last valid spec; nil if the scope isn't wanted.
  package internal(set) var want: FetchSpec?
  /// The last changes of the area; nil for scopes other than the viewport.
  package internal(set) var motion: Motion?

  // What is held.

  /// The spec and watermark of the last response that was applied.
  package internal(set) var have: Have?
  /// The stored records of an area.
  package internal(set) var records = AreaRecords()
  /// The last response without whitespace, for a scope of polygons or weather. Of weather, the engine reads only the
  /// header fields.
  package internal(set) var document: [UInt8] = []
  /// The time of the last successful response, in milliseconds; nil if there was none.
  package internal(set) var lastSuccessAt: Int64?
  /// The time at which a held request was lost or refused, in milliseconds; nil if an answer has come since.
  package internal(set) var confirmAt: Int64?
  /// The last full response, as far as the refetch guard needs it.
  package internal(set) var lastFull: LastFull?

  // The request.

  /// The request in flight, or why none is sent.
  package internal(set) var request = RequestState.idle
  /// The refresh that was requested and not yet completed.
  package internal(set) var pendingRefresh = PendingRefresh.none
  /// The failed attempts, and the earliest time for the next.
  package internal(set) var retry = RetryState()
  /// The server's handle for the area, so that a delta doesn't contain the area.
  package internal(set) var handles = HandleState()

  // What is reported.

  /// The issues that are not yet reported.
  var notices: [PendingIssue] = []
  /// What was reported of weather since the last successful response.
  var reported: Reported = []

  init(id: ScopeID) {
    self.id = id
  }

  /// Creates a scope from a projection, which has data but no requests.
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
    records = AreaRecords(reports: reports, pireps: pireps, traffic: traffic)
    document = body
  }

  /// What a scope needs to know of the state around it.
  struct Context {
    /// The time, in milliseconds since 1970.
    var now: Int64
    /// The estimated server time, in seconds since 1970.
    var serverSecond: Int64
    /// The `seq` of the last input.
    var cause: Int64
    var isOnline: Bool
    /// The update interval; nil if data is updated on request only.
    var intervalMS: Int64?
    /// The seed of the backoff jitter.
    var seed: UInt64
    var listening: Listening
    var isInBackground: Bool
    var isResting: Bool
    var saving: DataSaving
    /// Whether the service's deltas don't say which watermark they follow.
    var hasBareDeltas: Bool
  }

  // MARK: The area

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

  // MARK: What is held

  /// A response that was applied.
  package struct Have: Sendable, Equatable {
    package var spec: FetchSpec
    /// The watermark: seconds since 1970 by the server's clock.
    package var watermark: Int64
    package var etag: String?
    package var condition = Condition.sound

    /// Whether a delta can follow.
    package enum Condition: Sendable, Equatable {
      case sound
      /// The rule forbids a delta. A full fetch must follow.
      case broken(Rule)
      /// The rule forbids a delta. A repair follows, or a full fetch if the handle is lost.
      case repairable(Rule, Repair)
    }

    /// Returns whether both are the same response, or none. The repair that is due may differ.
    package static func isSame(_ a: Have?, _ b: Have?) -> Bool {
      a?.spec == b?.spec && a?.watermark == b?.watermark && a?.etag == b?.etag && a?.broken == b?.broken
    }

    /// The rule that forbids a delta; nil if a delta can follow.
    package var broken: Rule? {
      switch condition {
      case .sound: nil
      case .broken(let rule), .repairable(let rule, _): rule
      }
    }

    /// The repair that is due; nil if nothing is broken, or everything must be fetched.
    package internal(set) var repair: Repair? {
      get { if case .repairable(_, let repair) = condition { repair } else { nil } }
      set {
        guard let rule = broken else { return }
        condition = newValue.map { .repairable(rule, $0) } ?? .broken(rule)
      }
    }
  }

  /// Returns whether both scopes hold data by the same response, or none. The repair that is due may differ.
  package func holdsSame(as other: Scope?) -> Bool { Have.isSame(have, other?.have) }

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

  // MARK: The request

  /// The request in flight, or why none is sent.
  package enum RequestState: Sendable, Equatable {
    case idle
    case inFlight(InFlightRequest)
    case blocked(Block)
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
    /// How long the server may hold the request; nil if it answers at once.
    package var hold: Hold?
    /// Whether the credentials changed after the request was sent. A 401 then says nothing about the new ones.
    package var hasOldCredentials = false
  }

  /// A held request.
  package struct Hold: Sendable, Equatable {
    package var terms: HoldTerms
    /// The time at which the request counts as lost, in milliseconds.
    package var deadline: Int64
  }

  /// The reason why requests are blocked until something changes.
  package enum Block: String, Sendable {
    case unauthorized
    case badRequest
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

  /// The server's handle for an area, and how often a handle was of no use.
  package struct HandleState: Sendable, Equatable {
    package internal(set) var known: AreaHandle?
    /// The number of answers in a row for which the server didn't know the handle, or that were unreadable.
    package internal(set) var losses: Int64 = 0

    /// The time of the last loss, in milliseconds, while there were too many; otherwise nil.
    package internal(set) var lostAt: Int64?

    /// The number of losses in a row after which requests contain the area, and answers aren't compact.
    package static let maximumLosses: Int64 = 3
    /// The time after the last loss from which an answer leads to another attempt.
    package static let restMS: Int64 = 30 * 60_000
    /// The time after the last loss from which a new area leads to another attempt.
    package static let areaRestMS: Int64 = 5 * 60_000

    /// Whether the server may answer in the compact form, and with a handle for the area.
    package var areTaken: Bool { losses < Self.maximumLosses }

    /// Forgets the handle, because an answer to a request with it, or with the offer of one, was of no use.
    mutating func lose(at now: Int64) {
      known = nil
      losses += 1
      if !areTaken { lostAt = now }
    }

    /// Allows one more attempt with handles and the compact form, a time after the last loss.
    mutating func retry(at now: Int64, afterMS rest: Int64) {
      guard let lostAt, now - lostAt >= rest else { return }
      self.lostAt = nil
      losses = Self.maximumLosses - 1
    }

    /// Forgets the losses.
    mutating func forgive() {
      lostAt = nil
      losses = 0
    }

    /// Returns the handle for an area.
    func name(for areaDigest: UInt64) -> String? {
      guard areTaken, let known, known.areaDigest == areaDigest else { return nil }
      return known.name
    }
  }

  /// A handle of the server for an area.
  package struct AreaHandle: Sendable, Equatable {
    package var name: String
    /// The digest of the area that the handle stands for.
    package var areaDigest: UInt64
    /// Whether the server answers repairs for the area.
    package var repairs = false
    /// The longest time that the server holds a request, in seconds; 0 if it holds none.
    package var holdSeconds: Int64 = 0
  }

  // MARK: What is reported

  package struct PendingIssue: Sendable, Equatable {
    package var code: ReportedIssue
    package var rule: Rule
    /// The request whose response revealed the issue; 0 if the issue is reported again.
    package var request: Int64
  }

  /// What was reported of weather.
  struct Reported: OptionSet, Sendable {
    let rawValue: UInt8
    /// The stored data has expired.
    static let expiry = Reported(rawValue: 1)
    /// The weather service refused a request.
    static let refusal = Reported(rawValue: 2)
  }
}

// MARK: -

extension Scope {
  // Comparing with nil copies the whole value first; these don't.

  /// Whether ``want`` isn't nil.
  var isWanted: Bool { if case .some = want { true } else { false } }
  /// Whether ``have`` isn't nil.
  var isHolding: Bool { if case .some = have { true } else { false } }
  /// Whether a request is in flight.
  var isInFlight: Bool { if case .inFlight = request { true } else { false } }

  /// The in-flight request.
  package var inFlight: InFlightRequest? { if case .inFlight(let inFlight) = request { inFlight } else { nil } }
  /// Whether the request in flight is held.
  package var isHeld: Bool { if case .inFlight(let inFlight) = request, inFlight.hold != nil { true } else { false } }
  /// The number of the in-flight request.
  var requestInFlight: Int64? { if case .inFlight(let inFlight) = request { inFlight.request } else { nil } }
  /// The reason why requests are blocked until something changes.
  package var block: Block? { if case .blocked(let block) = request { block } else { nil } }
  /// The repair that is due.
  package var repair: Repair? { have?.repair }
  /// The server's handle for an area.
  package var handle: AreaHandle? { handles.known }
  /// Whether the expiry of the stored data was reported; for scopes with ``ScopeID/expiryMS``.
  package var isExpired: Bool { reported.contains(.expiry) }

  /// The stored turbulence reports.
  package var reports: ReportSet { records.reports }
  /// The stored PIREPs.
  package var pireps: PIREPSet { records.pireps }
  /// The traffic of the last response.
  package var traffic: [TrafficPosition] { records.traffic }
  /// The GeoJSON of the last response, for a polygon scope; empty for another.
  package var polygons: [UInt8] { id.weatherPlace == nil ? document : [] }
  /// The weather service's last response, for a weather scope; empty for another.
  package var weather: [UInt8] { id.weatherPlace == nil ? [] : document }

  /// The digest of the stored records.
  ///
  /// It is the order-independent sum for an area, and a hash of the bytes for polygons and weather.
  package var digest: UInt64 {
    var hashes = BodyHashes()
    return digest(&hashes)
  }

  /// Returns ``digest``, with the hash of a body that was hashed before.
  func digest(_ hashes: inout BodyHashes) -> UInt64 {
    if !id.hasDeltas { return document.isEmpty ? 0 : hashes.hash(document) }
    return records.traffic.reduce(records.reports.checksum &+ records.pireps.checksum) { $0 &+ $1.digest }
  }

  /// The number of stored records.
  package var recordCount: Int { records.reports.count + records.pireps.count + records.traffic.count }
}
