import ContrailAppModel
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
