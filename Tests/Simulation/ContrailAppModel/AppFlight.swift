import Contrail
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailQuery
import ContrailSimulation
import ContrailTestSupport
import ContrailTesting
import ContrailWire
import Foundation

/// Flies an application's script: the client of the app, a server in memory and a clock that the flight moves, with a model beside it.
///
/// After each step the client is read as an application reads it, and compared with ``AppModel``.
package final class AppFlight {
  /// Faults after which the model knows what an application must see: nothing of the answer is taken.
  static let faults: [AnswerFault] = [
    .lost, .broken, .tooLarge, .insecure, .late, .captivePortal, .truncated, .badGzip, .unauthorized, .forbidden,
    .badRequest, .tooManyRequests, .tooManyWithRetryAfter, .serverError, .unavailableWithRetryAfter, .redirect,
  ]

  let script: AppScript
  private let sabotage: AppSabotage?
  let clock: ManualClock
  let network: ModelTransport
  private let directory: TemporaryDirectory
  var client: ContrailClient
  var observers: Observers
  var alerts = AlertModel()

  /// What became of a flight.
  package struct Result: Sendable {
    package var script: AppScript
    /// The first difference between the client and the model; nil if there is none.
    package var finding: String?
    /// The number of steps until then.
    package var step: Int
    package var comparisons = 0
    package var requests = 0
    package var tally: [String: Int] = [:]
  }

  private var result: Result

  private init(_ script: AppScript, sabotage: AppSabotage?) throws {
    self.script = script
    self.sabotage = sabotage
    clock = ManualClock(at: Rig.start)
    network = ModelTransport(script, clock: clock)
    network.with { $0.isMiscounting = sabotage == .bytesAreMiscounted }
    directory = try TemporaryDirectory(isInMemory: true)
    client = try Self.client(directory.path, network, clock, "first-key")
    observers = Observers(of: client)
    result = Result(script: script, step: 0)
  }

  private static func client(
    _ path: String, _ network: ModelTransport, _ clock: ManualClock, _ key: String
  ) throws -> ContrailClient {
    var configuration = ContrailClient.Configuration(
      server: URL(filePath: "/"), apiKey: key, directory: URL(filePath: path))
    if let server = URL(string: "http://model.invalid") { configuration.server = server }
    configuration.followsSystemLink = false
    configuration.followsAppLifecycle = false
    return try ContrailClient(configuration, transport: network, clock: clock)
  }

  /// Flies all of the script.
  package static func fly(_ script: AppScript, sabotage: AppSabotage? = nil) async -> Result {
    do {
      let flight = try AppFlight(script, sabotage: sabotage)
      return await flight.flown()
    } catch {
      return Result(script: script, finding: "the client can't be created: \(error)", step: 0)
    }
  }

  private var finding: String? { network.with { $0.finding } }

  func find(_ text: @autoclosure () -> String) { network.with { $0.find(text()) } }

  /// The server's time, in seconds.
  var second: Int64 { (clock.now + network.with { $0.serverAheadMS }) / 1000 }

  private func flown() async -> Result {
    await settle()
    for step in script.steps where finding == nil {
      result.step += 1
      // Each answer has a millisecond of its own.
      clock.advance(by: 1)
      // Requests that are due now begin before the step changes the query.
      await settle()
      network.with { $0.model.replacedKey = nil }
      await perform(step)
      await settle()
      await compare()
    }
    if finding == nil { await heal() }
    if finding == nil { await stop() }
    await client.stop()
    result.finding = finding
    network.with {
      result.requests = $0.requests
      result.tally = $0.tally
    }
    return result
  }

  // MARK: Steps

  private func perform(_ step: AppStep) async {
    switch step {
    case .set(let changes):
      let second = second
      network.with { $0.model.set(changes, at: second) }
      // Changes in one turn of the main actor cost one request.
      await MainActor.run { [client] in for change in changes { Self.set(change, of: client) } }
      if sabotage == .settingIsForgotten { client.dataQuery.types.remove(.pireps) }
      if client.dataQuery != network.with({ $0.model.query }) { find("a setting is read back as another at once") }
    case .setChecked(let change): setChecked(change)
    case .refresh(let isFull):
      network.with { $0.model.refresh() }
      client.fetchData(refresh: isFull)
    case .online(let isOnline):
      network.with { $0.model.isOnline = isOnline }
      client.isOnline = isOnline
    case .pass(let milliseconds): await pass(milliseconds)
    case .faults(let faults): network.with { $0.faults += faults }
    case .outage(let isOut): network.with { $0.isOut = isOut }
    case .latency(let milliseconds): network.with { $0.latencyMS = milliseconds }
    case .revokeKey: network.with { $0.server.key = $0.server.key == "first-key" ? "second-key" : "first-key" }
    case .renewKey:
      let key = network.with { state in
        state.model.setKey(state.server.key)
        return state.server.key
      }
      if sabotage != .keyIsForgotten { client.setAPIKey(key) }
    case .report(let feet, let severity, let edrE4, let ago): await report(feet, severity, edrE4, secondsAgo: ago)
    case .background:
      network.with { $0.model.isInBackground = true }
      await client.enterBackground()
    case .foreground:
      network.with { $0.model.isInBackground = false }
      client.enterForeground()
    case .wall(let aheadMS): clock.setWall(ahead: aheadMS)
    case .observe(let observer): observers.add(observer, isDeaf: sabotage == .observersAreForgotten)
    case .stopObserving: observers = Observers(of: client)
    case .read(let seed): read(seed)
    case .lookUpAirport: await lookUpAirport()
    case .relaunch: await relaunch()
    case .relaunchInHaste(let changes):
      await relaunch()
      let second = second
      network.with { $0.model.set(changes, at: second) }
      for change in changes { Self.set(change, of: client) }
      await relaunch(isHasty: true)
    }
  }

  private static func set(_ change: Change, of client: ContrailClient) {
    switch change {
    case .history(let span): client.dataHistoryTime = span
    case .frequency(let rate): client.dataUpdateFrequency = rate
    case .byteBudget(let bytes, let flight): client.byteBudget = ByteBudget(bytes, flight: flight)
    default: client.dataQuery.apply(change)
    }
  }

  private func setChecked(_ change: Change) {
    var query = client.dataQuery
    query.apply(change)
    let resolved = network.with { $0.model.resolved(after: change) }
    let isValid = !Wishes.hasFault(resolved)
    // The model knows it first, because the client sends at once.
    let second = second
    if isValid { network.with { $0.model.set([change], at: second) } }
    do {
      try client.setDataQuery(query)
      if !isValid { find("an invalid query is accepted") }
      // Neither is part of the query.
      switch change {
      case .history, .frequency, .byteBudget: Self.set(change, of: client)
      default: break
      }
    } catch {
      if isValid { find("a valid query is refused: \(error)") }
      if error.code != .invalidQuery { find("a query is refused with \(error.code.rawValue)") }
    }
  }

  private func report(_ feet: Double, _ severity: TurbulenceSeverity, _ edrE4: Int, secondsAgo: Int64?) async {
    let (knowsTime, ahead, slack) = network.with { ($0.model.knowsServerTime, $0.serverAheadMS, $0.slackMS) }
    let now = clock.now + (knowsTime ? ahead : 0)
    let observed = now / 1000 - (secondsAgo ?? 0)
    let seconds = secondsAgo == nil ? observed - slack / 1000 - 1...observed : observed...observed
    let own = AppModel.Own(
      altitude: UInt8((feet / 1000).rounded()), severity: severity, edrE4: UInt16(edrE4), seconds: seconds)
    // The model knows it first, because the client sends at once.
    network.with { $0.model.report(own) }
    do {
      try await client.report(
        at: Coordinate(latitude: 45, longitude: -30), altitudeFeet: feet, severity: severity,
        edr: Double(edrE4) / 10_000,
        observedAt: (sabotage == .reportsAreLate ? 40 : secondsAgo).map {
          Date(timeIntervalSince1970: Double(now / 1000 - $0))
        })
    } catch {
      network.with { $0.model.withdraw() }
      // The client's estimate of the server's time may be late by the latency.
      if secondsAgo.map({ $0 * 1000 > slack + 1000 }) ?? true { find("a report is refused: \(error)") }
    }
  }

  private func lookUpAirport() async {
    let (isOnline, isReachable) = network.with {
      ($0.model.isOnline, !$0.isOut && $0.faults.isEmpty && $0.latencyMS == 0)
    }
    guard isReachable else { return }
    let before = network.with { $0.requests }
    do {
      let airport = try await AirportSearchManager.createOnlineManager(context: client).searchById("ZZZZ").value
      if airport != nil { find("an airport that there isn't is found") }
    } catch {
      if isOnline { find("the search of airports fails: \(error)") }
    }
    if isOnline, network.with({ $0.requests }) == before { find("the search of airports asks nobody") }
  }

  /// - Parameter isHasty: Whether the client was launched just before.
  private func relaunch(isHasty: Bool = false) async {
    await stop()
    guard finding == nil else { return }
    let key = network.with { state in
      state.isStopped = false
      state.model.relaunch(isHasty: isHasty)
      return state.model.key
    }
    do {
      client = try Self.client(directory.path, network, clock, key)
    } catch {
      find("the client can't be created again: \(error)")
    }
    observers = Observers(of: client)
    alerts = AlertModel()
    // Settings are there before the log is open.
    compareSettings()
  }

  /// Stops the client: nothing is under way, nothing comes, and whoever waits is told the end.
  private func stop() async {
    let streams = observers.streams
    await client.stop()
    network.with { state in
      let count = state.open.count
      if count > 0 { state.find("\(count) requests go on after the client was stopped") }
      state.isStopped = true
    }
    guard await eventually({ streams.allSatisfy(\.isOver) }) else {
      return find("a stream goes on after the client was stopped")
    }
    clock.advance(by: 7_200_000)
    for _ in 0..<20 { await Task.yield() }
  }

  // MARK: Time

  private func pass(_ milliseconds: Int64) async {
    let end = clock.now + milliseconds
    network.with { $0.isQuiet = $0.model.isInBackground ? "a request in the background" : nil }
    defer { network.with { $0.isQuiet = nil } }
    while finding == nil {
      guard let due = [client.nextWake, network.next(after: clock.now)].compactMap({ $0 }).min(), due < end else {
        break
      }
      clock.advance(by: max(due - clock.now, 1))
      await settle()
    }
    clock.advance(by: max(end - clock.now, 0))
    await settle()
  }

  private func settle() async {
    let isAtRest = await client.settle(within: .seconds(20)) { network.waiting(at: clock.now) }
    if !isAtRest { find("the client doesn't come to rest") }
    // A load may go on with another cycle. It is answered at once, so no time passes.
    await client.airportsDelivered()
    // A cancelled request ends in the network a little later.
    _ = await eventually { network.with { $0.fetching }.allSatisfy { client.status(of: $0).phase == .fetching } }
  }

  /// Waits until something holds that other threads bring about.
  func eventually(_ holds: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(5)
    while !holds() {
      guard ContinuousClock.now < end else { return false }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return true
  }

  /// All is well again: the client gets all that is wanted.
  private func heal() async {
    network.with {
      $0.faults = []
      $0.isOut = false
      $0.latencyMS = 0
    }
    for step in [
      AppStep.foreground, .online(true), .set([.byteBudget(nil, flight: nil), .frequency(.fast)]), .renewKey,
      // Faulty answers that are on their way come first.
      .pass(milliseconds: 60_000), .refresh(full: false), .pass(milliseconds: 400_000),
    ] {
      clock.advance(by: 1)
      await perform(step)
      await settle()
    }
    await compare()
    let (wants, answers) = network.with { ($0.model.wishes.wants, $0.model.answers) }
    let second = (clock.now + script.serverAheadMS) / 1000
    for (scope, want) in wants {
      guard let answer = answers[scope], answer.spec.covers(want) else {
        find("\(scope.name) doesn't hold what is wanted after all was well")
        continue
      }
      if scope.weatherPlace == nil, answer.second < second - 62 {
        find("\(scope.name) is \(second - answer.second) s old after all was well: \(client.status(of: scope))")
      }
    }
    if client.pendingReportCount > 0 { find("\(client.pendingReportCount) reports wait after all was well") }
  }

  // MARK: Comparing

  private func compare() async {
    guard finding == nil else { return }
    result.comparisons += 1
    compareSettings()
    compareData()
    compareStatus()
    await compareTold()
  }

  private func compareSettings() {
    let model = network.with { $0.model }
    if !client.dataQuery.isRead(as: model.query, isRounded: model.isReadBack) {
      find("the data query is read as \(client.dataQuery), not \(model.query)")
    }
    if client.dataHistoryTime != model.history { find("the history is read as \(client.dataHistoryTime)") }
    if client.dataUpdateFrequency != model.frequency { find("the frequency is read as \(client.dataUpdateFrequency)") }
    if client.byteBudget != model.byteBudget { find("the byte budget is read as \(client.byteBudget)") }
    if client.isOnline != model.isOnline { find("the switch for the link is read as \(client.isOnline)") }
  }

  /// Reads with values that follow from a number.
  private func read(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (ahead, slack) = network.with { ($0.serverAheadMS, $0.slackMS / 1000 + 1) }
    let second = (clock.now + ahead) / 1000
    for _ in 0..<3 {
      if let text = QueryModel.compare(client, second: second, slack: slack, using: &random) { find(text) }
    }
    if let text = alerts.compare(client, second: second, slack: slack, using: &random) { find(text) }
  }
}

extension DataQuery {
  /// Whether it is another one, whose coordinates may have been rounded to 1e-7 degrees.
  fileprivate func isRead(as other: DataQuery, isRounded: Bool) -> Bool {
    if self == other { return true }
    guard isRounded else { return false }
    var (a, b) = (self, other)
    for (x, y) in [(polygon, other.polygon), (viewport, other.viewport), (route, other.route)] {
      guard x?.count == y?.count else { return false }
      for (p, q) in zip(x ?? [], y ?? []) {
        guard abs(p.latitude - q.latitude) < 1.1e-7, abs(p.longitude - q.longitude) < 1.1e-7 else { return false }
      }
    }
    (a.polygon, a.viewport, a.route, b.polygon, b.viewport, b.route) = (nil, nil, nil, nil, nil, nil)
    return a == b
  }
}
