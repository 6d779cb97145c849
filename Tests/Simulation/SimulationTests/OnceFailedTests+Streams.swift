import ContrailCore
import ContrailSimulation
import Testing

/// Flights whose server streams answers to held requests.
extension OnceFailedTests {
  private static var setting: Script.Setting {
    var setting = Script.Setting()
    setting.holdSeconds = 540
    setting.streams = true
    setting.deliversCancelled = false
    setting.turnsAreLate = true
    return setting
  }

  /// Later answers told the time of the head of the stream, and reports that had expired were shown.
  @Test func theTimeInTheHeadOfAStream() async {
    await expectSound(
      1_720_007, setting: Self.setting,
      [.set([.polygon(1), .types(9)]), .pass(milliseconds: 394_328), .set([.frequency(.medium)])])
  }

  /// The client paused for two seconds between answers, and urgent news piled up.
  @Test func urgentNewsInQuickSuccession() async {
    var setting = Self.setting
    setting.reportsPerHour = 60
    setting.hasStorms = true
    await expectSound(
      1_720_079, setting: setting,
      [
        .pass(milliseconds: 96_347), .set([.polygon(1)]), .pass(milliseconds: 66_049), .pass(milliseconds: 1293),
      ])
  }

  /// The link became faster, so the next answer of a stream came sooner. The client paused as if the server had stopped holding requests.
  @Test func aStreamOverALinkThatBecomesFaster() async {
    var setting = Script.Setting()
    (setting.reportsPerHour, setting.holdSeconds, setting.streams) = (18, 120, true)
    (setting.hasDatabase, setting.deliversCancelled, setting.tokenLifeSeconds) = (false, false, 1200)
    await expectSound(
      1_829_299, setting: setting,
      [
        .set([.viewport(0)]), .pass(milliseconds: 170_793), .latency(milliseconds: 28_000),
        .pass(milliseconds: 340_560),
      ])
  }
}
