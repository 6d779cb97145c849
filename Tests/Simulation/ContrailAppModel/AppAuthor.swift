import ContrailCore
import ContrailSimulation
import ContrailTestSupport
import ContrailWire

/// Writes an application's flight.
struct AppAuthor {
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
    let count = Int.random(in: 14...40, using: &random)
    while steps.count < count { steps += next() }
    script.steps = steps
    return script
  }

  private mutating func next() -> [AppStep] {
    switch Int.random(in: 0..<44, using: &random) {
    case 0..<9: [.pass(milliseconds: wait())]
    case 9..<15: [.set(changes())]
    case 15: [.setChecked(change())]
    case 16: [.refresh(full: random.chance(50))]
    case 17..<20: unlinked()
    case 20: [.outage(true), .pass(milliseconds: wait()), .outage(false)]
    case 21..<24: [.faults(faults()), .pass(milliseconds: wait())]
    case 24: [.latency(milliseconds: [0, 0, 40, 900, 4000].randomElement(using: &random) ?? 0)]
    case 25:
      [
        .revokeKey, .pass(milliseconds: Int64.random(in: 0...150_000, using: &random)), .renewKey,
        .pass(milliseconds: wait()),
      ]
    case 26, 27: [report()]
    case 28, 29: during(.background, until: .foreground)
    case 30: [.wall(aheadMS: Int64.random(in: -9_000_000...9_000_000, using: &random))]
    case 31..<34: [.observe(Observer.allCases.randomElement(using: &random) ?? .delegate)]
    case 34: [.stopObserving]
    case 35..<38: [.read(random.next())]
    case 38: meanwhile()
    case 39: [random.chance(60) ? .relaunch : .relaunchInHaste(changes())]
    case 40: launch()
    case 41: [.afterStop(afterStop())]
    // Long enough for data to expire, and for another request of airports.
    case 42:
      random.chance(60)
        ? [.online(false), .pass(milliseconds: longTime()), .online(true)]
        : [.systemLink(false), .pass(milliseconds: longTime()), .systemLink(true)]
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

  private mutating func longTime() -> Int64 { Int64.random(in: 1_800_000...8_000_000, using: &random) }

  // MARK: Phases

  /// A time in which the application's switch is off, the system has no link, or both.
  ///
  /// If both are off, nothing may be sent until both are on again.
  private mutating func unlinked() -> [AppStep] {
    let application: (off: AppStep, on: AppStep) = (.online(false), .online(true))
    let system: (off: AppStep, on: AppStep) = (.systemLink(false), .systemLink(true))
    let (outer, inner) = random.chance(50) ? (application, system) : (system, application)
    guard random.chance(50) else { return during(outer.off, until: outer.on) }
    var steps = [outer.off]
    steps += during(inner.off, until: inner.on)
    steps += [.pass(milliseconds: wait()), outer.on]
    return steps
  }

  /// What happens from one step until another.
  private mutating func during(_ first: AppStep, until last: AppStep) -> [AppStep] {
    var steps = [first]
    for _ in 0..<Int.random(in: 1...4, using: &random) { steps += meanwhile() }
    steps += [.pass(milliseconds: wait()), last]
    // What was switched off meanwhile comes back, mostly.
    guard random.chance(85) else { return steps }
    if steps.contains(.online(false)), last != .online(true) { steps.append(.online(true)) }
    if steps.contains(.systemLink(false)), last != .systemLink(true) { steps.append(.systemLink(true)) }
    return steps
  }

  /// Something that an application can do in any phase.
  private mutating func meanwhile() -> [AppStep] {
    switch Int.random(in: 0..<26, using: &random) {
    case 0..<9: [.set(changes())]
    case 9..<12: [.setChecked(change())]
    case 12: [.refresh(full: random.chance(50))]
    case 13: [report()]
    case 14: [.renewKey]
    case 15: [linkCost()]
    case 16: [.lookUpAirport]
    case 17: [.lookUpWeather]
    case 18: [.deferAirports]
    case 19: [.online(random.chance(60))]
    case 20, 21: [.systemLink(random.chance(60))]
    case 22: [.background, .pass(milliseconds: wait()), .foreground]
    case 23: [.relaunch]
    default: [.pass(milliseconds: wait())]
    }
  }

  /// Another client, and its first turn.
  private mutating func launch() -> [AppStep] {
    // One setting of the query, so that it is judged as one.
    var first: [AppStep] = [random.chance(75) ? .set(severalChanges()) : .setChecked(change())]
    if random.chance(25) { first.append(.refresh(full: random.chance(50))) }
    if random.chance(20) { first.append(.renewKey) }
    if random.chance(20) { first.append(linkCost()) }
    let (isOff, isWithout) = (random.chance(35), random.chance(30))
    if isOff { first.append(.online(false)) }
    if isWithout { first.append(.systemLink(false)) }
    first.shuffle(using: &random)
    // It ends the first turn.
    if random.chance(20) { first.append(.foreground) }
    var steps: [AppStep] = [.launch(first), .pass(milliseconds: wait())]
    if isOff { steps.append(.online(true)) }
    if isWithout { steps += [.pass(milliseconds: wait()), .systemLink(true)] }
    return steps
  }

  private mutating func afterStop() -> [AppStep] {
    var steps: [AppStep] = [.set(severalChanges())]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let step: AppStep =
        switch Int.random(in: 0..<14, using: &random) {
        case 0..<2: .set(changes())
        case 2: .setChecked(change())
        case 3: .refresh(full: random.chance(50))
        case 4: report()
        case 5: .renewKey
        case 6: linkCost()
        case 7: .lookUpWeather
        case 8: .deferAirports
        case 9: .online(random.chance(50))
        case 10: .systemLink(random.chance(50))
        case 11: .background
        case 12: .foreground
        default: .relaunch
        }
      steps.append(step)
    }
    return steps
  }

  // MARK: Values

  /// The corridor's and the viewport's areas are others, so that each answer belongs to one of them.
  private mutating func area() -> Int { [0, 2, 3].randomElement(using: &random) ?? 0 }

  private mutating func types() -> UInt8 { [1, 3, 7, 9, 15, 15, 2, 0].randomElement(using: &random) ?? 15 }

  private mutating func report() -> AppStep {
    .report(
      altitudeFeet: Double(Int.random(in: 0...520, using: &random)) * 100,
      severity: TurbulenceSeverity.allCases.randomElement(using: &random) ?? .light,
      edrE4: Int.random(in: 0...6000, using: &random),
      secondsAgo: random.chance(70) ? nil : Int64.random(in: 10...3000, using: &random))
  }

  private mutating func linkCost() -> AppStep {
    .linkCost(isExpensive: random.chance(40), isConstrained: random.chance(30))
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

  private mutating func severalChanges() -> [Change] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in change() }.filter { !$0.isInvalid }
  }

  private mutating func change() -> Change {
    switch Int.random(in: 0..<38, using: &random) {
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
    case 28..<33: return .weatherMember(weatherMember())
    case 33:
      return .weatherSpec(
        language: ["en_US", "ja"].randomElement(using: &random) ?? "ja",
        hours: [6, 24, 48, 120].randomElement(using: &random) ?? 48)
    case 34, 35: return listening()
    default: return .frequency(DataUpdateFrequency.allCases.randomElement(using: &random) ?? .fast)
    }
  }

  /// A member of the form of the weather, with a value that the service has.
  private mutating func weatherMember() -> Change.WeatherMember {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: .language(["zh_CN", "en_GB", "ja"].randomElement(using: &random) ?? "ja")
    case 1: .unit(["metric", "SI", "imperial"].randomElement(using: &random) ?? "SI")
    case 2: .version(["v2.5", "v2.6"].randomElement(using: &random) ?? "v2.6")
    case 3: .file(["weather.json", "realtime.json"].randomElement(using: &random) ?? "weather.json")
    case 4: .includesAlerts(random.chance(50))
    case 5: .hours(Int64.random(in: -5...400, using: &random))
    default: .days(Int64.random(in: -5...20, using: &random))
    }
  }

  private mutating func listening() -> Change {
    let urgent: UInt8? = random.chance(15) ? nil : UInt8.random(in: 0...4, using: &random)
    let lower = Int64.random(in: 0...45, using: &random)
    return .listening(
      isEnabled: !random.chance(15), urgent: urgent,
      altitudes: random.chance(50) ? nil : .init(lower: lower, upper: Int64.random(in: lower...52, using: &random)),
      confirmationMinutes: random.chance(60) ? nil : [1, 2, 5, 20].randomElement(using: &random))
  }
}
