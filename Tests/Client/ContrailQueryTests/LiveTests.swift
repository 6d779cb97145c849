import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailQuery

/// The differences of live results.
@Suite struct LiveTests {
  private func items(_ reports: some Sequence<TurbulenceReport>, aggregate: Bool = true) throws -> [TurbulenceItem] {
    try TurbulenceQuery(aggregate: aggregate).items(in: Array(reports), asOf: now)
  }

  @Test(arguments: [true, false]) func whoeverAppliesEachChangeHasTheResult(aggregate: Bool) throws {
    var random = SplitMix64(seed: 11)
    let pool = random.world(around: [point(50, -30)], count: 400, spreadNM: 60)
    var shown: [TurbulenceItem.ID: TurbulenceItem] = [:]
    var last = try items(pool.prefix(100), aggregate: aggregate)
    for item in ResultChange(last).inserted { shown[item.id] = item }
    var changes = 0
    for _ in 0..<200 {
      let next = try items(pool.filter { _ in random.chance(30) }, aggregate: aggregate)
      if let change = ResultChange(from: last, to: next) {
        changes += change.changed.count
        for id in change.removed { #expect(shown.removeValue(forKey: id) != nil) }
        for item in change.inserted { #expect(shown.updateValue(item, forKey: item.id) == nil) }
        for item in change.changed { #expect(shown.updateValue(item, forKey: item.id).map(item.isShown) == false) }
      }
      #expect(shown.count == next.count && next.allSatisfy { shown[$0.id].map($0.isShown) == true })
      last = next
    }
    #expect((changes > 100) == aggregate, "a report never changes; a hexagon's does")
  }

  @Test func agesAreNoChange() throws {
    let reports = [report(try cell(50, -30))]
    let later = try TurbulenceQuery().items(in: reports, asOf: now + 60)
    #expect(ResultChange(from: try items(reports), to: later) == nil)
  }

  @Test func itemsThatAreNotSortedAreCompared() {
    func pirep(_ id: String, _ text: String = "") -> PIREP {
      PIREP(
        id: id, position: FixedCoordinate(latitudeE7: 0, longitudeE7: 0), flightLevel: nil, severity: nil,
        isUrgent: false, observedAt: now, updatedAt: now, text: text)
    }
    let change = ResultChange(
      from: [pirep("c"), pirep("a"), pirep("b")], to: [pirep("d"), pirep("b", "new"), pirep("a")])
    #expect(change?.inserted.map(\.id) == ["d"] && change?.changed.map(\.id) == ["b"] && change?.removed == ["c"])
    #expect(change?.items.map(\.id) == ["d", "b", "a"])
  }

  // MARK: With a state

  @Test func theQueryIsEvaluatedOnlyIfARecordHasChangedOrExpired() throws {
    let cells = try [cell(45, -35), cell(46, -34)]
    let state = state([report(cells[0], age: 3000), report(cells[1], age: 60)])
    var live = try LiveTurbulence(TurbulenceQuery(dataHistoryTime: .hour, origin: .all))
    var evaluations = 0
    func update(_ second: Int64, _ own: [OwnReport] = []) throws -> ResultChange<TurbulenceItem>? {
      live.update(to: state, asOf: second, own: own) {
        evaluations += 1
        return ReportIndex(of: state)
      }
    }
    #expect(try update(now)?.items.count == 2)
    #expect(live.expiresAt == now + 600)
    #expect(try update(now) == nil && update(now + 599) == nil && evaluations == 1)
    // By its own history, which is shorter than that of the data.
    let change = try #require(try update(now + 600))
    #expect(change.removed.count == 1 && change.items.count == 1 && evaluations == 2)
    #expect(live.expiresAt == now + 3540)
    // An own report appears at once, and its state is a change.
    let own = report(cells[0], sev: 3, age: 0)
    let inserted = try #require(try update(now + 601, [OwnReport(own, .waiting)]))
    #expect(inserted.inserted.first?.ownState == .waiting)
    let confirmed = try #require(try update(now + 602, [OwnReport(own, .confirmed)]))
    #expect(confirmed.changed.first?.ownState == .confirmed && confirmed.inserted.isEmpty)
  }

  @Test func anotherScopeHasNoTurbulence() {
    #expect(throws: QueryError.scope(.outbox)) { try LiveTurbulence(TurbulenceQuery(scope: .outbox)) }
  }

  @Test(arguments: 0..<8) func whatIsEvaluatedInPartIsTheWhole(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pool = random.world(around: [point(47, -32), point(44, -36)], count: 1000, spreadNM: 250)
    var queries = [
      TurbulenceQuery(), TurbulenceQuery(area: .viewport(north: 49, south: 45, west: -34, east: -30)),
      TurbulenceQuery(area: .viewport(north: 80, south: -40, west: -120, east: 60), aggregate: false),
      TurbulenceQuery(altRange: 20_000...40_000, minimumSeverity: .moderate, dataHistoryTime: .hour),
      TurbulenceQuery(scope: .viewport, origin: .all), TurbulenceQuery(origin: .own), TurbulenceQuery(aircraft: .light),
    ]
    queries += queries.map { query in
      var query = query
      query.aggregate.toggle()
      return query
    }
    var results = try queries.map { try LiveTurbulence($0) }
    var shown = [[TurbulenceItem.ID: TurbulenceItem]](repeating: [:], count: queries.count)
    var rig = Rig()
    rig.launch()
    rig.query {
      $0.polygon = Rig.area
      $0.viewport = Rig.square(south: 44, west: -36)
      $0.types = .turbulence
    }
    var index = ReportIndex()
    var own: [OwnReport] = []
    func reports(_ count: Int) -> [TurbulenceReport] {
      (0..<count).map { _ in
        let place = pool[Int.random(in: pool.indices, using: &random)]
        return TurbulenceReport(
          cell: place.cell, altitude: place.altitude, severity: place.severityCode, edrE4: place.edrE4,
          observedAt: UInt32(rig.now / 1000 - Int64.random(in: 0..<7000, using: &random)))
      }
    }
    for step in 0..<150 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: rig.now += Int64.random(in: 1...2_000_000, using: &random)
      case 1: rig.query { $0.altitudes = .init(lower: 10_000, upper: random.chance(50) ? 45_000 : 52_000) }
      case 2: own.append(OwnReport(reports(1)[0], .waiting))
      case 3: own = own.map { OwnReport($0.report, .confirmed) }
      case 4: rig.send(.refreshRequested(full: true))
      case 5...8:
        for id in [ScopeID.corridor, .viewport] {
          let new = reports(20)
          rig.answer(id) { $0.reports = new }
        }
      default: rig.pass(seconds: Int64.random(in: 1...90, using: &random))
      }
      let second = rig.now / 1000
      let isMade = random.chance(90)
      for place in queries.indices where random.chance(80) {
        let expected = try rig.state.turbulence(with: queries[place], asOf: second, in: nil, own: own)
        let change = results[place].update(to: rig.state, asOf: second, own: own) {
          index.update(to: rig.state)
          return isMade ? index : nil
        }
        for id in change?.removed ?? [] { #expect(shown[place].removeValue(forKey: id) != nil) }
        for item in change?.inserted ?? [] { #expect(shown[place].updateValue(item, forKey: item.id) == nil) }
        for item in change?.changed ?? [] { #expect(shown[place].updateValue(item, forKey: item.id) != nil) }
        #expect(change.map { $0.items == expected } ?? true, "step \(step), query \(place)")
        #expect(change.map { $0.count == expected.count } ?? true, "step \(step), query \(place)")
        let isShown = expected.allSatisfy { shown[place][$0.id].map($0.isShown) == true }
        #expect(shown[place].count == expected.count && isShown, "step \(step), query \(place)")
      }
    }
  }

  @Test func theIndexKnowsWhichCellsHaveChanged() throws {
    var random = SplitMix64(seed: 3)
    var rig = Rig()
    rig.launch()
    rig.query { $0.polygon = Rig.area }
    rig.answer { $0.reports = (0..<500).map { _ in ModelServer.report(at: now - 60, using: &random) } }
    var index = ReportIndex(of: rig.state)
    var sums: [HeldSum] = []
    for number in 0..<20 {
      sums.append(try #require(rig.state.scope(.corridor)).reports.sum)
      rig.pass(seconds: 60)
      let reports = (0..<3).map { _ in ModelServer.report(at: rig.now / 1000 - 1, using: &random) }
      rig.answer { $0.reports = reports }
      index.update(to: rig.state)
      let cells = reports.map(\.cell).sorted()
      #expect(index.changedCells(of: .corridor, since: sums[number]) == cells)
      if number > 0 { #expect(try #require(index.changedCells(of: .corridor, since: sums[number - 1])).count == 6) }
    }
    #expect(index.changedCells(of: .corridor, since: sums[0]) == nil, "only the latest are known")
    #expect(index.changedCells(of: .viewport, since: sums[19]) == nil)
  }

  @Test func ownReportsAreShownOnceWithThoseOfTheServer() throws {
    let cells = try [cell(45, -35), cell(46, -34)]
    let known = report(cells[0])
    let state = state([known])
    let own = [OwnReport(known, .confirmed), OwnReport(report(cells[1], sev: 3), .waiting)]
    func query(_ origin: ReportOrigin) throws -> [TurbulenceItem] {
      try state.turbulence(with: TurbulenceQuery(aggregate: false, origin: origin), asOf: now, in: nil, own: own)
    }
    #expect(try query(.server).map(\.ownState) == [nil])
    #expect(try Set(query(.own).map(\.ownState)) == [.confirmed, .waiting])
    #expect(try query(.all).count == 2)
    // Own reports are shown for the history of the application.
    for (age, isShown) in [(Int64(7199), true), (7200, false)] {
      let own = [OwnReport(report(cells[0], age: age), .waiting)]
      let shown = try state.turbulence(with: TurbulenceQuery(origin: .own), asOf: now, in: nil, own: own)
      #expect(shown.isEmpty == !isShown)
    }
  }

  @Test func aProfileHasOwnReportsThatAreNotSentYet() throws {
    let cells = try [cell(45, -35), cell(45, -33)]
    let known = report(cells[0])
    let state = state([known])
    let own = [
      OwnReport(known, .confirmed), OwnReport(report(cells[1], sev: 3), .waiting),
      OwnReport(report(cells[1], sev: 4, age: 8 * 3600), .waiting),
    ]
    var query = ProfileQuery(along: [point(45, -36), point(45, -32)])
    func counts(_ own: [OwnReport]) throws -> [Int] {
      var memory = ProfileMemory()
      let plain = try state.profile(with: query, asOf: now, in: nil, own: own, &memory)
      #expect(try state.profile(with: query, asOf: now, in: ReportIndex(of: state), own: own, &memory) == plain)
      #expect(try state.liveProfile(with: query, asOf: now, in: nil, own: own, &memory).profile == plain)
      return plain.cells.compactMap { $0.reports?.count }
    }
    #expect(try counts(own) == [1, 1] && counts([]) == [1])
    query.origin = .own
    #expect(try counts(own) == [1, 1] && counts([]) == [])
    query.origin = .server
    #expect(try counts(own) == [1])
  }

  /// A change of a profile names the bins that are shown differently. Ages don't count.
  @Test func aProfileNamesTheBinsThatChange() throws {
    let query = ProfileQuery(along: [point(45, -36), point(45, -32)], binNM: 100)
    let cells = try [cell(45, -35.5), cell(45, -32.5)]
    var result = LiveResult<ProfileColumn>([.turbulence, .pireps])
    var memory = ProfileMemory()
    func change(_ state: State, at second: Int64 = now) throws -> ProfileChange? {
      var profile: RouteProfile?
      let change = try result.update(to: state, asOf: second, own: []) { () throws(QueryError) in
        let live = try state.liveProfile(with: query, asOf: second, in: nil, own: [], &memory)
        profile = live.profile
        return live.result
      }
      guard let change, let profile else { return nil }
      #expect(profile == (try state.profile(with: query, asOf: second)))
      return ProfileChange(profile, change)
    }
    let first = try #require(try change(state([report(cells[0])])))
    #expect(first.isFirst && first.changedBins == [0, 1])
    #expect(try change(state([report(cells[0])])) == nil && change(state([report(cells[0])]), at: now + 7139) == nil)
    #expect(result.expiresAt == now + 7140)
    // Another report of a cell, another level, another bin, a PIREP, and none of them.
    let more = [report(cells[0], age: 30), report(cells[0], alt: 30, age: 100)]
    #expect(try change(state(more))?.changedBins == [0] && result.expiresAt == now + 7100)
    #expect(try change(state(more + [report(cells[1])]))?.changedBins == [1])
    let pirep = try pirep("a", at: cells[1].center, level: nil)
    let told = try #require(try change(state(more + [report(cells[1])], [pirep])))
    #expect(told.changedBins == [1] && !told.isFirst && told.profile.pireps.count == 1)
    var corrected = pirep
    (corrected.text, corrected.updatedAt) = ("corrected", now)
    #expect(try change(state(more + [report(cells[1])], [corrected]))?.changedBins == [1])
    #expect(try change(state([], [corrected]))?.changedBins == [0, 1])
    // By its own time, which is before that of the reports.
    #expect(result.expiresAt == now + 7140)
    #expect(try change(state([]))?.changedBins == [1] && result.expiresAt == nil)
    #expect(try change(state([], [pirep]))?.changedBins == [1] && change(state([], [corrected]))?.changedBins == [1])
  }

  @Test func theRouteOfTheAppIsThatOfItsQuery() {
    func route(_ points: [Coordinate?]?) -> [Coordinate]? {
      var rig = Rig()
      rig.query { $0.route = points.map { $0.map { $0.flatMap { FixedCoordinate($0) } } } }
      return rig.state.route
    }
    #expect(route([point(1, 2), point(3, 4)]) == [point(1, 2), point(3, 4)])
    #expect(route(nil) == nil && route([]) == nil && route([point(1, 2)]) == nil)
    #expect(route([point(1, 2), nil, point(3, 4)]) == nil, "a point isn't valid")
  }

  // MARK: Aircraft

  @Test func theCategoryDecidesTheSeverity() throws {
    for (edr, light, medium, heavy) in [
      (0.12, TurbulenceSeverity.none, TurbulenceSeverity.none, TurbulenceSeverity.none),
      (0.13, .light, .none, .none), (0.16, .moderate, .light, .none), (0.18, .moderate, .lightModerate, .light),
      (0.22, .moderate, .moderate, .lightModerate), (0.40, .moderateSevere, .moderate, .moderate),
      (0.36, .moderateSevere, .moderate, .moderate), (0.44, .moderateSevere, .moderateSevere, .moderate),
      (0.54, .moderateSevere, .moderateSevere, .moderateSevere),
    ] {
      #expect(AircraftCategory.light.severity(edr: edr) == light, "\(edr)")
      #expect(AircraftCategory.medium.severity(edr: edr) == medium, "\(edr)")
      #expect(AircraftCategory.heavy.severity(edr: edr) == heavy, "\(edr)")
    }
    #expect(AircraftCategory(designator: "b738") == .medium && AircraftCategory(designator: "A388") == .heavy)
    #expect(AircraftCategory(designator: "XXXX") == nil)
    #expect(AircraftCategory(designator: "XXXX", in: ["XXXX": .light]) == .light)

    // The service says light; the category chooses, filters and shows.
    let place = try cell(50, -30)
    let reports = [report(place, sev: 3, edrE4: 1400), report(place, sev: 1, edrE4: 2300)]
    func severity(_ aircraft: AircraftCategory?, from minimum: TurbulenceSeverity = .none) throws
      -> [TurbulenceSeverity]
    {
      try TurbulenceQuery(minimumSeverity: minimum, aircraft: aircraft).items(in: reports, asOf: now).map(\.sev)
    }
    #expect(
      try severity(nil) == [.moderate] && severity(.medium) == [.moderate] && severity(.heavy) == [.lightModerate])
    #expect(try severity(.heavy, from: .moderate) == [])
    // At a threshold.
    #expect(AircraftCategory.light.severity(of: report(place, sev: 0, edrE4: 1300)) == .light)
    // A report without a rate keeps its severity.
    #expect(AircraftCategory.heavy.severity(of: report(place, sev: 3, edrE4: 0)) == .moderate)
  }

  @Test func itemsAreEqualIfTheirSeveritiesAre() throws {
    let reports = [report(try cell(50, -30), sev: 3, edrE4: 2300)]
    func items(_ aircraft: AircraftCategory?) throws -> [TurbulenceItem] {
      try TurbulenceQuery(aircraft: aircraft).items(in: reports, asOf: now)
    }
    #expect(try items(.medium) == items(nil) && items(.light) == items(nil))
    #expect(try items(.heavy) != items(nil))
  }
}
