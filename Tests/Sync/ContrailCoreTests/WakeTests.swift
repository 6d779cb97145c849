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

  // MARK: In the background

  /// A flight whose corridor is being fetched for another area, and which goes to the background.
  private func leaving(_ change: (inout Rig) -> Void = { _ in }) -> Rig {
    var rig = Rig.flying { $0.viewport = Rig.square(south: 10, west: 10) }
    rig.answer(.viewport)
    rig.now += 1000
    change(&rig)
    rig.query { $0.polygon = Rig.square(south: 20, west: 20) }
    rig.send(.backgroundChanged(isInBackground: true))
    rig.now += 90_000
    return rig
  }

  @Test func inTheBackgroundTheEndOfARequestBeginsNoOther() {
    var rig = leaving()
    #expect(rig.state.nextWake == nil && rig.state.scope(.corridor)?.inFlight != nil)
    #expect(rig.fail() == [], "the viewport is due")
    rig.now += 90_000
    let asked = rig.query { $0.polygon = Rig.square(south: 30, west: 30) }
    #expect(asked == ["corridor full areaChanged", "viewport delta due"])
    rig.answer()
    #expect(rig.answer(.viewport, status: 410) == [], "what was requested there ends")
    #expect(rig.send(.backgroundChanged(isInBackground: false)) == ["viewport full deltaUnavailable"])
  }

  @Test func inTheBackgroundReportsFollowAnUploadThatSucceeded() {
    for (status, next) in [(200, ["outbox upload of 1 as s0-1-1"]), (500, [String]())] {
      var rig = leaving { rig in
        for number in UInt32(1)...2 {
          let second = UInt32(Rig.start / 1000) + number
          rig.send(.reportTracked(.init(cell: 1 << 15, altitude: 35, severity: 2, edrE4: 1800, observedAt: second)))
        }
      }
      #expect(rig.answerUpload(status: status) == next)
      rig.now += 90_000
      #expect(rig.answer() == [])
    }
  }
}
