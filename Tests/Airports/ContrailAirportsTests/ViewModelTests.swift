import ContrailAirportData
import ContrailAirports
import ContrailHTTP
import Foundation
import Observation
import Testing

@MainActor @Suite struct ViewModelTests {
  private final class Rig {
    let scratch: Scratch
    let database: AirportDatabase
    let loader: AirportLoader
    let model: AirportLoaderViewModel
    let events = Lock<[AirportEvent]>([])

    /// - Parameter onEvent: A closure that is called at each event of the loader.
    @MainActor init(_ onEvent: @escaping @Sendable (AirportDatabase) -> Void = { _ in }) throws {
      scratch = try Scratch()
      let database = try scratch.database()
      self.database = database
      loader = AirportLoader(
        database: database, transport: FileAirportTransport(path: { _ in "/nowhere" }),
        folder: scratch.path("downloads"), onEvent: { _ in onEvent(database) })
      let events = events
      model = AirportLoaderViewModel(loader: loader) { event in events.withLock { $0.append(event) } }
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

  @Test func nothingIsShownBeforeTheDatabaseIsRead() throws {
    let rig = try Rig()
    #expect(!rig.model.noData && !rig.model.needsLoad && !rig.model.canDefer && !rig.model.deferred)
    #expect(!rig.model.showLoader && rig.model.state == .idle && rig.model.error == nil)
    let isDeferred = rig.model.deferLoad()
    #expect(!isDeferred && !rig.model.deferred && rig.events.withLock(\.isEmpty))
  }

  @Test func aDeferralIsTold() async throws {
    let rig = try Rig()
    try rig.database.load(Self.airports, Times.before)
    try await rig.model.refresh(at: Times.cycle.effectiveTime)
    let isDeferred = rig.model.deferLoad()
    #expect(isDeferred && rig.events.withLock { $0 } == [.loadDeferred(Times.cycle)])
  }

  @Test func aDeferralEndsWhenTheLoadIsRequired() async throws {
    let rig = try Rig()
    try rig.database.load(Self.airports, Times.before)
    try await rig.model.refresh(at: Times.cycle.effectiveTime)
    rig.model.deferLoad()
    try rig.database.setDataVersion(0)
    try await rig.model.refresh(at: Times.cycle.effectiveTime)
    #expect(!rig.model.deferred && rig.model.showLoader)
  }

  /// The database is closed by the first event of the load, after which the load needs it no more.
  @Test func aStateThatCannotBeReadAfterALoadIsAnError() async throws {
    let rig = try Rig { try? $0.close() }
    try rig.database.load(Self.airports, Times.cycle)
    await rig.model.load(at: Times.cycle.effectiveTime)
    #expect(rig.model.error?.code == "closed")
  }

  @Test func theStateOfTheLoaderIsFollowed() async throws {
    let rig = try Rig()
    let path = rig.scratch.path("file")
    try Data(AirportFile.encoded(Self.airports, cycle: Times.cycle, sources: [])).write(to: URL(fileURLWithPath: path))
    try await rig.loader.load(contentsOf: path, at: Times.cycle.effectiveTime)
    while rig.model.state != .finished {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = rig.model.state
        } onChange: {
          continuation.resume()
        }
      }
    }
  }
}
