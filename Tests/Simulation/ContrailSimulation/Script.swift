import ContrailCore
import ContrailTestSupport
import ContrailWire

/// A flight before it is flown: what the world is like, and what happens in it. A seed decides all of it.
package struct Script: Sendable, Hashable {
  package let seed: UInt64
  package var setting: Setting
  package var steps: [Step]

  package init(seed: UInt64, setting: Setting = Setting(), steps: [Step]) {
    self.seed = seed
    self.setting = setting
    self.steps = steps
  }
}

extension Script {
  /// The flight of a seed.
  ///
  /// Each flight has a mood of its own: most leave whole kinds of trouble out, so that the others come close together.
  package init(seed: UInt64) {
    var author = Author(seed: seed)
    self.init(seed: seed, setting: author.setting(), steps: author.steps())
  }
}

/// Writes a script.
private struct Author {
  private var random: SplitMix64
  private var weights: [Int]
  private var faults: [AnswerFault]
  private var hasSums: Bool
  private let seed: UInt64
  /// For the client's own loads of airports: the rest of the flight is the same with and without.
  private var delivery: SplitMix64
  private let deliversAirports: Bool
  private let tokenLifeSeconds: Int64?

  init(seed: UInt64) {
    self.seed = seed
    delivery = SplitMix64(seed: seed ^ 0x6169_7261_63)
    deliversAirports = delivery.chance(40)
    var issuing = SplitMix64(seed: seed ^ 0x6973_7375)
    tokenLifeSeconds = issuing.chance(30) ? [300, 1200, 3600].randomElement(using: &issuing) : nil
    random = SplitMix64(seed: seed)
    hasSums = random.chance(88)
    weights = Topic.allCases.map(\.weight)
    for index in weights.indices where index > 1 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: weights[index] = 0
      case 5: weights[index] *= 6
      default: break
      }
    }
    faults = AnswerFault.allCases.filter { !$0.isOfHandles && !$0.isOfMoves && !$0.isOfRepairs && !$0.isOfHolds }
    if random.chance(60) { faults = faults.filter { _ in random.chance(25) } }
    // Who gives no sums can't be found out; a full answer puts it right, and only that.
    if !hasSums { faults.removeAll { $0.needsSums || $0 == .noContent } }
  }

  private enum Topic: CaseIterable {
    case pass
    case set
    case meet
    case refresh
    case track
    case link
    case away
    case key
    case clock
    case answers
    case latency
    case retention
    case disk
    case relaunch
    case crash
    case powerLoss
    case database
    case background
    case locked
    case airports

    var weight: Int {
      switch self {
      case .pass: 40
      case .set: 16
      case .meet: 10
      case .refresh: 5
      case .track: 5
      case .link: 6
      case .away: 2
      case .key: 2
      case .clock: 3
      case .answers: 20
      case .latency: 3
      case .retention: 2
      case .disk: 8
      case .relaunch: 3
      case .crash: 4
      case .powerLoss: 4
      case .database: 2
      case .background: 3
      case .locked: 2
      case .airports: 4
      }
    }
  }

  mutating func setting() -> Script.Setting {
    var setting = Script.Setting()
    setting.reportsPerHour = [6, 18, 18, 18, 60].randomElement(using: &random) ?? 18
    setting.segmentBytes = [8 << 20, 8 << 20, 200_000, 40_000, 12_000].randomElement(using: &random) ?? 8 << 20
    setting.keptBytes = random.chance(20) ? 60_000 : 256 << 20
    setting.hasSums = hasSums
    setting.packs = random.chance(15)
    setting.hasDatabase = random.chance(12)
    setting.deliversCancelled = random.chance(80)
    setting.isKilledAtTheEnd = random.chance(30)
    setting.opensLate = random.chance(30)
    setting.setsBeforeLaunch = random.chance(40)
    setting.turnsAreLate = random.chance(25)
    setting.isObserved = random.chance(80)
    var listening = SplitMix64(seed: seed ^ 0x6c69_7374)
    if listening.chance(25) { setting.listensAfterMS = .random(in: 0...7_200_000, using: &listening) }
    setting.listenerNoticedAfterMS = [1, 3000, 600_000, 3_600_000].randomElement(using: &listening) ?? 1
    var own = SplitMix64(seed: seed ^ 0x706c_6169_6e)
    setting.isServerPlain = own.chance(20)
    setting.knowsRepairs = own.chance(80)
    setting.deliversAirports = deliversAirports
    var holding = SplitMix64(seed: seed ^ 0x686f_6c64)
    if holding.chance(45) { setting.holdSeconds = [540, 540, 120, 10].randomElement(using: &holding) ?? 540 }
    setting.streams = holding.chance(60)
    setting.hasStorms = holding.chance(30)
    setting.tokenLifeSeconds = tokenLifeSeconds
    return setting
  }

  mutating func steps() -> [Step] {
    var steps: [Step] = []
    steps.append(.set([.polygon(area())] + (random.chance(50) ? [.types(types())] : [])))
    if random.chance(25) { steps.append(.link(isUp: false, isTold: random.chance(70))) }
    let count = Int.random(in: 20...55, using: &random)
    while steps.count < count { write(&steps) }
    addLookups(to: &steps)
    FaultAuthor(seed: seed, hasSums: hasSums).add(to: &steps)
    if tokenLifeSeconds != nil { FaultAuthor(seed: seed, hasSums: hasSums).addProviderFaults(to: &steps) }
    addDrags(to: &steps)
    addAirportFaults(to: &steps)
    addRareChanges(to: &steps)
    addEveryMember(to: &steps)
    addCompactLosses(to: &steps)
    addSleep(to: &steps)
    addBudgets(to: &steps)
    addListening(to: &steps)
    return steps
  }

  /// From draws of their own, too: the map is dragged, or moved again and again.
  private func addDrags(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x6472_6167)
    guard random.chance(25) else { return }
    let longest = Int64([400, 1000, 1600].randomElement(using: &random) ?? 400)
    var drag: [Step] = []
    for _ in 0..<Int.random(in: 2...14, using: &random) {
      drag.append(.set([.viewport(Int.random(in: 0..<SimulatedWorld.areas.count, using: &random))]))
      drag.append(.pass(milliseconds: Int64.random(in: 50...longest, using: &random)))
    }
    steps.insert(contentsOf: drag, at: Int.random(in: 1...steps.count, using: &random))
  }

  /// From draws of their own, too.
  private func addRareChanges(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x7261_7265)
    guard random.chance(35) else { return }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let change: Change =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .crossingPolygon
        case 1: .invalidViewport(isOpen: random.chance(50))
        default:
          .weatherSpec(
            language: random.chance(70) ? "en_US" : "ja",
            hours: [6, 24, 48, 120].randomElement(using: &random) ?? 48)
        }
      steps.insert(.set([change]), at: Int.random(in: 1...steps.count, using: &random))
    }
  }

  /// From draws of their own, too: members that few applications set, now and then before everything else.
  private func addEveryMember(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x6D65_6D62_6572)
    guard random.chance(40) else { return }
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let rectangle = Int.random(in: 0..<SimulatedWorld.rectangles.count, using: &random)
      let change: Change =
        switch Int.random(in: 0..<16, using: &random) {
        case 0: .route
        case 1: .onePointRoute
        case 2: .rectangle(rectangle, isViewport: false)
        case 3, 4: .rectangle(rectangle, isViewport: true)
        case 5: .weatherMember(.language(["en_GB", "xx_YY"].randomElement(using: &random) ?? ""))
        case 6: .weatherMember(.unit(["SI", "imperial", "furlongs"].randomElement(using: &random) ?? ""))
        case 7: .weatherMember(.version(["v2.5", "v2.6", "v9"].randomElement(using: &random) ?? ""))
        case 8:
          .weatherMember(.file(["realtime.json", "weather.json", "all.json"].randomElement(using: &random) ?? ""))
        case 9: .weatherMember(.includesAlerts(random.chance(50)))
        case 10: .weatherMember(.hours(Int64.random(in: -5...400, using: &random)))
        case 11: .weatherMember(.days(Int64.random(in: -5...20, using: &random)))
        case 12: .viewportTypes([nil, 0, 2, 7].randomElement(using: &random) ?? nil)
        case 13: .upTo(random.chance(50))
        case 14: .globalEnabled(random.chance(50))
        default: .history(DataHistoryTime.allCases.randomElement(using: &random) ?? .hour)
        }
      let place = random.chance(15) ? 0 : Int.random(in: 0...steps.count, using: &random)
      let step: Step = random.chance(10) ? .setWeatherToken : random.chance(30) ? .setChecked(change) : .set([change])
      steps.insert(step, at: place)
    }
  }

  /// From draws of their own, too: compact answers are useless until the client asks for others, and then all is well for an hour.
  private func addCompactLosses(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x636F_6D70)
    guard hasSums, random.chance(10) else { return }
    let place = Int.random(in: 1...steps.count, using: &random)
    steps.insert(
      .answers(Array(repeating: .compactDamaged, count: Int.random(in: 3...8, using: &random))), at: place)
    steps.insert(.pass(milliseconds: Int64.random(in: 2_400_000...5_400_000, using: &random)), at: place + 1)
  }

  /// From draws of their own, too: the device sleeps, sometimes for longer than data is kept.
  private func addSleep(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x736c_6565_70)
    guard random.chance(20) else { return }
    steps.insert(
      .sleep(milliseconds: Int64.random(in: 60_000...(random.chance(50) ? 600_000 : 14_000_000), using: &random)),
      at: Int.random(in: 1...steps.count, using: &random))
  }

  /// From draws of their own, too: budgets that are used up soon, and links that cost.
  private func addBudgets(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x6279_7465)
    guard random.chance(25) else { return }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let budgets: [Int64?] = [nil, 0, 2_000, 10_000, 50_000, 200_000]
      let bytes = budgets.randomElement(using: &random) ?? nil
      let flight = [nil, 1, 1, 2].randomElement(using: &random) ?? nil
      let step: Step =
        random.chance(30)
        ? .linkCost(isExpensive: random.chance(50), isConstrained: random.chance(40))
        : .set([.byteBudget(bytes, flight: flight)])
      steps.insert(step, at: Int.random(in: 0...steps.count, using: &random))
    }
  }

  /// From draws of their own, too: which news is urgent, and how long silence may last.
  private func addListening(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x6c69_7374_656e)
    guard random.chance(30) else { return }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let urgent: UInt8? = random.chance(15) ? nil : UInt8.random(in: 0...4, using: &random)
      let lower = Int64.random(in: 0...45, using: &random)
      let change = Change.listening(
        isEnabled: !random.chance(15), urgent: urgent,
        altitudes: random.chance(50) ? nil : .init(lower: lower, upper: Int64.random(in: lower...52, using: &random)),
        confirmationMinutes: random.chance(60) ? nil : [1, 2, 5, 20].randomElement(using: &random))
      steps.insert(.set([change]), at: Int.random(in: 0...steps.count, using: &random))
    }
  }

  private mutating func addAirportFaults(to steps: inout [Step]) {
    guard deliversAirports else { return }
    // Hours go by, so that a cycle ends.
    if delivery.chance(20) {
      steps.insert(
        .pass(milliseconds: Int64.random(in: 3_600_000...12_000_000, using: &delivery)),
        at: Int.random(in: 1...steps.count, using: &delivery))
    }
    for _ in 0..<Int.random(in: 0...3, using: &delivery) {
      let faults = (0..<Int.random(in: 1...3, using: &delivery)).compactMap { _ in
        AirportFileFault.allCases.randomElement(using: &delivery)
      }
      steps.insert(.airportFiles(faults), at: Int.random(in: 0...steps.count, using: &delivery))
    }
  }

  /// From draws of their own, so that the rest of the flight is the same with and without.
  private func addLookups(to steps: inout [Step]) {
    var random = SplitMix64(seed: seed ^ 0x6c6f_6f6b_7570)
    guard random.chance(30) else { return }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<SimulatedWorld.places.count, using: &random)
      steps.insert(
        .lookup(place: place, isAnswered: random.chance(85)), at: Int.random(in: 1...steps.count, using: &random))
    }
  }

  private mutating func topic() -> Topic {
    var draw = Int.random(in: 0..<weights.reduce(0, +), using: &random)
    for (topic, weight) in zip(Topic.allCases, weights) {
      draw -= weight
      if draw < 0 { return topic }
    }
    return .pass
  }

  private mutating func write(_ steps: inout [Step]) {
    switch topic() {
    case .pass: steps.append(.pass(milliseconds: wait()))
    case .set: steps.append(.set(changes()))
    case .meet: steps.append(.meet(isBefore: random.chance(60), changes()))
    case .refresh: steps.append(.refresh(full: random.chance(40)))
    case .track: steps.append(.track(count: Int.random(in: 1...3, using: &random)))
    case .link:
      let isUp = random.chance(50)
      steps.append(.link(isUp: isUp, isTold: random.chance(70)))
      // Flapping.
      if random.chance(30) {
        steps.append(.pass(milliseconds: Int64.random(in: 0...3000, using: &random)))
        steps.append(.link(isUp: !isUp, isTold: random.chance(90)))
      }
    case .away:
      steps.append(.link(isUp: false, isTold: random.chance(85)))
      steps.append(.pass(milliseconds: Int64.random(in: 600_000...16_000_000, using: &random)))
      steps.append(.link(isUp: true, isTold: true))
    case .key: steps.append(random.chance(50) ? .revokeKey : .renewKey)
    case .clock: steps.append(.clock(byMS: Int64.random(in: -9_000_000...9_000_000, using: &random)))
    case .answers:
      let count = Int.random(in: 1...4, using: &random)
      let chosen = (0..<count).compactMap { _ -> AnswerFault? in faults.randomElement(using: &random) }
      if !chosen.isEmpty { steps.append(.answers(chosen)) }
      if random.chance(60) { steps.append(.pass(milliseconds: wait())) }
    case .latency:
      steps.append(.latency(milliseconds: [40, 300, 300, 2500, 9000, 28_000].randomElement(using: &random) ?? 300))
    case .retention:
      steps.append(.retention(seconds: [-1, 600, 10_800, 43_200].randomElement(using: &random) ?? 600))
    case .disk: steps += trouble()
    case .relaunch: steps.append(.relaunch(.orderly))
    case .crash:
      let amid = Int.random(in: 1...12, using: &random)
      let endings: [Ending] = [.kill, .killAmid(after: amid), .killAmid(after: amid), .killBeforeAction]
      steps.append(.relaunch(endings.randomElement(using: &random) ?? .kill))
    case .powerLoss:
      let amid = Int.random(in: 1...12, using: &random)
      steps.append(.relaunch(random.chance(50) ? .powerLoss : .powerLossAmid(after: amid)))
    case .database:
      steps.append(.database([.deleted, .left, .damaged].randomElement(using: &random) ?? .left))
    case .background:
      steps.append(.background)
      if random.chance(70) { steps.append(.pass(milliseconds: wait())) }
      steps.append(.foreground)
    case .locked:
      steps.append(.disk(.locked(milliseconds: Int64.random(in: 100...90_000, using: &random))))
      if random.chance(60) { steps.append(.set(changes())) }
      steps.append(.pass(milliseconds: wait()))
    case .airports:
      steps.append(
        .airports(
          Int.random(in: 0..<SimulatedAirports.cycles.count, using: &random),
          AirportStep.allCases.randomElement(using: &random) ?? .loaded))
    }
  }

  private mutating func wait() -> Int64 {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4: Int64.random(in: 0...900, using: &random)
    case 4..<9: Int64.random(in: 1000...20_000, using: &random)
    case 9..<17: Int64.random(in: 20_000...130_000, using: &random)
    default: Int64.random(in: 130_000...400_000, using: &random)
    }
  }

  private mutating func trouble() -> [Step] {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      [.disk(.full), .pass(milliseconds: wait()), .disk(.free)]
    case 2, 3, 4: [.disk(.refusal(after: Int.random(in: 1...8, using: &random)))]
    case 5, 6, 7: [.disk(.syncFails)]
    default: [.disk(.shortWrites(random.chance(50)))]
    }
  }

  // MARK: Queries

  private mutating func area() -> Int { Int.random(in: 0..<SimulatedWorld.areas.count, using: &random) }

  private mutating func types() -> UInt8 {
    ([1, 3, 7, 9, 15, 2, 0].randomElement(using: &random) ?? 1) as UInt8
  }

  private mutating func changes() -> [Change] {
    (0..<(random.chance(70) ? 1 : Int.random(in: 2...4, using: &random))).map { _ in change() }
  }

  private mutating func change() -> Change {
    switch Int.random(in: 0..<27, using: &random) {
    case 0..<4: .polygon(random.chance(12) ? nil : area())
    case 4: .turnedPolygon(area())
    case 5: random.chance(50) ? .openPolygon : .routeWithoutCorridor
    case 6..<9: .viewport(random.chance(25) ? nil : area())
    case 9: .brokenViewport
    case 10..<12: .types(types())
    case 12: .viewportTypes([nil, 0, 1, 3, 6].randomElement(using: &random) ?? nil)
    case 13: .severities(random.chance(40) ? 31 : UInt8.random(in: 0...31, using: &random))
    case 14..<16: .altitudes(altitudes())
    case 16: .globalEnabled(random.chance(50))
    case 17: .upTo(random.chance(30))
    case 18..<20: .history(DataHistoryTime.allCases.randomElement(using: &random) ?? .hour)
    case 20, 21: .weather([[], [0], [1], [0, 1]].randomElement(using: &random) ?? [])
    case 22, 23: .insertType([1, 2, 4, 8].randomElement(using: &random) ?? 1)
    case 24: .removeType([2, 4, 8].randomElement(using: &random) ?? 2)
    default: .frequency(DataUpdateFrequency.allCases.randomElement(using: &random) ?? .fast)
    }
  }

  private mutating func altitudes() -> Change.Range? {
    if random.chance(35) { return nil }
    let lower = Int64.random(in: 0...40_000, using: &random)
    // Now and then upside down.
    return .init(lower: lower, upper: lower + Int64.random(in: -3000...20_000, using: &random))
  }
}
