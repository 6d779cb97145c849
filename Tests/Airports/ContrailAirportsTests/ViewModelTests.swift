import ContrailAirportData
import ContrailAirports
import Foundation
import Testing

@MainActor @Suite struct ViewModelTests {
  private final class Rig {
    let scratch: Scratch
    let database: AirportDatabase
    let loader: AirportLoader
    let model: AirportLoaderViewModel

    @MainActor init() throws {
      scratch = try Scratch()
      database = try scratch.database()
      loader = AirportLoader(
        database: database, transport: FileAirportTransport(path: { _ in "/nowhere" }),
        folder: scratch.path("downloads"))
      model = AirportLoaderViewModel(loader: loader)
    }
  }

  private static let airports: [Airport] = {
    var random = RandomAirports(seed: 61)
    return random.make(10)
  }()

  /// What is held, whether the user has asked to put it off, and what is shown.
  @Test(arguments: [false, true], [AirportLoadNeed.none, .cycleExpired, .schemaMismatch, .noData])
  func whatIsRequiredCannotBePutOffAndWhatIsOptionalCan(_ asksToDefer: Bool, _ need: AirportLoadNeed) async throws {
    let rig = try Rig()
    if need != .noData { try rig.database.load(Self.airports, Times.cycle) }
    if need == .schemaMismatch { try rig.database.setDataVersion(0) }
    try await rig.model.refresh(at: need == .cycleExpired ? Times.cycle.endTime : Times.cycle.effectiveTime)
    #expect(rig.model.noData == (need == .noData))
    #expect(rig.model.needsLoad == (need != .none))
    #expect(rig.model.canDefer == (need == .cycleExpired))
    #expect(rig.model.showLoader == (need != .none))
    #expect(need.isRequired == (need == .noData || need == .schemaMismatch))
    guard asksToDefer else { return }
    #expect(rig.model.deferLoad() == (need == .cycleExpired))
    #expect(rig.model.deferred == (need == .cycleExpired))
    #expect(rig.model.showLoader == need.isRequired)
  }

  @Test func aDeferralLastsForItsCycle() async throws {
    let rig = try Rig()
    try rig.database.load(Self.airports, Times.before)
    try await rig.model.refresh(at: Times.cycle.effectiveTime)
    #expect(rig.model.deferLoad())
    try await rig.model.refresh(at: Times.cycle.endTime - 1)
    #expect(!rig.model.showLoader)
    try await rig.model.refresh(at: Times.cycle.endTime)
    #expect(rig.model.showLoader)
  }

  @Test func aLoadThatFailsSaysWhyAndOneThatSucceedsHidesTheLoader() async throws {
    let rig = try Rig()
    await rig.model.load(at: Times.cycle.effectiveTime)
    #expect(rig.model.error?.code == "cycleNotAvailable")
    #expect(rig.model.showLoader)
    let path = rig.scratch.path("file")
    try Data(AirportFile.encoded(Self.airports, cycle: Times.cycle, sources: [])).write(to: URL(fileURLWithPath: path))
    try await rig.loader.load(contentsOf: path, at: Times.cycle.effectiveTime)
    await rig.model.load(at: Times.cycle.effectiveTime)
    #expect(rig.model.error == nil)
    #expect(!rig.model.showLoader)
  }

  @Test func aCycleThatWaitsNeedsNoLoader() async throws {
    let rig = try Rig()
    try rig.database.load(Self.airports, Times.before)
    try rig.database.load(Self.airports, Times.cycle, at: Times.before.effectiveTime)
    try await rig.model.refresh(at: Times.cycle.effectiveTime)
    #expect(!rig.model.showLoader)
    #expect(try rig.database.status().current?.cycle == Times.cycle)
  }
}
