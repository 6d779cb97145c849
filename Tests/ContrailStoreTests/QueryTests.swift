import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailStore
import ContrailTestSupport
import ContrailWire
import Testing

/// What is found in an area is what a scan of the state finds, also where maps end.
@Suite struct QueryTests {
  /// Reports, PIREPs and traffic all over the world, dense where the rings below are.
  private struct World {
    let store: ProjectionStore
    let state: State
    private let scratch: Scratch

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

    var reports: [TurbulenceReport] { state.scope(.corridor)?.reports.sorted ?? [] }
  }

  private static let areas: [(name: String, area: Area)] = {
    let rings: [(String, Ring?)] = [
      ("a box", try? box(south: 42, west: -40, north: 48, east: -31)),
      ("across the antimeridian", try? box(south: -4, west: 175, north: 5, east: -176)),
      ("from the antimeridian", try? box(south: -24, west: -180, north: -16, east: -177)),
      ("to the antimeridian", try? box(south: 48, west: 174, north: 55, east: 180)),
      ("round the north pole", try? cap(latitude: 86)),
      ("round the south pole", try? cap(latitude: -85.5)),
      ("a wedge at the pole", try? box(south: 80, west: 30, north: 90, east: 120)),
      ("a band round the earth", try? box(south: -30, west: -180, north: 30, east: 180)),
      ("nowhere", try? box(south: 1, west: 100, north: 1.001, east: 100.001)),
      ("a sliver", try? box(south: -90, west: 179.9, north: 90, east: -179.9)),
    ]
    return [("the world", .world)] + rings.compactMap { name, ring in ring.map { (name, .ring($0)) } }
  }()

  private static func holds(_ area: Area, _ point: Coordinate) -> Bool {
    guard case .ring(let ring) = area else { return true }
    return ring.contains(point)
  }

  @Test func everyAreaFindsWhatAScanFinds() throws {
    let world = try World()
    #expect(Self.areas.count == 11)
    let second = Rig.start / 1000
    for (name, area) in Self.areas {
      let inside = world.reports.filter {
        H3Cell(packed22: $0.cell).map { Self.holds(area, $0.center) } ?? false
      }
      #expect(inside.isEmpty == (name == "nowhere"), "\(name) tests nothing")
      let filters: [ReportQuery] = [
        ReportQuery(area: area),
        ReportQuery(area: area, altitudes: AltitudeBand(lower: 20, upper: 30) ?? .all),
        ReportQuery(area: area, severities: .atLeast(.moderate)),
        ReportQuery(area: area, severities: [], observedAfter: 0),
        ReportQuery(area: area, observedAfter: second - 1800),
      ]
      for query in filters {
        let wanted = inside.filter {
          query.altitudes.contains($0.altitude) && query.severities.contains($0.severity)
            && Int64($0.observedAt) > query.observedAfter ?? -1
        }
        let found = try world.store.reports(query)
        #expect(found == wanted.sorted { ($0.packed, $0.observedAt) < ($1.packed, $1.observedAt) }, "\(name)")
        let strongest = Dictionary(grouping: wanted, by: \.cell).values.compactMap { reports in
          reports.max {
            ($0.severity, $0.edrE4, $0.observedAt, $0.altitude) < ($1.severity, $1.edrE4, $1.observedAt, $1.altitude)
          }
        }
        #expect(try world.store.hexagons(query) == strongest.sorted { $0.cell < $1.cell }, "\(name)")
      }
    }
  }

  @Test func everyAreaFindsThePIREPsAndTheTrafficInIt() throws {
    let world = try World()
    let scope = try #require(world.state.scope(.corridor))
    let second = Rig.start / 1000
    for (name, area) in Self.areas {
      for after in [nil, second - 300] {
        let pireps = scope.pireps.sorted.filter {
          Self.holds(area, $0.position.coordinate) && $0.observedAt > after ?? 0
        }
        #expect(pireps.isEmpty == (name == "nowhere") || after != nil, "\(name) tests nothing")
        #expect(try world.store.pireps(in: area, observedAfter: after) == pireps, "\(name)")
        let traffic = scope.traffic.filter {
          Self.holds(area, $0.position.coordinate) && $0.observedAt > after ?? 0
        }
        #expect(try world.store.traffic(in: area, observedAfter: after) == traffic, "\(name)")
      }
    }
  }

  @Test func anEmptyStoreFindsNothing() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    #expect(try store.reports(ReportQuery(area: .world)) == [])
    #expect(try store.hexagons(ReportQuery(area: .world)) == [])
    #expect(try store.pireps(in: .world) == [])
    #expect(try store.traffic(in: .world) == [])
    #expect(try store.polygonHistories() == [])
    #expect(try store.summaries() == [])
    #expect(try store.position() == nil)
    #expect(try store.verify() == [])
  }

  @Test func summariesTellHowFreshAndHowMuch() throws {
    let world = try World()
    let summary = try #require(try world.store.summaries().first)
    let scope = try #require(world.state.scope(.corridor))
    #expect(summary.asOf == scope.have?.token)
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
        var flight = SteadyFlight(seed: 9, reportsPerMinute: 60)
        for _ in 0..<40 {
          let previous = flight.state
          flight.step()
          try store.follow(from: previous, to: flight.state)
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
