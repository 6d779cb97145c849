import ContrailSimulation

/// Flies one tablet for many days, and prints its condition.
struct TabletRun {
  private let order: Command.Order

  init(_ order: Command.Order) { self.order = order }

  /// Later launches may take so many times as long as the first ones.
  private static let mostSlowness = 1.2

  /// Flies, prints, and answers whether nothing grows and all judges are content.
  func fly() async -> Bool {
    let script = Script(tabletFor: order.days ?? 30, seed: order.seeds.first ?? 0)
    let result = await Simulation(script).fly()
    for vitals in result.vitals {
      let day = (vitals.atMS - (result.vitals.first?.atMS ?? 0)) / 86_400_000
      print(
        "day \(day): log \(vitals.logBytes), database \(vitals.databaseBytes), state \(vitals.stateBytes), "
          + "read \(vitals.readBytes) in \(vitals.opening)")
    }
    let life = LongLife(result.vitals, script.setting)
    for fault in life.faults { print("grows: \(fault)") }
    if let verdict = result.verdict { print("\(verdict)") }
    let slowness = (life.slowness * 100).rounded() / 100
    if slowness > Self.mostSlowness { print("launches are slower: \(slowness) times") }
    print(
      "\(order.days ?? 30) days, \(result.tally.inputs) inputs, \(life.launches) launches; log \(life.log.late) bytes, "
        + "state \(life.state.late); launches \(slowness) times the first")
    return result.verdict == nil && life.faults.isEmpty && slowness <= Self.mostSlowness
  }
}
