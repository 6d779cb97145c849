import ContrailCore
package import ContrailSimulation
import ContrailTestSupport
package import ContrailWire

/// One thing that an application, its network or its device does.
package enum AppStep: Hashable, Sendable {
  /// Sets properties, one after the other.
  case set([Change])
  /// Sets the whole query with a check.
  case setChecked(Change)
  case refresh(full: Bool)
  /// The application's switch for the link.
  case online(Bool)
  /// Time goes by, and all that is due in it happens.
  case pass(milliseconds: Int64)
  /// These become of the next requests.
  case faults([AnswerFault])
  /// No request reaches the server, or all do, and nobody tells the client.
  case outage(Bool)
  /// From now on answers take so long.
  case latency(milliseconds: Int64)
  /// The server takes another key from now on.
  case revokeKey
  /// The application has the key that the server takes.
  case renewKey
  /// Reports turbulence of the aircraft's own, observed so many seconds ago, or now.
  case report(altitudeFeet: Double, severity: TurbulenceSeverity, edrE4: Int, secondsAgo: Int64?)
  case background
  case foreground
  /// The wall clock is set.
  case wall(aheadMS: Int64)
  case observe(Observer)
  /// The observers so far are let go.
  case stopObserving
  /// Queries, whose values follow from the number.
  case read(UInt64)
  /// Looks up an airport.
  case lookUpAirport
  /// The client is stopped and another takes its directory.
  case relaunch
  /// As `relaunch`, with another client in between, which is stopped right after these properties were set.
  case relaunchInHaste([Change])
}

/// A way of observing a client.
package enum Observer: String, Hashable, Sendable, CaseIterable {
  case corridorChannel
  case corridorStream
  case viewportChannel
  case polygonsChannel
  case liveQuery
  case delegate
  case updates
}

extension AppStep {
  /// The step as a test may write it.
  package var text: String {
    ".\(self)".replacing(
      /[A-Za-z]+\.(?:AnswerFault|Change|DataHistoryTime|DataUpdateFrequency|TurbulenceSeverity|Observer|WeatherMember)\./,
      with: "."
    )
    .replacing("ContrailSimulation.Change.Range(", with: ".init(")
  }
}

/// An application's flight before it is flown.
package struct AppScript: Hashable, Sendable {
  package var seed: UInt64
  package var steps: [AppStep]
  /// How far the server's clock is ahead of the device's, in milliseconds.
  package var serverAheadMS: Int64 = 0
  package var isServerPlain = false
  package var packs = false

  package init(seed: UInt64, steps: [AppStep]) {
    (self.seed, self.steps) = (seed, steps)
  }

  /// The flight of a seed.
  package init(seed: UInt64) {
    var author = AppAuthor(seed: seed)
    self = author.script()
  }
}

/// Writes an application's flight.
private struct AppAuthor {
  private let seed: UInt64
  private var random: SplitMix64

  init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed ^ 0x6170_70)
  }

  mutating func script() -> AppScript {
    var script = AppScript(seed: seed, steps: [])
    script.serverAheadMS = [0, 0, 7_300_000, -5_400_000, 400].randomElement(using: &random) ?? 0
    script.isServerPlain = random.chance(20)
    script.packs = random.chance(15)
    var steps: [AppStep] = random.chance(70) ? [.set([.polygon(area()), .types(types())])] : []
    if random.chance(60) { steps.append(.observe(Observer.allCases.randomElement(using: &random) ?? .delegate)) }
    let count = Int.random(in: 12...36, using: &random)
    while steps.count < count { steps += next() }
    script.steps = steps
    return script
  }

  /// The corridor's and the viewport's areas are others, so that each answer belongs to one of them.
  private mutating func area() -> Int { [0, 2, 3].randomElement(using: &random) ?? 0 }

  private mutating func types() -> UInt8 { [1, 3, 7, 9, 15, 15, 2, 0].randomElement(using: &random) ?? 15 }

  private mutating func next() -> [AppStep] {
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<9: [.pass(milliseconds: wait())]
    case 9..<15: [.set(changes())]
    case 15: [.setChecked(change())]
    case 16: [.refresh(full: random.chance(50))]
    case 17: [.online(false), .pass(milliseconds: wait()), .online(true)]
    case 18: [.outage(true), .pass(milliseconds: wait()), .outage(false)]
    case 19..<22: [.faults(faults()), .pass(milliseconds: wait())]
    case 22: [.latency(milliseconds: [0, 0, 40, 900, 4000].randomElement(using: &random) ?? 0)]
    case 23:
      [
        .revokeKey, .pass(milliseconds: Int64.random(in: 0...150_000, using: &random)), .renewKey,
        .pass(milliseconds: wait()),
      ]
    case 24, 25: [report()]
    case 26: [.background, .pass(milliseconds: wait()), .foreground]
    case 27: [.wall(aheadMS: Int64.random(in: -9_000_000...9_000_000, using: &random))]
    case 28..<31: [.observe(Observer.allCases.randomElement(using: &random) ?? .delegate)]
    case 31: [.stopObserving]
    case 32..<36: [.read(random.next())]
    case 36: [.lookUpAirport]
    case 37: [random.chance(60) ? .relaunch : .relaunchInHaste(changes())]
    // Long enough for data to expire, and for another request of airports.
    case 38:
      [.online(false), .pass(milliseconds: Int64.random(in: 1_800_000...8_000_000, using: &random)), .online(true)]
    default: [.pass(milliseconds: Int64.random(in: 400_000...4_000_000, using: &random))]
    }
  }

  private mutating func wait() -> Int64 {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<2: Int64.random(in: 0...900, using: &random)
    case 2..<5: Int64.random(in: 1000...20_000, using: &random)
    default: Int64.random(in: 20_000...200_000, using: &random)
    }
  }

  private mutating func report() -> AppStep {
    .report(
      altitudeFeet: Double(Int.random(in: 0...520, using: &random)) * 100,
      severity: TurbulenceSeverity.allCases.randomElement(using: &random) ?? .light,
      edrE4: Int.random(in: 0...6000, using: &random),
      secondsAgo: random.chance(70) ? nil : Int64.random(in: 10...3000, using: &random))
  }

  private mutating func faults() -> [AnswerFault] {
    (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in AppFlight.faults.randomElement(using: &random) }
  }

  private mutating func changes() -> [Change] {
    // An invalid part stands alone: whether the parts of one turn are judged one by one is nobody's business.
    let first = change()
    guard !first.isInvalid, random.chance(30) else { return [first] }
    return [first] + (0..<2).map { _ in change() }.filter { !$0.isInvalid }
  }

  private mutating func change() -> Change {
    switch Int.random(in: 0..<30, using: &random) {
    case 0..<5: return .polygon(random.chance(12) ? nil : area())
    case 5: return .turnedPolygon(area())
    case 6:
      return [.openPolygon, .routeWithoutCorridor, .crossingPolygon].randomElement(using: &random) ?? .openPolygon
    case 7: return .route
    case 8..<11: return .viewport(random.chance(25) ? nil : [1, 4].randomElement(using: &random) ?? 1)
    case 11: return .rectangle(Int.random(in: 0..<4, using: &random), isViewport: true)
    case 12: return .invalidViewport(isOpen: random.chance(50))
    case 13, 14: return .types(types())
    case 15: return .viewportTypes([nil, 0, 1, 3, 6].randomElement(using: &random) ?? nil)
    case 16: return .severities(random.chance(40) ? 31 : UInt8.random(in: 0...31, using: &random))
    case 17, 18:
      let lower = Int64.random(in: 0...40_000, using: &random)
      return .altitudes(
        random.chance(35) ? nil : .init(lower: lower, upper: lower + Int64.random(in: 0...20_000, using: &random)))
    case 19: return .globalEnabled(random.chance(50))
    case 20: return .upTo(random.chance(50))
    case 21, 22: return .history(DataHistoryTime.allCases.randomElement(using: &random) ?? .hour)
    case 23, 24: return .weather([[], [0], [1], [0, 1]].randomElement(using: &random) ?? [])
    case 25: return .insertType([1, 2, 4, 8].randomElement(using: &random) ?? 1)
    case 26: return .removeType([2, 4, 8].randomElement(using: &random) ?? 2)
    case 27:
      return .byteBudget(
        [nil, 20_000, 200_000].randomElement(using: &random) ?? nil, flight: random.chance(50) ? 1 : nil)
    default: return .frequency(DataUpdateFrequency.allCases.randomElement(using: &random) ?? .fast)
    }
  }
}

extension Change {
  var isInvalid: Bool {
    switch self {
    case .openPolygon, .routeWithoutCorridor, .crossingPolygon, .invalidViewport, .onePointRoute, .brokenViewport: true
    default: false
    }
  }
}
