package import ContrailCore
import ContrailWire

/// What the application is told: the shown state, the changes to it, and errors, each once until it ends.
///
/// Its methods add updates to the next publication, which ``publish(_:leadMS:at:)`` returns.
struct Publisher: Sendable {
  private(set) var shown = Shown()
  private let host: String?
  private let weatherHost: String?
  /// The updates of the next publication.
  private var updates: [ClientUpdate] = []
  private var newTypes: [ScopeID: DataTypeOptions] = [:]
  private var stored: AppSettings?

  private var statuses: [ScopeStatus] = []
  private var isRefusalTold = false
  private var isCredentialFailureTold = false
  /// The reported error of opening the log, if any.
  private(set) var openingError: ClientError?

  /// Whether the application observes the expiry of data.
  private(set) var isObserved = false
  /// The next expiry of data in each scope, in seconds of the server's clock.
  private var expiries: [ScopeID: Int64] = [:]
  /// The second, by the server's clock, as of which ``expiries`` was computed.
  private var expiriesAsOf: Int64 = 0

  /// - Parameters:
  ///   - host: The host of the server, for messages.
  ///   - weatherHost: The host of the weather service.
  init(host: String?, weatherHost: String?) {
    self.host = host
    self.weatherHost = weatherHost
  }

  /// Adds an update.
  mutating func tell(_ update: ClientUpdate) { updates.append(update) }

  // MARK: The log

  /// Shows the state of the database, until the log is open.
  mutating func preview(_ state: State) {
    shown.state = state
    updates += state.scopes.map { .stored($0.id) }
  }

  /// Tells that the log is open.
  mutating func tellLaunch(_ state: State) {
    shown.isOpen = true
    openingError = nil
    stored = AppSettings(state)
    // The database may lack records that had expired by a clock that has been set back since.
    expiries = [:]
    updates.append(.opened)
    for scope in state.scopes where scope.have != nil { updates.append(.stored(scope.id)) }
  }

  /// Tells that the log can't be opened, and returns whether that is news.
  mutating func tell(openingError error: ClientError) -> Bool {
    let isNews = openingError.map { $0.code != error.code } ?? true
    openingError = error
    if isNews { updates.append(.failed(error)) }
    return isNews
  }

  /// Tells that a write failed, once until a write succeeds. Returns whether that is news.
  mutating func tell(refusal error: ClientError) -> Bool {
    guard !isRefusalTold else { return false }
    isRefusalTold = true
    updates.append(.failed(error))
    return true
  }

  /// Tells that the log can be written again.
  mutating func tellWritten() {
    guard isRefusalTold else { return }
    isRefusalTold = false
    updates.append(.recovered(nil))
  }

  // MARK: Credentials

  /// Tells that the provider of credentials failed, once until it succeeds. Returns whether that is news.
  mutating func tell(credentialFailure error: ClientError) -> Bool {
    guard !isCredentialFailureTold else { return false }
    isCredentialFailureTold = true
    updates.append(.failed(error))
    return true
  }

  /// Tells that the provider of credentials succeeded. Returns whether that is news.
  mutating func tellCredential() -> Bool {
    guard isCredentialFailureTold else { return false }
    isCredentialFailureTold = false
    updates.append(.recovered(nil))
    return true
  }

  // MARK: Requests

  /// Publishes the result of a request and the decision: the beginning and end of an outage once each.
  ///
  /// - Parameter request: The request that the entry answers, if there is one.
  mutating func tellOutcome(of entry: WriteQueue.Entry, _ request: Driver.Request?, _ step: Engine.Step) {
    for case .input(let input) in step.events {
      shown.sessionBytes = min(shown.sessionBytes + input.transferredBytes, .max / 4)
    }
    var answer: Input.Response?
    if case .answer(let response) = entry {
      answer = response
      if let scope = request?.scope {
        shown.records[scope, default: RequestRecord()].receivedBytes += response.wireBytes
      }
    }
    for decision in step.decisions {
      switch decision {
      case .queryRejected(let rejected): updates.append(.failed(ClientError(rejected)))
      case .errorReported(let reported):
        let error = ClientError(reported, host: host(of: reported.scope), response: answer)
        updates.append(.failed(error))
        if [.unauthorized, .badRequest, .weatherRefused].contains(reported.code) {
          shown.records[reported.scope, default: RequestRecord()].outage = error
          shown.records[reported.scope]?.lastError = error
        }
      case .weatherExpired(let expired): updates.append(.expired(expired.scope))
      case .savingChanged(let changed): updates.append(.saving(changed.saving))
      case .fetchStarted, .fetchCancelled, .uploadStarted, .airportsSwitched, .airportsRequested: break
      }
    }
    if let request, !request.isCancelled { tellOutcome(of: entry, request.scope, step) }
    endOutages(step.after)
  }

  private mutating func tellOutcome(of entry: WriteQueue.Entry, _ id: ScopeID, _ step: Engine.Step) {
    var record = shown.records[id] ?? RequestRecord()
    if step.after.failures(of: id) > step.before.failures(of: id) {
      let error: ClientError
      switch entry {
      case .answer(let response): error = ClientError(failed: response, scope: id, host: host(of: id))
      case .failure(_, let failure, let message, _):
        error = ClientError(failure, scope: id, host: host(of: id), message: message)
      default: return
      }
      if record.outage == nil {
        record.outage = error
        updates.append(.failed(error))
      }
      // The decision for this response has a more specific error.
      if record.lastError == nil || record.outage?.code != ClientError.Code.weatherRefused { record.lastError = error }
    } else if step.after.succeeded(id, since: step.before) {
      record.lastError = nil
      if record.outage.take() != nil { updates.append(.recovered(id)) }
    }
    shown.records[id] = record
  }

  /// Ends the outages of scopes that are no longer wanted.
  private mutating func endOutages(_ state: State) {
    for (id, record) in shown.records.sorted(by: { $0.key < $1.key }) {
      let isWanted = id == .outbox ? !state.outbox.reports.isEmpty : state.scope(id)?.want != nil
      guard !isWanted else { continue }
      if record.outage != nil { updates.append(.recovered(id)) }
      shown.records[id]?.outage = nil
      shown.records[id]?.lastError = nil
    }
  }

  private func host(of id: ScopeID) -> String? { id.weatherPlace == nil ? host : weatherHost ?? host }

  // MARK: Data

  /// Tells the changes of the data, and returns whether the database must follow.
  mutating func tellChanges(_ step: Engine.Step) -> Bool {
    var isProjectionBehind = false
    let second = step.before.serverSecond(at: step.at)
    for scope in step.after.scopes {
      let before = step.before.scope(scope.id)
      let (types, isCut) = scope.changes(since: before, asOf: second)
      let isConfirmed = scope.lastSuccessAt != before?.lastSuccessAt && scope.have != nil
      if let types {
        newTypes[scope.id] = types
        updates.append(.data(scope.id))
      } else if isConfirmed {
        updates.append(.confirmed(scope.id))
      }
      let isFiltered = scope.have != nil && before?.have != nil && scope.want != before?.want
      if types == nil, isFiltered || isCut { updates.append(.filtered(scope.id)) }
      if scope.id != .viewport,
        types != nil || isConfirmed || !scope.holdsSame(as: before) || scope.want != before?.want
      {
        isProjectionBehind = true
      }
    }
    for before in step.before.scopes where before.have != nil && step.after.scope(before.id)?.have == nil {
      updates.append(.filtered(before.id))
      if before.id != .viewport { isProjectionBehind = true }
    }
    if step.after.outbox.reports.count != step.before.outbox.reports.count { updates.append(.data(.outbox)) }
    if step.after.airports.inUse != step.before.airports.inUse { updates.append(.data(.airports)) }
    return isProjectionBehind
  }

  // MARK: Publishing

  /// Returns the publication of the updates, of what has expired, and of changed statuses.
  ///
  /// - Parameters:
  ///   - engine: The state after the last written line. It is shown once the launch is written.
  ///   - now: The time of the device.
  mutating func publish(_ engine: Engine, at now: Int64) -> Publication {
    let previous = shown.state
    let secondBefore = shown.serverSecond(at: now)
    if shown.isOpen {
      shown.state = engine.state
      shown.clockLeadMS = engine.leadMS
    }
    let second = shown.serverSecond(at: now)
    let told = Set(updates.compactMap { $0.changedScope })
    let due = expiries
    updateExpiries(since: previous, at: now)
    for (id, expiry) in due.sorted(by: { $0.key < $1.key }) where !told.contains(id) {
      // A late response may set the server's clock back. Expired data that are still held are then visible again.
      let isGone = expiry <= secondBefore && expiries[id] != expiry
      if expiry <= second || isGone { updates.append(.expired(id)) }
    }
    updates += changedStatuses().map { .status($0) }
    defer { (updates, newTypes, stored) = ([], [:], nil) }
    return Publication(shown: shown, updates: updates, newTypes: newTypes, stored: stored)
  }

  private mutating func changedStatuses() -> [ScopeID] {
    var current = shown.state.scopes.map { shown.status(of: $0.id) }
    current.append(shown.status(of: .outbox))
    guard current != statuses else { return [] }
    defer { statuses = current }
    let gone = statuses.map { $0.scope }.filter { id in !current.contains { $0.scope == id } }
    // The number of places isn't limited.
    for id in gone where id.weatherPlace != nil { shown.records[id] = nil }
    return (current.filter { !statuses.contains($0) }.map { $0.scope } + gone).sorted()
  }

  // MARK: Expiry

  /// The time of the next expiry, by the device's clock; nil without observers.
  var expiresAt: Int64? {
    guard isObserved, let second = expiries.values.min() else { return nil }
    return shown.deviceTime(ofServerSecond: second)
  }

  /// Sets since which second of the server's clock the application observes the expiry of data; nil if it doesn't.
  ///
  /// What has expired since may be gone from the state. So if that is another second than now, the expiry of each scope is told.
  ///
  /// - Returns: Whether there is something to publish.
  mutating func observe(since: Int64?, at now: Int64) -> Bool {
    isObserved = since != nil
    updateExpiries(at: now)
    guard let since, since < shown.serverSecond(at: now) else { return false }
    for scope in shown.state.scopes where scope.have != nil { tell(.expired(scope.id)) }
    return !updates.isEmpty
  }

  /// Computes the next expiry of each scope. Scopes that are unchanged since `previous` are skipped, unless the server's clock went back:
  /// then data that had expired are visible again.
  private mutating func updateExpiries(since previous: State? = nil, at now: Int64) {
    let before = expiries
    expiries = [:]
    guard isObserved else { return }
    let second = shown.serverSecond(at: now)
    let previous = second < expiriesAsOf ? nil : previous
    expiriesAsOf = second
    for scope in shown.state.scopes {
      let old = previous?.scope(scope.id)
      if let old, let expiry = before[scope.id], expiry > second, scope.holdsSame(as: old), old.want == scope.want,
        old.lastSuccessAt == scope.lastSuccessAt
      {
        expiries[scope.id] = expiry
      } else {
        expiries[scope.id] = scope.nextExpiry(after: second)
      }
    }
  }
}

extension ClientUpdate {
  /// The scope whose shown data changed; nil if none did.
  package var changedScope: ScopeID? {
    switch self {
    case .stored(let id), .data(let id), .filtered(let id), .expired(let id): id
    default: nil
    }
  }
}

extension State {
  fileprivate func failures(of id: ScopeID) -> Int64 {
    id == .outbox ? outbox.retry.failures : scope(id)?.retry.failures ?? 0
  }

  /// Whether the last line was a response that was applied.
  fileprivate func succeeded(_ id: ScopeID, since before: State) -> Bool {
    if id == .outbox { return outbox.reports.count < before.outbox.reports.count }
    guard let scope = scope(id), let old = before.scope(id) else { return false }
    return old.inFlight != nil && scope.lastSuccessAt == now && scope.retry.failures == 0 && scope.block == nil
      && scope.have?.broken == nil
  }
}

extension Scope {
  /// Returns the types with new records since `before` (nil if there are none), and whether visible records were removed. A first
  /// response is always new.
  fileprivate func changes(since before: Scope?, asOf second: Int64) -> (new: DataTypeOptions?, isCut: Bool) {
    guard let have else { return (nil, false) }
    guard let before, before.have != nil else { return (have.spec.types, false) }
    let isSame =
      reports.checksum == before.reports.checksum && pireps.checksum == before.pireps.checksum
      && traffic == before.traffic && document == before.document
    if isSame { return (nil, false) }
    let oldest = second - have.spec.history.seconds
    let reports = reports.difference(from: before.reports)
    let pireps = pireps.difference(from: before.pireps)
    let aircraft = Set(traffic)
    var types: DataTypeOptions = []
    if !reports.added.isEmpty { types.insert(.turbulence) }
    if !pireps.added.isEmpty { types.insert(.pireps) }
    if !aircraft.isSubset(of: before.traffic) { types.insert(.traffic) }
    if polygons != before.polygons { types.insert(.turbulencePolygons) }
    let isCut =
      reports.removed.contains { Int64($0.observedAt) > oldest } || pireps.removed.contains { $0.observedAt > oldest }
      || !Set(before.traffic).isSubset(of: aircraft)
    return (types.isEmpty && weather == before.weather ? nil : types, isCut)
  }
}
