import ContrailCore
import ContrailGeodesy
import ContrailWire
import Testing

/// A point type of an application, as `CLLocationCoordinate2D` is on Apple's platforms.
private struct MapPoint: GeographicPoint, Equatable {
  var latitude: Double
  var longitude: Double
}

@Suite struct PointTypeTests {
  private let route = [MapPoint(latitude: 50, longitude: 8), MapPoint(latitude: 52, longitude: 12)]

  @Test func aQueryTakesPointsOfTheApplicationsType() {
    var query = DataQuery()
    query.polygon = route.buffer(widthNM: 100)
    #expect(query.polygon == route.asCoordinates.buffer(widthNM: 100))
    query.viewport = route.buffer(widthNM: 40).simplified(tolerance: 1)
    #expect(query.viewport == route.asCoordinates.buffer(widthNM: 40).simplified(tolerance: 1))
    query.viewport = route.simplified(tolerance: 1)
    #expect(query.viewport == route.asCoordinates.simplified(tolerance: 1))
    #expect(DataQuery(types: .pireps, polygon: route).polygon == route.asCoordinates)
  }

  @Test func whereNothingElseIsExpectedTheResultHasTheTypeOfThePoints() throws {
    let corridor = try route.corridor(widthNM: 100)
    #expect(corridor.first == corridor.last && corridor.count > 4)
    #expect(type(of: corridor) == [MapPoint].self && type(of: route.simplify()) == [MapPoint].self)
    let line: [Coordinate] = try route.corridor(widthNM: 100)
    #expect(line == corridor.asCoordinates)
  }
}
