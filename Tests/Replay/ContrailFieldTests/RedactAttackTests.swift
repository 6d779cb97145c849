import ContrailCore
import ContrailField
import ContrailGeodesy
import ContrailH3
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

/// Someone who has the airports, the world's traffic and our source learns nothing of the place and time of a redacted flight.
@Suite struct RedactAttackTests {
  private static func secret(_ number: Int) -> RedactionSecret {
    RedactionSecret(bytes: Array("attack \(number)".utf8))
  }

  // MARK: Nothing of a place has an effect

  /// The strongest test: two flights at different places, which differ in everything that a redaction should remove, lead to the same bytes.
  ///
  /// In a log with held requests, what is news here is news elsewhere: after news, the next request is held at once, and otherwise after
  /// a pause, which both logs show. In a log with a byte budget, the sizes elsewhere are others, but drop the same data at the same times:
  /// the budget and what it drops are kept, as the redaction says.
  @Test(arguments: RedactTests.recordings)
  func flightsAtOtherPlacesAreRedactedToTheSameBytes(path: String) throws {
    let original = try LogDraft(path: path)
    let elsewhere = Elsewhere(keepsNews: path.contains("/listening-"), keepsSaving: path.contains("/byte-budget"))
    let (here, there) = (
      Self.refolded(original) { Self.changed($0, nil) }, Self.refolded(original) { Self.changed($0, elsewhere) }
    )
    #expect(here.bytes != there.bytes)
    let (a, b) = (try Redaction(here, secret: Self.secret(0)), try Redaction(there, secret: Self.secret(0)))
    #expect(String(decoding: a.draft.bytes, as: UTF8.self) == String(decoding: b.draft.bytes, as: UTF8.self))
  }

  /// What a flight at another place has in common with the one here.
  private struct Elsewhere {
    var keepsNews: Bool
    /// Whether what the byte budget drops stays the same.
    var keepsSaving: Bool
  }

  /// Folds the inputs of a log again.
  private static func refolded(_ original: LogDraft, _ change: (Input) -> Input) -> LogDraft {
    var draft = LogDraft()
    var state = State()
    for turn in original.turns {
      guard let input = turn.input else { continue }
      let seq = state.nextSeq
      let changed = change(input)
      var events = [Event.input(changed)]
      state.evolve(.init(seq: seq, at: turn.at, event: .input(changed)))
      for decision in state.decide() {
        events.append(.decision(decision))
        state.evolve(.init(seq: state.nextSeq, at: turn.at, event: .decision(decision)))
      }
      draft.append(.init(seq: seq, at: turn.at, events: events))
    }
    return draft
  }

  /// Returns an input without the server's sums, at the same place or elsewhere.
  private static func changed(_ input: Input, _ place: Elsewhere?) -> Input {
    let isElsewhere = place != nil
    switch input {
    case .queryChanged(var query) where isElsewhere:
      query.polygon = query.polygon.map { elsewhere($0) }
      query.viewport = query.viewport.map { elsewhere($0) }
      query.corridor = query.corridor.map { elsewhere($0) }
      query.route = query.route.map { elsewhere($0) }
      query.weather.spec.language = query.weather.places.isEmpty ? query.weather.spec.language : "ja"
      return .queryChanged(query)
    case .reportTracked(let report) where isElsewhere: return .reportTracked(elsewhere(report))
    case .responseFailed(let request, let failure, let sent) where isElsewhere:
      return .responseFailed(request: request, failure: failure, sent: sent.map { bigger($0) })
    case .responseReceived(var response):
      if let place, place.keepsSaving {
        if response.wireBytes > 0 { response.wireBytes += 1 }
      } else if isElsewhere {
        if response.wireBytes > 0 { response.wireBytes = 3 * response.wireBytes + 17 }
        response.sent = response.sent.map { bigger($0) }
      }
      if var answer = try? response.body.observations() {
        (answer.held, answer.heldPIREPs) = (nil, nil)
        if isElsewhere {
          // Where there was one, there is none.
          let kept = max(answer.reports.count / 2, place?.keepsNews == true ? min(answer.reports.count, 1) : 0)
          answer.reports = answer.reports.prefix(kept).map { elsewhere($0) }
          answer.pireps = answer.pireps.prefix(answer.pireps.count / 2).map { pirep in
            var pirep = pirep
            pirep.position = elsewhere(pirep.position)
            pirep.id += "x"
            pirep.text += " ELSEWHERE"
            return pirep
          }
          answer.traffic = answer.traffic.map { Array($0.dropFirst()) }
        }
        response.body = .answer(answer)
      }
      return .responseReceived(response)
    default: return input
    }
  }

  private static func bigger(_ sent: SentBytes) -> SentBytes {
    sent == .zero ? .zero : SentBytes(total: sent.total + 311, head: sent.head)
  }

  private static func elsewhere(_ point: FixedCoordinate) -> FixedCoordinate {
    let (half, turn) = (180 * FixedCoordinate.degree, 360 * FixedCoordinate.degree)
    var longitude = point.longitudeE7
    if abs(longitude) <= half {
      longitude += 13 * FixedCoordinate.degree
      if longitude > half { longitude -= turn }
    }
    return FixedCoordinate(
      latitudeE7: abs(point.latitudeE7) <= 90 * FixedCoordinate.degree ? -point.latitudeE7 : point.latitudeE7,
      longitudeE7: longitude)
  }

  private static func elsewhere(_ points: ResolvedQuery.Points) -> ResolvedQuery.Points {
    // An area that is rejected for its exact shape, as those of `bad-queries`, keeps its longitudes, and so its fault. Moved to the east, an
    // edge of 180° or a ring that winds twice crosses ±180° and is read otherwise: the app of that flight would have been told something
    // else, so the two logs would differ in a decision, and not in something that the redaction keeps.
    if (try? Ring(simple: points)) == nil {
      return points.map { $0.map { FixedCoordinate(latitudeE7: -$0.latitudeE7, longitudeE7: $0.longitudeE7) } }
    }
    return points.map { $0.map { elsewhere($0) } }
  }

  private static func elsewhere(_ report: TurbulenceReport) -> TurbulenceReport {
    TurbulenceReport(
      cell: report.cell ^ 0x155, altitude: report.altitude, severity: report.severityCode,
      edrE4: report.edrE4 / 2, observedAt: report.observedAt - 1)
  }

  // MARK: The shapes of viewports, and the lengths of routes

  private struct Flight {
    let viewport: [FixedCoordinate]?
    let route: [FixedCoordinate]
  }

  private static func flight(_ draft: LogDraft) -> Flight? {
    var viewport: [FixedCoordinate]?
    for turn in draft.turns {
      guard case .queryChanged(let query)? = turn.input else { continue }
      if viewport == nil { viewport = query.viewport?.compactMap { $0 } }
      if let route = query.route?.compactMap({ $0 }), route.count > 1 {
        return Flight(viewport: viewport ?? query.viewport?.compactMap { $0 }, route: route)
      }
    }
    return nil
  }

  private static func vector(_ point: FixedCoordinate) -> SIMD3<Double> {
    let (latitude, longitude) = (Double(point.latitudeE7) * .pi / 1.8e9, Double(point.longitudeE7) * .pi / 1.8e9)
    return [cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)]
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }

  private static func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

  private static func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    acos(max(-1, min(1, dot(a, b))))
  }

  /// Returns the two airports that fit a flight best.
  ///
  /// The meridian sides of a viewport meet at the pole after any rotation, so the latitudes follow; the length of the route is kept.
  private static func airports(_ flight: Flight, of all: [FixedCoordinate], usesViewport: Bool) -> [FixedCoordinate] {
    let (from, to) = (vector(flight.route[0]), vector(flight.route[flight.route.count - 1]))
    var poles: [SIMD3<Double>?] = [nil]
    if usesViewport, let corners = flight.viewport?.map({ vector($0) }), corners.count > 3 {
      let pole = cross(cross(corners[1], corners[2]), cross(corners[3], corners[0]))
      let length = dot(pole, pole).squareRoot()
      poles = [pole / length, -pole / length]
    }
    var best: (error: Double, pair: [FixedCoordinate]) = (.infinity, [])
    for pole in poles {
      for a in all {
        for b in all where a != b {
          var error = abs(distance(vector(a), vector(b)) - distance(from, to))
          if let pole {
            error += abs(asin(vector(a).z) - asin(dot(pole, from))) + abs(asin(vector(b).z) - asin(dot(pole, to)))
          }
          if error < best.error { best = (error, [a, b]) }
        }
      }
    }
    return best.pair
  }

  /// A flight after a rotation of the sphere, as redaction moved it before.
  private static func rotated(_ flight: Flight) -> Flight {
    func rotated(_ point: FixedCoordinate) -> FixedCoordinate {
      var v = vector(point)
      for (angle, i, j) in [(0.7, 0, 1), (1.1, 1, 2), (2.3, 0, 2)] {
        (v[i], v[j]) = (v[i] * cos(angle) - v[j] * sin(angle), v[i] * sin(angle) + v[j] * cos(angle))
      }
      return FixedCoordinate(
        latitudeE7: Int64((asin(v.z) * 1.8e9 / .pi).rounded()),
        longitudeE7: Int64((atan2(v.y, v.x) * 1.8e9 / .pi).rounded()))
    }
    return Flight(viewport: flight.viewport?.map { rotated($0) }, route: flight.route.map { rotated($0) })
  }

  @Test(arguments: [true, false]) func airportsAreFoundAfterARotationButNotAfterARedaction(usesViewport: Bool) throws {
    let drafts = try RedactTests.recordings.map { try LogDraft(path: $0) }
    let flights = drafts.compactMap { draft in Self.flight(draft).map { (draft, $0) } }
      .filter { !usesViewport || $0.1.viewport != nil }
    let all = Array(Set(drafts.compactMap { Self.flight($0) }.flatMap { [$0.route[0], $0.route[$0.route.count - 1]] }))
      .sorted { ($0.latitudeE7, $0.longitudeE7) < ($1.latitudeE7, $1.longitudeE7) }
    var (foundBefore, found, trials) = (0, 0, 0)
    for (draft, flight) in flights {
      let truth = Set([flight.route[0], flight.route[flight.route.count - 1]])
      if Set(Self.airports(Self.rotated(flight), of: all, usesViewport: usesViewport)) == truth { foundBefore += 1 }
      for number in 1...2 {
        let redacted = try Redaction(draft, secret: Self.secret(number)).draft
        let guess = Self.airports(try #require(Self.flight(redacted)), of: all, usesViewport: usesViewport)
        trials += 1
        if Set(guess) == truth { found += 1 }
      }
    }
    #expect(!flights.isEmpty && 10 * foundBefore >= 7 * flights.count, "\(foundBefore) of \(flights.count)")
    #expect(5 * found <= trials, "\(found) of \(trials)")
  }

  /// The corner count of a corridor depends on its length and latitude.
  @Test(arguments: RedactTests.recordings) func allValidAreasHaveTheSameNumberOfCorners(path: String) throws {
    let redacted = try Redaction(try LogDraft(path: path), secret: Self.secret(3)).draft
    for turn in redacted.turns {
      guard case .queryChanged(let query)? = turn.input else { continue }
      for points in [query.corridor, query.viewport, query.polygon] {
        if let points, let ring = try? Ring(simple: points) { #expect(ring.points.count == 6) }
      }
      if let route = query.route { #expect(route.count == 2) }
    }
  }

  // MARK: The caps of corridors

  /// Returns the two airports whose corridor has the sides of a given one. A rotation keeps them; the flattening of the caps depends
  /// on the latitude, and what is between them on the distance.
  private static func airports(_ corridor: [FixedCoordinate], of pairs: [(pair: Set<FixedCoordinate>, sides: [Double])])
    -> Set<FixedCoordinate>
  {
    let sides = Self.sides(corridor)
    func error(_ other: [Double]) -> Double {
      guard other.count == sides.count else { return .infinity }
      return zip(sides, other).reduce(0) { $0 + abs($1.0 - $1.1) }
    }
    return pairs.min { error($0.sides) < error($1.sides) }?.pair ?? []
  }

  private static func sides(_ ring: [FixedCoordinate]) -> [Double] {
    zip(ring, ring.dropFirst()).map { distance(vector($0), vector($1)) }.sorted()
  }

  private static func corridor(_ route: [FixedCoordinate], widthNM: Double) -> [FixedCoordinate]? {
    var query = DataQuery()
    query.route = route.map(\.coordinate)
    query.routeWidth = widthNM
    return query.resolved().corridor?.compactMap { $0 }
  }

  private static func firstCorridor(_ draft: LogDraft) -> [FixedCoordinate]? {
    draft.turns.lazy.compactMap { turn -> [FixedCoordinate]? in
      if case .queryChanged(let query)? = turn.input { query.corridor?.compactMap { $0 } } else { nil }
    }.first
  }

  @Test func theCapsOfACorridorTellTheAirportsAfterARotationButNotAfterARedaction() throws {
    let ends = [(51.47, -0.45), (40.64, -73.78), (-37.01, 174.79), (33.94, -118.41), (1.36, 103.99), (25.25, 55.36)]
      .compactMap { FixedCoordinate(Coordinate(latitude: $0.0, longitude: $0.1)) }
    var pairs: [(pair: Set<FixedCoordinate>, sides: [Double])] = []
    var corridors: [Set<FixedCoordinate>: [FixedCoordinate]] = [:]
    for (index, from) in ends.enumerated() {
      for to in ends.dropFirst(index + 1) {
        let corridor = try #require(Self.corridor([from, to], widthNM: 100))
        pairs.append(([from, to], Self.sides(corridor)))
        corridors[[from, to]] = corridor
      }
    }
    let original = try LogDraft(path: Logs.recording("atlantic"))
    var (foundBefore, found) = (0, 0)
    for (number, (pair, _)) in pairs.enumerated() {
      let corridor = try #require(corridors[pair])
      let rotated = Self.rotated(Flight(viewport: nil, route: corridor)).route
      if Self.airports(rotated, of: pairs) == pair { foundBefore += 1 }
      let ends = Array(pair)
      let flight = Self.refolded(original) { input in
        guard case .queryChanged(var query) = input, query.corridor != nil else { return input }
        query.route = ends
        query.corridor = corridor
        return .queryChanged(query)
      }
      let redacted = try Redaction(flight, secret: Self.secret(100 + number)).draft
      if Self.airports(try #require(Self.firstCorridor(redacted)), of: pairs) == pair { found += 1 }
    }
    #expect(10 * foundBefore >= 7 * pairs.count, "\(foundBefore) of \(pairs.count)")
    // By chance, one in fifteen.
    #expect(found <= 4, "\(found) of \(pairs.count)")
  }

  // MARK: Hexagons, and the world's traffic

  /// The records of a log's answers, as far as they are the same after any rotation.
  private struct Records {
    /// The distances between the cells of an answer, in nautical miles.
    var distances: [Int: Int] = [:]
    /// The numbers of records of each answer, and the altitudes and speeds of the aircraft.
    var counts: [[Int]] = []

    init(_ draft: LogDraft) {
      for turn in draft.turns {
        guard case .responseReceived(let response)? = turn.input, let answer = try? response.body.observations()
        else { continue }
        let aircraft = answer.traffic ?? []
        counts.append(
          [answer.reports.count, answer.pireps.count, aircraft.count]
            + aircraft.flatMap { [$0.altitudeFeet ?? 0, $0.groundSpeedKnots ?? 0] })
        let places = answer.reports.prefix(30).compactMap {
          H3Cell(packed22: $0.cell).flatMap { FixedCoordinate($0.center) }
        }
        .map { RedactAttackTests.vector($0) }
        for (index, place) in places.enumerated() {
          for other in places.dropFirst(index + 1) {
            distances[Int((RedactAttackTests.distance(place, other) * 3437.7).rounded()), default: 0] += 1
          }
        }
      }
    }

    func likeness(_ other: Records, usesHexagons: Bool) -> Int {
      guard usesHexagons else { return zip(counts, other.counts).count { $0 == $1 } }
      return distances.reduce(0) { $0 + min($1.value, other.distances[$1.key] ?? 0) }
    }
  }

  /// Returns the flight in another world, in which other records are missing.
  private static func flight(_ original: LogDraft, inWorld number: Int) -> LogDraft {
    var random = SplitMix64(seed: UInt64(number))
    return refolded(original) { input in
      guard case .responseReceived(var response) = input, var answer = try? response.body.observations() else {
        return input
      }
      (answer.held, answer.heldPIREPs) = (nil, nil)
      if random.chance(30) { answer.reports = [] }
      answer.reports.removeAll { _ in random.chance(50) }
      answer.pireps.removeAll { _ in random.chance(50) }
      answer.traffic?.removeAll { _ in random.chance(50) }
      response.body = .answer(answer)
      return .responseReceived(response)
    }
  }

  @Test(arguments: [true, false]) func recordsOfTheWorldDontTellTheFlight(usesHexagons: Bool) throws {
    let original = try LogDraft(path: Logs.recording("antimeridian"))
    let worlds = (0..<8).map { Self.flight(original, inWorld: $0) }
    let known = worlds.map { Records($0) }
    func guess(_ draft: LogDraft) -> Int? {
      let records = Records(draft)
      return known.indices.max {
        known[$0].likeness(records, usesHexagons: usesHexagons)
          < known[$1].likeness(records, usesHexagons: usesHexagons)
      }
    }
    var found = 0
    for (number, world) in worlds.enumerated() {
      // A rotation alone keeps all of this.
      #expect(guess(world) == number)
      for trial in 0..<3
      where guess(try Redaction(world, secret: Self.secret(200 + 10 * number + trial)).draft) == number {
        found += 1
      }
    }
    // By chance, three of 24.
    #expect(found <= 8, "\(found) of 24")
  }

  // MARK: Times, delays and sizes

  @Test func theTimeOfDayIsGone() throws {
    let original = try LogDraft(path: Logs.recording("atlantic"))
    let starts = try (0..<8).map { try Redaction(original, secret: Self.secret($0)).draft.turns[0].at }
    let first = original.turns[0].at
    #expect(Set(starts).count == starts.count)
    #expect(starts.allSatisfy { ($0 - first) % 86_400_000 != 0 })
    #expect(Set(starts.map { ($0 - first) / 3_600_000 % 24 }).count > 3)
  }

  /// The delay after a failure is drawn from the name of the weather's place, and the seed is in the log.
  @Test func theDelayAfterAFailureDoesNotTellThePlace() throws {
    let original = try LogDraft(path: Logs.recording("destination-weather"))
    let redacted = try Redaction(original, secret: Self.secret(0)).draft
    let (before, after) = (Self.weatherDelays(of: original), Self.weatherDelays(of: redacted))
    #expect(before.contains { $0.delayMS < $0.longestMS })
    #expect(after.count == before.count && after.allSatisfy { $0.delayMS == $0.longestMS }, "\(after)")
  }

  private static func weatherDelays(of draft: LogDraft) -> [(delayMS: Int64, longestMS: Int64)] {
    var state = draft.startState
    var failedAt: [ScopeID: Int64] = [:]
    var delays: [(Int64, Int64)] = []
    for turn in draft.turns {
      if case .clockTicked(let id, let due)? = turn.input, id.weatherPlace != nil, let scope = state.scope(id),
        scope.retry.failures > 0, let failed = failedAt[id]
      {
        let longest = Backoff.longestDelayMS(count: scope.retry.failures)
        if due - failed > longest / 2 { delays.append((due - failed, longest)) }
      }
      for event in turn.events {
        let held = state.scopes
        state.evolve(.init(seq: state.nextSeq, at: turn.at, event: event))
        for scope in state.scopes where scope.id.weatherPlace != nil {
          let count = held.first { $0.id == scope.id }?.retry.failures ?? 0
          if scope.retry.failures > count { failedAt[scope.id] = turn.at }
        }
      }
    }
    return delays
  }

  /// The sizes of requests and answers tell the number of corners and records. With a byte budget, they tell only what it drops.
  @Test(arguments: RedactTests.recordings) func sizesAndRecordsTellNothing(path: String) throws {
    let redacted = try Redaction(try LogDraft(path: path), secret: Self.secret(4)).draft
    var state = redacted.startState
    for turn in redacted.turns {
      for event in turn.events { state.evolve(.init(seq: state.nextSeq, at: turn.at, event: event)) }
      guard case .responseReceived(let response)? = turn.input else { continue }
      if let sent = response.sent {
        // What would drop more than the original did is cut to the last byte that doesn't, whatever its size was.
        let (budget, used) = (state.byteUse.budget, state.byteUse.used)
        let isCut = budget.saving(afterUsing: used) < budget.saving(afterUsing: used + 1)
        #expect(sent == .zero || sent.total == 400 || isCut)
      }
      guard let answer = try? response.body.observations() else { continue }
      #expect(answer.reports.count <= 3 && answer.pireps.count <= 1 && answer.traffic?.isEmpty ?? true)
    }
  }
}
