import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailQuery

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

  /// Every member that the documentation names, of cells with a report, an area or a PIREP.
  @Test func geoJSONSaysWhatIsKnownOfACell() throws {
    let document =
      #"{"features":[{"geometry":{"type":"Polygon","coordinates":[[[5,49],[6,49],[6,51],[5,51],[5,49]]]},"properties":{"severity":1,"baseAltitude":40,"topAltitude":40}},{"geometry":{"type":"Polygon","coordinates":[[[5,49],[6,49],[6,51],[5,51],[5,49]]]},"properties":{"severity":3,"baseAltitude":40,"topAltitude":40}}]}"#
    let polygons = TurbulencePolygons(
      history: .twoHours, asOf: now, ageSeconds: 0, areas: TurbulenceArea.areas(in: Array(document.utf8)))
    let place = try cell(50, 0.5)
    var query = ProfileQuery(along: [point(50, 0), point(50, 6)], binNM: 100)
    query.aircraft = AircraftPosition(coordinate: point(50, 4), altitudeFeet: 36_000)
    let profile = try query.profile(
      of: [
        report(place, alt: 36, sev: 3, edrE4: 9000, age: 300), report(place, alt: 36, sev: 1, edrE4: 8765, age: 60),
      ],
      pireps: [try pirep("a", at: point(50, 1), level: 310)], polygons: polygons, asOf: now)
    let cells = profile.geoJSON().split(separator: #"{"type":"Feature","#).dropFirst()
    let end = String(Int64((profile.lengthNM * 100).rounded()))
    let last = "\(end.dropLast(2)).\(end.suffix(2))"
    let style = ##""fill":"#FF7100","fill-opacity":0.8,"stroke":"#FF7100","stroke-opacity":0,"stroke-width":0"##
    let expected = [
      #""bin":0,"fromNM":0,"toNM":100,"alt":31,"part":"flown","pireps":1,"unknown":true}"#,
      #""bin":0,"fromNM":0,"toNM":100,"alt":36,"part":"flown","pireps":0,"sev":3,"edr":0.9,"newestSev":1,"newestEDR":0.8765,"count":2,"observedAt":\#(now - 60),"age":60,\#(style)}"#,
      #""bin":2,"fromNM":200,"toNM":\#(last),"alt":40,"part":"ahead","pireps":0,"areaSev":3,"unknown":true}"#,
    ]
    #expect(cells.count == 3)
    for (cell, text) in zip(cells, expected) { #expect(cell.contains(#""properties":{\#(text)}"#), "\(cell)") }
    #expect(zip(cells, ["0/31", "0/36", "2/40"]).allSatisfy { $0.contains(#""id":"\#($1)""#) })
  }

  /// A strip is at right angles to the route.
  @Test func aStripIsAsWideAsTheProfile() throws {
    let profile = try ProfileQuery(along: [point(50, 0), point(55, 8)], widthNM: 60, binNM: 50).profile(
      of: [], asOf: now)
    for bin in 0..<profile.binCount {
      let strip = profile.strip(ofBin: bin)
      for (corner, edge, turn) in [
        (strip[0], bin, 90.0), (strip[1], bin + 1, 90), (strip[2], bin + 1, -90), (strip[3], bin, -90),
      ] {
        let start = profile.start(ofBin: edge)
        let ahead = Geodesic.inverse(from: start, to: point(55, 8)).initialAzimuth
        guard edge < profile.binCount else { continue }
        let way = Geodesic.inverse(from: start, to: corner)
        #expect(abs(way.distanceNM - 30) < 1e-6)
        #expect(abs((way.initialAzimuth - ahead - turn).remainder(dividingBy: 360)) < 1e-6)
      }
    }
  }

  @Test func binsAreAsLongAsTheySay() throws {
    let route = [point(0, 0), point(0, 3), point(0, 7)]
    let profile = try ProfileQuery(along: route, binNM: 50).profile(of: [], asOf: now)
    #expect(profile.binCount == Int((profile.lengthNM / 50).rounded(.up)))
    for bin in 0...profile.binCount {
      let along = min(Double(bin) * 50, profile.lengthNM)
      #expect(abs(point(0, 0).geodesicDistanceNM(to: profile.start(ofBin: bin)) - along) < 1e-6)
    }
    let last = profile.binCount - 1
    #expect(profile.distancesNM(ofBin: 0) == 0...50 && profile.distancesNM(ofBin: 2) == 100...150)
    #expect(profile.distancesNM(ofBin: last) == Double(last) * 50...profile.lengthNM)
    #expect(
      profile.distancesNM(ofBin: 1000) == profile.lengthNM...profile.lengthNM
        && profile.distancesNM(ofBin: -1) == 0...50)
    // A length that is a whole number of bins has no bin of nothing at its end.
    for count in [5, 7, 12] {
      let even = try ProfileQuery(along: route, binNM: profile.lengthNM / Double(count)).profile(of: [], asOf: now)
      #expect(even.binCount == count)
    }
    #expect(try ProfileQuery(along: [point(0, 0), point(0, 0.01)]).profile(of: [], asOf: now).binCount == 1)
  }

  @Test func whatIsFlownIsBehindTheAircraft() throws {
    let route = [point(50, 0), point(50, 10)]
    var query = ProfileQuery(along: route, binNM: 50)
    let whole = try query.profile(of: [], asOf: now)
    let places = try (0..<whole.binCount).map { try cell(50, 10 * (Double($0) + 0.5) / Double(whole.binCount)) }
    #expect(whole.binsFlown == 0..<0 && whole.binsAhead == 0..<whole.binCount)
    for (longitude, own) in [(-1.0, 0), (0.1, 0), (5.2, 4), (9.99, whole.binCount - 1), (11, whole.binCount - 1)] {
      query.aircraft = AircraftPosition(coordinate: point(50, longitude), altitudeFeet: nil)
      let profile = try query.profile(of: places.map { report($0) }, asOf: now)
      #expect(profile.binsFlown == 0..<own && profile.binsAhead == own..<whole.binCount, "\(longitude)")
      #expect(profile.flown.allSatisfy { $0.bin < own } && profile.ahead.allSatisfy { $0.bin >= own })
      #expect(profile.flown.count + profile.ahead.count == profile.cells.count && profile.ahead.count > 0)
    }
    // At the end of a route that is a whole number of bins.
    query.binNM = whole.lengthNM / 8
    #expect(try query.profile(of: [], asOf: now).binsAhead == 7..<8)
  }

  /// The route crosses itself within a bin.
  @Test func aCellCountsAReportOnceInABin() throws {
    let crossing = try cell(50, 0).center
    func away(_ azimuth: Double, _ distance: Double) -> Coordinate {
      crossing.destination(azimuth: azimuth, distanceNM: distance)
    }
    let route = [away(270, 15), away(90, 15), away(0, 15), away(180, 15)]
    let query = ProfileQuery(along: route, widthNM: 2, binNM: 100)
    let profile = try query.profile(
      of: [report(try cell(50, 0))], pireps: [try pirep("a", at: crossing)], asOf: now)
    #expect(profile.binCount == 1 && profile.cells.compactMap { $0.reports?.count } == [1])
    #expect(profile.pireps.count == 1 && abs((profile.pireps.first?.alongNM ?? 0) - 15) < 0.1)
    // In short bins, each pass has its own.
    let fine = try ProfileQuery(along: route, widthNM: 2, binNM: 10).profile(
      of: [report(try cell(50, 0))], pireps: [try pirep("a", at: crossing)], asOf: now)
    #expect(fine.cells.compactMap { $0.reports?.count } == [1, 1] && fine.pireps.count == 2)
  }

  @Test func pirepsAreInTheOrderOfTheRoute() throws {
    let places = [7.0, 1, 4].map { point(50.1, $0) }
    let profile = try ProfileQuery(along: [point(50, 0), point(50, 10)]).profile(
      of: [], pireps: try places.enumerated().map { try pirep("\($0.offset)", at: $0.element) }, asOf: now)
    #expect(profile.pireps.map(\.pirep.id) == ["1", "2", "0"])
    for pirep in profile.pireps {
      let along = point(50, 0).geodesicDistanceNM(to: point(50.1, pirep.pirep.coordinate.longitude))
      #expect(abs(pirep.alongNM - along) < 3 && (0...20).contains(pirep.offNM))
      #expect(pirep.bin == Int(pirep.alongNM / 10))
    }
    #expect(profile.cells.map(\.pireps) == [[0], [1], [2]])
  }

  /// A known route doesn't skip the checks of the query.
  @Test func aKnownRouteStillChecksTheQuery() throws {
    var memory = ProfileMemory()
    var query = ProfileQuery(along: [point(50, 0), point(50, 10)])
    _ = try State().profile(with: query, asOf: now, in: nil, &memory)
    query.aircraft = AircraftPosition(coordinate: point(91, 0), altitudeFeet: nil)
    #expect(throws: QueryError.position) { try State().profile(with: query, asOf: now, in: nil, &memory) }
    query.aircraft = nil
    query.scope = .outbox
    #expect(throws: QueryError.scope(.outbox)) { try State().profile(with: query, asOf: now, in: nil, &memory) }
  }

  @Test func aReportWithoutARateHasNone() throws {
    let profile = try ProfileQuery(along: [point(50, 0), point(50, 10)]).profile(
      of: [report(try cell(50.05, 5), edrE4: 0)], asOf: now)
    #expect(profile.cells.first?.reports?.maximumEDR == 0 && profile.cells.first?.reports?.newestEDR == 0)
  }

  @Test func aRouteHasTenThousandBinsAtMost() throws {
    let route = [point(0, -170), point(0, -80), point(0, 10)]
    let length = try RouteLine(route).lengthNM
    #expect(
      try ProfileQuery(along: route, widthNM: 0.1, binNM: length / 10_000).profile(of: [], asOf: now).binCount == 10_000
    )
    #expect(throws: QueryError.profile) {
      try ProfileQuery(along: route, widthNM: 0.1, binNM: length / 10_001).profile(of: [], asOf: now)
    }
    #expect(throws: QueryError.corridor(.antipodal(index: 1))) {
      try ProfileQuery(along: [point(10, 0), point(0, 0), point(0, 179.9)]).profile(of: [], asOf: now)
    }
  }

  @Test func aRouteOfOneBinHasAPolygon() throws {
    let profile = try ProfileQuery(along: [point(50, 0), point(50, 0.2)]).profile(
      of: [report(try cell(50, 0.1), sev: 3, edrE4: 3100)], asOf: now)
    #expect(profile.binCount == 1 && profile.geoJSON().contains(#""bin":0,"fromNM":0"#))
  }
}
