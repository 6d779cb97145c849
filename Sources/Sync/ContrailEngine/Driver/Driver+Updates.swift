package import ContrailCore
import ContrailWire

// Actions and notifications after lines are written.

extension Driver {
  /// Performs the actions and notifications of written lines.
  mutating func commit(_ entry: Entry, _ step: Engine.Step) {
    if case .turn(let turn) = entry, let change = turn.credentials { credentials = credentials.changed(by: change) }
    if case .launch(let turn) = entry, let change = turn.credentials { credentials = credentials.changed(by: change) }
    var publication = Publication(shown: shown)
    if isRefusalTold {
      isRefusalTold = false
      publication.updates.append(.recovered(nil))
    }
    if case .launch = entry { tellLaunch(&publication) }
    tellOutcome(of: entry, step, &publication)
    for number in step.cancelled where requests[number] != nil {
      requests[number]?.isCancelled = true
      actions.append(.cancel(number))
    }
    if phase == .open {
      for request in step.requests {
        requests[request.number] = Request(scope: request.scope)
      }
      for exchange in OutgoingRequest.exchanges(step.requests) { actions.append(.send(exchange, credentials)) }
    }
    if case .launch = entry {} else { tellChanges(step, &publication) }
    if step.after.airports.inUse != step.before.airports.inUse
      || step.after.airports.waiting != step.before.airports.waiting
    {
      actions.append(.levelAirports(step.after.airports))
    }
    publish(publication)
  }

  private mutating func tellLaunch(_ publication: inout Publication) {
    shown.isOpen = true
    toldOpeningError = nil
    publication.stored = AppSettings(state)
    publication.updates.append(.opened)
    for scope in state.scopes where scope.have != nil { publication.updates.append(.stored(scope.id)) }
    for ticket in awaitingOpening { actions.append(.complete(ticket, nil)) }
    awaitingOpening = []
    projection.isBehind = configuration.hasProjection
  }

  /// Publishes the state of the database, then opens the log.
  mutating func preview(_ state: State?) {
    guard phase == .previewing else { return }
    if let state {
      shown.state = state
      publish(state.scopes.map { .stored($0.id) })
    }
    phase = .opening
    actions.append(.open)
  }

  // MARK: Requests

  /// Reports the result of a request: the beginning and end of an outage once each.
  private mutating func tellOutcome(of entry: Entry, _ step: Engine.Step, _ publication: inout Publication) {
    var number: Int64?
    var status: Int?
    switch entry {
    case .answer(let answer):
      number = answer.response.request
      status = answer.response.status
      if let scope = requests[answer.response.request]?.scope {
        shown.records[scope, default: RequestRecord()].receivedBytes += answer.response.wireBytes
      }
    case .failure(let failed, _, _, _): number = failed
    default: break
    }
    let request = number.flatMap { requests.removeValue(forKey: $0) }
    for decision in step.decisions {
      switch decision {
      case .queryRejected(let rejected): publication.updates.append(.failed(ClientError(rejected)))
      case .errorReported(let reported):
        let error = ClientError(reported, host: host(of: reported.scope), status: status)
        publication.updates.append(.failed(error))
        if [.unauthorized, .badRequest, .weatherRefused].contains(reported.code) {
          shown.records[reported.scope, default: RequestRecord()].outage = error
          shown.records[reported.scope]?.lastError = error
        }
      case .weatherExpired(let expired): publication.updates.append(.expired(expired.scope))
      case .fetchStarted, .fetchCancelled, .uploadStarted, .airportsSwitched: break
      case .airportsRequested(let requested): actions.append(.loadAirports(effectiveMS: requested.effectiveMS))
      }
    }
    if let request, !request.isCancelled { tellOutcome(of: entry, request.scope, step, &publication) }
    endOutages(&publication)
  }

  private mutating func tellOutcome(
    of entry: Entry, _ id: ScopeID, _ step: Engine.Step, _ publication: inout Publication
  ) {
    var record = shown.records[id] ?? RequestRecord()
    if step.after.failures(of: id) > step.before.failures(of: id) {
      let error: ClientError
      switch entry {
      case .answer(let answer): error = ClientError(failed: answer, scope: id, host: host(of: id))
      case .failure(_, let failure, let message, _):
        error = ClientError(failure, scope: id, host: host(of: id), message: message)
      default: return
      }
      if record.outage == nil {
        record.outage = error
        publication.updates.append(.failed(error))
      }
      // The decision for this response has a more specific error.
      if record.lastError == nil || record.outage?.code != ClientError.Code.weatherRefused { record.lastError = error }
    } else if step.after.succeeded(id, since: step.before) {
      record.lastError = nil
      if record.outage.take() != nil { publication.updates.append(.recovered(id)) }
    }
    shown.records[id] = record
  }

  /// Ends the outages of scopes that are no longer wanted.
  private mutating func endOutages(_ publication: inout Publication) {
    for (id, record) in shown.records.sorted(by: { $0.key < $1.key }) {
      let isWanted = id == .outbox ? !state.outbox.reports.isEmpty : state.scope(id)?.want != nil
      guard !isWanted else { continue }
      if record.outage != nil { publication.updates.append(.recovered(id)) }
      shown.records[id]?.outage = nil
      shown.records[id]?.lastError = nil
    }
  }

  private func host(of id: ScopeID) -> String? {
    id.weatherPlace == nil ? configuration.host : configuration.weatherHost ?? configuration.host
  }

  // MARK: Data

  private mutating func tellChanges(_ step: Engine.Step, _ publication: inout Publication) {
    var isProjectionBehind = false
    let second = step.before.serverSecond(at: step.at)
    for scope in step.after.scopes {
      let before = step.before.scope(scope.id)
      let (types, isCut) = scope.changes(since: before, asOf: second)
      let isConfirmed = scope.lastSuccessAt != before?.lastSuccessAt && scope.have != nil
      if let types {
        publication.newTypes[scope.id] = types
        publication.updates.append(.data(scope.id))
      } else if isConfirmed {
        publication.updates.append(.confirmed(scope.id))
      }
      let isFiltered = scope.have != nil && before?.have != nil && scope.want != before?.want
      if types == nil, isFiltered || isCut { publication.updates.append(.filtered(scope.id)) }
      if scope.id != .viewport, types != nil || isConfirmed || scope.have != before?.have || scope.want != before?.want
      {
        isProjectionBehind = true
      }
    }
    for before in step.before.scopes where before.have != nil && step.after.scope(before.id)?.have == nil {
      publication.updates.append(.filtered(before.id))
      if before.id != .viewport { isProjectionBehind = true }
    }
    if step.after.outbox.reports.count != step.before.outbox.reports.count {
      publication.updates.append(.data(.outbox))
    }
    if step.after.airports.inUse != step.before.airports.inUse { publication.updates.append(.data(.airports)) }
    if isProjectionBehind { projection.isBehind = configuration.hasProjection }
  }

  // MARK: Publishing

  mutating func publish(_ updates: [ClientUpdate] = []) {
    var publication = Publication(shown: shown)
    publication.updates = updates
    publish(publication)
  }

  private mutating func publish(_ publication: Publication) {
    var publication = publication
    let previous = shown.state
    let secondBefore = shown.serverSecond(at: time.now)
    // The state of the log is published after the launch is written.
    if shown.isOpen {
      shown.state = state
      shown.clockLeadMS = engine.leadMS
    }
    let second = shown.serverSecond(at: time.now)
    let told = Set(publication.updates.compactMap(\.changedScope))
    let due = expiries
    updateExpiries(since: previous)
    for (id, expiry) in due.sorted(by: { $0.key < $1.key }) where !told.contains(id) {
      // A late response may set the server's clock back. Expired data that are still held are then visible again.
      let isGone = expiry <= secondBefore && expiries[id] != expiry
      if expiry <= second || isGone { publication.updates.append(.expired(id)) }
    }
    publication.updates += changedStatuses().map { .status($0) }
    publication.shown = shown
    actions.append(.publish(publication))
  }

  /// Computes the next expiry of each scope. Scopes that are unchanged since `previous` are skipped, unless the server's clock went back:
  /// then data that had expired are visible again.
  mutating func updateExpiries(since previous: State? = nil) {
    let before = expiries
    expiries = [:]
    guard isObserved else { return }
    let second = shown.serverSecond(at: time.now)
    let previous = second < expiriesAsOf ? nil : previous
    expiriesAsOf = second
    for scope in shown.state.scopes {
      let old = previous?.scope(scope.id)
      if let old, let expiry = before[scope.id], expiry > second, old.have == scope.have, old.want == scope.want,
        old.lastSuccessAt == scope.lastSuccessAt
      {
        expiries[scope.id] = expiry
      } else {
        expiries[scope.id] = scope.nextExpiry(after: second)
      }
    }
  }

  private mutating func changedStatuses() -> [ScopeID] {
    var current = shown.state.scopes.map { shown.status(of: $0.id) }
    current.append(shown.status(of: .outbox))
    guard current != statuses else { return [] }
    defer { statuses = current }
    let gone = statuses.map(\.scope).filter { id in !current.contains { $0.scope == id } }
    for id in gone { shown.records[id] = nil }
    return (current.filter { !statuses.contains($0) }.map(\.scope) + gone).sorted()
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
      && traffic == before.traffic && polygons == before.polygons && weather == before.weather
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
