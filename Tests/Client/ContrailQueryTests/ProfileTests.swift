import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailTestSupport
import ContrailWire
import Testing

@Suite struct ProfileTests {
  /// A route of the table, its reports, and the expected lines of its cells.
  struct Case {
    var name: String
    var query: ProfileQuery
    var lengthNM: Double
    var reports: [TurbulenceReport] = []
    var cells: [String] = []
  }

  static let cases: [Case] = ProfileTable.text.split(separator: "\n").reduce(into: []) { cases, line in
    let fields = line.split(separator: " ")
    switch fields[0] {
    case "route":
      let numbers = fields[5].split(separator: ",").compactMap { Double($0) }
      let points = stride(from: 0, to: numbers.count, by: 2).map { point(numbers[$0], numbers[$0 + 1]) }
      cases.append(
        Case(
          name: String(fields[1]),
          query: ProfileQuery(along: points, widthNM: Double(fields[2]) ?? 0, binNM: Double(fields[3]) ?? 0),
          lengthNM: Double(fields[4]) ?? 0))
    case "report":
      let numbers = fields.dropFirst(2).compactMap { Int64($0) }
      guard let cell = H3Cell(String(fields[1])), numbers.count == 4 else { return }
      cases[cases.count - 1].reports.append(
        report(
          cell, alt: UInt8(numbers[0]), sev: UInt8(numbers[1]), edrE4: UInt16(numbers[2]), age: numbers[3]))
    case "cell": cases[cases.count - 1].cells.append(line.dropFirst(5).description)
    // See `ProfileRecordTests`.
    default: break
    }
  }

  private static func line(_ cell: ProfileCell) -> String? {
    guard let reports = cell.reports else { return nil }
    func e4(_ edr: Double) -> Int { Int((edr * 10_000).rounded()) }
    return [
      cell.bin, cell.level, Int(reports.worst.rawValue), e4(reports.maximumEDR), Int(reports.newest.rawValue),
      e4(reports.newestEDR), reports.count, Int(reports.ageSeconds),
    ].map { "\($0)" }.joined(separator: " ")
  }

  @Test func theTableHasAllCases() {
    #expect(Self.cases.count == 5 && Self.cases.allSatisfy { $0.reports.count == 110 && $0.cells.count > 50 })
  }

  @Test(arguments: cases.indices) func aProfileIsThatOfTheStraightforwardComputation(index: Int) throws {
    let test = Self.cases[index]
    let profile = try test.query.profile(of: test.reports, asOf: now)
    #expect(abs(profile.lengthNM - test.lengthNM) < 0.001, "\(test.name)")
    #expect(profile.cells.compactMap(Self.line) == test.cells, "\(test.name)")
    #expect(profile.cells.count == test.cells.count)
  }

  @Test func aStateAndAnIndexGiveTheSameProfile() throws {
    let rig = Rig.flying { $0.types = [.turbulence, .pireps] }
    let route = [point(51, -1), point(53, -20), point(52, -40)]
    let query = ProfileQuery(along: route, widthNM: 200)
    let state = rig.state
    let second = state.serverNow / 1000
    let expected = try query.profile(
      of: state.turbulence(with: TurbulenceQuery(aggregate: false), asOf: second).map(\.report),
      pireps: state.pireps(with: PIREPQuery(), asOf: second), asOf: second)
    var memory = ProfileMemory()
    let index = ReportIndex(of: state)
    #expect(try state.profile(with: query, asOf: second) == expected)
    for _ in 0..<2 {
      #expect(try state.profile(with: query, asOf: second, in: index, &memory) == expected)
    }
    // What is remembered belongs to one line.
    var (wider, finer, elsewhere) = (query, query, query)
    wider.widthNM = 300
    finer.binNM = query.binNM / 2
    elsewhere.route = [point(51, -1), point(47, -20), point(45, -40)]
    for other in [wider, finer, elsewhere] {
      #expect(
        try state.profile(with: other, asOf: second, in: index, &memory) == state.profile(with: other, asOf: second))
      #expect(try state.profile(with: query, asOf: second, in: index, &memory) == expected)
    }
  }

  @Test func whatNobodyReportedIsUnknownAndNotSmooth() throws {
    let route = [point(50, 0), point(50, 10)]
    let smooth = try cell(50.05, 5)
    let profile = try ProfileQuery(along: route).profile(of: [report(smooth, alt: 36, sev: 0, edrE4: 100)], asOf: now)
    let bin = try #require(profile.cells.first?.bin)
    #expect(profile.cells.count == 1 && profile[bin, 36].reports?.worst == TurbulenceSeverity.none)
    #expect(profile[bin, 37].turbulence == .unknown && profile[bin + 1, 36].turbulence == .unknown)
    #expect(profile[bin, 36].reports?.ageSeconds == 60 && profile[bin, 36].reports?.maximumEDR == 0.01)
  }

  @Test func theCategoryDecidesSeveritiesByTheEDR() throws {
    let place = try cell(50.05, 5)
    let reports = [
      report(place, alt: 36, sev: 4, edrE4: 1800, age: 300), report(place, alt: 36, sev: 0, edrE4: 1400, age: 60),
      report(place, alt: 37, sev: 3, edrE4: 0),
    ]
    var query = ProfileQuery(along: [point(50, 0), point(50, 10)])
    func severities() throws -> [[TurbulenceSeverity]] {
      try query.profile(of: reports, asOf: now).cells.compactMap(\.reports).map { [$0.worst, $0.newest] }
    }
    #expect(try severities() == [[.moderateSevere, .none], [.moderate, .moderate]])
    // A report without an EDR keeps its severity.
    for (category, worst, newest) in [
      (.light, .moderate, .light), (.medium, .lightModerate, .none), (.heavy, .light, .none),
    ] as [(AircraftCategory, TurbulenceSeverity, TurbulenceSeverity)] {
      query.category = category
      #expect(try severities() == [[worst, newest], [.moderate, .moderate]], "\(category)")
    }
  }

  @Test func theAircraftDividesFlownAndAhead() throws {
    let route = [point(50, 0), point(50, 10)]
    let reports = try [1.0, 4, 6, 9].map { report(try cell(50, $0)) }
    var query = ProfileQuery(along: route)
    #expect(try query.profile(of: reports, asOf: now).ahead.count == 4)
    query.aircraft = AircraftPosition(coordinate: point(50.1, 5), altitudeFeet: 36_000, trackDegrees: 90)
    let profile = try query.profile(of: reports, asOf: now)
    #expect(profile.flown.count == 2 && profile.ahead.count == 2)
    let place = try #require(profile.aircraft)
    #expect(
      abs(place.alongNM - profile.lengthNM / 2) < 0.5
        && profile.binsFlown.count + profile.binsAhead.count == profile.binCount)
  }

  @Test func pirepsAreBesideTheRouteAtTheirLevel() throws {
    func pirep(_ id: String, _ latitude: Double, _ level: Int?, age: Int64 = 60) -> PIREP {
      PIREP(
        id: id, position: FixedCoordinate(point(latitude, 5)) ?? FixedCoordinate(latitudeE7: 0, longitudeE7: 0),
        flightLevel: level, severity: .light, isUrgent: false, observedAt: now - age, updatedAt: now, text: id)
    }
    var query = ProfileQuery(along: [point(50, 0), point(50, 10)])
    query.dataHistoryTime = .hour
    let profile = try query.profile(
      of: [],
      pireps: [
        pirep("a", 50.1, 354), pirep("b", 50.1, nil), pirep("far", 52, 350), pirep("old", 50.1, 350, age: 3600),
      ],
      asOf: now)
    #expect(profile.pireps.map(\.pirep.id) == ["a", "b"])
    #expect(profile.pireps.map(\.level) == [35, nil] && profile.cells.map(\.pireps) == [[0]])
    #expect(profile.geoJSON().contains(#""pireps":1"#))
    #expect(profile.cells.first?.turbulence == .unknown)
  }

  @Test func invalidQueriesSayWhy() {
    func error(_ edit: (inout ProfileQuery) -> Void) -> QueryError? {
      var query = ProfileQuery(along: [point(50, 0), point(50, 10)])
      edit(&query)
      do throws(QueryError) {
        _ = try query.profile(of: [], asOf: now)
        return nil
      } catch {
        return error
      }
    }
    #expect(error { _ in } == nil)
    #expect(error { $0.widthNM = 0 } == .profile && error { $0.widthNM = .nan } == .profile)
    #expect(error { $0.binNM = 0.5 } == .profile && error { $0.binNM = .infinity } == .profile)
    #expect(error { $0.route = [] } == .corridor(.routeEmpty) && error { $0.route = [point(1, 1)] } == .shortRoute)
    #expect(error { $0.route[1] = point(.nan, 0) } == .route(index: 1))
    #expect(error { $0.route[1] = point(-50, 180) } == .corridor(.antipodal(index: 0)))
    #expect(error { $0.aircraft = AircraftPosition(coordinate: point(91, 0), altitudeFeet: nil) } == .position)
    #expect(error { $0.scope = .outbox } == .scope(.outbox))
  }

  @Test func geoJSONHasAPolygonForEachCell() throws {
    let profile = try ProfileQuery(along: [point(-17, 177), point(-15, -178)]).profile(
      of: [report(try cell(-16.05, 179.9), sev: 3, edrE4: 3100)], asOf: now)
    let json = profile.geoJSON()
    #expect(
      json.contains(#""sev":3,"edr":0.31"#) && json.contains(#""count":1"#) && json.contains(##""fill":"#FF7100""##))
    #expect(json.contains(#""part":"ahead""#) && json.hasPrefix(#"{"type":"FeatureCollection""#))
    let ring = profile.strip(ofBin: 0)
    #expect(ring.count == 5 && ring.first == ring.last && abs(ring[0].geodesicDistanceNM(to: ring[3]) - 40) < 0.01)
    // It begins on the right of the route, which leads east.
    #expect(ring[0].latitude < ring[3].latitude && ring[1].latitude < ring[2].latitude)
  }

  @Test func aRouteOfOneBinHasAPolygon() throws {
    let profile = try ProfileQuery(along: [point(50, 0), point(50, 0.2)]).profile(
      of: [report(try cell(50, 0.1), sev: 3, edrE4: 3100)], asOf: now)
    #expect(profile.binCount == 1 && profile.geoJSON().contains(#""bin":0,"fromNM":0"#))
  }
}
