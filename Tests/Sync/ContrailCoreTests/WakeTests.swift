import ContrailCore
import ContrailTestSupport
import ContrailWire
import Testing

/// The next time at which something is due, and what is due then.
@Suite struct WakeTests {
  /// A flight whose corridor is due a minute after the start, and whose outbox may upload `later` ms after that.
  private func waiting(later milliseconds: Int64) -> Rig {
    var rig = Rig.flying()
    rig.now = Rig.start + 50_000 + milliseconds
    for number in UInt32(1)...2 {
      let second = UInt32(Rig.start / 1000) + number
      rig.send(.reportTracked(.init(cell: 1 << 15, altitude: 35, severity: 2, edrE4: 1800, observedAt: second)))
      // The second report gathers for ten seconds from the first upload.
      rig.answerUpload()
    }
    return rig
  }

  @Test func theEarlierOfCorridorAndOutboxIsNext() {
    let before = waiting(later: -1).state.nextWake
    #expect(before?.scope == .outbox && before?.at == Rig.start + 59_999)
    let after = waiting(later: 1).state.nextWake
    #expect(after?.scope == .corridor && after?.at == Rig.start + 60_000)
  }

  @Test func ofCorridorAndOutboxAtOneTimeTheCorridorIsNext() {
    let both = waiting(later: 0).state.nextWake
    #expect(both?.scope == .corridor && both?.at == Rig.start + 60_000)
  }
}
