import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailCore

/// Rule switched: a cycle that stands ready is in use from the moment at which it is effective.
@Suite struct AirportRuleTests {
  /// A cycle that is effective already when the rig's clock starts.
  private static let current = AirportEdition(cycle: "2501", effectiveMS: Rig.start - 10 * 86_400_000)
  /// The cycle after it, an hour after the clock starts.
  private static let next = AirportEdition(cycle: "2502", effectiveMS: Rig.start + 3_600_000)

  private static func blob(_ edition: AirportEdition) -> BlobName {
    BlobName(sha256: String(repeating: edition.cycle, count: 16), byteCount: 1000)
  }

  private static func digest(_ edition: AirportEdition) -> UInt64 { Digest.hash(edition.cycle.utf8) }

  private static func loaded(_ edition: AirportEdition) -> Input {
    .airportsLoaded(
      .init(edition: edition, count: 113, digest: digest(edition), changes: .init(added: 2, unchanged: 111)))
  }

  private func load(_ edition: AirportEdition, _ rig: inout Rig) -> [String] {
    rig.send(.airportsDownloaded(.init(edition: edition, blob: Self.blob(edition), wireBytes: 900)))
      + rig.send(Self.loaded(edition))
  }

  private func rig(online: Bool = true) -> Rig {
    var rig = Rig()
    rig.send(.sessionStarted(.init(engine: "test", id: "s", seed: 7)))
    if online { rig.send(.connectivityChanged(isOnline: true)) }
    return rig
  }

  @Test func aCycleThatIsEffectiveIsInUseAtOnce() {
    var rig = rig()
    #expect(load(Self.current, &rig) == ["airports switch to 2501"])
    #expect(rig.state.airports.inUse?.edition == Self.current && rig.state.airports.waiting == nil)
    #expect(rig.state.airports.inUse?.blob == Self.blob(Self.current))
    #expect(rig.state.airports.download == nil)
    #expect(rig.state.nextWake == nil && rig.unrest == [])
  }

  @Test(arguments: [true, false]) func aCycleThatIsNotWaitsForItsInstantOnlineOrNot(isOnline: Bool) {
    var rig = rig(online: isOnline)
    _ = load(Self.current, &rig)
    #expect(load(Self.next, &rig) == [])
    #expect(rig.state.airports.inUse?.edition == Self.current && rig.state.airports.waiting?.edition == Self.next)
    #expect(rig.state.nextWake?.at == Self.next.effectiveMS && rig.state.nextWake?.scope == .airports)
    rig.now = Self.next.effectiveMS - 1
    #expect(rig.send(.credentialsChanged) == [])
    #expect(rig.pass(seconds: 1) == ["airports switch to 2502"])
    #expect(rig.state.airports.inUse?.edition == Self.next && rig.state.airports.waiting == nil)
    #expect(rig.state.nextWake == nil && rig.unrest == [])
  }

  @Test func theInstantIsTakenByTheServersClockOnceThatIsKnown() {
    var rig = Rig.flying()
    rig.query { $0.polygon = nil }
    rig.send(.frequencyChanged(.none))
    rig.query { $0.polygon = Rig.area }
    rig.send(.refreshRequested(full: true))
    // The server's clock is ten minutes ahead of the device's.
    let serverTime = rig.now + 600_000
    rig.answer { $0.serverTimeMS = serverTime }
    _ = load(Self.next, &rig)
    #expect(rig.state.nextWake?.at == Self.next.effectiveMS - 600_000)
    rig.now = Self.next.effectiveMS - 600_000
    #expect(rig.pass(seconds: 0) == ["airports switch to 2502"])
  }

  @Test func whatWasLoadedBeforeARelaunchIsSwitchedToAfterIt() {
    var rig = rig()
    _ = load(Self.current, &rig)
    _ = load(Self.next, &rig)
    rig.now = Self.next.effectiveMS + 5000
    #expect(rig.send(.sessionStarted(.init(engine: "test", id: "t", seed: 8))) == ["airports switch to 2502"])
  }

  @Test func aDeferralStandsUntilThatCycleOrALaterOneIsLoaded() {
    var rig = rig()
    _ = load(Self.current, &rig)
    rig.send(.airportsDeferred(Self.next))
    #expect(rig.state.airports.deferred == Self.next)
    _ = load(Self.current, &rig)
    #expect(rig.state.airports.deferred == Self.next)
    rig.send(.sessionStarted(.init(engine: "test", id: "t", seed: 8)))
    #expect(rig.state.airports.deferred == Self.next)
    _ = load(Self.next, &rig)
    #expect(rig.state.airports.deferred == nil)
  }

  @Test func aFailedLoadChangesNothingThatIsInUse() {
    var rig = rig()
    _ = load(Self.current, &rig)
    rig.send(.airportsDownloaded(.init(edition: Self.next, blob: Self.blob(Self.next), wireBytes: 1)))
    #expect(rig.send(.airportsFailed(Self.next, code: "cancelled")) == [])
    #expect(rig.state.airports.inUse?.edition == Self.current && rig.state.airports.waiting == nil)
    #expect(rig.state.airports.download == nil && rig.state.airports.failure?.code == "cancelled")
    #expect(load(Self.next, &rig) == [] && rig.state.airports.failure == nil)
  }

  @Test func aCycleThatIsLoadedAnewKeepsTheFileThatItCameFrom() {
    var rig = rig()
    _ = load(Self.current, &rig)
    #expect(rig.send(Self.loaded(Self.current)) == ["airports switch to 2501"])
    #expect(rig.state.airports.inUse?.blob == Self.blob(Self.current))
  }

  @Test func aLookIsRememberedWithWhatItFound() {
    var rig = rig()
    rig.send(.airportsChecked(.init(wanted: Self.next)))
    #expect(rig.state.airports.lastCheck?.isAvailable == false)
    rig.now += 5
    rig.send(
      .airportsChecked(.init(wanted: Self.next, offers: [.init(edition: Self.next, file: Self.blob(Self.next))])))
    #expect(rig.state.airports.lastCheck == .init(wanted: Self.next, at: rig.now, isAvailable: true))
  }

  @Test func theDigestNamesTheAirportsInUseAndNothingWhereThereAreNone() {
    var rig = rig()
    #expect(rig.state.digest.scopes.isEmpty)
    #expect(!String(decoding: rig.state.controlJSON, as: UTF8.self).contains("airports"))
    _ = load(Self.next, &rig)
    #expect(rig.state.digest.scopes.isEmpty)
    _ = load(Self.current, &rig)
    #expect(rig.state.digest.scopes.map(\.scope) == [.airports])
    #expect(rig.state.digest.scopes.first?.digest == Self.digest(Self.current))
  }

  @Test func aSnapshotHoldsAllOfIt() throws {
    var rig = rig()
    _ = load(Self.current, &rig)
    _ = load(Self.next, &rig)
    rig.send(.airportsChecked(.init(wanted: Self.next)))
    rig.send(.airportsDeferred(Self.next))
    rig.send(.airportsFailed(Self.next, code: "data.damaged"))
    rig.send(.airportsDownloaded(.init(edition: Self.next, blob: Self.blob(Self.next), wireBytes: 1)))
    var copy = State()
    for (index, part) in rig.state.snapshotParts.enumerated() {
      let event = try Event(kind: Kind.snapshotPart.rawValue, payload: Event.mark(.snapshotPart(part)).payload)
      copy.evolve(Record(seq: Int64(index), at: rig.now, event: event))
    }
    copy.evolve(Record(seq: rig.state.nextSeq - 1, at: rig.now, event: .mark(.snapshotEnded)))
    #expect(copy.airports == rig.state.airports && copy.digest == rig.state.digest)
    // A log goes without its past, but not without the files that its snapshot names.
    let text = String(decoding: rig.state.controlJSON, as: UTF8.self)
    #expect(text.contains(Self.blob(Self.current).sha256) && text.contains(Self.blob(Self.next).sha256))
  }

  @Test func aCycleIsFourDigits() {
    for cycle in ["250", "25011", "25a1", "٢٥٠١"] {
      #expect(throws: EventError.self, "\(cycle)") {
        try Event(kind: .airportsDeferred, #""cycle":"\#(cycle)","effective":0"#)
      }
    }
  }
}
