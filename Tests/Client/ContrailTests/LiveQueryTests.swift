import Contrail
import ContrailSupport
import ContrailTestSupport
import ContrailTesting
import Foundation
import Testing

/// Live queries, monitors and own reports of a whole client, with the clock of the test.
@Suite(.timeLimit(.minutes(30))) struct LiveQueryTests {
  private static let route = [Coordinate(latitude: 51, longitude: -10), Coordinate(latitude: 50, longitude: -40)]

  private func withFlight(
    isolation: isolated (any Actor)? = #isolation, _ body: (ReferenceWorld, ContrailClient) async throws -> Void
  ) async throws {
    let folder = try TemporaryDirectory()
    let world = ReferenceWorld(seed: 3)
    let client = try world.client(directory: URL(filePath: folder.path + "/log"))
    client.dataQuery.types = [.turbulence, .pireps, .traffic, .turbulencePolygons]
    client.dataQuery.polygon = Self.route.buffer(widthNM: 400)
    try await client.opened()
    try await body(world, client)
    await client.stop()
  }

  /// Reads a stream as a map layer does, and compares it with the query.
  private actor Layer<Item: LiveItem> {
    private(set) var items: [Item.ID: Item] = [:]
    private(set) var changeCount = 0
    private(set) var faults: [String] = []

    func apply(_ change: ResultChange<Item>) {
      changeCount += 1
      if change.isFirst != (changeCount == 1) { faults.append("isFirst of change \(changeCount)") }
      for id in change.removed where items.removeValue(forKey: id) == nil { faults.append("removed twice: \(id)") }
      for item in change.inserted where items.updateValue(item, forKey: item.id) != nil {
        faults.append("known: \(item)")
      }
      for item in change.changed where items.updateValue(item, forKey: item.id) == nil { faults.append("new: \(item)") }
      if items.count != change.count || change.count != change.items.count {
        faults.append("\(items.count) items instead of \(change.count) and \(change.items.count)")
      }
    }

    /// Whether the layer shows what a query returns.
    func shows(_ result: [Item]) -> Bool {
      items.count == result.count && result.allSatisfy { items[$0.id].map($0.isShown) == true }
    }
  }

  private func follow<Item>(_ changes: AsyncStream<ResultChange<Item>>) -> (Layer<Item>, Task<Void, Never>) {
    let layer = Layer<Item>()
    return (layer, Task { for await change in changes { await layer.apply(change) } })
  }

  @Test func layersFollowTheirQueriesAlsoAsRecordsExpire() async throws {
    try await withFlight { world, client in
      let area = QueryArea.polygon(Self.route.buffer(widthNM: 200))
      let short = TurbulenceQuery(area: area, dataHistoryTime: .halfHour)
      let (hexagons, first) = follow(try client.observe(short))
      let (pireps, second) = follow(try client.observe(PIREPQuery()))
      let (traffic, third) = follow(try client.observe(TrafficQuery()))
      for _ in 0..<20 {
        try await world.advance(by: .seconds(97))
        // The readers run on tasks of their own.
        while try await !hexagons.shows(client.turbulence(with: short)) { await Task.yield() }
        while try await !pireps.shows(client.pireps()) { await Task.yield() }
        while try await !traffic.shows(client.traffic()) { await Task.yield() }
      }
      #expect(await hexagons.changeCount > 5)
      #expect(await traffic.changeCount > 5)
      // Without a link, time alone changes the result.
      client.isOnline = false
      for _ in 0..<12 {
        try await world.advance(by: .seconds(200))
        while try await !hexagons.shows(client.turbulence(with: short)) { await Task.yield() }
        while try await !traffic.shows(client.traffic()) { await Task.yield() }
      }
      #expect(await hexagons.items.isEmpty)
      #expect(await traffic.items.isEmpty)
      await client.stop()
      await first.value
      await second.value
      await third.value
      #expect(await hexagons.faults == [])
      #expect(await pireps.faults == [])
      #expect(await traffic.faults == [])
    }
  }

  /// Draws the bins that are said to have changed, and only these.
  private actor ProfileChart {
    private(set) var columns: [[String]] = []
    private(set) var drawnCount = 0

    func apply(_ change: ProfileChange) {
      let all = Self.columns(change.profile)
      if change.isFirst { columns = Array(repeating: [], count: all.count) }
      for bin in change.changedBins { columns[bin] = all[bin] }
      if !change.isFirst { drawnCount += change.changedBins.count }
    }

    func shows(_ profile: RouteProfile) -> Bool { columns == Self.columns(profile) }

    /// What is shown of each bin, but for ages.
    static func columns(_ profile: RouteProfile) -> [[String]] {
      var columns: [[String]] = Array(repeating: [], count: profile.binCount)
      for cell in profile.cells {
        let areas = cell.areas.map { profile.areas[$0].severity.map { "\($0)" } ?? "-" }
        let reports = cell.reports.map {
          "\($0.worst) \($0.maximumEDR) \($0.newest) \($0.newestEDR) \($0.count) \($0.observedAt)"
        }
        let pireps = cell.pireps.map { "\(profile.pireps[$0].pirep.id)" }
        columns[cell.bin].append("\(cell.level): \(reports ?? "unknown") \(areas) \(pireps)")
      }
      return columns
    }
  }

  @Test func aChartFollowsTheProfileOfARouteByItsChangedBins() async throws {
    try await withFlight { world, client in
      let query = ProfileQuery(along: Self.route, widthNM: 200)
      let chart = ProfileChart()
      let changes = try client.observe(query)
      let task = Task { for await change in changes { await chart.apply(change) } }
      var (binCount, hasOthers) = (0, false)
      for _ in 0..<20 {
        try await world.advance(by: .seconds(97))
        while try await !chart.shows(client.profile(with: query)) { await Task.yield() }
        let profile = try client.profile(with: query)
        binCount += profile.binCount
        hasOthers = hasOthers || !profile.pireps.isEmpty || !profile.areas.isEmpty
      }
      #expect(try client.profile(with: query).cells.contains { $0.reports != nil } && hasOthers)
      let drawn = await chart.drawnCount
      #expect(drawn > 0 && drawn < binCount)
      // Without a link, time alone changes the profile.
      client.isOnline = false
      for _ in 0..<40 {
        try await world.advance(by: .seconds(200))
        while try await !chart.shows(client.profile(with: query)) { await Task.yield() }
      }
      #expect(try client.profile(with: query).cells.allSatisfy { $0.turbulence == .unknown })
      await client.stop()
      await task.value
      #expect(throws: ClientError.self) { try client.observe(ProfileQuery(along: [Self.route[0]])) }
    }
  }

  /// A view reads the object, and a sink its channel: both have what the query returns, until the object is released.
  @MainActor @Test func observableObjectsFollowTheirQueries() async throws {
    try await withFlight { world, client in
      let query = ProfileQuery(along: Self.route, widthNM: 200)
      var hexagons: ObservableResult<TurbulenceItem>? = ObservableResult(try client.observe(TurbulenceQuery()))
      var ahead: ObservableProfile? = ObservableProfile(try client.observe(query))
      #expect(hexagons?.items.isEmpty == true && ahead?.profile == nil)
      for _ in 0..<5 {
        try await world.advance(by: .seconds(97))
        let (items, columns) = (
          try client.turbulence(with: TurbulenceQuery()).map(\.report),
          ProfileChart.columns(try client.profile(with: query))
        )
        while hexagons?.items.map(\.report) != items || ahead?.profile.map(ProfileChart.columns) != columns {
          await Task.yield()
        }
        #expect(hexagons?.channel.value?.map(\.report) == items)
        #expect(ahead?.channel.value.map { ProfileChart.columns($0.profile) } == columns)
      }
      #expect(hexagons?.items.isEmpty == false && ahead?.profile?.cells.isEmpty == false)
      weak let oldHexagons = hexagons
      weak let oldAhead = ahead
      (hexagons, ahead) = (nil, nil)
      #expect(oldHexagons == nil && oldAhead == nil)
    }
  }

  @Test func aSlowReaderGetsTheChangesInOne() async throws {
    try await withFlight { world, client in
      let query = TurbulenceQuery()
      var changes = try client.observe(query).makeAsyncIterator()
      try await world.advance(by: .seconds(60))
      let first = try #require(await changes.next())
      for _ in 0..<10 { try await world.advance(by: .seconds(60)) }
      let second = try #require(await changes.next())
      #expect(try second.items.map(\.report) == client.turbulence(with: query).map(\.report))
      let known = Set(first.items.map(\.id)).subtracting(second.removed).union(second.inserted.map(\.id))
      #expect(known == Set(second.items.map(\.id)))
    }
  }

  @Test func anInvalidQueryIsAnErrorAtTheCall() async throws {
    try await withFlight { _, client in
      #expect(throws: ClientError.self) { try client.observe(TurbulenceQuery(area: .polygon([]))) }
      #expect(throws: ClientError.self) { try client.observe(PIREPQuery(scope: .outbox)) }
      #expect(throws: ClientError.self) { try client.monitor(AlertQuery(distanceNM: -1)) }
      let before = client.dataQuery
      var query = before
      query.polygon?.removeLast()
      let error = #expect(throws: ClientError.self) { try client.setDataQuery(query) }
      #expect(error?.code == .invalidQuery && error?.scope == .corridor && client.dataQuery == before)
      query.polygon = nil
      try client.setDataQuery(query)
      #expect(client.dataQuery.polygon == nil)
    }
  }

  @Test func anOwnReportIsDrawnAtOnceAndItsStateFollows() async throws {
    try await withFlight { world, client in
      try await world.advance(by: .seconds(60))
      client.isOnline = false
      try await world.advance()
      var changes = try client.observe(TurbulenceQuery(origin: .own)).makeAsyncIterator()
      #expect(await changes.next()?.items.isEmpty == true)
      try await client.report(at: Self.route[0], altitudeFeet: 35_000, severity: .moderate, edr: 0.3)
      let inserted = try #require(await changes.next()?.inserted.first)
      #expect(inserted.ownState == .waiting && client.ownReports.map(\.state) == [.waiting])
      // The report is at the start of the route, and the only one there.
      let profile = try client.profile(with: ProfileQuery(along: Self.route, origin: .own))
      #expect(profile.cells.compactMap { $0.reports?.worst } == [.moderate] && profile[0, 35].reports?.count == 1)
      #expect(try client.profile(with: ProfileQuery(along: Self.route))[0, 35].reports?.worst != nil)
      var profiles = try client.observe(ProfileQuery(along: Self.route, origin: .own)).makeAsyncIterator()
      #expect(await profiles.next()?.profile[0, 35].reports?.count == 1)
      client.isOnline = true
      try await world.advance(by: .seconds(30))
      while client.ownReports.first?.state != .confirmed { await Task.yield() }
      var last: OwnReport.State?
      while last != .confirmed { last = await changes.next()?.items.first?.ownState }
      #expect(client.pendingReportCount == 0)
    }
  }

  @Test func aMonitorTellsTheBeginningAndTheEnd() async throws {
    try await withFlight { world, client in
      client.isOnline = false
      let notes = AlertNotes()
      client.delegate = notes
      let here = Self.route[0].destination(azimuth: 280, distanceNM: 5)
      func aircraft(_ feet: Double) -> AircraftPosition {
        AircraftPosition(coordinate: here, altitudeFeet: feet, trackDegrees: 280, groundSpeedKnots: 450)
      }
      try await world.advance()
      let monitor = try client.monitor(
        AlertQuery(distanceNM: 400, altRange: 0...52_000, beamDegrees: 180))
      monitor.update(aircraft(35_000))
      client.isOnline = true
      var events = monitor.events.makeAsyncIterator()
      // The server has other reports there, too: the first alert begins.
      var begun: Set<Int> = []
      for _ in 0..<30 where begun.isEmpty {
        try await world.advance(by: .seconds(60))
        monitor.update(aircraft(35_000))
        begun = Set(monitor.alerts.map(\.id))
      }
      let alert = try #require(await events.next())
      guard case .began(let first) = alert else { return #expect(Bool(false), "\(alert)") }
      #expect(first.phase == .new && first.sources == .reports)
      // Below the minimum altitude, each alert ends once, and none begins.
      monitor.update(aircraft(9000))
      var open: Set<Int> = [first.id]
      var told = [AlertNotes.text(of: alert)]
      while !open.isEmpty {
        let event = await events.next()
        if let event { told.append(AlertNotes.text(of: event)) }
        switch event {
        case .began(let other): open.insert(other.id)
        case .changed: break
        case .ended(let other): #expect(open.remove(other.id) != nil && other.phase == .ended)
        case nil: return #expect(Bool(false), "the stream has ended")
        }
      }
      #expect(monitor.alerts.isEmpty)
      monitor.stop()
      while let event = await events.next() { told.append(AlertNotes.text(of: event)) }
      await eventually { await notes.calls.count >= told.count }
      let calls = await notes.calls
      #expect(calls == told)
    }
  }

  /// Notes what a delegate is told of turbulence ahead.
  @MainActor private final class AlertNotes: ContrailClientDelegate {
    private(set) var calls: [String] = []

    nonisolated static func text(of event: TurbulenceMonitor.Event) -> String {
      switch event {
      case .began(let alert): "began \(alert.id)"
      case .changed(let alert): "changed \(alert.id)"
      case .ended(let alert): "ended \(alert.id)"
      }
    }

    func didBeginTurbulence(_ alert: TurbulenceAlert) { calls.append(Self.text(of: .began(alert))) }
    func didChangeTurbulence(_ alert: TurbulenceAlert) { calls.append(Self.text(of: .changed(alert))) }
    func didEndTurbulence(_ alert: TurbulenceAlert) { calls.append(Self.text(of: .ended(alert))) }
  }

  @Test func theLogIsExportedRedactedWhileTheClientGoesOn() async throws {
    let folder = try TemporaryDirectory()
    try await withFlight { world, client in
      try await world.advance(by: .seconds(600))
      let (clean, raw) = (URL(filePath: folder.path + "/clean.jsonl"), URL(filePath: folder.path + "/raw.jsonl"))
      try await client.exportLog(to: clean)
      try await client.exportLog(to: raw, since: world.date.addingTimeInterval(-300), redacted: false)
      for file in [clean, raw] { try Recording(file).verify() }
      let session = try #require(String(contentsOf: raw, encoding: .utf8).firstMatch(of: /"session":"([^"]+)"/)?.1)
      #expect(try !String(contentsOf: clean, encoding: .utf8).contains(session))
      // An existing file isn't replaced.
      let error = await #expect(throws: ClientError.self) { try await client.exportLog(to: clean) }
      #expect(error?.code == .disk)
      try await world.advance(by: .seconds(60))
      #expect(client.status(of: .corridor).phase == .current)
    }
  }
}
