import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailStore
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

/// What is found in an area is what a scan of the state finds, also where maps end.
@Suite struct QueryTests {
  /// Reports, PIREPs and traffic all over the world, dense where the rings below are.
  private struct World {
    let store: ProjectionStore
    let state: State
    let scratch: Scratch

    init() throws {
      var random = SplitMix64(seed: 42)
      var rig = Rig()
      rig.launch()
      rig.query {
        $0.polygon = Rig.area
        $0.types = [.turbulence, .pireps, .traffic]
      }
      let second = rig.now / 1000
      let centres: [(Double, Double)] = [(45, -35), (0, 180), (52, 179), (89, 0), (-88, 70), (-20, -179.5)]
      func place() -> Coordinate {
        if random.chance(20) {
          return Coordinate(
            latitude: Double.random(in: -90...90, using: &random),
            longitude: Double.random(in: -180...180, using: &random))
        }
        let centre = centres[Int.random(in: 0..<centres.count, using: &random)]
        return Coordinate(
          latitude: min(max(centre.0 + Double.random(in: -6...6, using: &random), -90), 90),
          longitude: centre.1 + Double.random(in: -8...8, using: &random))
      }
      var places: [Coordinate] = []
      for _ in 0..<1200 { places.append(place()) }
      places += [Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 0)]
      let reports = try places.flatMap { place in
        let cell = try H3Cell(place, resolution: 5).packed22 ?? 0
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in
          TurbulenceReport(
            cell: cell, altitude: UInt8.random(in: 0...52, using: &random),
            severity: UInt8.random(in: 0...4, using: &random), edrE4: UInt16.random(in: 0...9, using: &random),
            observedAt: UInt32(second) - UInt32.random(in: 0..<100, using: &random) * 60)
        }
      }
      let points = places.compactMap { FixedCoordinate($0) }
      rig.answer {
        $0.reports = reports
        $0.hold(
          points.prefix(600).enumerated().map { index, point in
            PIREP(
              id: "p\(index)", position: point, flightLevel: nil, severity: nil, isUrgent: false,
              observedAt: second - Int64(index), updatedAt: second, text: "")
          })
        $0.traffic = points.suffix(600).enumerated().map { index, point in
          TrafficPosition(
            id: "t\(index)", callsign: "", position: point, altitudeFeet: nil, groundSpeedKnots: nil, trackDegrees: nil,
            observedAt: second - Int64(index))
        }
      }
      state = rig.state
      scratch = try Scratch()
      store = try scratch.store()
      try store.rebuild(from: state, through: LogPosition(endOf: state))
    }

    var date: Date { Date(timeIntervalSince1970: Double(Rig.start) / 1000) }

    func read<T>(_ body: (borrowing ProjectionSnapshot) throws(StoreError) -> T) throws -> T {
      try scratch.reader.read(body)
    }

    var reports: [TurbulenceReport] { state.scope(.corridor)?.reports.sorted ?? [] }
  }

  @Test func aProfileIsThatOfTheState() throws {
    let world = try World()
    let second = Int64(world.date.timeIntervalSince1970)
    for route in [[(40.0, -43.0), (50, -28)], [(50, 173), (53, -175)], [(86, 20), (87, -150)]] {
      let points = route.map { Coordinate(latitude: $0.0, longitude: $0.1) }
      let query = ProfileQuery(along: points, widthNM: 150)
      let expected = try world.state.profile(with: query, asOf: second)
      let found = try world.read { store throws(StoreError) in try store.profile(with: query, at: world.date) }
      #expect(found == expected && expected.cells.contains { $0.reports != nil } && !expected.pireps.isEmpty)
    }
  }

  private static let areas: [(name: String, area: QueryArea)] = [
    ("the world", .everywhere),
    ("a box", box(south: 42, west: -40, north: 48, east: -31)),
    ("across the antimeridian", box(south: -4, west: 175, north: 5, east: -176)),
    ("from the antimeridian", box(south: -24, west: -180, north: -16, east: -177)),
    ("to the antimeridian", box(south: 48, west: 174, north: 55, east: 180)),
    ("round the north pole", cap(latitude: 86)),
    ("round the south pole", cap(latitude: -85.5)),
    ("a wedge at the pole", box(south: 80, west: 30, north: 90, east: 120)),
    ("a band round the earth", box(south: -30, west: -180, north: 30, east: 180)),
    ("nowhere", box(south: 1, west: 100, north: 1.001, east: 100.001)),
    ("a sliver", box(south: -90, west: 179.9, north: 90, east: -179.9)),
  ]

  private static func holds(_ area: QueryArea, _ point: Coordinate) throws -> Bool {
    try area.ring()?.contains(point) ?? true
  }

  @Test func everyAreaFindsWhatAScanFinds() throws {
    let world = try World()
    #expect(Self.areas.count == 11)
    for (name, area) in Self.areas {
      let inside = try world.reports.filter {
        try H3Cell(packed22: $0.cell).map { try Self.holds(area, $0.center) } ?? false
      }
      #expect(inside.isEmpty == (name == "nowhere"), "\(name) tests nothing")
      let filters: [(TurbulenceQuery, (TurbulenceReport) -> Bool)] = [
        (TurbulenceQuery(area: area), { _ in true }),
        (TurbulenceQuery(area: area, altRange: 20_000...30_000), { (20...30).contains($0.altitude) }),
        (TurbulenceQuery(area: area, minimumSeverity: .moderate), { $0.severity >= .moderate }),
        (TurbulenceQuery(area: area, sevs: []), { _ in false }),
        (TurbulenceQuery(area: area, dataHistoryTime: .halfHour), { Int64($0.observedAt) > Rig.start / 1000 - 1800 }),
      ]
      for (query, isWanted) in filters {
        let wanted = inside.filter(isWanted)
        var every = query
        every.aggregate = false
        let found = try world.read { (store) throws(StoreError) in try store.turbulence(with: every, at: world.date) }
        #expect(
          found.map(\.report) == wanted.sorted { ($0.packed, $0.observedAt) < ($1.packed, $1.observedAt) }, "\(name)")
        let strongest = Dictionary(grouping: wanted, by: \.cell).values.compactMap { reports in
          reports.max {
            ($0.severity, $0.edrE4, $0.observedAt, $0.altitude) < ($1.severity, $1.edrE4, $1.observedAt, $1.altitude)
          }
        }
        let hexagons = try world.read { (store) throws(StoreError) in
          try store.turbulence(with: query, at: world.date)
        }
        #expect(hexagons.map(\.report) == strongest.sorted { $0.cell < $1.cell }, "\(name)")
        #expect(try hexagons == world.state.turbulence(with: query, asOf: Rig.start / 1000), "\(name)")
      }
    }
  }

  /// The first of H3's cells has the number zero.
  @Test func everywhereIncludesTheFirstCell() throws {
    var rig = Rig.flying()
    let scratch = try Scratch()
    rig.now += 60_000
    rig.send(.refreshRequested(full: true))
    let report = TurbulenceReport(cell: 0, altitude: 0, severity: 0, edrE4: 0, observedAt: UInt32(rig.now / 1000))
    rig.answer { $0.reports = [report] }
    try scratch.store().rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    let found = try scratch.reader.read { (store) throws(StoreError) in
      try store.turbulence(with: .init(), at: Date(timeIntervalSince1970: Double(rig.now) / 1000))
    }
    #expect(found.map(\.report) == [report])
  }

  @Test func everyAreaFindsThePIREPsAndTheTrafficInIt() throws {
    let world = try World()
    let scope = try #require(world.state.scope(.corridor))
    let second = Rig.start / 1000
    for (name, area) in Self.areas {
      for history in [nil, DataHistoryTime.halfHour] {
        let pireps = try scope.pireps.sorted.filter {
          try Self.holds(area, $0.position.coordinate) && $0.observedAt > second - (history?.seconds ?? 100_000)
        }
        #expect(pireps.isEmpty == (name == "nowhere") || history != nil, "\(name) tests nothing")
        let found = try world.read { (store) throws(StoreError) in
          try store.pireps(with: PIREPQuery(area: area, dataHistoryTime: history), at: world.date)
        }
        #expect(found == pireps, "\(name)")
      }
      for age in [TrafficPosition.lifetimeSeconds, 100] {
        let traffic = try scope.traffic.filter {
          try Self.holds(area, $0.position.coordinate) && $0.observedAt > second - age
        }
        let query = TrafficQuery(area: area, maximumAgeSeconds: age)
        let found = try world.read { (store) throws(StoreError) in try store.traffic(with: query, at: world.date) }
        #expect(found == traffic.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }, "\(name)")
        #expect(try found == world.state.traffic(with: query, asOf: second), "\(name)")
      }
    }
  }

  @Test func anEmptyStoreFindsNothing() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    let now = Date(timeIntervalSince1970: 1_740_000_000)
    try scratch.reader.read { (store) throws(StoreError) in
      #expect(try store.turbulence(with: TurbulenceQuery(), at: now) == [])
      #expect(try store.pireps(with: PIREPQuery(), at: now) == [])
      #expect(try store.traffic(with: TrafficQuery(), at: now) == [])
      #expect(try store.turbulencePolygons(with: TurbulencePolygonQuery(dataHistoryTime: .hour), at: now) == nil)
      #expect(try store.weather(at: Rig.place) == nil)
      #expect(store.scopes == [])
      #expect(store.position == nil)
    }
    #expect(try store.summaries() == [])
    #expect(try store.position() == nil)
    #expect(try store.verify() == [])
  }

  @Test func summariesTellHowFreshAndHowMuch() throws {
    let world = try World()
    let summary = try #require(try world.store.summaries().first)
    let scope = try #require(world.state.scope(.corridor))
    #expect(summary.asOf == scope.have?.watermark)
    #expect(summary.history == .twoHours)
    #expect(summary.reportCount == scope.reports.count)
    #expect(summary.pirepCount == 600)
    #expect(summary.trafficCount == 600)
    #expect(summary.digest == scope.digest)
  }

  /// Readers see one moment each, whatever is being written.
  @Test func readersSeeWholeChanges() async throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        var inFlight = SteadyFlight(seed: 9, reportsPerMinute: 60)
        for _ in 0..<40 {
          let previous = inFlight.state
          inFlight.step()
          try store.follow(from: previous, to: inFlight.state)
        }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<25 {
            let unsound = try store.verify()
            #expect(unsound == [])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.summaries().first?.reportCount ?? 0 > 1500)
  }
}
