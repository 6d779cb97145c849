import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Foundation
import GRDB
import Testing

@testable import ContrailStore

/// A change that doesn't fit the rows is refused whole, and rebuilding puts everything right.
@Suite struct MisfitTests {
  private struct Scene {
    let scratch = try? Scratch()
    let store: ProjectionStore
    var rig: Rig

    /// A store that holds reports and PIREPs.
    init() throws {
      guard let scratch else { throw CancellationError() }
      store = try scratch.store()
      rig = Rig.flying { $0.types = [.turbulence, .pireps, .traffic] }
      let now = rig.now / 1000
      rig.server.pireps = [
        Self.pirep("old", now - 7100), Self.pirep("a", now - 60), Self.pirep("b", now - 50), Self.pirep("c", now + 300),
      ]
      rig.now += 60_000
      rig.send(.refreshRequested(full: true))
      rig.answer()
      try store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    }

    static func pirep(_ id: String, _ second: Int64) -> PIREP {
      PIREP(
        id: id, position: FixedCoordinate(latitudeE7: 450_000_000, longitudeE7: -350_000_000), flightLevel: 350,
        severity: .light, isUrgent: false, observedAt: second, updatedAt: second, text: id)
    }

    /// A delta some minutes later: old reports and a PIREP go, others come.
    mutating func nextChange() -> StoreChange {
      let previous = rig.state
      rig.pass(seconds: 600)
      rig.answer()
      return StoreChange(from: previous, to: rig.state)
    }

    func expectRefused(_ change: StoreChange, _ reason: String) throws {
      let before = try store.position()
      let rows = try Self.dump(store)
      let error = try #require(throws: StoreError.self) {
        try store.apply(change, through: LogPosition(endOf: rig.state))
      }
      #expect(error.code == .outOfStep && error.reason.hasSuffix(reason), "\(error)")
      #expect(try store.position() == before)
      #expect(try Self.dump(store) == rows)
      try store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
      try store.expectAgreement(with: rig.state)
      #expect(try store.verify() == [])
    }

    /// Every row of every table, as text.
    static func dump(_ store: ProjectionStore) throws -> [String] {
      try store.pool.read { db in
        try [
          "position", "scopeRows", "reportRows", "reportBlocks", "cells", "pirepRows", "trafficRows", "documentRows",
        ].flatMap {
          try Row.fetchAll(db, sql: "SELECT * FROM \($0)").map(\.description)
        }
      }
    }

    func execute(_ sql: String) throws { try store.pool.write { try $0.execute(sql: sql) } }
  }

  @Test func aChangeThatFitsIsApplied() throws {
    var scene = try Scene()
    let change = scene.nextChange()
    let corridor = try #require(change.scopes.first)
    #expect(!corridor.reports.added.isEmpty && !corridor.reports.removed.isEmpty)
    #expect(corridor.reports.removed.count < corridor.before?.reportCount ?? 0)
    #expect(!corridor.pireps.added.isEmpty && !corridor.pireps.removed.isEmpty)
    try scene.store.apply(change, through: LogPosition(endOf: scene.rig.state))
    try scene.store.expectAgreement(with: scene.rig.state)
    #expect(try scene.store.verify() == [])
  }

  @Test func aReportToRemoveThatIsNotThereIsNoticed() throws {
    var scene = try Scene()
    let change = scene.nextChange()
    let gone = try #require(change.scopes.first?.reports.removed.first)
    try scene.execute("DELETE FROM reportRows WHERE packed = \(gone.packed) AND observedAt = \(gone.observedAt)")
    try scene.expectRefused(change, "doesn't hold the reports that the change removes")
  }

  @Test func aReportToAddThatIsThereIsNoticed() throws {
    var scene = try Scene()
    let change = scene.nextChange()
    let new = try #require(change.scopes.first?.reports.added.first)
    try scene.execute("INSERT INTO reportRows SELECT scope, \(new.packed), \(new.observedAt) FROM scopeRows")
    try scene.expectRefused(change, "already holds reports that the change adds")
  }

  @Test func allReportsToRemoveAreCounted() throws {
    var scene = try Scene()
    let previous = scene.rig.state
    scene.rig.now += 60_000
    scene.rig.send(.refreshRequested(full: true))
    scene.rig.answer { $0.held = HeldSum(count: 0, checksum: 0) }
    let change = StoreChange(from: previous, to: scene.rig.state)
    #expect(change.scopes.first?.reports.removed.count == change.scopes.first?.before?.reportCount)
    try scene.execute("DELETE FROM reportRows WHERE packed = (SELECT max(packed) FROM reportRows)")
    try scene.expectRefused(change, "doesn't hold the reports that the change removes")
  }

  @Test func aPIREPToRemoveThatIsNotThereIsNoticed() throws {
    var scene = try Scene()
    let change = scene.nextChange()
    try scene.execute("DELETE FROM pirepRows WHERE id = CAST('old' AS BLOB)")
    try scene.expectRefused(change, "doesn't hold a PIREP that the change removes")
  }

  @Test func aPIREPToAddThatIsThereIsNoticed() throws {
    var scene = try Scene()
    let change = scene.nextChange()
    try scene.execute("UPDATE pirepRows SET id = CAST('c' AS BLOB) WHERE id = CAST('a' AS BLOB)")
    try scene.expectRefused(change, "already holds a PIREP that the change adds")
  }

  @Test(arguments: ["answeredAt", "digest", "reportCount", "pirepCount", "trafficCount", "lastSuccessAt"])
  func aScopeThatIsNotTheOneBeforeIsNoticed(column: String) throws {
    var scene = try Scene()
    let change = scene.nextChange()
    try scene.execute("UPDATE scopeRows SET \(column) = \(column) + 1")
    try scene.expectRefused(change, "holds other records than the change starts from")
  }

  @Test func aScopeThatWantsSomethingElseIsNoticed() throws {
    var scene = try Scene()
    let change = scene.nextChange()
    try scene.execute("UPDATE scopeRows SET want = NULL")
    try scene.expectRefused(change, "holds other records than the change starts from")
  }

  @Test func aPositionOfAnotherCRCIsNotForward() throws {
    var scene = try Scene()
    let change = scene.nextChange()
    var position = try #require(try scene.store.position())
    position.crc ^= 1
    let error = try #require(throws: StoreError.self) { try scene.store.apply(change, through: position) }
    #expect(error.code == .outOfStep)
  }

  @Test func aChangeCountsItsRows() throws {
    var scene = try Scene()
    let (previous, change) = (scene.rig.state, scene.nextChange())
    func records(_ state: State) -> (reports: Set<TurbulenceReport>, pireps: Set<String>) {
      let scope = state.scope(.corridor)
      return (Set(scope?.reports.sorted ?? []), Set(scope?.pireps.sorted.map(\.id) ?? []))
    }
    let (before, after) = (records(previous), records(scene.rig.state))
    #expect(before.pireps.contains("old") && !after.pireps.contains("old"))
    let rows =
      before.reports.symmetricDifference(after.reports).count + before.pireps.symmetricDifference(after.pireps).count
    #expect(change.recordCount == rows && rows > 1)
    #expect(StoreChange(from: State(), to: previous).recordCount == before.reports.count + before.pireps.count)
    let plane = TrafficPosition(
      id: "4ca123", callsign: "EIN1", position: FixedCoordinate(latitudeE7: 455_000_000, longitudeE7: -350_000_000),
      altitudeFeet: 36_000, groundSpeedKnots: 480, trackDegrees: 270, observedAt: scene.rig.now / 1000)
    scene.rig.pass(seconds: 60)
    let state = scene.rig.state
    scene.rig.answer { $0.traffic = [plane, plane] }
    let moved = StoreChange(from: state, to: scene.rig.state)
    #expect(moved.scopes.first?.traffic?.count == 2)
    #expect(moved.recordCount == 2 + records(state).reports.symmetricDifference(records(scene.rig.state).reports).count)
  }

  @Test func whatIsTheSameInTheStoreIsNotWrittenAgain() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    var rig = Rig.flying { $0.types = [.turbulence, .turbulencePolygons] }
    rig.answer(.global(.twoHours))
    try store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    #expect(StoreChange(from: try scratch.reader.contents(), to: rig.state).isEmpty)
    #expect(StoreChange(from: rig.state, to: rig.state).isEmpty)
  }

  // MARK: Cells, and what is rebuilt

  /// Each report has its cell, and no cell is kept without one.
  @Test func cellsComeAndGoWithTheirReports() throws {
    var scene = try Scene()
    for _ in 0..<20 {
      try scene.store.apply(scene.nextChange(), through: LogPosition(endOf: scene.rig.state))
      #expect(try scene.store.pool.read { try CellRows.areSound($0) })
    }
    let previous = scene.rig.state
    scene.rig.query { $0.polygon = Rig.otherArea }
    scene.rig.answer()
    try scene.store.follow(from: previous, to: scene.rig.state)
    #expect(try scene.store.pool.read { try CellRows.areSound($0) })
    try scene.store.apply(StoreChange(from: scene.rig.state, to: State()), through: LogPosition(seq: 1 << 40, crc: 0))
    #expect(try scene.store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM cells") } == 0)
  }

  /// The lowest report of the next cell is not one of this cell.
  @Test func aCellGoesWhileItsNeighbourStays() throws {
    var rig = Rig.flying()
    let scratch = try Scratch()
    let store = try scratch.store()
    let cell = try #require(rig.state.scope(.corridor)?.reports.sorted.map(\.cell).max())
    let second = UInt32(rig.now / 1000)
    let next = TurbulenceReport(cell: cell + 1, altitude: 0, severity: 0, edrE4: 0, observedAt: second)
    let reports = [TurbulenceReport(cell: cell, altitude: 35, severity: 2, edrE4: 9, observedAt: second), next]
    for held in [reports, [next]] {
      let previous = rig.state
      rig.now += 60_000
      rig.send(.refreshRequested(full: true))
      rig.answer { $0.reports = held }
      try store.follow(from: store.position() == nil ? State() : previous, to: rig.state)
      #expect(try store.pool.read { try CellRows.areSound($0) })
    }
  }

  @Test(arguments: [
    "DELETE FROM cells WHERE cell = (SELECT max(cell) FROM cells)", "INSERT INTO cells VALUES (1, 'x', 1, 1)",
  ])
  func aCellTooFewOrTooManyIsFoundByVerifying(sql: String) throws {
    let scene = try Scene()
    try scene.execute(sql)
    #expect(try scene.store.verify() == [.corridor])
  }

  @Test func rebuildingLeavesNoRowOfWhatWasThere() throws {
    let scene = try Scene()
    // Rows of a scope that nothing knows.
    try scene.execute(
      """
      INSERT INTO reportRows VALUES (99, 5, 5);
      INSERT INTO reportBlocks VALUES (99, 5, x'4141414141414101');
      INSERT INTO pirepRows SELECT 99, id, 1, 1, NULL, NULL, 0, 1, 1, id FROM pirepRows;
      INSERT INTO trafficRows VALUES (99, 0, x'41', x'41', 1, 1, NULL, NULL, NULL, 1);
      INSERT INTO documentRows VALUES (99, x'41');
      INSERT INTO cells VALUES (7, 'x', NULL, NULL);
      """)
    let end = LogPosition(endOf: scene.rig.state)
    let otherScratch = try Scratch()
    let other = try otherScratch.store()
    try other.rebuild(from: scene.rig.state, through: end)
    try scene.store.rebuild(from: scene.rig.state, through: end)
    #expect(try Scene.dump(scene.store) == Scene.dump(other))
  }

  /// As a version that knows other names or history times may leave it.
  @Test(arguments: ["history = 999", "want = '{'", "want = 'null'"])
  func aScopeThatCannotBeReadIsReplacedWhole(assignment: String) throws {
    let scene = try Scene()
    try scene.execute("UPDATE scopeRows SET \(assignment)")
    #expect(try scene.store.summaries() == [])
    #expect(try scene.scratch?.reader.contents().scopes == [])
    #expect(try !scene.store.holds(scene.rig.state))
    let end = LogPosition(endOf: scene.rig.state)
    try scene.store.catchUp(with: scene.rig.state, through: end)
    try scene.store.expectAgreement(with: scene.rig.state)
    #expect(try scene.store.verify() == [])
    let otherScratch = try Scratch()
    let other = try otherScratch.store()
    try other.rebuild(from: scene.rig.state, through: end)
    let count = "SELECT count(*) FROM reportRows"
    #expect(
      try scene.store.pool.read { try Int.fetchOne($0, sql: count) }
        == other.pool.read { try Int.fetchOne($0, sql: count) })
  }

  @Test func theServersClockIsWrittenWithEachChange() throws {
    var scene = try Scene()
    #expect(try scene.store.holds(scene.rig.state))
    let previous = scene.rig.state
    scene.rig.pass(seconds: 60)
    let serverTime = scene.rig.now - 5000
    scene.rig.answer { $0.serverTimeMS = serverTime }
    #expect(scene.rig.state.serverOffsetMS == -5000)
    try scene.store.follow(from: previous, to: scene.rig.state)
    #expect(try scene.store.holds(scene.rig.state))
    try scene.execute("UPDATE position SET serverOffsetMS = NULL")
    #expect(try !scene.store.holds(scene.rig.state))
    #expect(
      try scene.store.catchUp(with: scene.rig.state, through: LogPosition(endOf: scene.rig.state)).isEmpty == false)
    #expect(try scene.store.holds(scene.rig.state))
  }

  /// An answer that changes nothing but when the server was last heard.
  @Test func aConfirmationIsWritten() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    var rig = Rig.flying { $0.types = [.turbulence, .turbulencePolygons] }
    rig.answer(.global(.twoHours))
    try store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    let previous = rig.state
    rig.now += 600_000
    rig.send(.refreshRequested(full: false))
    rig.answer(.global(.twoHours))
    let (before, after) = (previous.scope(.global(.twoHours)), rig.state.scope(.global(.twoHours)))
    #expect(before?.have == after?.have && before?.lastSuccessAt != after?.lastSuccessAt)
    let change = StoreChange(from: previous, to: rig.state)
    #expect(change.changedScopes == [.global(.twoHours)])
    try store.apply(change, through: LogPosition(endOf: rig.state))
    try store.expectAgreement(with: rig.state)
  }
}
