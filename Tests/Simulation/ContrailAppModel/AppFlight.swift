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
  let sabotage: AppSabotage?
  let clock: ManualClock
  let network: ModelTransport
  let directory: TemporaryDirectory
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

  static func client(
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

  var finding: String? { network.with { $0.finding } }

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

  // MARK: Time

  func pass(_ milliseconds: Int64) async {
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
    let isSaving = client.byteStatus.saving >= .noTraffic
    network.with { $0.giveUp(isSaving: isSaving) }
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
      AppStep.foreground, .systemLink(true), .online(true), .linkCost(isExpensive: false, isConstrained: false),
      .set([.byteBudget(nil, flight: nil), .frequency(.fast)]), .renewKey,
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

  func compareSettings() {
    let model = network.with { $0.model }
    if !client.dataQuery.isRead(as: model.query, isRounded: model.isReadBack) {
      find("the data query is read as \(client.dataQuery), not \(model.query)")
    }
    if client.dataHistoryTime != model.history { find("the history is read as \(client.dataHistoryTime)") }
    if client.dataUpdateFrequency != model.frequency { find("the frequency is read as \(client.dataUpdateFrequency)") }
    if client.byteBudget != model.byteBudget { find("the byte budget is read as \(client.byteBudget)") }
    if client.listening != model.listening { find("listening is read as \(client.listening)") }
    if client.isOnline != model.isOnline { find("the switch for the link is read as \(client.isOnline)") }
    if client.hasLink != model.hasLink { find("the system's link is read as \(client.hasLink)") }
    if client.linkCost != model.linkCost { find("the cost of the link is read as \(client.linkCost)") }
  }

  /// Reads with values that follow from a number.
  func read(_ seed: UInt64) {
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
