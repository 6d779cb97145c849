import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailCore

/// Rule delivered: a client that loads airports by itself requests a cycle when it is due.
@Suite struct AirportDeliveryTests {
  private static let day: Int64 = 86_400_000
  private static let hour: Int64 = 3_600_000
  /// The AIRAC cycle that is effective when the rig's clock starts. 2025-01-23 is the first day of cycle 2501.
  private static let current: Int64 = {
    let reference: Int64 = 10_255 * day
    return Rig.start - (Rig.start - reference) % (28 * day)
  }()
  /// A day into it.
  private static let start = current + day
  private static let next = current + 28 * day

  private static func edition(_ effectiveMS: Int64) -> AirportEdition {
    AirportEdition(
      cycle: effectiveMS == current ? "2501" : effectiveMS == next ? "2502" : "2413", effectiveMS: effectiveMS)
  }

  private static func loaded(_ effectiveMS: Int64) -> Input {
    .airportsLoaded(
      .init(edition: edition(effectiveMS), count: 1, digest: UInt64(effectiveMS), changes: .init(added: 1)))
  }

  private static func request(_ reason: String, _ effectiveMS: Int64) -> String {
    "airports request \(reason) \(effectiveMS)"
  }

  private func rig(online: Bool = true, automatic: Bool = true) -> Rig {
    var rig = Rig(now: Self.start)
    rig.send(.sessionStarted(.init(engine: "test", id: "s", seed: 7)))
    if automatic { rig.send(.airportsDelivery(isAutomatic: true)) }
    if online { rig.send(.connectivityChanged(isOnline: true)) }
    return rig
  }

  /// A rig with the effective cycle in use.
  private func loadedRig() -> Rig {
    var rig = rig()
    rig.send(Self.loaded(Self.current))
    return rig
  }

  @Test func theFirstCycleIsRequestedAtLaunchOnceThereIsALink() {
    var rig = rig(online: false)
    #expect(rig.state.nextWake == nil)
    #expect(rig.send(.connectivityChanged(isOnline: true)) == [Self.request("first", Self.current)])
    #expect(rig.send(.credentialsChanged) == [], "one request at a time")
    #expect(rig.state.nextWake == nil)
    #expect(rig.send(Self.loaded(Self.current)) == ["airports switch to 2501"])
    #expect(rig.state.airports.delivery.request == nil && rig.unrest == [])
  }

  @Test func withoutTheSettingNothingIsRequested() {
    var rig = rig(automatic: false)
    #expect(rig.send(.credentialsChanged) == [] && rig.state.nextWake == nil)
    #expect(!String(decoding: rig.state.controlJSON, as: UTF8.self).contains("delivery"))
    #expect(rig.send(.airportsDelivery(isAutomatic: true)) == [Self.request("first", Self.current)])
    rig.send(.airportsFailed(Self.edition(Self.current), code: "data"))
    #expect(rig.send(.airportsDelivery(isAutomatic: false)) == [] && rig.state.nextWake == nil)
  }

  @Test func theNextCycleIsRequestedAWeekAheadAndTheOneAfterAnExpiry() {
    var rig = loadedRig()
    #expect(rig.state.nextWake?.at == Self.next - 7 * Self.day && rig.state.nextWake?.scope == .airports)
    rig.now = Self.next - 7 * Self.day
    #expect(rig.pass(seconds: 0) == [Self.request("ahead", Self.next)])
    rig.send(.airportsFailed(Self.edition(Self.next), code: "data"))
    // Offline past its effective date, the cycle has expired.
    rig.send(.connectivityChanged(isOnline: false))
    rig.now = Self.next + Self.hour
    #expect(rig.send(.connectivityChanged(isOnline: true)) == [Self.request("expired", Self.next)])
    #expect(rig.send(Self.loaded(Self.next)) == ["airports switch to 2502"])
    #expect(rig.state.nextWake?.at == Self.next + 21 * Self.day && rig.unrest == [])
  }

  @Test func whatASwitchLeavesMissingIsRequestedAtOnce() {
    var rig = loadedRig()
    rig.now = Self.next - 6 * Self.day
    #expect(rig.pass(seconds: 0) == [Self.request("ahead", Self.next)])
    #expect(rig.send(Self.loaded(Self.next)) == [] && rig.state.nextWake?.at == Self.next)
    // The application loads the effective cycle again, which takes the place of the one that waits.
    #expect(
      rig.send(Self.loaded(Self.current)) == ["airports switch to 2501", Self.request("ahead", Self.next)])
    #expect(rig.unrest == [])
  }

  @Test func aCycleThatWaitsFarAheadDoesNotDelayTheRequestOfTheNextOne() {
    var rig = loadedRig()
    // The application loads the cycle after the next one.
    rig.send(Self.loaded(Self.next + 28 * Self.day))
    #expect(rig.state.nextWake?.at == Self.next - 7 * Self.day)
    rig.now = Self.next - 7 * Self.day
    #expect(rig.pass(seconds: 0) == [Self.request("ahead", Self.next)])
  }

  @Test func anExpiryWakesTheClient() {
    var rig = loadedRig()
    rig.now = Self.next - 7 * Self.day
    _ = rig.pass(seconds: 0)
    rig.send(.airportsDeferred(Self.edition(Self.next)))
    rig.send(.airportsFailed(Self.edition(Self.next), code: "cancelled"))
    #expect(rig.state.nextWake?.at == Self.next, "a deferred cycle isn't requested again")
    rig.now = Self.next
    #expect(rig.pass(seconds: 0) == [])
    rig.now = Self.next + 21 * Self.day
    #expect(rig.pass(seconds: 0) == [], "still deferred: the cycle in use isn't the effective one")
    rig.now = Self.next + 28 * Self.day
    #expect(rig.pass(seconds: 0) == [Self.request("expired", Self.next + 28 * Self.day)])
  }

  @Test func aCycleThatIsNotAvailableIsRequestedAgainAfterAnHour() {
    var rig = rig()
    #expect(rig.send(.airportsChecked(.init(wanted: Self.edition(Self.current)))) == [])
    #expect(rig.state.nextWake?.at == Self.start + Self.hour)
    // The one before it is loaded meanwhile.
    let before = Self.current - 28 * Self.day
    #expect(rig.send(Self.loaded(before)) == ["airports switch to 2413"])
    rig.now = Self.start + Self.hour - 1
    #expect(rig.send(.credentialsChanged) == [])
    #expect(rig.pass(seconds: 1) == [Self.request("expired", Self.current)])
  }

  @Test func failuresWaitLongerAndLonger() {
    var rig = rig()
    var waits: [Int64] = []
    for _ in 0..<9 {
      rig.send(.airportsFailed(Self.edition(Self.current), code: "unreachable"))
      let wake = rig.state.nextWake?.at ?? 0
      waits.append((wake - rig.now) / 60_000)
      rig.now = wake
      #expect(rig.pass(seconds: 0) == [Self.request("first", Self.current)])
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60])
  }

  @Test func aLinkThatFlapsCostsOneRequestAMinuteAtMost() {
    var rig = rig()
    rig.send(.airportsFailed(Self.edition(Self.current), code: "unreachable"))
    var requests = 0
    for _ in 0..<120 {
      rig.now += 1000
      rig.send(.connectivityChanged(isOnline: false))
      let decisions = rig.send(.connectivityChanged(isOnline: true))
      if decisions.isEmpty { continue }
      requests += 1
      rig.send(.airportsFailed(Self.edition(Self.current), code: "unreachable"))
    }
    #expect(requests == 2)
  }

  @Test func aRequestEndsWithItsProcess() {
    var rig = rig()
    rig.now += 61_000
    #expect(rig.state.airports.delivery.request == Self.current)
    rig.send(.sessionStarted(.init(engine: "test", id: "t", seed: 8)))
    #expect(rig.state.airports.delivery.request == nil && rig.state.airports.delivery.isAutomatic)
    #expect(rig.send(.connectivityChanged(isOnline: true)) == [Self.request("first", Self.current)])
  }

  @Test func aSnapshotHoldsTheDelivery() throws {
    var rig = rig()
    rig.send(.airportsFailed(Self.edition(Self.current), code: "unreachable"))
    rig.now += 60_000
    _ = rig.pass(seconds: 0)
    var copy = State()
    for (index, part) in rig.state.snapshotParts.enumerated() {
      let event = try Event(kind: Kind.snapshotPart.rawValue, payload: Event.mark(.snapshotPart(part)).payload)
      copy.evolve(Record(seq: Int64(index), at: rig.now, event: event))
    }
    copy.evolve(Record(seq: rig.state.nextSeq - 1, at: rig.now, event: .mark(.snapshotEnded)))
    #expect(copy.airports == rig.state.airports && copy.airports.delivery.failures == 1)
    #expect(copy.airports.delivery.request == Self.current)
  }
}
