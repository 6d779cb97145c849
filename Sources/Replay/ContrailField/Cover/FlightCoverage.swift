package import ContrailCore
import ContrailWire

/// The cells of the planner's table, the rules, and the faults that a log reaches.
///
/// A cell is a situation of a scope and an input in it; see ``PlannerTable``. An input that the table doesn't have, such as a higher
/// frequency, reaches none.
package struct FlightCoverage: Hashable, Sendable {
  /// A cell of the planner's table.
  package struct Cell: Hashable, Sendable, Comparable {
    package var family: PlannerTable.Family
    package var situation: PlannerTable.Situation
    package var occurrence: PlannerTable.Occurrence

    package init(
      family: PlannerTable.Family, situation: PlannerTable.Situation, occurrence: PlannerTable.Occurrence
    ) {
      self.family = family
      self.situation = situation
      self.occurrence = occurrence
    }

    /// The name as in the page of the table: `corridor · fresh · 304`.
    package var name: String { "\(family.rawValue) · \(situation.rawValue) · \(occurrence.rawValue)" }

    private var order: (Int, Int, Int) {
      (
        PlannerTable.Family.allCases.firstIndex(of: family) ?? 0,
        PlannerTable.Situation.allCases.firstIndex(of: situation) ?? 0,
        PlannerTable.Occurrence.allCases.firstIndex(of: occurrence) ?? 0
      )
    }

    package static func < (a: Cell, b: Cell) -> Bool { a.order < b.order }

    /// Every cell of the table.
    package static let all: [Cell] = PlannerTable.Family.allCases.flatMap { family in
      family.situations.flatMap { situation in
        PlannerTable.Occurrence.allCases.map { Cell(family: family, situation: situation, occurrence: $0) }
      }
    }
  }

  package private(set) var cells: Set<Cell> = []
  /// The rules of decisions, with the mode of a fetch: `full countDiffers`, `superseded`.
  package private(set) var rules: Set<String> = []
  /// What went wrong, in the names of ``PlannerTable/Occurrence``, and `crash`, `cut`, `lostLines` for the log itself.
  package private(set) var faults: Set<String> = []

  /// The scope of each request, to recognize a late answer.
  private var requests: [Int64: ScopeID] = [:]

  package init() {}

  package static func == (a: FlightCoverage, b: FlightCoverage) -> Bool {
    a.cells == b.cells && a.rules == b.rules && a.faults == b.faults
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(cells)
    hasher.combine(rules)
    hasher.combine(faults)
  }

  /// Everything that is reached, as names: those of cells, rules and faults.
  package var names: Set<String> {
    Set(cells.map { "cell \($0.name)" }).union(rules.map { "rule \($0)" }).union(faults.map { "fault \($0)" })
  }

  package mutating func formUnion(_ other: FlightCoverage) {
    cells.formUnion(other.cells)
    rules.formUnion(other.rules)
    faults.formUnion(other.faults)
  }

  package mutating func note(fault: String) { faults.insert(fault) }

  // MARK: Watching

  /// Watches a line.
  ///
  /// - Parameters:
  ///   - record: The line.
  ///   - before: The state before it.
  ///   - state: The state after it.
  /// - Complexity: O(scopes).
  package mutating func watch(_ record: Record, before: State, state: State) {
    switch record.event {
    case .input(let input): watch(input, at: record.at, before: before, state: state)
    case .decision(let decision): watch(decision)
    case .mark: break
    }
  }

  private mutating func watch(_ decision: Decision) {
    switch decision {
    case .fetchStarted(let it):
      rules.insert("\(it.mode.rawValue) \(it.rule.rawValue)")
      requests[it.request] = it.scope
    case .queryRejected(let it): rules.insert("\(Rule.invalid.rawValue) \(it.reason)")
    case .errorReported(let it): rules.insert("\(it.rule.rawValue) \(it.code.rawValue)")
    case .airportsRequested(let it): rules.insert("\(Rule.delivered.rawValue) \(it.reason.rawValue)")
    case .fetchCancelled, .weatherExpired, .airportsSwitched, .uploadStarted: rules.insert(decision.rule.rawValue)
    case .savingChanged(let it): rules.insert("\(Rule.saving.rawValue) \(it.saving.rawValue)")
    }
  }

  private mutating func watch(_ input: Input, at: Int64, before: State, state: State) {
    // Time passes before an input, so a scope may be overdue.
    var now = before
    now.evolve(.logSynced, seq: before.nextSeq, at: at)
    if case .sessionStarted = input, before.session != nil { faults.insert("relaunch") }
    for id in Set(before.scopes.map(\.id)).union(state.scopes.map(\.id)) {
      guard let family = PlannerTable.Family(id), let occurrence = occurrence(input, id, before, now, state) else {
        continue
      }
      let situation = now.situation(id)
      guard family.situations.contains(situation) else { continue }
      cells.insert(Cell(family: family, situation: situation, occurrence: occurrence))
      if occurrence.isFault { faults.insert(occurrence.rawValue) }
    }
    switch input {
    case .sessionStarted: requests = [:]
    default: break
    }
  }

  /// What an input is to a scope, in the words of the table; nil if the table has no such input.
  private func occurrence(
    _ input: Input, _ id: ScopeID, _ before: State, _ now: State, _ after: State
  ) -> PlannerTable.Occurrence? {
    switch input {
    case .sessionStarted: return .launch
    case .queryChanged(let query): return Self.change(to: query, id, now, after)
    case .historyChanged(let history):
      return history > now.history ? .historyUp : history < now.history ? .historyDown : nil
    case .frequencyChanged(let frequency):
      guard let interval = frequency.intervalMS else { return .frequencyNone }
      return now.frequency.intervalMS.map { interval > $0 } ?? false ? .frequencySlow : nil
    case .budgetChanged:
      // Some of a smaller budget is left, and some things aren't fetched: the table has no such input.
      switch after.byteUse.saving {
      case .spent: return .noBytes
      case .off: return .moreBytes
      default: return nil
      }
    case .refreshRequested(let isFull): return isFull ? .refreshFull : .refreshDelta
    case .connectivityChanged(let isOnline): return isOnline ? .online : .offline
    case .credentialsChanged: return .credentials
    case .clockAdjusted: return .clock
    case .clockTicked(let scope, let due):
      guard scope == id else { return nil }
      // The device was asleep for the longest history that is updated by default.
      if now.now - due >= 7_200_000 { return .tickLate }
      return before.nextWake.map { $0.at <= now.now } ?? false ? .tickDue : .tickEarly
    case .responseReceived(let response):
      if now.scope(id)?.inFlight?.request == response.request { return Self.answer(response, id, now, after) }
      return requests[response.request] == id ? .lateAnswer : nil
    case .responseFailed(let request, _, _):
      if now.scope(id)?.inFlight?.request == request { return .noAnswer }
      return requests[request] == id ? .lateAnswer : nil
    default: return nil
    }
  }

  private static func change(
    to query: ResolvedQuery, _ id: ScopeID, _ before: State, _ after: State
  ) -> PlannerTable.Occurrence? {
    for case .queryRejected(let rejected) in after.decide() where rejected.scope == id {
      switch rejected.reason {
      case "ringOpen": return .queryOpenRing
      case "selfCrossing": return .queryCrossingRing
      case "altitudesInverted": return .queryInverted
      default: return nil
      }
    }
    let (old, new) = (before.scope(id)?.want, after.scope(id)?.want)
    guard let new else {
      let hasArea = id == .viewport ? query.viewport != nil : query.polygon ?? query.corridor != nil
      return hasArea && id.hasDeltas ? .queryNoTypes : .queryNoArea
    }
    guard let old else {
      let have = before.scope(id)?.have
      return have.map { $0.spec.area != new.area } ?? false ? .queryOtherArea : .query
    }
    if old == new { return .query }
    if old.area != new.area { return after.scope(id)?.motion?.isWaiting == true ? .queryMoved : .queryOtherArea }
    if let old = old.weather, let new = new.weather {
      return old.covers(new) ? .queryNarrower : new.covers(old) ? .queryWider : .queryOtherArea
    }
    if !new.types.isSubset(of: old.types) { return .queryMoreTypes }
    return old.covers(new) ? .queryNarrower : .queryWider
  }

  private static func answer(
    _ response: Input.Response, _ id: ScopeID, _ before: State, _ after: State
  ) -> PlannerTable.Occurrence? {
    switch response.status {
    case 200: return content(response, id, before, after)
    case 304: return .notModified
    case 401, 403: return .unauthorized
    case 409: return .tooManyDiffer
    case 410: return .gone
    case 404 where before.scope(id)?.inFlight?.handle != nil: return nil
    case 429: return response.retryAfterSeconds == nil ? .unavailable : .tooMany
    case 408, 425, 500...599: return .unavailable
    case 400...499: return .badRequest
    default: return nil
    }
  }

  private static func content(
    _ response: Input.Response, _ id: ScopeID, _ before: State, _ after: State
  ) -> PlannerTable.Occurrence? {
    guard let old = before.scope(id), let scope = after.scope(id) else { return nil }
    switch scope.have?.broken {
    case .followsDiffers where old.have?.broken == nil: return .followsDiffers
    case .watermarkWentBack where old.have?.broken == nil: return .watermarkWentBack
    case .countDiffers where old.have?.broken == nil: return .countDiffers
    case .checksumDiffers where old.have?.broken == nil: return .checksumDiffers
    default: break
    }
    if old.inFlight?.mode == .repair, let answer = try? response.body.observations(),
      answer.follows == nil, let held = answer.held
    {
      // A repair is applied only if its sums are those of its records.
      if held.count != answer.reports.count { return .countDiffers }
      if held.checksum != answer.reports.reduce(0, { $0 &+ $1.digest }) { return .checksumDiffers }
    }
    let plain: PlannerTable.Occurrence =
      response.handle == nil
      ? .answer : response.holdSeconds > 0 ? .answerWithHolds : response.repairs ? .answerWithRepairs : .answer
    let isInconsistent = after.decide().contains {
      if case .errorReported(let it) = $0 { it.scope == id && it.code == .serverInconsistent } else { false }
    }
    if scope.retry.failures > 0 {
      guard let answer = try? response.body.observations() else {
        return response.body.bytes.first == UInt8(ascii: "{") ? .refused : .noJSON
      }
      return answer.follows == nil ? .noJSON : .followsDiffers
    }
    guard id.hasDeltas, let answer = try? response.body.observations() else { return plain }
    if isInconsistent {
      let isOtherCount =
        answer.held.map { $0.count != scope.reports.count } ?? false
        || answer.heldPIREPs.map { $0.count != scope.pireps.count } ?? false
      return isOtherCount ? .countDiffers : .checksumDiffers
    }
    return old.have.map { answer.token < $0.watermark } ?? false ? .watermarkWentBack : plain
  }
}

extension PlannerTable.Family {
  /// The family of a scope; nil for the outbox and airports, which have no table.
  package init?(_ id: ScopeID) {
    switch id {
    case .corridor: self = .corridor
    case .viewport: self = .viewport
    case .global: self = .global
    case .weather: self = .weather
    case .outbox, .airports: return nil
    }
  }
}

extension PlannerTable.Occurrence {
  /// Whether something went wrong: on the link, at the server, or on the device.
  package var isFault: Bool {
    switch self {
    case .offline, .clock, .tickLate, .countDiffers, .checksumDiffers, .followsDiffers, .watermarkWentBack, .noJSON,
      .refused, .badRequest, .unauthorized, .gone, .tooMany, .unavailable, .noAnswer, .lateAnswer, .queryOpenRing,
      .queryCrossingRing, .queryInverted:
      true
    default: false
    }
  }
}

extension FlightCoverage {
  /// Adds everything that the planner's table reaches.
  mutating func addTable() {
    for cell in PlannerTable.cells {
      cells.insert(Cell(family: cell.family, situation: cell.situation, occurrence: cell.occurrence))
      if cell.occurrence.isFault { faults.insert(cell.occurrence.rawValue) }
      cell.decisions.forEach { watch($0) }
    }
  }
}
