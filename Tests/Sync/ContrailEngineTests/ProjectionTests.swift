import ContrailCore
import ContrailEngine
import ContrailLog
import ContrailTestSupport
import ContrailWire
import Testing

/// When the driver has the database written, and how.
@Suite struct ProjectionTests {
  private static let failure = ClientError(.store, message: "full", advice: "", isTransient: true)

  /// A rig whose database holds everything.
  private static func level() -> ManualRig {
    let rig = ManualRig.launched(hasProjection: true)
    rig.feed(.projected(.done(nil)))
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    rig.feed(.projected(.done(nil)))
    rig.forget()
    return rig
  }

  private func projections(_ rig: ManualRig) -> [String] {
    rig.names.filter { ["open", "apply", "catchUp", "rebuild"].contains($0) }
  }

  private static func change(_ rig: ManualRig, _ area: ResolvedQuery.Points = Rig.otherArea) {
    rig.turn { $0.set(DriverRig.query(area)) }
    rig.write()
  }

  @Test func theDatabaseIsOpenedOnceTheLaunchIsWritten() {
    let rig = ManualRig(hasProjection: true)
    rig.feed(.launched)
    rig.open()
    #expect(rig.names.filter { $0 == "open" } == ["open"])
    rig.write()
    #expect(projections(rig) == ["open", "open"])
    guard case .project(.open(let state, let tail))? = rig.actions.last(where: { $0.name == "open" }) else {
      Issue.record("the database is not opened")
      return
    }
    #expect(state == rig.state && tail.seq == rig.seq)
  }

  @Test func withoutADatabaseNothingIsAskedOfIt() {
    let rig = ManualRig.launched()
    Self.change(rig)
    #expect(projections(rig) == [])
    let background = rig.add { .background($0) }
    rig.write()
    #expect(rig.completed == [background: [nil]])
    // A result that nobody asked for changes nothing.
    rig.forget()
    rig.feed(.projected(.failed(Self.failure)))
    #expect(rig.updates.isEmpty && rig.timer == nil)
  }

  @Test func onlyWhatTheDatabaseKeepsIsWritten() throws {
    let rig = Self.level()
    rig.turn { $0.set(DataUpdateFrequency.none) }
    rig.write()
    rig.turn { $0.setOnline(false) }
    rig.write()
    #expect(projections(rig) == [] && rig.isIdle)
    Self.change(rig)
    #expect(projections(rig) == ["apply"])
  }

  @Test func severalChangesWhileOneIsWrittenAreWrittenAsOne() throws {
    let rig = Self.level()
    let first = rig.state
    Self.change(rig)
    let second = rig.state
    Self.change(rig, Rig.area)
    Self.change(rig, Rig.square(south: -10, west: 0))
    #expect(projections(rig) == ["apply"])
    rig.feed(.projected(.done(nil)))
    #expect(projections(rig) == ["apply", "apply"])
    let commands = rig.actions.compactMap { if case .project(let command) = $0 { command } else { nil } }
    guard case .apply(let from, let to, _) = commands[0], case .apply(let then, let last, let tail) = commands[1] else {
      Issue.record("no changes are written")
      return
    }
    #expect(from == first && to == second && then == second && last == rig.state && tail.seq == rig.seq)
    rig.forget()
    rig.feed(.projected(.done(nil)))
    #expect(projections(rig) == [])
  }

  @Test func aChangeThatCannotBeWrittenIsMadeUpForLater() {
    let rig = Self.level()
    Self.change(rig)
    rig.feed(.projected(.failed(Self.failure)))
    #expect(rig.updates.count { $0 == .failed(Self.failure) } == 1 && rig.timer == rig.now + 1000)
    // What comes meanwhile waits for the same attempt.
    Self.change(rig, Rig.area)
    #expect(projections(rig) == ["apply"])
    rig.now += 999
    rig.feed(.timerFired)
    rig.write()
    #expect(projections(rig) == ["apply"])
    rig.now += 1
    rig.feed(.timerFired)
    rig.write()
    #expect(projections(rig) == ["apply", "catchUp"])
    rig.feed(.projected(.failed(Self.failure)))
    #expect(rig.updates.count { $0 == .failed(Self.failure) } == 1)
    rig.now += 2000
    rig.feed(.timerFired)
    rig.write()
    #expect(projections(rig) == ["apply", "catchUp", "catchUp"])
    rig.feed(.projected(.done(nil)))
    // It is level again: changes are written as such, and the next failure is told again.
    Self.change(rig)
    #expect(projections(rig).last == "apply")
    rig.feed(.projected(.failed(Self.failure)))
    #expect(rig.updates.count { $0 == .failed(Self.failure) } == 2)
  }

  @Test func whatDoesNotFitAfterAFailureWaits() {
    let rig = Self.level()
    Self.change(rig)
    rig.feed(.projected(.failed(Self.failure)))
    rig.now += 1000
    rig.feed(.timerFired)
    rig.write()
    rig.feed(.projected(.outOfStep))
    #expect(projections(rig) == ["apply", "catchUp"])
    rig.now += 1999
    rig.feed(.timerFired)
    rig.write()
    #expect(projections(rig) == ["apply", "catchUp"])
    rig.now += 1
    rig.feed(.timerFired)
    rig.write()
    #expect(projections(rig) == ["apply", "catchUp", "rebuild"])
    guard case .project(.rebuild(let state, let tail))? = rig.actions.last(where: { $0.name == "rebuild" }) else {
      return
    }
    #expect(state == rig.state && tail.seq == rig.seq)
  }

  @Test func whatDoesNotFitIsWrittenAnewAtOnce() {
    let rig = Self.level()
    Self.change(rig)
    rig.feed(.projected(.outOfStep))
    #expect(projections(rig) == ["apply", "rebuild"])
    rig.feed(.projected(.done(.fromAnotherLog)))
    #expect(rig.updates.contains(.rebuilt(.fromAnotherLog)))
    Self.change(rig, Rig.area)
    #expect(projections(rig).last == "apply")
  }

  @Test func aRebuildThatDoesNotFitEitherWaits() {
    let rig = Self.level()
    Self.change(rig)
    rig.feed(.projected(.outOfStep))
    rig.feed(.projected(.outOfStep))
    #expect(projections(rig) == ["apply", "rebuild"] && rig.timer == rig.now + 1000)
  }

  // MARK: Rest

  @Test func theBackgroundWaitsForTheDatabaseUnlessThatFails() {
    let rig = Self.level()
    Self.change(rig)
    let waiting = rig.add { .background($0) }
    rig.write()
    #expect(rig.completed.isEmpty)
    rig.feed(.projected(.failed(Self.failure)))
    #expect(rig.completed == [waiting: [nil]])
    // Also where an attempt is due, but none is under way.
    let another = rig.add { .background($0) }
    rig.write()
    #expect(rig.completed[another] == [nil])
    rig.fire()
    while rig.names.last != "catchUp" { rig.fire() }
    let amid = rig.add { .background($0) }
    rig.write()
    #expect(rig.completed[amid] == nil)
    rig.feed(.projected(.done(nil)))
    #expect(rig.completed[amid] == [nil])
  }

  @Test func aStopDoesNotWaitForADatabaseThatFails() {
    let rig = Self.level()
    Self.change(rig)
    rig.feed(.projected(.failed(Self.failure)))
    rig.add(.stop(nil))
    rig.write()
    #expect(rig.names.contains("close") && rig.timer == nil)
  }
}
