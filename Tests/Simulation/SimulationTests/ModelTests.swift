import ContrailAppModel
import ContrailSimulation
import ContrailWire
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The number of flights of an app's client beside its model.
private let flightCount = getenv("CONTRAIL_APPS").flatMap { Int(String(cString: $0)) } ?? 0

/// The client of an app beside a model that was written from the guides; `Scripts/simulate --apps` flies more of them.
///
/// They run if `CONTRAIL_APPS` sets the number of flights: a difference may also be a fault of the model, and is judged first.
@Suite(.timeLimit(.minutes(10)), .enabled(if: flightCount > 0)) struct ModelTests {
  @Test func theClientShowsWhatTheModelSays() async {
    var order = AppRun.Order()
    order.count = flightCount
    let run = await AppRun.fly(order)
    for failure in run.failures { Issue.record("\(failure.text)") }
    #expect(run.flights >= flightCount || !run.failures.isEmpty)
    #expect(run.comparisons > 10 * run.flights)
  }

  /// Flights would prove nothing if the comparison overlooked a fault.
  @Test(arguments: AppSabotage.allCases) func theComparisonFindsWhatIsWrongOnPurpose(sabotage: AppSabotage) async {
    for seed in UInt64(0)..<40 {
      if await AppFlight.fly(AppScript(seed: seed), sabotage: sabotage).finding != nil { return }
    }
    Issue.record("nobody found it")
  }
}

/// Flights of the client beside the model whose steps are written, and not drawn.
@Suite(.timeLimit(.minutes(5))) struct WrittenFlightTests {
  private func finding(_ steps: [AppStep], sabotage: AppSabotage? = nil) async -> String? {
    await AppFlight.fly(AppScript(seed: 1, steps: steps), sabotage: sabotage).finding
  }

  @Test func theSystemsLinkDoesNotUndoTheSwitchOfTheApplication() async {
    let steps: [AppStep] = [
      .set([.polygon(0), .types(15), .weather([0])]), .pass(milliseconds: 100_000),
      .online(false), .systemLink(false), .set([.polygon(2)]), .lookUpWeather, .systemLink(true), .refresh(full: true),
      .pass(milliseconds: 200_000), .lookUpWeather, .lookUpAirport, .online(true), .pass(milliseconds: 1000),
      .systemLink(false), .online(false), .online(true), .set([.viewport(1)]), .pass(milliseconds: 200_000),
      .lookUpWeather, .lookUpAirport, .systemLink(true), .lookUpWeather,
    ]
    #expect(await finding(steps) == nil)
    #expect(await finding(steps, sabotage: .systemUndoesTheSwitch) != nil)
  }

  @Test func theFirstTurnOfALaunchCounts() async {
    let first: [AppStep] = [.online(false), .set([.types(3), .weatherMember(.language("ja"))]), .systemLink(false)]
    #expect(
      await finding([
        .set([.polygon(0), .types(15), .weather([0])]), .pass(milliseconds: 100_000), .launch(first),
        .pass(milliseconds: 100_000), .online(true), .pass(milliseconds: 100_000), .systemLink(true),
        .launch([.setChecked(.polygon(nil)), .renewKey, .refresh(full: false), .foreground]),
      ]) == nil)
  }

  @Test func ofWhatAStoppedClientIsToldNothingFollows() async {
    let late: [AppStep] = [
      .set([.types(1), .polygon(2)]), .setChecked(.history(.hour)), .refresh(full: true), .online(false), .online(true),
      .systemLink(false), .systemLink(true), .linkCost(isExpensive: true, isConstrained: true), .renewKey,
      .report(altitudeFeet: 31_000, severity: .light, edrE4: 1500, secondsAgo: nil), .background, .foreground,
      .lookUpWeather, .deferAirports, .relaunch,
    ]
    #expect(
      await finding([.set([.polygon(0), .types(15)]), .pass(milliseconds: 100_000), .afterStop(late)]) == nil)
  }
}
