import ContrailCore
import ContrailGeodesy
import ContrailWire
import Testing

@testable import ContrailField

/// What the answers of a recording cover, and which part of a request that is.
@Suite struct CoverageTests {
  private static let hour: Int64 = 3600

  private static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> Area {
    let corners = [(south, west), (south, east), (north, east), (north, west), (south, west)]
    return .ring(try Ring(corners.map { Coordinate(latitude: $0.0, longitude: $0.1) }))
  }

  private static func share(
    of wanted: FetchSpec, since: Int64? = nil, token: Int64 = 10 * hour,
    after answers: [(spec: FetchSpec, since: Int64?, token: Int64)]
  ) -> Coverage.Share {
    var coverage = Coverage()
    for answer in answers { coverage.add(answer.spec, since: answer.since, token: answer.token) }
    return CoveragePlan(wanted, in: coverage).share(since: since, token: token, historySeconds: wanted.history.seconds)
  }

  // MARK: Times

  /// Spans are the seconds that lie in any of them.
  @Test func spansAreTheSecondsThatAreCovered() {
    var state: UInt64 = 5
    func draw(_ limit: Int64) -> Int64 {
      state = Digest.mix(state &+ 1)
      return Int64(state % UInt64(limit))
    }
    for _ in 0..<300 {
      var (lists, sets) = ([[Coverage.Span]](), [Set<Int64>]())
      for _ in 0..<2 {
        var (spans, seconds) = ([Coverage.Span](), Set<Int64>())
        for _ in 0..<draw(7) {
          let from = draw(40)
          let to = from + draw(9) - 1
          spans.insert(.init(from: from, to: to))
          if from < to { seconds.formUnion(from..<to) }
          #expect(Set(spans.flatMap { $0.from..<$0.to }) == seconds)
          // They are apart, and in order.
          #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.to < $1.from })
          #expect(spans.allSatisfy { $0.from < $0.to })
        }
        lists.append(spans)
        sets.append(seconds)
      }
      let common = lists[0].intersection(lists[1])
      #expect(Set(common.flatMap { $0.from..<$0.to }) == sets[0].intersection(sets[1]))
      #expect(zip(common, common.dropFirst()).allSatisfy { $0.to <= $1.from } && common.allSatisfy { $0.from < $0.to })
      let span = Coverage.Span(from: draw(30), to: 30 + draw(20))
      #expect(lists[0].overlap(span) == Int64(sets[0].intersection(span.from..<span.to).count))
    }
  }

  @Test func answersForOneAreaAndFilterAreOneGroup() throws {
    let base = FetchSpec(area: try Self.box(0, 0, 9, 9), filter: Filter(types: .turbulence))
    var others = [base, base, base, base]
    others[0] = FetchSpec(area: try Self.box(0, 0, 9, 8), filter: base.filter)
    others[1].filter.types = .traffic
    others[2].filter.severities = .atLeast(.moderate)
    others[3].filter.altitudes = try #require(AltitudeBand(lower: 10, upper: 20))
    var coverage = Coverage()
    for token in [Self.hour, 2 * Self.hour] {
      for spec in [base] + others { coverage.add(spec, since: nil, token: token) }
    }
    #expect(coverage.groups.count == 5)
    #expect(
      coverage.groups.allSatisfy { $0.last.token == 2 * Self.hour && $0.last.historySeconds == base.history.seconds })
  }

  @Test func aDeltaIsCoveredFromItsWatermarkAndAFullAnswerByItsHistory() throws {
    let spec = FetchSpec(area: try Self.box(0, 0, 10, 10), filter: Filter(history: .hour))
    func known(_ since: Int64, _ token: Int64) -> Double {
      Self.share(
        of: spec, since: since, token: token,
        after: [(spec, nil, 10_000), (spec, 10_000, 11_000), (spec, 12_000, 13_000)]
      ).known
    }
    #expect(known(6400, 11_000) == 1 && known(10_500, 10_600) == 1)
    #expect(abs(known(6300, 6500) - 0.5) < 1e-9)
    #expect(abs(known(10_500, 12_500) - 0.5) < 1e-9)
    #expect(known(11_000, 12_000) == 0 && known(14_000, 15_000) == 0)
    // The history of a full request.
    let whole = Self.share(of: spec, token: 10_600, after: [(spec, nil, 10_000)])
    #expect(abs(whole.known - 3000.0 / 3600) < 1e-9 && whole.gap == .times)
    var longer = spec
    longer.history = .twoHours
    let half = Self.share(of: longer, token: 10_000, after: [(spec, nil, 10_000)])
    #expect(abs(half.known - 0.5) < 1e-9 && half.gap == .history)
    // A request at the second of its watermark asks for nothing new.
    #expect(Self.share(of: spec, since: 10_000, token: 10_000, after: [(spec, nil, 10_000)]).known == 1)
    #expect(Self.share(of: spec, since: 10_000, token: 10_000, after: []).known == 0)
  }

  // MARK: Data

  @Test func eachTypeIsAnEqualPart() throws {
    let area = try Self.box(0, 0, 10, 10)
    let all = FetchSpec(area: area, filter: Filter(types: [.turbulence, .pireps, .traffic]))
    let lists: [(DataTypeOptions, Double)] = [
      ([], 0), (.turbulence, 1.0 / 3), (.pireps, 1.0 / 3), ([.pireps, .traffic], 2.0 / 3),
      ([.turbulence, .pireps, .traffic], 1),
    ]
    for (types, known) in lists {
      let share = Self.share(of: all, after: [(FetchSpec(area: area, filter: Filter(types: types)), nil, 36_000)])
      #expect(abs(share.known - known) < 1e-9, "\(types)")
      #expect(share.gap == (known == 1 ? nil : .types))
    }
    let two = FetchSpec(area: area, filter: Filter(types: [.turbulence, .traffic]))
    let one = FetchSpec(area: area, filter: Filter(types: .traffic))
    #expect(abs(Self.share(of: two, after: [(one, nil, 36_000)]).known - 0.5) < 1e-9)
  }

  @Test func eachSeverityIsAnEqualPartOfTheTurbulence() throws {
    let area = try Self.box(0, 0, 10, 10)
    let strong = FetchSpec(area: area, filter: Filter(severities: .atLeast(.moderate)))
    let all = Self.share(of: FetchSpec(area: area, filter: Filter()), after: [(strong, nil, 36_000)])
    #expect(abs(all.known - 0.4) < 1e-9 && all.gap == .severities)
    let two = FetchSpec(area: area, filter: Filter(severities: SeveritySet([.lightModerate, .moderate])))
    #expect(abs(Self.share(of: two, after: [(strong, nil, 36_000)]).known - 0.5) < 1e-9)
    let both = FetchSpec(area: area, filter: Filter(types: [.turbulence, .pireps], severities: .atLeast(.moderate)))
    #expect(abs(Self.share(of: both, after: [(strong, nil, 36_000)]).known - 0.5) < 1e-9)
    #expect(Self.share(of: strong, after: [(FetchSpec(area: area, filter: Filter()), nil, 36_000)]) == .whole)
  }

  @Test func onlyTurbulenceHasAltitudes() throws {
    let area = try Self.box(0, 0, 10, 10)
    let band = try #require(AltitudeBand(lower: 20, upper: 40))
    let low = FetchSpec(area: area, filter: Filter(types: [.turbulence, .pireps], altitudes: band))
    let all = Self.share(
      of: FetchSpec(area: area, filter: Filter(types: [.turbulence, .pireps])), after: [(low, nil, 36_000)])
    #expect(abs(all.known - 0.5) < 1e-9 && all.gap == .altitudes)
    let inner = FetchSpec(area: area, filter: Filter(altitudes: try #require(AltitudeBand(lower: 25, upper: 40))))
    #expect(Self.share(of: inner, after: [(low, nil, 36_000)]) == .whole)
  }

  // MARK: Places

  /// Boxes, and the part of a box of 10° that they cover.
  private static let parts: [(boxes: [[Double]], known: Double)] = [
    // The same; an area around it; its western half; two halves; a quarter; one beside it.
    ([[0, 0, 10, 10]], 1), ([[-1, -1, 11, 11]], 1), ([[0, -1, 5, 11]], 0.5), ([[-1, -1, 5, 11], [5, -1, 11, 11]], 1),
    ([[5, -1, 11, 5]], 0.25), ([[20, 0, 30, 10]], 0), ([[-1, -1, 6, 11], [4, -1, 11, 11]], 1),
    ([[-1, -1, 6, 11], [4, -1, 6, 11]], 0.6),
  ]

  @Test(arguments: parts) func aPartOfAnAreaIsKnown(boxes: [[Double]], known: Double) throws {
    let wanted = FetchSpec(area: try Self.box(0, 0, 10, 10), filter: Filter())
    let answers = try boxes.map { box in
      (
        spec: FetchSpec(area: try Self.box(box[0], box[1], box[2], box[3]), filter: Filter()), since: nil as Int64?,
        token: Int64(36_000)
      )
    }
    let share = Self.share(of: wanted, after: answers)
    #expect(abs(share.known - known) < 0.03, "\(share)")
    #expect(share.gap == (known == 1 ? nil : .area))
  }

  /// A ring may begin anywhere.
  @Test func aPartOfAnAreaThatBeginsInTheNorthIsKnown() throws {
    let corners = [(10.0, 10.0), (10, 0), (0, 0), (0, 10), (10, 10)]
    let wanted = FetchSpec(
      area: .ring(try Ring(corners.map { Coordinate(latitude: $0.0, longitude: $0.1) })), filter: Filter())
    let south = FetchSpec(area: try Self.box(-1, -1, 11, 5), filter: Filter())
    #expect(abs(Self.share(of: wanted, after: [(south, nil, 36_000)]).known - 0.5) < 0.03)
  }

  /// A degree of longitude is shorter in the north.
  @Test func partsAreMeasuredOnTheSphere() throws {
    let wanted = FetchSpec(area: try Self.box(0, 0, 20, 80), filter: Filter())
    let south = FetchSpec(area: try Self.box(-1, -1, 21, 40), filter: Filter())
    let known = Self.share(of: wanted, after: [(south, nil, 36_000)]).known
    // sin 40° / sin 80°, but for edges that are great circles.
    #expect((0.62...0.68).contains(known), "\(known)")
  }

  @Test(arguments: [(170.0, 190.0, 180.0), (-190, -170, -180), (175, 200, 187.5)])
  func areasMayCrossTheAntimeridian(_ west: Double, _ east: Double, _ middle: Double) throws {
    func box(_ west: Double, _ east: Double) throws -> FetchSpec {
      func wrapped(_ longitude: Double) -> Double {
        longitude >= 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
      }
      let corners = [(0.0, west), (0, east), (10, east), (10, west), (0, west)]
      return FetchSpec(
        area: .ring(try Ring(corners.map { Coordinate(latitude: $0.0, longitude: wrapped($0.1)) })), filter: Filter())
    }
    let wanted = try box(west, east)
    #expect(Self.share(of: wanted, after: [(try box(west - 1, east + 1), nil, 36_000)]).known > 0.97)
    for half in [try box(west - 1, middle), try box(middle, east + 1)] {
      let known = Self.share(of: wanted, after: [(half, nil, 36_000)]).known
      #expect(abs(known - 0.5) < 0.03, "\(known)")
    }
  }

  @Test(arguments: [1.0, -1]) func areasMayContainAPole(_ side: Double) throws {
    func cap(_ latitude: Double) throws -> FetchSpec {
      let corners = stride(from: -180.0, through: 180, by: 30).map {
        Coordinate(latitude: side * latitude, longitude: $0 == 180 ? -180 : $0)
      }
      return FetchSpec(area: .ring(try Ring(corners)), filter: Filter())
    }
    let wanted = try cap(70)
    #expect(Self.share(of: wanted, after: [(try cap(65), nil, 36_000)]).known > 0.97)
    // The area of a cap within 10° of the pole, of one within 20°.
    let known = Self.share(of: wanted, after: [(try cap(80), nil, 36_000)]).known
    #expect((0.2...0.3).contains(known), "\(known)")
    // Sectors on both sides of the antimeridian, each of 50 degrees.
    for west in [-175.0, 125] {
      let sector = FetchSpec(
        area: try Self.box(west, min(65 * side, 89.5 * side), west + 50, max(65 * side, 89.5 * side)), filter: Filter())
      let known = Self.share(of: wanted, after: [(sector, nil, 36_000)]).known
      #expect(abs(known - 50 / 360) < 0.02, "\(known)")
    }
  }

  /// A request can ask for the same second again, or for one more.
  @Test func aPartOfASecondIsThatOfItsArea() throws {
    let wanted = FetchSpec(area: try Self.box(0, 0, 10, 10), filter: Filter())
    let half = FetchSpec(area: try Self.box(-1, -1, 5, 11), filter: Filter())
    for token in [Int64(1500), 1501, 1502] {
      let share = Self.share(of: wanted, since: 1500, token: token, after: [(half, 1000, 2000)])
      #expect(abs(share.known - 0.5) < 0.001 && share.gap == .area)
    }
  }

  @Test(arguments: [[-1.0, -6, 5, 6], [5, -6, 11, 6], [-1, -6, 11, 0], [-1, 0, 11, 6]])
  func eachHalfOfAnAreaIsAHalf(box: [Double]) throws {
    let wanted = FetchSpec(area: try Self.box(0, -5, 10, 5), filter: Filter())
    let half = FetchSpec(area: try Self.box(box[0], box[1], box[2], box[3]), filter: Filter())
    let known = Self.share(of: wanted, after: [(half, nil, 36_000)]).known
    #expect(abs(known - 0.5) < 0.001, "\(known)")
  }

  @Test func betweenTwoAnswersATimeIsMissing() throws {
    let spec = FetchSpec(area: try Self.box(0, 0, 10, 10), filter: Filter())
    let answers: [(FetchSpec, Int64?, Int64)] = [(spec, 1000, 2000), (spec, 3000, 4000)]
    for (since, token, known, gap) in [
      (Int64(1500), Int64(3500), 0.5, Coverage.Gap.times), (500, 1500, 0.5, .history), (500, 3500, 0.5, .history),
      (3500, 4500, 0.5, .times),
    ] {
      let share = Self.share(of: spec, since: since, token: token, after: answers)
      #expect(abs(share.known - known) < 0.01 && share.gap == gap, "\(since)–\(token)")
    }
  }

  /// So thin that no point of the lattice lies in it.
  @Test func aThinAreaIsKnownByItsOwnAnswers() throws {
    let corners = [(0.0, 0.0), (5, 10), (10, 0), (5, 9.99), (0, 0)]
    let thin = FetchSpec(
      area: .ring(try Ring(corners.map { Coordinate(latitude: $0.0, longitude: $0.1) })), filter: Filter())
    let around = FetchSpec(area: try Self.box(-1, -1, 11, 11), filter: Filter())
    let own = Self.share(of: thin, since: 1500, token: 1600, after: [(thin, 1000, 2000)])
    let partly = Self.share(of: thin, since: 1500, token: 2500, after: [(thin, 1000, 2000)])
    let other = Self.share(of: thin, since: 1500, token: 1600, after: [(around, 1000, 2000)])
    #expect(own.known == 1 && abs(partly.known - 0.5) < 0.01 && other.known == 0)
  }

  @Test func theReasonIsThatOfTheLargestPart() throws {
    let wanted = FetchSpec(area: try Self.box(0, 0, 10, 10), filter: Filter())
    // A third is outside; of the rest, a half of the time is missing.
    let most = FetchSpec(area: try Self.box(0, -1, 6.7, 11), filter: Filter())
    let area = Self.share(of: wanted, since: 1000, token: 2000, after: [(most, 1000, 1600)])
    #expect(area.gap == .area && abs(area.known - 0.4) < 0.03)
    let times = Self.share(of: wanted, since: 1000, token: 2000, after: [(most, 1000, 1400)])
    #expect(times.gap == .times && abs(times.known - 0.268) < 0.03)
    for gap in Coverage.Gap.allCases { #expect(gap.advice.hasPrefix("record the flight with ")) }
    #expect(Set(Coverage.Gap.allCases.map(\.advice)).count == Coverage.Gap.allCases.count)
  }

  // MARK: Reports

  /// The last answer that would have contained a report, if it had arrived by then.
  @Test func aReportArrivedAfterTheLastAnswerThatWouldHaveContainedIt() throws {
    let area = try Self.box(-180, 0, -170, 10)
    let report = TurbulenceReport(cell: 0, altitude: 30, severity: 2, edrE4: 100, observedAt: 5000)
    let place = report.position
    let around = try Self.box(
      place.coordinate.longitude - 1, place.coordinate.latitude - 1, place.coordinate.longitude + 1,
      place.coordinate.latitude + 1)
    func last(_ answers: [(FetchSpec, Int64)], before token: Int64 = 9000) -> Int64? {
      var coverage = Coverage()
      for (spec, token) in answers { coverage.add(spec, since: nil, token: token) }
      return coverage.lastAnswer(before: token, admitting: report, in: FetchSpec(area: around, filter: Filter()))
    }
    let spec = FetchSpec(area: around, filter: Filter(history: .hour))
    #expect(last([]) == nil)
    #expect(last([(spec, 6000)]) == 6000 && last([(spec, 6000)], before: 6000) == 6000)
    #expect(last([(spec, 6000)], before: 5999) == nil)
    // It was too old for an answer an hour later.
    #expect(last([(spec, 8599)]) == 8599 && last([(spec, 8600)]) == nil)
    for change in [
      { $0.types = .pireps }, { $0.severities = SeveritySet([.light]) },
      { $0.altitudes = AltitudeBand(lower: 31, upper: 40) ?? .all },
    ] as [(inout FetchSpec) -> Void] {
      var other = spec
      change(&other)
      #expect(last([(other, 6000)]) == nil)
      #expect(last([(spec, 5500), (other, 6000)]) == 5500)
    }
    var only = spec
    only.severities = SeveritySet([.lightModerate])
    #expect(report.severityCode == TurbulenceSeverity.lightModerate.rawValue && last([(only, 6000)]) == 6000)
    // The latest of several, also of another area that contains it.
    var wide = spec
    wide.area = try Self.box(
      place.coordinate.longitude - 2, place.coordinate.latitude - 2, place.coordinate.longitude + 2,
      place.coordinate.latitude + 2)
    #expect(last([(spec, 6000), (wide, 7000)]) == 7000 && last([(spec, 7000), (wide, 6000)]) == 7000)
    var elsewhere = spec
    elsewhere.area = area
    #expect(last([(elsewhere, 6000)]) == nil)
  }
}
