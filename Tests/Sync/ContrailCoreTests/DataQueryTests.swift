import ContrailCore
import ContrailGeodesy
import ContrailWire
import Testing

@Suite struct DataQueryTests {
  static let route = [Coordinate(latitude: 51.47, longitude: -0.45), Coordinate(latitude: 40.64, longitude: -73.78)]

  @Test func theDefaultsAreThoseOfTheDeclarations() {
    let query = DataQuery()
    #expect(query.types == .turbulence)
    #expect(query.viewportTypes == nil)
    #expect(query.sevs == TurbulenceSeverity.allCases)
    #expect(query.polygon == nil && query.viewport == nil && query.route == nil && query.routeWidth == nil)
    #expect(query.globalEnabled)
    #expect(!query.globalTurbulencePolygonsUpToEnabled)
    #expect(query.altRange == nil)
    #expect(State().history == .twoHours)
    #expect(State().frequency == .fast)
  }

  @Test func aRouteAndAWidthMakeTheCorridor() throws {
    var query = DataQuery()
    query.route = Self.route
    #expect(query.resolved().corridor == nil)
    query.routeWidth = 100
    let corridor = try #require(query.resolved().corridor)
    let ring = try Ring(corridor)
    for share in stride(from: 0.0, through: 1, by: 0.1) {
      #expect(ring.contains(try #require(Self.route.interpolated(fraction: share))))
    }
  }

  @Test func aPolygonWinsOverARoute() {
    var query = DataQuery(polygon: [Coordinate(latitude: 0, longitude: 0)])
    query.route = Self.route
    query.routeWidth = 100
    #expect(query.resolved().corridor == nil)
    #expect(query.resolved().polygon?.count == 1)
    // The surroundings of a point are a polygon, not a route.
    query = DataQuery()
    query.route = [Coordinate(latitude: 50, longitude: 0)]
    query.routeWidth = 60
    #expect(query.resolved().corridorError == .init(code: "routeTooShort", place: "route"))
    #expect(query.resolved().rejections.map(\.message) == ["The route of the data query has a single point"])
  }

  @Test func aRouteThatHasNoCorridorNamesThePointOrTheWidth() {
    var query = DataQuery()
    query.route = [Self.route[0], Coordinate(latitude: .nan, longitude: 0), Self.route[1]]
    query.routeWidth = 100
    #expect(query.resolved().corridorError == .init(code: "notFinite", place: "route[1]"))
    query.route = Self.route
    query.routeWidth = -1
    #expect(query.resolved().corridorError == .init(code: "widthOutOfRange", place: "routeWidth"))
  }

  @Test func aRouteWithoutAWidthSaysSo() {
    var query = DataQuery()
    query.route = Self.route
    #expect(query.resolved().corridorError == .init(code: "widthMissing", place: "routeWidth"))
    #expect(query.resolved().corridor == nil)
    query.polygon = Self.route
    #expect(query.resolved().corridorError == nil, "the polygon wins")
    var width = DataQuery()
    width.routeWidth = 100
    #expect(width.resolved().corridorError == nil, "a width alone asks for nothing")
  }

  @Test func whatIsNoNumberIsLoggedAsNone() {
    var query = DataQuery()
    query.viewport = [Coordinate(latitude: .infinity, longitude: 0), Coordinate(latitude: 1e300, longitude: 0)]
    query.altRange = -.infinity ... .infinity
    #expect(query.resolved().viewport == [nil, nil])
    #expect(query.resolved().altitudes == .init(lower: -1_000_000, upper: 1_000_000))
  }

  @Test func whatWasLoggedComesBack() {
    var query = DataQuery(types: [.pireps, .traffic], sevs: [.moderate], polygon: Self.route)
    query.viewportTypes = []
    query.viewport = Self.route
    query.globalEnabled = false
    query.globalTurbulencePolygonsUpToEnabled = true
    query.altRange = 20_000...30_000
    query.route = Self.route
    query.routeWidth = 80.5
    #expect(DataQuery(query.resolved()) == query)
  }
}
