import ContrailAirportData
import ContrailGeodesy
import ContrailTestSupport
import Testing

@testable import ContrailAirportBuilder

/// Many airports on one point cost no more than as many far apart.
@Suite struct CrowdedPlaceTests {
  private static let count = 20_000

  private static func site(
    _ number: Int, name: String, icaoID: String? = nil, latitude: Double = 47, longitude: Double = 8
  ) -> Site {
    var airport = Airport(
      recordID: "\(number)", locationID: "L\(number)", name: name, dataSource: .ourAirports,
      coordinate: Coordinate(latitude: latitude, longitude: longitude))
    airport.icaoID = icaoID
    return Site(airport: airport, kind: .airport, isClosed: false)
  }

  /// What the sites share, besides the point.
  enum Crowd: CaseIterable {
    case name, indicator, nothing, latitude
  }

  private static func crowd(_ crowd: Crowd) -> [Site] {
    (0..<count).map { number in
      switch crowd {
      case .name: site(number, name: "Crowded Meadow")
      case .indicator: site(number, name: "Meadow \(number)", icaoID: "LSZZ")
      case .nothing: site(number, name: "")
      case .latitude: site(number, name: "Crowded Meadow", longitude: Double(number) / 100 - 100)
      }
    }
  }

  @Test(arguments: Crowd.allCases)
  func duplicatesAreFoundWithComparisonsInProportion(_ crowd: Crowd) {
    var finder = DuplicateFinder(Self.crowd(crowd), runwayCounts: [Int](repeating: 0, count: Self.count))
    let duplicates = finder.run()
    switch crowd {
    case .name, .indicator:
      #expect(duplicates.count == Self.count - 1)
      #expect(duplicates.allSatisfy { $0.better == 0 })
    case .nothing, .latitude: #expect(duplicates.isEmpty)
    }
    #expect(finder.comparisonCount <= 4 * Self.count)
  }

  @Test func theOneWithMostRunwaysStays() {
    var finder = DuplicateFinder(Self.crowd(.name), runwayCounts: Array(0..<Self.count))
    let duplicates = finder.run()
    #expect(duplicates.map(\.lesser) == Array(0..<Self.count - 1))
    #expect(finder.comparisonCount <= 4 * Self.count)
  }

  @Test(arguments: Crowd.allCases)
  func matchesAreFoundWithComparisonsInProportion(_ crowd: Crowd) {
    let sites = Self.crowd(crowd)
    var matcher = AirportMatcher(sites)
    for site in sites {
      let index = matcher.match(site)?.index
      #expect(index == Int(site.airport.recordID) || crowd == .indicator && index == 0)
    }
    #expect(matcher.comparisonCount <= 4 * Self.count)
  }

  /// The grid finds what looking at every pair finds, at the poles and across the antimeridian too.
  @Test(arguments: [(89.999, 0.0), (-89.9999, 90), (10, 180), (0, 0), (70, -179.999), (47, 8)])
  func theNearestIsTheNearestOfAll(_ latitude: Double, _ longitude: Double) {
    var random = SplitMix64(seed: 7)
    let places = (0..<300).map { _ in
      Coordinate(
        latitude: min(max(latitude + Double.random(in: -0.05...0.05, using: &random), -90), 90),
        longitude: longitude + Double.random(in: -0.05...0.05, using: &random))
    }
    var index = PlaceIndex<Int>(reachNM: 1)
    for (number, place) in places.enumerated() { index.add(number % 3, number, place) }
    for place in places {
      let wanted = places.indices.filter { $0 % 3 == 1 }
        .map { (distanceNM: place.distanceNM(to: places[$0]), index: $0) }.min { $0 < $1 }
      let found = index.nearest([1], to: place)
      #expect(found?.index == wanted.flatMap { $0.distanceNM < 1 ? $0.index : nil })
    }
  }
}
