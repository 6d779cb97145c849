import ContrailCore
import ContrailField
import ContrailGeodesy
import ContrailReplay
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
  /// Not for `bad-queries`: the faults of its areas are kept, and those of the other flight may differ.
  @Test(arguments: RedactTests.recordings.filter { !$0.contains("bad-queries") })
  func flightsAtOtherPlacesAreRedactedToTheSameBytes(path: String) throws {
    let original = try LogDraft(path: path)
    let (here, there) = (Self.refolded(original, isElsewhere: false), Self.refolded(original, isElsewhere: true))
    #expect(here.bytes != there.bytes)
    let (a, b) = (try Redaction(here, secret: Self.secret(0)), try Redaction(there, secret: Self.secret(0)))
    #expect(String(decoding: a.draft.bytes, as: UTF8.self) == String(decoding: b.draft.bytes, as: UTF8.self))
  }

  /// Folds the inputs of a log again, without the server's sums.
  private static func refolded(_ original: LogDraft, isElsewhere: Bool) -> LogDraft {
    var draft = LogDraft()
    var state = State()
    for turn in original.turns {
      guard let input = turn.input else { continue }
      let seq = state.nextSeq
      let changed = changed(input, isElsewhere: isElsewhere)
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

  private static func changed(_ input: Input, isElsewhere: Bool) -> Input {
    switch input {
    case .queryChanged(var query) where isElsewhere:
      query.polygon = query.polygon.map { elsewhere($0) }
      query.viewport = query.viewport.map { elsewhere($0) }
      query.corridor = query.corridor.map { elsewhere($0) }
      query.route = query.route.map { elsewhere($0) }
      query.weather.spec.language = query.weather.places.isEmpty ? query.weather.spec.language : "xx_XX"
      return .queryChanged(query)
    case .reportTracked(let report) where isElsewhere: return .reportTracked(elsewhere(report))
    case .responseFailed(let request, let failure, let sent) where isElsewhere:
      return .responseFailed(request: request, failure: failure, sent: sent.map { bigger($0) })
    case .responseReceived(var response):
      if isElsewhere {
        if response.wireBytes > 0 { response.wireBytes = 3 * response.wireBytes + 17 }
        response.sent = response.sent.map { bigger($0) }
      }
      if var answer = try? response.body.observations() {
        (answer.held, answer.heldPIREPs) = (nil, nil)
        if isElsewhere {
          answer.reports = answer.reports.prefix((answer.reports.count + 1) / 2).map { elsewhere($0) }
          answer.pireps = answer.pireps.prefix((answer.pireps.count + 1) / 2).map { pirep in
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
    // An area that is rejected for its exact shape keeps its longitudes, and so its fault.
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

  /// The sizes of requests and answers tell the number of corners and records.
  @Test(arguments: RedactTests.recordings) func sizesAndRecordsTellNothing(path: String) throws {
    let redacted = try Redaction(try LogDraft(path: path), secret: Self.secret(4)).draft
    for turn in redacted.turns {
      guard case .responseReceived(let response)? = turn.input else { continue }
      if let sent = response.sent { #expect(sent == .zero || sent.total == 400) }
      guard let answer = try? response.body.observations() else { continue }
      #expect(answer.reports.count <= 3 && answer.pireps.count <= 1 && answer.traffic?.isEmpty ?? true)
    }
  }
}
