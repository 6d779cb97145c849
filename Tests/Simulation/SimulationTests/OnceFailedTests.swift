import ContrailCore
import ContrailSimulation
import ContrailWire
import Testing

/// Flights that once failed, as short as the shrinker made them; each names the seed that it came from.
@Suite struct OnceFailedTests {
  func expectSound(_ seed: UInt64, setting: Script.Setting = .init(), _ steps: [Step]) async {
    let result = await Simulation(Script(seed: seed, setting: setting, steps: steps)).fly()
    #expect(result.verdict == nil, "seed \(seed): \(result.verdict.map { "\($0)" } ?? "")")
  }

  /// The refusal of the old key came after the new one was set, and blocked the corridor for good.
  @Test func theRefusalOfAnOldKeyThatComesAfterTheNewOne() async {
    await expectSound(
      14947,
      [
        .clock(byMS: 8_655_317), .set([.turnedPolygon(3)]), .pass(milliseconds: 47_625), .relaunch(.powerLoss),
        .pass(milliseconds: 80_893), .revokeKey,
      ])
  }

  /// The device's clock was set back by two hours and a half, and after the next launch the log's time stood still for as long: nothing
  /// was brought up to date.
  @Test func aLaunchWithAClockThatWasSetBack() async {
    await expectSound(38, [.clock(byMS: -8_912_506), .set([.polygon(2), .types(15)]), .relaunch(.orderly)])
    await expectSound(1, [.clock(byMS: -8_348_955), .set([.polygon(2)]), .relaunch(.kill), .track(count: 2)])
  }

  /// With a full disk, a launch was written with settings that had been replaced while it waited.
  @Test func aLaunchThatWaitsForAFullDisk() async {
    var setting = Script.Setting()
    setting.holdSeconds = 120
    setting.knowsRepairs = false
    setting.setsBeforeLaunch = true
    setting.tokenLifeSeconds = 3600
    await expectSound(
      127_151, setting: setting,
      [
        .relaunch(.killAmid(after: 7)), .disk(.full), .pass(milliseconds: 114_563),
        .set([.invalidViewport(isOpen: false)]), .set([.viewport(nil)]),
      ])
  }

  /// With a full disk, an answer that waited to be written began a request in the background.
  @Test func anAnswerThatWaitsForAFullDiskInTheBackground() async {
    var setting = Script.Setting()
    setting.holdSeconds = 120
    setting.setsBeforeLaunch = true
    setting.deliversAirports = true
    await expectSound(
      133_898, setting: setting, [.set([.polygon(2)]), .disk(.full), .pass(milliseconds: 133_734), .background])
  }

  /// The sync of the blobs' directory was refused; the blob was found there when it was put again, its line was written, and the
  /// loss of power took its name.
  @Test func aBlobWhoseNameWasNotYetOnStableStorage() async {
    await expectSound(
      38395,
      [
        .set([.polygon(2)]), .answers([.truncated]), .pass(milliseconds: 9971), .disk(.refusal(after: 8)),
        .link(isUp: false, isTold: true), .pass(milliseconds: 15_360_948), .link(isUp: true, isTold: true),
        .pass(milliseconds: 50_366), .relaunch(.powerLoss),
      ])
  }

  /// The second copy of an answer was torn off with the link, and counted as a failure of its request, which had ended.
  @Test func theSecondOfTwoAnswersThatIsTornOff() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 6
    setting.opensLate = true
    setting.turnsAreLate = true
    setting.isObserved = true
    setting.knowsRepairs = false
    setting.deliversCancelled = false
    setting.deliversAirports = true
    await expectSound(
      9_060_779, setting: setting,
      [
        .answers([.doubled]), .meet(isBefore: true, [.polygon(3)]), .disk(.full), .pass(milliseconds: 463),
        .link(isUp: false, isTold: true),
      ])
  }

  /// A server told a time two hours and a half ago, and the next launch showed again what had expired. When another answer told the right
  /// time, nobody was told that it expired.
  @Test func aServersClockThatGoesBackAndForth() async {
    var setting = Script.Setting()
    setting.opensLate = true
    setting.turnsAreLate = true
    setting.hasDatabase = true
    setting.deliversCancelled = false
    await expectSound(
      50_026_010, setting: setting,
      [
        .pass(milliseconds: 18846), .pass(milliseconds: 458),
        .meet(isBefore: true, [.viewport(4), .types(9), .turnedPolygon(1)]),
        .meet(isBefore: false, [.frequency(.none), .viewport(3), .viewportTypes(nil), .polygon(2)]),
        .meet(isBefore: true, [.history(.halfHour)]), .answers([.wrongServerTime]), .pass(milliseconds: 8709),
        .relaunch(.orderly), .set([.weather([1])]),
      ])
  }

  /// A power failure took the lines that the database had, but not its rows, which were still right. Its position stayed at the
  /// lost line, and the change that the next lines made was not yet written when they reached it.
  @Test func aDatabaseThatIsAheadOfItsLog() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 60
    setting.setsBeforeLaunch = true
    setting.hasDatabase = true
    setting.deliversCancelled = false
    setting.deliversAirports = true
    await expectSound(
      100_039_051, setting: setting,
      [
        .set([.polygon(0)]), .pass(milliseconds: 330_937), .set([.turnedPolygon(2)]),
        .relaunch(.powerLossAmid(after: 2)),
        .set([.polygon(0), .frequency(.medium), .weather([])]), .pass(milliseconds: 14_392),
        .meet(isBefore: false, [.history(.fourHours)]),
      ])
  }

  /// In one turn the link came up, a map that had moved for five seconds was fetched, and then moved on. The judge took the change as
  /// the first of the two.
  @Test func aMapThatIsFetchedAndMovesOnInOneTurn() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 18
    setting.deliversCancelled = false
    setting.setsBeforeLaunch = true
    setting.turnsAreLate = true
    await expectSound(
      130_200_949, setting: setting,
      [
        .link(isUp: false, isTold: true), .set([.viewport(1)]), .pass(milliseconds: 1252), .set([.viewport(2)]),
        .pass(milliseconds: 1019), .set([.viewport(3)]), .pass(milliseconds: 602), .set([.viewport(0)]),
        .pass(milliseconds: 946), .set([.viewport(2)]), .pass(milliseconds: 1425), .set([.viewport(3)]),
        .link(isUp: true, isTold: true),
      ])
  }

  /// An inconsistent answer was written, and the process died before its turn ended: the data counted as right.
  @Test func aDeathAfterAnInconsistentAnswer() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 6
    setting.setsBeforeLaunch = true
    setting.deliversAirports = true
    await expectSound(
      11_003_422, setting: setting,
      [
        .set([.polygon(1)]), .pass(milliseconds: 18_894), .pass(milliseconds: 119_460), .track(count: 2),
        .relaunch(.killAmid(after: 7)), .pass(milliseconds: 125_292), .relaunch(.killAmid(after: 12)),
        .pass(milliseconds: 185_124), .pass(milliseconds: 80_651), .answers([.wrongFollows, .recordTooMany]),
        .set([.polygon(2)]), .relaunch(.killAmid(after: 5)), .pass(milliseconds: 53_849),
      ])
  }

  /// A refresh of weather was refused while the last response was still valid, and asking once more didn't lift the refusal.
  @Test func aRefusedRefreshOfValidWeather() async {
    await expectSound(
      7_017_356,
      [.set([.weather([1])]), .pass(milliseconds: 15_702), .answers([.badRequest]), .refresh(full: true)])
  }

  /// The client held 120 hours of weather and requested 24. A faulty server answered with 304, and the client took the 120 hours
  /// for the answer.
  @Test func aConfirmationOfWhatWasFetchedWithOtherParameters() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 60
    setting.opensLate = true
    setting.deliversCancelled = false
    await expectSound(
      3_000_115_466, setting: setting,
      [
        .set([.weatherSpec(language: "en_US", hours: 120)]),
        .meet(isBefore: false, [.severities(22), .weather([0, 1]), .upTo(false)]), .answers([.notModified]),
        .set([.weatherSpec(language: "en_US", hours: 24)]), .pass(milliseconds: 115_622), .pass(milliseconds: 250_199),
      ])
    var other = Script.Setting()
    other.reportsPerHour = 6
    other.knowsRepairs = false
    other.deliversCancelled = false
    other.opensLate = true
    other.setsBeforeLaunch = true
    await expectSound(
      3_000_055_289, setting: other,
      [
        .meet(isBefore: false, [.weather([0, 1]), .types(0), .severities(31)]),
        .set([.weatherSpec(language: "en_US", hours: 48)]), .answers([.notModified]), .pass(milliseconds: 54_555),
        .pass(milliseconds: 35_530), .set([.weatherSpec(language: "en_US", hours: 6)]), .pass(milliseconds: 84_033),
        .pass(milliseconds: 67_163), .pass(milliseconds: 68_164),
      ])
  }

  /// A response came after hours of sleep and set the server's clock back by those hours. It removed a report that had expired
  /// meanwhile. The application wasn't told, because the report hadn't expired by the new clock.
  @Test func aReportThatExpiredWhileAResponseWaited() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 6
    setting.deliversCancelled = false
    setting.opensLate = true
    setting.deliversAirports = true
    await expectSound(
      4_006_428_954, setting: setting,
      [
        .set([.polygon(1)]), .pass(milliseconds: 105_453), .set([.polygon(2)]),
        .meet(isBefore: true, [.brokenViewport]), .sleep(milliseconds: 13_370_421), .link(isUp: false, isTold: true),
        .pass(milliseconds: 2_495_200),
      ])
  }

  /// The sums of a repair were right, and its time lay a day before that of the stored data. It was taken for theirs, so the next request
  /// asked for a day, or for everything.
  @Test func aRepairOfAnEarlierTime() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 60
    setting.deliversCancelled = false
    setting.turnsAreLate = true
    await expectSound(
      10_007_393, setting: setting,
      [
        .set([.polygon(1)]), .pass(milliseconds: 11618), .answers([.wrongChecksum, .watermarkWentBack]),
        .pass(milliseconds: 193_419),
      ])
    setting = Script.Setting()
    setting.holdSeconds = 540
    setting.deliversCancelled = false
    setting.setsBeforeLaunch = true
    await expectSound(
      10_003_934, setting: setting,
      [
        .set([.turnedPolygon(3)]), .answers([.wrongChecksum, .watermarkWentBack, .pirepMissing]),
        .pass(milliseconds: 17509), .pass(milliseconds: 54156),
      ])
  }

  /// A repair of an earlier time kept held reports that were newer by more than an hour. The client applied it, and refused the same answer
  /// when it read its log again.
  @Test func aRepairThatTheLogCantRepeat() async {
    var setting = Script.Setting()
    setting.deliversCancelled = false
    await expectSound(
      10_014_768, setting: setting,
      [
        .set([.polygon(2)]), .set([.viewport(1), .insertType(2), .weather([])]), .pass(milliseconds: 370_623),
        .link(isUp: false, isTold: true), .pass(milliseconds: 6_202_819), .link(isUp: true, isTold: true),
        .relaunch(.powerLossAmid(after: 3)), .answers([.recordTooMany, .pirepOutdated, .watermarkWentBack]),
        .pass(milliseconds: 81535), .disk(.locked(milliseconds: 29927)), .pass(milliseconds: 116_650),
        .relaunch(.kill),
      ])
  }

  /// One of two held requests was cancelled, and the other was cut off: its end wasn't counted, and the next one was held at once.
  @Test func aHeldRequestThatIsCutOffAfterAnotherWasCancelled() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 60
    setting.holdSeconds = 120
    setting.deliversCancelled = false
    setting.opensLate = true
    setting.setsBeforeLaunch = true
    await expectSound(
      10_002_309, setting: setting,
      [
        .set([.polygon(1)]), .set([.viewport(1)]), .answers([.holdCut, .holdCut]), .pass(milliseconds: 9776),
        .meet(isBefore: true, [.polygon(1), .weather([0, 1]), .upTo(false), .polygon(3)]),
      ])
  }

  /// An answer without aircraft, after one with some, counted as an answer without news: the client paused, as after the end of a server,
  /// while urgent news came in.
  @Test func trafficThatLeaves() async {
    var setting = Script.Setting()
    setting.holdSeconds = 540
    setting.knowsRepairs = false
    setting.deliversCancelled = false
    setting.opensLate = true
    setting.setsBeforeLaunch = true
    await expectSound(
      10_006_134, setting: setting,
      [
        .set([.polygon(0), .types(7)]), .pass(milliseconds: 13025), .pass(milliseconds: 359_285),
        .pass(milliseconds: 74753), .answers([.lost]), .pass(milliseconds: 79579), .pass(milliseconds: 81267),
        .pass(milliseconds: 83791), .pass(milliseconds: 33387), .pass(milliseconds: 38110),
        .relaunch(.powerLossAmid(after: 1)), .set([.weatherSpec(language: "ja", hours: 24)]),
        .pass(milliseconds: 88342),
      ])
  }

  /// A record was older than the history when its request was answered, so the answer had no news, and the client paused while urgent news
  /// came in.
  @Test func newsThatLeavesTheHistory() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 60
    setting.holdSeconds = 540
    setting.deliversCancelled = false
    setting.turnsAreLate = true
    setting.deliversAirports = true
    await expectSound(
      791_262, setting: setting, [.set([.polygon(1)]), .pass(milliseconds: 368_059), .refresh(full: false)])
  }

  /// The database lacked a record that had expired before the clock was set back. The log had it, so it was shown after the launch, and
  /// nobody was told when it expired again.
  @Test func aRecordThatTheDatabaseLacks() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 60
    setting.isServerPlain = true
    setting.hasDatabase = true
    setting.deliversCancelled = false
    setting.setsBeforeLaunch = true
    await expectSound(
      1_014_985, setting: setting,
      [
        .clock(byMS: -517_681), .set([.polygon(1)]), .sleep(milliseconds: 10_360_079),
        .relaunch(.powerLossAmid(after: 7)), .answers([.wrongCount]), .pass(milliseconds: 67_432),
      ])
  }

  /// A token came after a device had slept, when another call of the provider was overdue. Its end was told with that of the outage.
  @Test func aTokenAndAnOverdueCallAfterASleep() async {
    var setting = Script.Setting()
    setting.knowsRepairs = false
    setting.holdSeconds = 540
    setting.deliversCancelled = false
    setting.setsBeforeLaunch = true
    setting.turnsAreLate = true
    setting.isObserved = false
    setting.deliversAirports = true
    setting.tokenLifeSeconds = 1200
    await expectSound(
      1_013_139, setting: setting,
      [
        .set([.insertType(8)]), .provider([.late, .hangs, .late]), .revokeKey, .pass(milliseconds: 39_583),
        .sleep(milliseconds: 9_990_138),
      ])
  }

  /// The power failed before what was set was on stable storage, except in the copy of the settings. The application read it there and set
  /// it again, which changed nothing for the client, and the log had nothing of it.
  @Test func settingsThatOnlyTheirCopyHas() async {
    var setting = Script.Setting()
    setting.holdSeconds = 540
    setting.deliversCancelled = false
    setting.setsBeforeLaunch = true
    setting.deliversAirports = true
    await expectSound(
      304_226, setting: setting,
      [
        .link(isUp: false, isTold: true), .relaunch(.powerLossAmid(after: 10)), .disk(.syncFails),
        .set([.polygon(0)]), .relaunch(.orderly), .set([.polygon(0)]),
      ])
  }

  /// Other credentials replaced a held request before the turn's shorter history was there.
  @Test func aShorterHistoryWithOtherCredentials() async {
    var setting = Script.Setting()
    setting.holdSeconds = 540
    setting.knowsRepairs = false
    setting.deliversCancelled = false
    setting.opensLate = true
    setting.setsBeforeLaunch = true
    setting.turnsAreLate = true
    await expectSound(
      307_054, setting: setting,
      [.set([.turnedPolygon(2)]), .pass(milliseconds: 80186), .setChecked(.history(.halfHour)), .setWeatherToken])
  }

  /// A late key came while another one waited for a full disk: the outage of the provider seemed to go on, and its next failure wasn't told.
  @Test func aKeyThatComesWhileAnotherWaitsForTheDisk() async {
    var setting = Script.Setting()
    setting.deliversCancelled = false
    setting.tokenLifeSeconds = 3600
    setting.isObserved = false
    await expectSound(
      513_003, setting: setting,
      [
        .provider([.fails, .late]), .revokeKey, .provider([.late, .hangs, .hangsUntilCancelled, .late]),
        .track(count: 1), .pass(milliseconds: 36393), .disk(.full), .pass(milliseconds: 49748), .disk(.free),
        .pass(milliseconds: 11_886_804),
      ])
  }

  /// The disk refused a write after it had all of its bytes, so that the copy of the settings was behind the log at the next launch. The
  /// application changed one member of the settings for weather that it read.
  @Test func aMemberOfWhatTheCopyHas() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 60
    setting.isServerPlain = true
    setting.deliversCancelled = false
    setting.opensLate = true
    setting.deliversAirports = true
    await expectSound(
      1_201_208, setting: setting,
      [
        .set([.polygon(4)]), .pass(milliseconds: 616_095), .refresh(full: false), .disk(.full),
        .pass(milliseconds: 28_840), .disk(.free), .disk(.refusal(after: 2)), .disk(.refusal(after: 3)),
        .set([.weatherSpec(language: "ja", hours: 48)]), .refresh(full: false), .relaunch(.orderly),
        .set([.weatherMember(.unit("furlongs"))]),
      ])
  }

  /// Little was left of the viewport's time when its interval changed, and the corridor's request was cancelled with it.
  @Test func anAreaThatIsDueWhenItIsntHeldAnyMore() async {
    var setting = Script.Setting()
    setting.reportsPerHour = 60
    setting.holdSeconds = 540
    setting.knowsRepairs = false
    setting.deliversCancelled = false
    setting.opensLate = true
    setting.setsBeforeLaunch = true
    setting.tokenLifeSeconds = 1200
    setting.isObserved = false
    await expectSound(
      1_406_353, setting: setting,
      [
        .set([.polygon(1), .types(9)]), .pass(milliseconds: 109_499), .answers([.trafficOfAnother, .handlesLost]),
        .meet(isBefore: false, [.viewport(3), .altitudes(.init(lower: 1364, upper: 12917))]), .track(count: 2),
        .pass(milliseconds: 194_596), .linkCost(isExpensive: false, isConstrained: true),
      ])
  }
}
