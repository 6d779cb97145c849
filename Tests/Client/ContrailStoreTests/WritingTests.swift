import ContrailCore
import ContrailStore
import ContrailTestSupport
import ContrailWire
import Testing

/// Rows and position go together, and only forward, and only from what the store holds.
@Suite struct WritingTests {
  private struct Scene {
    let scratch: Scratch
    let store: ProjectionStore
    /// States after each of four answers.
    let states: [State]

    init() throws {
      scratch = try Scratch()
      store = try scratch.store()
      var inFlight = SteadyFlight(seed: 5, reportsPerMinute: 20)
      var states: [State] = []
      for _ in 0..<4 {
        inFlight.step()
        states.append(inFlight.state)
      }
      self.states = states
      try store.rebuild(from: states[0], through: LogPosition(endOf: states[0]))
    }

    func expectRefused(_ change: StoreChange, through position: LogPosition) throws {
      let before = try store.position()
      let held = try store.contents(of: .corridor)
      let error = try #require(throws: StoreError.self) { try store.apply(change, through: position) }
      #expect(error.code == .outOfStep)
      #expect(try store.position() == before)
      #expect(try store.contents(of: .corridor) == held)
      #expect(try store.verify() == [])
    }
  }

  @Test func aChangeFromAnotherStateIsRefusedWhole() throws {
    let scene = try Scene()
    let (states, store) = (scene.states, scene.store)
    // One change was missed.
    try scene.expectRefused(
      StoreChange(from: states[1], to: states[2]), through: LogPosition(endOf: states[2]))
    // From nothing.
    try scene.expectRefused(StoreChange(from: State(), to: states[1]), through: LogPosition(endOf: states[1]))
    // The missed change first, and it fits.
    try store.follow(from: states[0], to: states[1])
    try store.follow(from: states[1], to: states[2])
    try store.expectAgreement(with: states[2])
  }

  @Test func thePositionOnlyRises() throws {
    let scene = try Scene()
    let (states, store) = (scene.states, scene.store)
    let change = StoreChange(from: states[0], to: states[1])
    try scene.expectRefused(change, through: LogPosition(endOf: states[0]))
    try store.apply(change, through: LogPosition(endOf: states[1]))
    try scene.expectRefused(change, through: LogPosition(endOf: states[1]))
  }

  @Test func anEmptyChangeMovesThePosition() throws {
    let scene = try Scene()
    var position = LogPosition(endOf: scene.states[0])
    position.seq += 1
    try scene.store.apply(StoreChange(from: scene.states[0], to: scene.states[0]), through: position)
    #expect(try scene.store.position() == position)
    try scene.store.expectAgreement(with: scene.states[0])
  }

  @Test func catchingUpWritesWhatDiffersAndNoMore() throws {
    let scene = try Scene()
    let (states, store) = (scene.states, scene.store)
    let change = try store.catchUp(with: states[3], through: LogPosition(endOf: states[3]))
    #expect(change.recordCount == 60)
    #expect(change.changedScopes == [.corridor])
    try store.expectAgreement(with: states[3])
    #expect(try store.catchUp(with: states[3], through: LogPosition(endOf: states[3])).isEmpty)
    // Back, as after a log that has lost its last lines.
    #expect(try store.catchUp(with: states[0], through: LogPosition(endOf: states[0])).recordCount == 60)
    try store.expectAgreement(with: states[0])
    #expect(try store.position() == LogPosition(endOf: states[0]))
  }

  @Test func rebuildingForgetsWhatAnotherLogLeft() throws {
    let scene = try Scene()
    var rig = Rig.flying { $0.types = [.turbulence, .turbulencePolygons] }
    rig.answer(.global(.twoHours))
    try scene.store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    try scene.store.expectAgreement(with: rig.state)
    try scene.store.rebuild(from: State(), through: LogPosition(seq: 0, crc: 9))
    #expect(try scene.store.summaries() == [])
    #expect(try scene.store.position() == LogPosition(seq: 0, crc: 9))
  }

  @Test func errorsSayWhereAndWhatToDo() throws {
    let scene = try Scene()
    let change = StoreChange(from: scene.states[1], to: scene.states[2])
    let error = try #require(throws: StoreError.self) {
      try scene.store.apply(change, through: LogPosition(endOf: scene.states[2]))
    }
    #expect(
      error.description
        == "\(scene.scratch.path): outOfStep: corridor holds other records than the change starts from. "
        + "Catch up with the state. The change wasn't written.")
    #expect(!error.isTransient)
  }

  // MARK: Status

  @Test func aStoreKnowsHowItRelatesToALog() {
    let log: [UInt32] = [10, 11, 12, 13]
    let end = LogPosition(seq: 3, crc: 13)
    func status(_ seq: Int64, _ crc: UInt32, to end: LogPosition?) -> SyncStatus {
      SyncStatus(of: LogPosition(seq: seq, crc: crc), to: end) { seq in
        log.indices.contains(Int(seq)) && seq >= 1 ? log[Int(seq)] : nil
      }
    }
    #expect(SyncStatus(of: nil, to: end) { _ in nil } == .empty)
    #expect(status(3, 13, to: end) == .level)
    #expect(status(3, 12, to: end) == .fromAnotherLog)
    #expect(status(1, 11, to: end) == .behind(lines: 2))
    #expect(status(1, 12, to: end) == .fromAnotherLog)
    // The line has gone from the log.
    #expect(status(0, 10, to: end) == .fromAnotherLog)
    #expect(status(5, 15, to: end) == .ahead(lines: 2))
    #expect(status(0, 10, to: nil) == .ahead(lines: 1))
  }
}
