import ContrailGeodesy
import ContrailH3
import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// A record finds the held requests that it concerns.
@Suite struct HoldRegistryTests {
  private static func ring(west: Double, south: Double, size: Double = 10) throws -> Ring {
    let corners = [(0.0, 0.0), (0, 1), (1, 1), (1, 0), (0, 0)]
    return try Ring(corners.map { Coordinate(latitude: south + $0.0 * size, longitude: west + $0.1 * size) })
  }

  private static func area(
    _ ring: Ring, urgent: TurbulenceSeverity? = .moderate, by seconds: Int64 = 60, wait: Int64 = 540,
    types: DataTypeOptions = .turbulence, severities: SeveritySet = .all
  ) -> HoldRegistry.Area {
    .init(
      request: ObservationsRequest(
        ring: ring, filter: Filter(types: types, severities: severities, history: .twoHours), since: 1000),
      terms: HoldTerms(seconds: wait, urgent: urgent, ordinarySeconds: seconds))
  }

  private static func report(
    _ severity: TurbulenceSeverity, latitude: Double, longitude: Double, at second: Int64, age: Int64 = 10
  ) throws -> HoldRegistry.Arrival {
    let place = Coordinate(latitude: latitude, longitude: longitude)
    let report = try TurbulenceReport(severity, at: place, second: second - age)
    return .report(.init(report: report, centre: try #require(FixedCoordinate(place)), arrival: second))
  }

  @Test func anUrgentRecordAnswersAtTheNextSecond() throws {
    var registry = HoldRegistry()
    let id = registry.add([Self.area(try Self.ring(west: -40, south: 40))], at: 1000)
    registry.arrive(try Self.report(.moderate, latitude: 45, longitude: -35, at: 1010))
    #expect(registry.release(at: 1010) == [])
    #expect(registry.release(at: 1011) == [id] && registry.count == 0)
  }

  @Test func anOrdinaryRecordAnswersWhenItIsOldEnough() throws {
    var registry = HoldRegistry()
    let id = registry.add([Self.area(try Self.ring(west: -40, south: 40))], at: 1000)
    registry.arrive(try Self.report(.light, latitude: 45, longitude: -35, at: 1010))
    registry.arrive(try Self.report(.light, latitude: 45, longitude: -35, at: 1030))
    #expect(registry.nextDue == 1070 && registry.release(at: 1069) == [])
    #expect(registry.release(at: 1070) == [id])
  }

  /// An answer without news before the end would be taken for the end of the server.
  @Test(arguments: [(TurbulenceSeverity.light, Int64(60)), (.moderate, 1)])
  func aRecordThatLeavesTheHistoryBeforeItsAnswerIsNoNews(_ severity: TurbulenceSeverity, _ delay: Int64) throws {
    var registry = HoldRegistry()
    let second: Int64 = 10_000
    let id = registry.add([Self.area(try Self.ring(west: -40, south: 40))], at: second)
    registry.arrive(try Self.report(severity, latitude: 45, longitude: -35, at: second, age: 7200 - delay))
    #expect(registry.nextDue == second + 540)
    registry.arrive(try Self.report(severity, latitude: 45, longitude: -35, at: second, age: 7199 - delay))
    #expect(registry.nextDue == second + delay)
    // A record that arrived before the request must still be in the history when the request begins.
    let late = registry.add([Self.area(try Self.ring(west: -40, south: 40))], at: second + 100)
    let early = try Self.report(severity, latitude: 45, longitude: -35, at: second, age: 7100)
    registry.note(early, late, 0, at: second + 100)
    #expect(registry.release(at: second + 100) == [id])
    registry.note(early, late, 0, at: second + 99)
    #expect(registry.release(at: second + 100) == [late])
  }

  @Test func anOrdinaryRecordMayAnswerAtOnce() throws {
    var registry = HoldRegistry()
    let id = registry.add([Self.area(try Self.ring(west: -40, south: 40), by: 0)], at: 1000)
    registry.arrive(try Self.report(.light, latitude: 45, longitude: -35, at: 1010))
    #expect(registry.nextDue == 1011 && registry.release(at: 1011) == [id])
  }

  @Test(arguments: [(45.0, -35.0), (40.01, -39.99), (49.99, -30.01), (40.5, -35)])
  func aRecordIsFoundAnywhereInARing(latitude: Double, longitude: Double) throws {
    var registry = HoldRegistry()
    let id = registry.add([Self.area(try Self.ring(west: -40, south: 40))], at: 1000)
    registry.arrive(try Self.report(.moderate, latitude: latitude, longitude: longitude, at: 1010))
    #expect(registry.release(at: 1011) == [id])
  }

  @Test func aRequestWaitsNoLongerThanItsFirstArea() throws {
    var registry = HoldRegistry()
    let ring = try Self.ring(west: -40, south: 40)
    _ = registry.add([Self.area(ring, wait: 90), Self.area(ring, wait: 50)], at: 1000)
    #expect(registry.nextDue == 1050)
  }

  @Test func silenceIsAnsweredAtTheEnd() throws {
    var registry = HoldRegistry()
    let id = registry.add([Self.area(try Self.ring(west: -40, south: 40), wait: 50)], at: 1000)
    #expect(registry.release(at: 1049) == [] && registry.release(at: 1050) == [id])
  }

  @Test func aRecordTouchesOnlyThoseItConcerns() throws {
    var registry = HoldRegistry()
    let ring = try Self.ring(west: -40, south: 40)
    let near = registry.add([Self.area(ring)], at: 1000)
    _ = registry.add([Self.area(try Self.ring(west: 100, south: -30))], at: 1000)
    _ = registry.add([Self.area(ring, severities: SeveritySet([.none]))], at: 1000)
    _ = registry.add([Self.area(ring, types: .pireps)], at: 1000)
    let both = registry.add([Self.area(try Self.ring(west: 100, south: -30)), Self.area(ring)], at: 1000)
    registry.arrive(try Self.report(.moderateSevere, latitude: 45, longitude: -35, at: 1010))
    #expect(registry.release(at: 1011) == [near, both] && registry.count == 3)
  }

  /// A PIREP answers those who ask for PIREPs: at once if it is severe, or was filed as urgent.
  @Test(arguments: [
    (TurbulenceSeverity.moderate, false, Int64(1011)), (.light, true, 1011), (.light, false, 1070), (nil, false, 1070),
  ])
  func aPIREPAnswersAsItsSeveritySays(_ severity: TurbulenceSeverity?, _ isUrgent: Bool, due: Int64) throws {
    var registry = HoldRegistry()
    let ring = try Self.ring(west: -40, south: 40)
    let pireps = registry.add([Self.area(ring, types: .pireps)], at: 1000)
    let reports = registry.add([Self.area(ring, wait: 400)], at: 1000)
    let place = try #require(FixedCoordinate(Coordinate(latitude: 45, longitude: -35)))
    registry.arrive(
      .pirep(
        PIREP(
          id: "a", position: place, flightLevel: 350, severity: severity, isUrgent: isUrgent, observedAt: 1000,
          updatedAt: 1010, text: "")))
    #expect(registry.nextDue == due && registry.release(at: due) == [pireps])
    #expect(registry.release(at: 1400) == [reports])
  }

  @Test func aRequestThatIsGivenUpIsNotDue() throws {
    var registry = HoldRegistry()
    let ring = try Self.ring(west: -40, south: 40)
    let first = registry.add([Self.area(ring, wait: 50)], at: 1000)
    let second = registry.add([Self.area(ring, wait: 90)], at: 1000)
    #expect(registry.nextDue == 1050)
    registry.remove(first)
    #expect(registry.nextDue == 1090 && registry.release(at: 1089) == [] && registry.release(at: 1090) == [second])
  }

  @Test func trafficAnswersAsAnOrdinaryRecord() throws {
    for (by, due) in [(Int64(60), Int64(1060)), (0, 1001), (1, 1001)] {
      var registry = HoldRegistry()
      let ring = try Self.ring(west: -40, south: 40)
      let areas = [Self.area(ring, by: by), Self.area(ring, by: by, types: [.turbulence, .traffic])]
      let id = registry.add(areas, at: 1000)
      registry.noteTraffic(since: 1000, id, 0)
      #expect(registry.nextDue == 1540, "it doesn't ask for traffic")
      registry.noteTraffic(since: 1000, id, 1)
      #expect(registry.nextDue == due)
    }
  }

  /// Idle rings are removed if there are many. The rings of held requests stay.
  @Test func manyIdleRingsDoNotRemoveHeldOnes() throws {
    var registry = HoldRegistry()
    let held = registry.add([Self.area(try Self.ring(west: -40, south: 40))], at: 1000)
    for number in 0..<2500 {
      registry.remove(
        registry.add([Self.area(try Self.ring(west: Double(number) * 0.1 - 170, south: -30, size: 1))], at: 1000))
    }
    registry.arrive(try Self.report(.moderate, latitude: 45, longitude: -35, at: 1010))
    #expect(registry.release(at: 1011) == [held] && registry.count == 0)
  }

  @Test func allAreAnsweredWhenTheServerStops() throws {
    var registry = HoldRegistry()
    let ids = try (0..<20).map { registry.add([Self.area(try Self.ring(west: Double($0), south: 0))], at: 1000) }
    #expect(registry.releaseAll() == ids && registry.count == 0 && registry.nextDue == nil)
  }

  // MARK: The desk

  /// A request in simulated time has the same answer time as a request that waits.
  @Test(arguments: 0..<12 as Range<UInt64>) func whenARequestIsDueIsKnownBefore(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let service = ObservationServiceTests.shared
    let areas = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      var request = Samples.anyRequest(&random)
      if Bool.random(using: &random) { request.types.insert(.traffic) }
      request.since = Samples.noon - Int64.random(in: 0...(random.chance(50) ? 40 : 600), using: &random)
      return HoldRegistry.Area(
        request: request,
        terms: HoldTerms(
          seconds: .random(in: 1...200, using: &random),
          urgent: [nil, .light, .moderate].randomElement(using: &random) ?? nil,
          ordinarySeconds: .random(in: 0...90, using: &random)))
    }
    let now = Samples.noon * 1000 + 250
    let due = await service.release(of: areas, now: now)
    #expect(due >= now && due <= now + 200_000)
    let desk = HoldDesk(service, maximumCount: 10)
    let held = Task { await desk.wait(for: areas, now: now) }
    if due == now {
      #expect(await held.value)
      return
    }
    while await desk.count == 0 { await Task.yield() }
    #expect(await desk.nextRelease(after: now) == due)
    for time in stride(from: now - 250, to: due, by: 1000) {
      await desk.advance(to: time)
      #expect(await desk.count == 1, "\(time)")
    }
    await desk.advance(to: due - 1)
    #expect(await desk.count == 1)
    await desk.advance(to: due)
    #expect(await held.value)
    let (count, next) = (await desk.count, await desk.nextRelease(after: now))
    #expect(count == 0 && next == nil)
  }

  /// The log returns each record of a span once, in the order of arrival.
  @Test(arguments: 0..<4 as Range<UInt64>) func arrivalsOfASpanAreThoseOfTheWorld(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var archive = WorldArchive(world: Samples.world)
    var log = ArrivalLog()
    let epochs = archive.epochs(after: Samples.noon - 30_000, before: Samples.noon + 4000)
    var all = epochs.flatMap(\.observations).map { HoldRegistry.Arrival.report($0) }
    for history in epochs.flatMap(\.pireps) {
      all += [history.first, history.correction].compactMap { $0.map { .pirep($0) } }
    }
    func text(_ arrival: HoldRegistry.Arrival) -> String {
      switch arrival {
      case .report(let observation): "\(arrival.second) \(observation.report)"
      case .pirep(let pirep): "\(arrival.second) \(pirep)"
      }
    }
    var pireps = 0
    for _ in 0..<60 {
      let start = Samples.noon + Int64.random(in: 0...3000, using: &random)
      let end = start + Int64.random(in: 0...600, using: &random)
      let found = log.arrivals(from: start, to: end, in: &archive)
      let expected = all.filter { (start..<end).contains($0.second) }
      #expect(found.map(text).sorted() == expected.map(text).sorted())
      #expect(zip(found, found.dropFirst()).allSatisfy { $0.second <= $1.second })
      pireps += found.count { if case .pirep = $0 { true } else { false } }
    }
    #expect(pireps > 0)
  }

  @Test func aRequestThatIsGivenUpBeforeItWaitsIsForgotten() async throws {
    let desk = HoldDesk(ObservationServiceTests.shared, maximumCount: 1)
    var area = Self.area(try Self.ring(west: -40, south: -60, size: 0.1))
    area.request.since = Samples.noon
    let areas = [area]
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await desk.wait(for: areas, now: Samples.noon * 1000)
    }
    _ = await task.value
    let (count, next) = (await desk.count, await desk.nextRelease(after: 0))
    #expect(count == 0 && next == nil)
  }

  @Test func aDeskHoldsAsManyAsItMay() async throws {
    let desk = HoldDesk(ObservationServiceTests.shared, maximumCount: 1)
    var area = Self.area(try Self.ring(west: -40, south: -60, size: 0.1))
    area.request.since = Samples.noon
    let areas = [area]
    #expect(await !desk.wait(for: [], now: Samples.noon * 1000))
    let held = Task { await desk.wait(for: areas, now: Samples.noon * 1000) }
    while await desk.count == 0 { await Task.yield() }
    #expect(await !desk.wait(for: areas, now: Samples.noon * 1000))
    await desk.releaseAll()
    #expect(await held.value, "it was held, and others may be")
    let next = Task { await desk.wait(for: areas, now: Samples.noon * 1000) }
    while await desk.count == 0 { await Task.yield() }
    await desk.close()
    #expect(await !next.value)
    #expect(await !desk.wait(for: areas, now: Samples.noon * 1000))
  }
}

extension TurbulenceReport {
  init(_ severity: TurbulenceSeverity, at place: Coordinate, second: Int64) throws {
    let cell = try #require(try H3Cell(place, resolution: 5).packed22)
    self.init(
      cell: cell, altitude: 35, severity: severity.rawValue, edrE4: 3000, observedAt: UInt32(second))
  }
}
