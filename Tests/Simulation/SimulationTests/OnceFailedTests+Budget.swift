import ContrailSimulation
import ContrailWire
import Testing

/// Flights with a budget of bytes.
extension OnceFailedTests {
  /// The bytes of a lost answer left no budget for the viewport, whose held request was cancelled, and the corridor's began again at once.
  @Test func aLostExchangeWhoseRestIsCancelled() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 6
    setting.holdSeconds = 540
    setting.turnsAreLate = true
    await expectSound(
      725_097, setting: setting,
      [
        .set([.polygon(3)]), .set([.types(3), .viewport(2)]), .track(count: 1), .set([.byteBudget(2000, flight: 1)]),
        .pass(milliseconds: 165), .meet(isBefore: true, [.polygon(2)]), .set([.types(15)]), .pass(milliseconds: 819),
        .answers([.holdTimedOut]), .pass(milliseconds: 529_899),
      ])
  }

  /// Traffic was dropped when the request began, and all bytes were used before its answer came: it was cancelled.
  @Test func anAnswerUnderWayWhenAllBytesAreUsed() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 18
    setting.holdSeconds = 0
    setting.deliversCancelled = false
    setting.turnsAreLate = true
    await expectSound(
      1_700_054, setting: setting,
      [
        .set([.polygon(4), .types(7)]), .refresh(full: true), .set([.byteBudget(10000, flight: nil)]),
        .set([.polygon(2)]), .pass(milliseconds: 253_497), .airports(5, .loaded), .set([.history(.fourHours)]),
        .pass(milliseconds: 17_873), .set([.polygon(4)]), .linkCost(isExpensive: false, isConstrained: true),
        .set([.byteBudget(2000, flight: nil)]),
      ])
  }

  /// A delta was due while the disk was full; the cost of the link, written before the shorter history, began it for the longer.
  @Test func aShorterHistoryWithACostlierLink() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 60
    setting.hasStorms = true
    setting.deliversCancelled = false
    setting.setsBeforeLaunch = true
    setting.turnsAreLate = true
    setting.tokenLifeSeconds = 3600
    await expectSound(
      1_748_673, setting: setting,
      [
        .set([.history(.sixHours), .polygon(3), .removeType(2), .viewport(nil)]), .pass(milliseconds: 355_511),
        .disk(.full), .pass(milliseconds: 5878), .linkCost(isExpensive: true, isConstrained: true),
        .set([.history(.halfHour)]),
      ])
  }
}
