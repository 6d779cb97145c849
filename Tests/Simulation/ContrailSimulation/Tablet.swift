import ContrailTestSupport
import ContrailWire

/// A tablet's condition when the log was opened.
package struct Vitals: Sendable, Hashable {
  /// True time, in milliseconds since 1970.
  package var atMS: Int64
  /// The files of the log.
  package var logBytes: Int
  package var databaseBytes: Int
  /// The state, as a snapshot has it.
  package var stateBytes: Int
  /// Read from the log to open it.
  package var readBytes: Int
  /// The time that opening took. It differs from run to run.
  package var opening: Duration

  package init(
    atMS: Int64, logBytes: Int, databaseBytes: Int, stateBytes: Int, readBytes: Int, opening: Duration
  ) {
    (self.atMS, self.logBytes, self.databaseBytes) = (atMS, logBytes, databaseBytes)
    (self.stateBytes, self.readBytes, self.opening) = (stateBytes, readBytes, opening)
  }
}

extension Script {
  /// The life of one tablet: a flight each day, a night on the ground, and what happens to a tablet between.
  ///
  /// The flights are of five to nine hours with a corridor, a map and weather, with outages, reports of its own and a nearly full disk now and
  /// then; the clock is set, the key changes, and the process is ended by its user, by the system or by an empty battery.
  package init(tabletFor days: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed ^ 0x7461_626c_6574)
    var setting = Setting()
    setting.hasDatabase = true
    setting.segmentBytes = 200_000
    setting.keptBytes = 2_000_000
    setting.worldHours = Int64(days) * 24 + 12
    setting.knowsRepairs = true
    var steps: [Step] = []
    for day in 0..<days {
      let flown = Self.flight(day, using: &random) + Self.night(using: &random)
      steps += flown + [.pass(milliseconds: max(60_000, 86_400_000 - Self.milliseconds(of: flown)))]
    }
    self.init(seed: seed, setting: setting, steps: steps)
  }

  private static func flight(_ day: Int, using random: inout SplitMix64) -> [Step] {
    let area = Int.random(in: 0..<SimulatedWorld.areas.count, using: &random)
    var steps: [Step] = [
      .foreground, .link(isUp: true, isTold: true),
      .set([.polygon(area), .types(15), .weather([day % 2]), .byteBudget(2_000_000, flight: day)]),
    ]
    for _ in 0..<Int.random(in: 10...18, using: &random) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        steps += [
          .link(isUp: false, isTold: random.chance(60)),
          .pass(milliseconds: Int64.random(in: 60_000...5_000_000, using: &random)), .link(isUp: true, isTold: true),
        ]
      case 1: steps.append(.track(count: Int.random(in: 1...4, using: &random)))
      case 2: steps.append(.set([.viewport(Int.random(in: 0..<SimulatedWorld.areas.count, using: &random))]))
      case 3: steps.append(.set([.history(DataHistoryTime.allCases.randomElement(using: &random) ?? .twoHours)]))
      case 4: steps += [.disk(.full), .pass(milliseconds: 600_000), .disk(.free)]
      case 5: steps.append(.answers([.lost, .serverError, .captivePortal]))
      case 6: steps += [.background, .pass(milliseconds: 1_200_000), .foreground]
      default: break
      }
      steps.append(.pass(milliseconds: 1_700_000))
    }
    return steps
  }

  private static func night(using random: inout SplitMix64) -> [Step] {
    let endings: [Ending] = [.orderly, .orderly, .kill, .kill, .powerLoss]
    var steps: [Step] = [.set([.viewport(nil), .polygon(nil)]), .link(isUp: false, isTold: true), .background]
    if random.chance(30) {
      steps.append(.sleep(milliseconds: Int64.random(in: 3_600_000...30_000_000, using: &random)))
    }
    if random.chance(20) { steps.append(.clock(byMS: Int64.random(in: -4_000_000...4_000_000, using: &random))) }
    if random.chance(10) { steps += [.revokeKey, .renewKey] }
    if random.chance(10) { steps.append(.database(.deleted)) }
    steps.append(.relaunch(endings.randomElement(using: &random) ?? .kill))
    return steps
  }

  /// The time that steps take.
  private static func milliseconds(of steps: [Step]) -> Int64 {
    steps.reduce(0) { sum, step in
      switch step {
      case .pass(let milliseconds), .sleep(let milliseconds): sum + milliseconds
      default: sum
      }
    }
  }
}
