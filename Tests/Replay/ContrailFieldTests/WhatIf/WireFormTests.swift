import ContrailGeodesy
import ContrailWire
import Testing

@testable import ContrailCore
@testable import ContrailField

/// Which form an answer has, and the sizes of bodies that depend on what they say.
@Suite struct WireFormTests {
  // MARK: Forms

  /// An answer with a PIREP whose text makes it so many bytes long.
  private static func answer(bytes count: Int, isJSON: Bool) -> ObservationsAnswer? {
    for length in 0..<count {
      let pirep = PIREP(
        id: "a", position: .init(latitudeE7: 1, longitudeE7: 1), flightLevel: nil, severity: nil, isUrgent: false,
        observedAt: 1_749_999_500, updatedAt: 1_749_999_500, text: String(repeating: "T", count: length))
      let answer = ObservationsAnswer(token: 1_750_000_000, follows: 1_749_999_000, pireps: [pirep])
      if (isJSON ? answer.json : answer.compact(milliseconds: 500)).count == count { return answer }
    }
    return nil
  }

  @Test(arguments: [true, false]) func answersOf256BytesAndMoreAreCompressed(isJSON: Bool) throws {
    let (small, large) = (
      try #require(Self.answer(bytes: 255, isJSON: isJSON)), try #require(Self.answer(bytes: 256, isJSON: isJSON))
    )
    let forms: [WireModel.ResponseForm] = isJSON ? [.json, .packedJSON] : [.compact, .packedCompact]
    for packs in [true, false] {
      var server = WireModelTests.Server()
      server.packs = packs
      server.answer(WireModelTests.full(1), large, form: isJSON ? nil : .compact)
      let found = [small, large].map { server.model.bodyBytes($0, forms[0], changing: [], and: HeldRecords()).form }
      #expect(found == (packs ? forms : [forms[0], forms[0]]))
    }
  }

  /// The sums of an answer with changes are those of its records, whatever the server said.
  @Test func theSumsOfARepairAreThoseOfItsRecords() throws {
    let answer = try #require(Self.answer(bytes: 300, isJSON: true))
    let sizes = [nil, HeldSum(count: 1, checksum: 7), HeldSum(count: 1_000_000_000, checksum: 7)].map { sum in
      var answer = answer
      (answer.held, answer.heldPIREPs) = (HeldSum(count: 9, checksum: 1), sum)
      return WireModel().bodyBytes(answer, .repair, changing: [], and: HeldRecords()).1.bytes
    }
    #expect(sizes[1] == sizes[2] && sizes[0] < sizes[1])
  }

  // MARK: Requests of an area

  /// Requests that differ only in their watermarks and checksums have one size, so that runs don't depend on each other.
  @Test func theSizeOfAnAreaIsThatOfItsRequest() throws {
    let corners = (0..<200).map { Coordinate(latitude: 40 + Double($0 % 7) / 10, longitude: Double($0) / 10 - 10) }
    let outline =
      corners + [Coordinate(latitude: 60, longitude: 9), Coordinate(latitude: 60, longitude: -10), corners[0]]
    let spec = FetchSpec(area: .ring(try Ring(outline)), filter: Filter(types: [.turbulence, .pireps]))
    guard case .ring(let ring) = spec.area else { return }
    let sizes = RequestSizes()
    func size(_ since: Int64?, held: ObservationsRequest.HeldArea? = nil) -> (Int, Int) {
      let body = ObservationsRequest(ring: ring, filter: spec.filter, since: since, held: held)
      var request = WireModelTests.full(1)
      request.body = body.json
      if held != nil { request.heldRecords = HeldRecords(reports: WireModelTests.answer(3).reports) }
      if held?.traffic != nil {
        request.heldTraffic = [
          TrafficPosition(
            id: "a", callsign: "", position: .init(latitudeE7: 0, longitudeE7: 0), altitudeFeet: nil,
            groundSpeedKnots: nil, trackDegrees: nil, observedAt: 1)
        ]
      }
      let inFlight = Scope.InFlightRequest(request: 1, spec: spec, mode: .full, rule: .due, since: since)
      return (sizes.bodyBytes(request, inFlight, handle: held?.handle), WireModel.bodyBytes(request))
    }
    func held(_ since: Int64, _ sum: UInt32, traffic: UInt32? = nil) -> ObservationsRequest.HeldArea {
      .init(handle: "k3", since: since, records: sum, traffic: traffic)
    }
    let calls: [(Int64?, ObservationsRequest.HeldArea?, Int64?, ObservationsRequest.HeldArea?)] = [
      (nil, nil, nil, nil), (1_750_000_001, nil, 1_750_003_333, nil),
      (nil, held(1_750_000_001, 3_111_222_333), nil, held(1_750_009_999, 2_999_888_777)),
      (
        nil, held(1_750_000_001, 3_111_222_333, traffic: 2_222_333_444), nil,
        held(1_750_009_999, 2_999_888_777, traffic: 4_000_111_222)
      ),
    ]
    var found: Set<Int> = []
    for (since, area, otherSince, otherArea) in calls {
      let (first, second) = (size(since, held: area), size(otherSince, held: otherArea))
      #expect(first.0 == second.0 && abs(first.0 - first.1) <= 8 && abs(second.0 - second.1) <= 8)
      found.insert(first.0)
    }
    #expect(found.count == 4)
    // Whatever was asked for first.
    let others = (0..<9).map { index in
      let since = Int64(1_750_000_001 + 12_345 * index)
      var request = WireModelTests.full(1)
      request.body = ObservationsRequest(ring: ring, filter: spec.filter, since: since).json
      let inFlight = Scope.InFlightRequest(request: 1, spec: spec, mode: .full, rule: .due, since: since)
      return RequestSizes().bodyBytes(request, inFlight, handle: nil)
    }
    #expect(Set(others).count == 1)
    // A small body, and one without an area, is measured itself.
    #expect(sizes.bodyBytes(WireModelTests.full(1), nil, handle: nil) == 90)
  }
}
