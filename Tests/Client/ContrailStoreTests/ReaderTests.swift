import ContrailCore
import ContrailQuery
import ContrailTestSupport
import ContrailWire
import Foundation
import GRDB
import Testing

@testable import ContrailStore

/// A reader shows what the app shows, and leaves what it finds as it is.
@Suite struct ReaderTests {
  /// Expects an error, and the same files with the same bytes afterwards.
  private static func expectError(_ code: StoreError.Code, _ scratch: Scratch) throws {
    let names = try scratch.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    let bytes = names.isEmpty ? nil : try scratch.bytes()
    let error = try #require(throws: StoreError.self) { try scratch.reader.contents() }
    #expect(error.code == code, "\(error)")
    #expect(error.description.contains(scratch.path))
    #expect(try scratch.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == names)
    if let bytes { #expect(try scratch.bytes() == bytes) }
  }

  @Test func thePreviewShowsWhatTheStateShows() throws {
    let (scratch, state) = try Scratch.filled()
    let preview = try scratch.reader.contents().preview
    #expect(!preview.scopes.isEmpty && preview.serverOffsetMS == state.serverOffsetMS)
    let now = state.serverNow / 1000
    for second in [now, now + 1800, now + 7200] {
      for scope in state.scopes where scope.id != .viewport && scope.have != nil {
        let shown = try #require(preview.scope(scope.id))
        #expect(shown.visibleReports(asOf: second) == scope.visibleReports(asOf: second))
        #expect(shown.visiblePIREPs(asOf: second) == scope.visiblePIREPs(asOf: second))
        #expect(shown.visibleTraffic(asOf: second) == scope.visibleTraffic(asOf: second))
        #expect(shown.visiblePolygons(asOf: second) == scope.visiblePolygons(asOf: second))
        #expect(shown.weather == scope.weather && shown.have?.watermark == scope.have?.watermark)
        #expect(shown.have?.spec.history == scope.have?.spec.history)
      }
    }
    #expect(preview.scope(.viewport) == nil)
  }

  // MARK: What isn't a store

  @Test func aMissingStoreIsNotMade() throws {
    let scratch = try Scratch()
    try Self.expectError(.missing, scratch)
    #expect(try scratch.names == [])
    let error = try #require(throws: StoreError.self) {
      try ProjectionReader(path: scratch.folder + "/none/projections.sqlite").contents()
    }
    #expect(error.code == .missing && error.isTransient)
  }

  @Test func aHalfMadeStoreIsUnfinished() throws {
    let scratch = try Scratch()
    try scratch.overwrite(Data())
    try Self.expectError(.unfinished, scratch)
  }

  @Test func anOlderVersionsStoreIsNotMigrated() throws {
    let scratch = try Scratch()
    try scratch.makeFirstVersion()
    try Self.expectError(.unfinished, scratch)
  }

  @Test func aNewerVersionsStoreIsRefused() throws {
    let (scratch, _) = try Scratch.filled()
    let future = Schema.Step(name: "3 from the future", sql: "CREATE TABLE more (id INTEGER)")
    try ProjectionStore(path: scratch.path, schema: Schema(steps: Schema.current.steps + [future])).close()
    try Self.expectError(.newerSchema, scratch)
  }

  @Test func anotherProgramsDatabaseIsRefused() throws {
    let scratch = try Scratch()
    let queue = try DatabaseQueue(path: scratch.path)
    try queue.write { try $0.execute(sql: "CREATE TABLE photos (id INTEGER)") }
    try queue.close()
    try Self.expectError(.notAStore, scratch)
  }

  @Test(arguments: [1, 99, 1000])
  func aFileThatIsNoDatabaseIsDamaged(length: Int) throws {
    let scratch = try Scratch()
    try scratch.overwrite(Data(repeating: 0xA5, count: length))
    try Self.expectError(.damaged, scratch)
  }

  /// The number is what one searches SQLite's documentation for.
  @Test func anErrorOfSQLiteSaysItsNumber() throws {
    let scratch = try Scratch()
    try scratch.overwrite(Data(repeating: 0xA5, count: 1000))
    let error = try #require(throws: StoreError.self) { try scratch.reader.contents() }
    #expect(error.sqliteCode == ResultCode.SQLITE_NOTADB.rawValue)
    #expect(error.description.contains("(SQLite 26). "), "\(error)")
  }

  @Test func aFolderIsNotOpened() throws {
    let scratch = try Scratch()
    let error = try #require(throws: StoreError.self) { try ProjectionReader(path: scratch.folder).contents() }
    #expect(error.code == .unopenable)
  }

  /// Whatever bytes are wrong: what is read is right, or an error.
  @Test(arguments: 1...60) func damageIsFoundOrHarmless(seed: UInt64) throws {
    let (scratch, state) = try Scratch.filled()
    var random = SplitMix64(seed: seed)
    var bytes = try scratch.bytes()
    let start = Int.random(in: 0..<bytes.count, using: &random)
    for index in start..<min(start + Int.random(in: 1...64, using: &random), bytes.count) {
      bytes[index] = UInt8.random(in: 0...255, using: &random)
    }
    try scratch.overwrite(bytes)
    do throws(StoreError) {
      let found = try scratch.reader.contents()
      // A scope's line has no digest of its own; its records have.
      for scope in found.scopes { #expect(scope.addsUp) }
    } catch {
      #expect([.damaged, .notAStore, .unfinished, .newerSchema, .refused].contains(error.code), "\(error)")
    }
    let now = Date(timeIntervalSince1970: Double(state.now) / 1000)
    _ = try? scratch.reader.read { (store) throws(StoreError) in
      _ = try store.turbulence(with: TurbulenceQuery(), at: now)
      _ = try store.pireps(with: PIREPQuery(), at: now)
      return try store.traffic(with: TrafficQuery(), at: now).count
    }
  }

  /// A row that holds something else than its column says, as a damaged page may.
  @Test(arguments: ["id = NULL", "latitudeE7 = 'north'", "text = NULL", "observedAt = x'00'", "isUrgent = NULL"])
  func aRowThatCannotBeReadIsAnError(assignment: String) throws {
    let (scratch, _) = try Scratch.filled()
    let queue = try DatabaseQueue(path: scratch.path)
    try queue.write { db in
      let columns = "scope, id, latitudeE7, longitudeE7, flightLevel, severity, isUrgent, observedAt, updatedAt, text"
      try db.execute(
        sql: """
          DROP TABLE pirepRows;
          CREATE TABLE pirepRows (\(columns));
          INSERT INTO pirepRows SELECT scope, x'41', 1, 1, NULL, NULL, 0, 1740000000, 1, x'41' FROM scopeRows;
          UPDATE pirepRows SET \(assignment);
          """)
    }
    try queue.close()
    let error = try #require(throws: StoreError.self) { try scratch.reader.contents() }
    #expect(error.code == .damaged, "\(error)")
  }

  // MARK: What is shown

  /// On any flight, at any time: the same as the app's queries find in the state.
  @Test func aReaderShowsWhatTheAppShows() throws {
    let shown = try (21...26).reduce(0) { try $0 + Self.compareFlight(seed: $1) }
    #expect(shown > 3000, "hardly anything is shown")
  }

  private static func compareFlight(seed: UInt64) throws -> Int {
    let scratch = try Scratch()
    let store = try scratch.store()
    var inFlight = RandomFlight(seed: seed)
    var shown = 0
    for step in 0..<40 {
      let previous = inFlight.rig.state
      let name = inFlight.step()
      let state = inFlight.rig.state
      try store.follow(from: previous, to: state)
      for later in [Int64(0), 60, 5000] {
        let second = state.serverNow / 1000 + later
        let date = Date(timeIntervalSince1970: Double(state.now + later * 1000) / 1000)
        let turbulence = TurbulenceQuery(
          area: later == 60 ? box(south: 42, west: -38, north: 47, east: -32) : .everywhere)
        let polygons = TurbulencePolygonQuery(dataHistoryTime: later == 60 ? .hour : state.history)
        let note = Comment("seed \(seed), step \(step): \(name), \(later) s later")
        let (items, pireps, traffic, areas) = try scratch.reader.read { (store) throws(StoreError) in
          (
            try store.turbulence(with: turbulence, at: date), try store.pireps(with: PIREPQuery(), at: date),
            try store.traffic(with: TrafficQuery(), at: date), try store.turbulencePolygons(with: polygons, at: date)
          )
        }
        shown += items.count
        #expect(try items == state.turbulence(with: turbulence, asOf: second), note)
        #expect(try pireps == state.pireps(with: PIREPQuery(), asOf: second), note)
        #expect(try traffic == state.traffic(with: TrafficQuery(), asOf: second), note)
        #expect(try areas == state.turbulencePolygons(with: polygons, asOf: second), note)
      }
    }
    return shown
  }

  @Test func ageIsCountedByTheServersClock() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    // The device is ten minutes behind.
    let serverTime = rig.now + 600_000
    rig.answer { $0.serverTimeMS = serverTime }
    try store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    #expect(rig.state.serverOffsetMS == 600_000)
    let reports = try #require(rig.state.scope(.corridor)?.reports.sorted)
    let newest = try #require(reports.last)
    func count(at second: Int64) throws -> Int {
      try scratch.reader.read { (store) throws(StoreError) in
        try store.turbulence(with: TurbulenceQuery(aggregate: false), at: Date(timeIntervalSince1970: Double(second)))
          .filter { $0.report == newest }.count
      }
    }
    let expiry = Int64(newest.observedAt) + 7200 - 600
    #expect(try count(at: expiry - 1) == 1)
    #expect(try count(at: expiry) == 0)
  }

  @Test func whatIsNoLongerWantedIsHiddenAtOnce() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    var rig = Rig.flying()
    try store.follow(from: State(), to: rig.state)
    let date = Date(timeIntervalSince1970: Double(rig.now) / 1000)
    func count() throws -> Int {
      try scratch.reader.read { (store) throws(StoreError) in
        try store.turbulence(with: TurbulenceQuery(aggregate: false), at: date).count
      }
    }
    let all = try count()
    #expect(all > 0)
    let changes: [(inout ResolvedQuery) -> Void] = [
      { $0.severities = .atLeast(.moderate) }, { $0.altitudes = .init(lower: 30_000, upper: 31_000) },
      { $0.types = .pireps }, { $0.polygon = nil },
    ]
    var last = all
    for change in changes {
      let previous = rig.state
      rig.query { change(&$0) }
      try store.follow(from: previous, to: rig.state)
      #expect(try count() < last || last == 0)
      last = try count()
    }
    #expect(last == 0)
    #expect(try store.summaries().first?.reportCount == all)
  }

  @Test func timesOutsideAnyCalendarAreTheFirstOrTheLast() throws {
    let (scratch, _) = try Scratch.filled()
    func counts(at seconds: Double) throws -> [Int] {
      let date = Date(timeIntervalSince1970: seconds)
      return try scratch.reader.read { (store) throws(StoreError) in
        [try store.turbulence(with: .init(), at: date).count, try store.traffic(with: .init(), at: date).count]
      }
    }
    let (first, last) = (try counts(at: 0), try counts(at: 1e10))
    #expect(last[0] == 0 && last != first)
    for seconds in [Double.nan, -.infinity, -1e300] { #expect(try counts(at: seconds) == first, "\(seconds)") }
    for seconds in [Double.infinity, 1e300] { #expect(try counts(at: seconds) == last, "\(seconds)") }
  }

  /// After the query becomes narrower, the held reports are still those of the wider query.
  @Test func thePreviewHoldsTheHistoryOfTheAnswer() throws {
    let scratch = try Scratch()
    var rig = Rig.flying()
    rig.send(.historyChanged(.hour))
    let store = try scratch.store()
    try store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    let shown = try #require(try scratch.reader.contents().preview.scope(.corridor))
    #expect(shown.have?.spec.history == .twoHours && shown.want?.history == .hour)
  }

  @Test func withoutTheServersClockTheDevicesCounts() throws {
    let scratch = try Scratch()
    var rig = Rig.flying()
    rig.state = State(previewing: rig.state.scopes, serverOffsetMS: nil)
    let store = try scratch.store()
    try store.rebuild(from: rig.state, through: LogPosition(seq: 9, crc: 0))
    let scope = try #require(rig.state.scope(.corridor))
    let last = try #require(scope.reports.sorted.map { Double($0.observedAt) }.max()) + 7200
    func count(at second: Double) throws -> Int {
      try scratch.reader.read { (store) throws(StoreError) in
        try store.turbulence(with: .init(), at: Date(timeIntervalSince1970: second)).count
      }
    }
    #expect(try count(at: last - 0.001) > 0 && count(at: last) == 0)
  }

  /// A query of one scope finds what that scope has.
  @Test func onlyTheRouteIsStored() throws {
    let (scratch, state) = try Scratch.filled()
    let date = Date(timeIntervalSince1970: Double(state.serverNow) / 1000)
    let counts = try scratch.reader.read { (store) throws(StoreError) in
      [
        try store.turbulence(with: .init(), at: date).count,
        try store.turbulence(with: .init(scope: .corridor), at: date).count,
        try store.turbulence(with: .init(scope: .viewport), at: date).count,
        try store.pireps(with: .init(scope: .viewport), at: date).count,
        try store.traffic(with: .init(scope: .viewport), at: date).count,
      ]
    }
    #expect(counts[0] > 0 && counts[1] == counts[0] && counts[2...] == [0, 0, 0])
  }

  @Test func whatAKilledWriterLeftIsReadAndNotMerged() throws {
    let (scratch, state) = try Scratch.filled()
    let store = try scratch.store()
    try store.rebuild(from: state, through: LogPosition(endOf: state))
    // The files as they would be left, while the writer still has them.
    let copy = try Scratch()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: scratch.path + suffix, toPath: copy.path + suffix)
    }
    let (database, changes) = (try copy.bytes(), try Data(contentsOf: URL(fileURLWithPath: copy.path + "-wal")))
    #expect(!changes.isEmpty)
    #expect(try copy.reader.contents().scopes == scratch.reader.contents().scopes)
    #expect(try copy.bytes() == database)
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy.path + "-wal")) == changes)
    try store.close()
  }

  @Test func anAreaThatIsNoneIsAnError() throws {
    let (scratch, _) = try Scratch.filled()
    let error = try #require(throws: StoreError.self) {
      try scratch.reader.read { (store) throws(StoreError) in
        try store.turbulence(with: TurbulenceQuery(area: .polygon([])), at: Date(timeIntervalSince1970: 0))
      }
    }
    #expect(error.code == .invalidQuery)
  }
}
