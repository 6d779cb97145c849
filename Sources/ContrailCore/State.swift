public import ContrailGeodesy
public import ContrailWire

/// Everything that the engine knows: a value that is a function of the log, and of nothing else.
///
/// ``evolve(_:)`` folds lines into it, ``decide()`` says what follows, ``nextWake`` when it wants to be asked again.
public struct State: Sendable, Equatable {
  /// The `seq` of the next line.
  public internal(set) var nextSeq: Int64 = 0
  /// The `at` of the last line, in milliseconds.
  public internal(set) var now: Int64 = 0
  /// The `seq` of the last input.
  public internal(set) var cause: Int64 = 0

  public internal(set) var session: Input.Session?
  public internal(set) var query = ResolvedQuery()
  public internal(set) var history = DataHistoryTime.twoHours
  public internal(set) var frequency = DataUpdateFrequency.fast
  public internal(set) var isOnline = false
  /// The server's clock less ours, in milliseconds, as the last answer told it; nil before the first.
  public internal(set) var serverOffsetMS: Int64?

  /// The last valid corridor.
  public internal(set) var corridor: Ring?
  /// The number of the next request.
  public internal(set) var nextRequest: Int64 = 1
  /// Answers that were not to the request under way, and changed nothing.
  public internal(set) var droppedAnswers: Int64 = 0
  /// The scopes that are wanted or hold something, in their order.
  public internal(set) var scopes: [Scope] = []
  /// What the aircraft itself has reported and the server hasn't confirmed.
  public internal(set) var outbox = Outbox()
  /// Which cycle of airports is in use, and which is to follow.
  public internal(set) var airports = AirportHoldings()
  /// Parts of the query that are yet to be rejected.
  var rejections: [Rejection] = []
  /// What is invalid in the query and was rejected already since the launch.
  var standing: [Rejection] = []
  /// The lines of a snapshot that is being read.
  var snapshot: SnapshotReading?

  /// The latest time that a log can hold: the year 10,000, in milliseconds since 1970.
  package static let maximumMS: Int64 = 253_402_300_800_000

  /// The state before the first line.
  public init() {}

  /// Makes a state that can be shown, of what a projection holds. Nothing can be decided on it.
  package init(previewing scopes: [Scope], serverOffsetMS: Int64?) {
    self.scopes = scopes.sorted { $0.id < $1.id }
    self.serverOffsetMS = serverOffsetMS
    now = scopes.compactMap(\.lastSuccessAt).max() ?? 0
  }

  struct Rejection: Sendable, Equatable {
    var scope: ScopeID
    var reason: String
    var place: String

    /// The place of a range of altitudes.
    static let altitudes = "altRange"
  }

  /// The scope, if anything is wanted or held there.
  public func scope(_ id: ScopeID) -> Scope? { scopes.first { $0.id == id } }

  /// The server's time as far as it is known, in milliseconds since 1970.
  public var serverNow: Int64 { now + (serverOffsetMS ?? 0) }

  func index(of id: ScopeID) -> Int? {
    for index in scopes.indices where scopes[index].id == id { return index }
    return nil
  }

  /// The index of the scope, which is made if need be.
  mutating func ensureScope(_ id: ScopeID) -> Int {
    let index = scopes.firstIndex { $0.id >= id } ?? scopes.count
    if index == scopes.count || scopes[index].id != id { scopes.insert(Scope(id: id), at: index) }
    return index
  }
}

/// A line of the log as the fold sees it.
public struct Record: Sendable {
  public var seq: Int64
  /// Milliseconds since 1970 by the log's clock, which never goes back.
  public var at: Int64
  public var event: Event

  public init(seq: Int64, at: Int64, event: Event) {
    self.seq = seq
    self.at = at
    self.event = event
  }
}
