package import ContrailGeodesy
package import ContrailWire

/// The complete state of the engine: a pure function of the log.
///
/// ``evolve(_:)`` folds lines into the state, ``decide()`` returns the resulting decisions, and ``nextWake`` is the
/// time of the next timer.
package struct State: Sendable, Equatable {
  /// The `seq` of the next line.
  package internal(set) var nextSeq: Int64 = 0
  /// The `at` of the last line, in milliseconds.
  package internal(set) var now: Int64 = 0
  /// The `seq` of the last input.
  package internal(set) var cause: Int64 = 0

  package internal(set) var session: Input.Session?
  package internal(set) var query = ResolvedQuery()
  package internal(set) var history = DataHistoryTime.twoHours
  package internal(set) var frequency = DataUpdateFrequency.fast
  package internal(set) var isOnline = false
  /// Whether the application is in the background, where no requests are held.
  package internal(set) var isInBackground = false
  /// Whether the application is in the background and the last input wasn't its own: what is due by time waits.
  package internal(set) var isResting = false
  package internal(set) var listening = Listening()
  /// The byte budget, what is used of it, and the cost of the link.
  package internal(set) var byteUse = ByteUse()
  /// The server's clock minus the device's, in milliseconds, as of the last response; nil before the first.
  package internal(set) var serverOffsetMS: Int64?

  /// The last valid corridor.
  package internal(set) var corridor: Ring?
  /// The number of the next request.
  package internal(set) var nextRequest: Int64 = 1
  /// The number of responses that were dropped because they don't belong to an in-flight request.
  package internal(set) var droppedAnswers: Int64 = 0
  /// The scopes that are wanted or hold data, in order.
  package internal(set) var scopes: [Scope] = []
  /// The unconfirmed ownship reports.
  package internal(set) var outbox = Outbox()
  /// The airport cycle in use and the next one.
  package internal(set) var airports = AirportHoldings()
  /// Invalid parts of the query whose rejection is not yet decided.
  var rejections: [Rejection] = []
  /// Invalid parts of the query that were already rejected since the launch.
  var standing: [Rejection] = []
  /// The snapshot that is being read.
  var snapshot: SnapshotReading?
  /// The corridor as it was read last.
  var corridorMemory = RingMemory()

  /// The latest time that a log can contain: the year 10,000, in milliseconds since 1970.
  package static let maximumMS: Int64 = 253_402_300_800_000

  /// Creates the state before the first line.
  package init() {}

  /// Creates a state from a projection. It can be shown, but not used for decisions.
  package init(previewing scopes: [Scope], serverOffsetMS: Int64?) {
    self.scopes = scopes.sorted { $0.id < $1.id }
    self.serverOffsetMS = serverOffsetMS
    now = scopes.compactMap { $0.lastSuccessAt }.max() ?? 0
  }

  struct Rejection: Sendable, Equatable {
    var scope: ScopeID
    var reason: String
    var place: String

    /// The place of an invalid range of altitudes.
    static let altitudes = "altRange"
    /// The beginning of the place of a weather parameter that the service doesn't document.
    static let weatherSpec = "weather.spec."
    /// The reason of a part that the service doesn't have. The rest of the query is fetched.
    static let unserved = "unserved"
  }

  /// Returns the scope; nil if it is neither wanted nor holds data.
  package func scope(_ id: ScopeID) -> Scope? { scopes.first { $0.id == id } }

  /// The estimated server time, in milliseconds since 1970.
  package var serverNow: Int64 { now + (serverOffsetMS ?? 0) }

  /// Calls `read` with a scope, without copying it. `read` must not change the scope: it is `inout` because the compiler copies what is
  /// borrowed from an array.
  @inline(__always)
  func reading<T>(_ index: Int, _ read: (inout Scope) -> T) -> T {
    scopes.withUnsafeBufferPointer { read(&UnsafeMutableBufferPointer(mutating: $0)[index]) }
  }

  /// Returns the index of a scope; nil if it is neither wanted nor holds data.
  package func index(of id: ScopeID) -> Int? {
    for index in scopes.indices where scopes[index].id == id { return index }
    return nil
  }

  /// Returns what a scope wants.
  func want(of id: ScopeID) -> FetchSpec? { index(of: id).flatMap { reading($0) { $0.want } } }

  /// Sets what a scope wants, and creates the scope if needed.
  mutating func setWant(_ want: FetchSpec?, of id: ScopeID) {
    if let index = index(of: id) { return scopes[index].setWant(want, at: now) }
    guard let want else { return }
    var scope = Scope(id: id)
    scope.setWant(want, at: now)
    scopes.insert(scope, at: scopes.firstIndex { $0.id > id } ?? scopes.count)
  }

  /// Changes a scope, if it is wanted or holds data.
  mutating func update(_ id: ScopeID, _ change: (inout Scope) -> Void) {
    if let index = index(of: id) { change(&scopes[index]) }
  }

  /// Returns the index of the scope whose request is in flight; nil if there is none.
  func index(requesting request: Int64) -> Int? {
    // A closure would retain a copy of the state. Scopes are large, so access them by index.
    for index in scopes.indices where reading(index, { $0.requestInFlight }) == request { return index }
    return nil
  }

  /// Changes each scope.
  mutating func updateEach(_ change: (inout Scope) -> Void) {
    for index in scopes.indices { change(&scopes[index]) }
  }

  /// What scopes need to know of the state.
  var context: Scope.Context {
    Scope.Context(
      now: now, serverSecond: serverNow / 1000, cause: cause, isOnline: isOnline, intervalMS: frequency.intervalMS,
      seed: session?.seed ?? 0, listening: listening, isInBackground: isInBackground,
      isResting: isResting, saving: byteUse.saving, hasBareDeltas: !service.isContrail)
  }
}

/// A line of the log, as input of the fold.
package struct Record: Sendable {
  package var seq: Int64
  /// Milliseconds since 1970 by the log's clock, which never decreases.
  package var at: Int64
  package var event: Event

  package init(seq: Int64, at: Int64, event: Event) {
    self.seq = seq
    self.at = at
    self.event = event
  }
}
