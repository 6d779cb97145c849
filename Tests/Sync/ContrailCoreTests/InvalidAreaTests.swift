import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailCore

/// invalid: what is rejected, how often it is said, and what engines before 1.1.0 did instead.
@Suite struct InvalidAreaTests {
  /// A rectangle whose edges 1 and 3 cross.
  private static let crossing: ResolvedQuery.Points = {
    var ring = Rig.otherArea
    ring.swapAt(2, 3)
    return ring
  }()

  /// A ring whose edge 0 is touched by the corner 3.
  private static let touching = points([(0, 0), (0, 8), (8, 8), (0, 4), (8, 0), (0, 0)])

  /// Latitudes and longitudes in degrees.
  private static func points(_ degrees: [(Int64, Int64)]) -> ResolvedQuery.Points {
    degrees.map {
      FixedCoordinate(latitudeE7: $0.0 * FixedCoordinate.degree, longitudeE7: $0.1 * FixedCoordinate.degree)
    }
  }

  @Test func aRingThatCrossesItselfIsRejectedWithItsPlaceAndTheOldAreaKept() {
    var rig = Rig.flying()
    let want = rig.state.scope(.corridor)?.want
    #expect(rig.query { $0.polygon = Self.crossing } == ["corridor reject selfCrossing polygon[1]"])
    #expect(rig.query { $0.polygon = Self.touching } == ["corridor reject selfTouching polygon[0]"])
    #expect(rig.state.scope(.corridor)?.want == want)
    #expect(rig.query { $0.viewport = Self.crossing } == ["viewport reject selfCrossing viewport[1]"])
    #expect(rig.query { $0.polygon = Rig.otherArea } == ["corridor full areaChanged"])
  }

  @Test func everyOrderOfARingIsTheSameWant() {
    for area in [Rig.area, Self.points([(-5, 175), (-5, -175), (5, -175), (5, 175), (-5, 175)])] {
      var wants: Set<FetchSpec?> = []
      let corners = Array(area.dropLast())
      for shift in corners.indices {
        let turned = Array(corners[shift...] + corners[..<shift])
        for order in [turned, turned.reversed()] {
          var rig = Rig()
          rig.launch()
          #expect(rig.query { $0.polygon = order + [order[0]] } == ["corridor full first"])
          wants.insert(rig.state.scope(.corridor)?.want)
        }
      }
      #expect(wants.count == 1)
    }
  }

  @Test func aRegionOfAnyWidthIsAWant() throws {
    var rig = Rig()
    rig.launch()
    for (west, east) in [(-170.0, 170.0), (-180, 180), (60, -120), (10, 20)] {
      let box = try BoundingBox(north: 80, south: -60, west: west, east: east)
      var query = DataQuery()
      query.viewport = box.ring
      rig.now += Scope.Motion.restMS
      #expect(rig.send(.queryChanged(query.resolved())).last?.hasPrefix("viewport full") == true)
      #expect(rig.state.scope(.viewport)?.want?.area == .ring(Ring(box)))
    }
  }

  @Test func eachReasonThatCanBeMendedHasItsOwnAdvice() {
    let reasons = [
      GeodesyError.open.code, GeodesyError.tooFewPoints(0).code, GeodesyError.tooManyPoints(251).code, "selfCrossing",
      "selfTouching", "spike", GeodesyError.longEdge(index: 0).code, "widthMissing", GeodesyError.width.code,
      "altitudesInverted", "another",
    ]
    let advice = reasons.map {
      Decision.QueryRejected(scope: .corridor, reason: $0, place: "polygon", cause: 0).advice
    }
    #expect(Set(advice).count == reasons.count)
  }

  // MARK: Once

  @Test func anInvalidAreaIsReportedOnceAndNotWithEveryLaterChange() {
    var rig = Rig.flying()
    #expect(rig.query { $0.polygon = Self.crossing } == ["corridor reject selfCrossing polygon[1]"])
    #expect(rig.query { $0.isUpToEnabled = true } == [])
    #expect(rig.query { $0.viewport = Rig.otherArea } == ["viewport full first"])
    #expect(rig.query { $0.altitudes = .init(lower: 0, upper: 50_000) } == [])
    #expect(
      rig.query { $0.polygon = Array(Self.crossing.reversed()) } == ["corridor reject selfCrossing polygon[0]"],
      "another ring")
    #expect(rig.query { $0.polygon = Rig.area } == [])
    #expect(
      rig.query { $0.polygon = Self.crossing } == ["corridor reject selfCrossing polygon[1]"], "it was valid between")
  }

  @Test func aRouteThatStaysWithoutACorridorIsReportedOnce() {
    var rig = Rig.flying()
    #expect(
      rig.query {
        $0.polygon = nil
        $0.route = Rig.area
        $0.corridorError = .init(code: "widthMissing", place: "routeWidth")
      } == ["corridor reject widthMissing routeWidth"])
    #expect(rig.query { $0.globalEnabled = false } == [])
    #expect(rig.query { $0.route = Rig.otherArea } == ["corridor reject widthMissing routeWidth"])
  }

  @Test func altitudesAreReportedForEachAreaThatTheyKeepFromChanging() {
    var rig = Rig.flying()
    let rejected = "corridor reject altitudesInverted altRange"
    #expect(rig.query { $0.altitudes = .init(lower: 30_000, upper: 20_000) } == [rejected])
    #expect(rig.query { $0.globalEnabled = false } == [])
    #expect(rig.query { $0.polygon = Rig.otherArea } == [rejected])
    #expect(rig.query { $0.viewport = Rig.area } == ["viewport reject altitudesInverted altRange"])
    #expect(
      rig.query { $0.altitudes = .init(lower: 31_000, upper: 20_000) }
        == [rejected, "viewport reject altitudesInverted altRange"])
  }

  @Test func theNextLaunchIsToldAgain() {
    var rig = Rig.flying { $0.polygon = Self.crossing }
    rig.launch()
    #expect(rig.query { $0.globalEnabled = false } == ["corridor reject selfCrossing polygon[1]"])
  }

  @Test func aSnapshotKnowsWhatWasReported() {
    var rig = Rig.flying()
    rig.query { $0.polygon = Self.crossing }
    var state = State()
    for part in rig.state.snapshotParts {
      state.evolve(Record(seq: 1, at: rig.now, event: .mark(.snapshotPart(part))))
    }
    state.evolve(Record(seq: 2, at: rig.now, event: .mark(.snapshotEnded)))
    #expect(state.controlJSON == rig.state.controlJSON)
    var query = rig.state.query
    query.isUpToEnabled = true
    state.evolve(Record(seq: 3, at: rig.now, event: .input(.queryChanged(query))))
    #expect(state.decide() == [])
  }
}
