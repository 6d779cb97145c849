package import ContrailCore
import ContrailEngine
package import ContrailField
import ContrailGeodesy
import ContrailHTTP
package import ContrailTestSupport
package import ContrailWire

/// Flies one seeded flight under given settings: the client's own driver and log, over a world, a link and faults that depend on the
/// seed and the time alone. Flown under A and under B, it tells what B would have been.
package struct PolicyFlight {
  /// The settings of the application.
  package struct Settings: Sendable, Hashable {
    package var frequency = DataUpdateFrequency.fast
    package var history = DataHistoryTime.twoHours
    package var widthNM = 100.0
    package var types: DataTypeOptions = .turbulence
    package var severities = SeveritySet.all
    package var isCompact = true

    package init() {}

    /// These settings with those of an alternative.
    func changed(by alternative: Alternative) -> Settings {
      var settings = self
      settings.frequency = alternative.frequency ?? frequency
      settings.history = alternative.history ?? history
      settings.widthNM = alternative.widthMilliNM.map { Double($0) / 1000 } ?? widthNM
      settings.types = alternative.types ?? types
      settings.severities = alternative.severities ?? severities
      return settings
    }
  }

  private enum Step {
    case refresh(full: Bool)
    case relaunch
    case link(isUp: Bool)
    case apply
  }

  private struct Delivery {
    var at: Int64
    var request: Int64
    var result: RequestResult
  }

  private let seed: UInt64
  private let settings: Settings
  private let alternative: Alternative
  private let route: [Coordinate]
  private var server: SimulatedServer
  private let disk: MemoryDisk
  private let sender = RequestSender(transport: NoTransport())
  private let startMS: Int64 = Rig.start
  private let endMS: Int64
  private var steps: [(at: Int64, step: Step)] = []
  /// The times in which the link is down, told or not, and in which the server refuses.
  private var silences: [Range<Int64>] = []
  private var refusals: [Range<Int64>] = []
  private let latencyMS: Int64
  private var shell: SteppedShell
  private var deliveries: [Delivery] = []
  private var now: Int64
  private var isLinkUp = true
  private var launches = 1

  private static let path = "/log"
  private static let key = "a-key-of-some-length"
  private static let credentials = Credentials(apiKey: key)

  /// Creates a flight.
  ///
  /// - Parameter alternative: What is different from the settings; for the flight under A, nothing.
  package init(seed: UInt64, settings: Settings, alternative: Alternative = Alternative()) {
    self.seed = seed
    self.settings = settings
    self.alternative = alternative
    var random = SplitMix64(seed: seed ^ 0x666c_6967_6874)
    let hours = Int64.random(in: 2...4, using: &random)
    endMS = startMS + hours * 3_600_000
    let simulated = SimulatedRoute(seed: seed, startMS: startMS, hours: hours)
    route = simulated.points
    server = SimulatedServer(world: simulated.world)
    server.key = Self.key
    server.knowsAreas = alternative.wire.map { $0 == .compact } ?? settings.isCompact
    server.isLikeReference = true
    latencyMS = [150, 700, 700, 1500].randomElement(using: &random) ?? 700
    let disk = MemoryDisk(seed: seed)
    self.disk = disk
    now = startMS
    shell = Self.shell(seed, 1, disk)
    func time() -> Int64 { Int64.random(in: startMS + 600_000...endMS - 600_000, using: &random) }
    if random.chance(50) { steps.append((time(), .refresh(full: false))) }
    if random.chance(25) { steps.append((time(), .refresh(full: true))) }
    if random.chance(25) { steps.append((time(), .relaunch)) }
    if random.chance(40) {
      let from = time()
      steps.append((from, .link(isUp: false)))
      steps.append((from + Int64.random(in: 60_000...3_000_000, using: &random), .link(isUp: true)))
    }
    if random.chance(35) {
      let from = time()
      silences.append(from..<from + Int64.random(in: 20_000...900_000, using: &random))
    }
    if random.chance(25) {
      let from = time()
      refusals.append(from..<from + Int64.random(in: 20_000...600_000, using: &random))
    }
    for bound in [alternative.span?.lowerBound, alternative.span?.upperBound].compactMap({ $0 }) where bound < .max {
      steps.append((startMS + bound, .apply))
    }
    steps.sort { $0.at < $1.at }
  }

  private static func shell(_ seed: UInt64, _ launch: Int, _ disk: MemoryDisk) -> SteppedShell {
    SteppedShell(
      Driver.Configuration(
        session: .init(engine: EngineVersion.current, id: "\(seed)-\(launch)", seed: seed), credentials: credentials,
        syncDelayMS: 600_000)
    ) { now throws(EngineError) in
      let opened = try DirectoryLog.open(path: path, at: now, storage: disk)
      return (opened.log, opened.state)
    }
  }

  /// Flies to the end.
  ///
  /// - Returns: The disk with the recording.
  package mutating func fly() -> (path: String, disk: MemoryDisk) {
    feed(.launched)
    apply()
    while true {
      let due = min(steps.first?.at ?? .max, min(deliveries.first?.at ?? .max, max(shell.timer ?? .max, now)))
      guard due <= endMS else { break }
      now = max(now, due)
      if let step = steps.first, step.at <= due {
        steps.removeFirst()
        perform(step.step)
      } else if let delivery = deliveries.first, delivery.at <= due {
        deliveries.removeFirst()
        feed(.responded(delivery.request, delivery.result))
      } else {
        feed(.timerFired)
      }
    }
    now = endMS
    shell.app.add(.stop(nil))
    carryOut(shell.endTurn(at: time))
    return (Self.path, disk)
  }

  private var time: EngineTime { EngineTime(now: now, wall: now) }

  private mutating func feed(_ event: DriverEvent) { carryOut(shell.feed(event, at: time)) }

  // MARK: The application

  private mutating func apply() {
    let applies = alternative.span?.contains(now - startMS) ?? true
    let settings = applies ? settings.changed(by: alternative) : settings
    shell.app.set(settings.history)
    shell.app.set(settings.frequency)
    var query = shell.app.settings.dataQuery
    query.types = settings.types
    query.sevs = settings.severities.severities
    query.routeWidth = settings.widthNM
    query.route = route
    if query != shell.app.settings.dataQuery { shell.app.set(query) }
    carryOut(shell.endTurn(at: time))
  }

  private mutating func perform(_ step: Step) {
    switch step {
    case .refresh(let full):
      shell.app.refresh(full: full)
      carryOut(shell.endTurn(at: time))
    case .relaunch:
      deliveries = []
      shell.app.add(.stop(nil))
      _ = shell.endTurn(at: time)
      launches += 1
      shell = Self.shell(seed, launches, disk)
      if !isLinkUp {
        shell.app.setOnline(false)
        carryOut(shell.endTurn(at: time))
      }
      feed(.launched)
    case .link(let isUp):
      isLinkUp = isUp
      if !isUp { tearDeliveries() }
      shell.app.setOnline(isUp)
      carryOut(shell.endTurn(at: time))
    case .apply: apply()
    }
  }

  private mutating func tearDeliveries() {
    for index in deliveries.indices {
      deliveries[index].at = now + 50
      deliveries[index].result = .failed(.network, message: "the link was lost")
    }
  }

  // MARK: The network

  private mutating func carryOut(_ actions: [DriverAction]) {
    for action in actions {
      switch action {
      // With one area, each exchange has one request.
      case .send(let requests, let credentials): for request in requests { send(request, credentials) }
      case .cancel(let number): deliveries.removeAll { $0.request == number }
      default: break
      }
    }
  }

  private mutating func send(_ request: OutgoingRequest, _ credentials: Credentials) {
    let packed = sender.packed(request, with: credentials)
    let head = Int64(NoTransport().headBytes(of: packed))
    let sent = SentBytes(total: head + Int64(packed.body.count), head: head)
    // The link depends on the time and not on the request.
    var random = SplitMix64(seed: seed ^ Digest.mix(UInt64(bitPattern: now / 1000)))
    let up = latencyMS / 2 + Int64.random(in: 0...200, using: &random)
    let down = latencyMS / 2 + Int64.random(in: 0...300, using: &random)
    if silences.contains(where: { $0.contains(now) || $0.contains(now + up) }) {
      return plan(now + 30_000, request, .failed(.timeout, message: "simulated", sent: sent))
    }
    guard isLinkUp else { return plan(now + 100, request, .failed(.network, message: "simulated", sent: sent)) }
    let isRefused = refusals.contains { $0.contains(now + up) }
    let answer = server.answer(packed, atMS: now + up, fault: isRefused ? .serverError : nil)
    let size = Int64(answer.body.count) * 1000 / 64_000
    plan(now + up + down + size, request, sender.result(of: answer, to: request, with: credentials, sent: sent))
  }

  private mutating func plan(_ at: Int64, _ request: OutgoingRequest, _ result: RequestResult) {
    deliveries.append(Delivery(at: at, request: request.number, result: result))
    deliveries.sort { ($0.at, $0.request) < ($1.at, $1.request) }
  }
}
