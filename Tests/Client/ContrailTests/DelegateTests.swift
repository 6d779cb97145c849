import ContrailAirports
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
import ContrailQuery
import ContrailTestSupport
import ContrailTesting
import ContrailWire
import Foundation
import Testing

@testable import Contrail

/// A delegate is called for each update, in order.
@Suite(.timeLimit(.minutes(10))) @MainActor struct DelegateTests {
  private static let berlin = Coordinate(latitude: 52.36, longitude: 13.51)

  /// The call that follows from an update; nil for new records of an area, which have a call for each type.
  private static func call(for update: ClientUpdate) -> String? {
    switch update {
    case .opened: "opened"
    case .stored(let scope): "restored \(scope.name)"
    case .confirmed(let scope): "confirmed \(scope.name)"
    case .failed(let error): "failed \(error.code.rawValue) \(error.scope?.name ?? "all")"
    case .recovered(let scope): "recovered \(scope?.name ?? "all")"
    case .filtered(let scope): "filtered \(scope.name)"
    case .expired(.weather(let place)), .data(.weather(let place)): "weather \(place.key)"
    case .expired(let scope): "expired \(scope.name)"
    case .status(let scope): "status \(scope.name)"
    case .saving(let saving): "saving \(saving.rawValue)"
    case .rebuilt: "rebuilt"
    case .airportsRebuilt: "airports rebuilt"
    case .data(.corridor), .data(.viewport): nil
    case .data(.global(let history)): "polygons \(history.seconds)"
    case .data(.airports): "airports"
    case .data(.outbox): "outbox"
    }
  }

  /// A flight with an outage, and data that expire.
  private func fly(_ client: ContrailClient, _ world: ReferenceWorld, isFirst: Bool) async throws {
    if isFirst {
      client.dataQuery = DataQuery(types: [.turbulence, .pireps, .traffic, .turbulencePolygons])
      client.dataQuery.polygon = line.buffer(widthNM: 200)
      client.dataQuery.viewport = line.buffer(widthNM: 300)
      client.dataQuery.weather.places = [try #require(RoundedCoordinate(rounding: Self.berlin))]
      client.dataHistoryTime = .halfHour
    }
    try await world.advance(by: .seconds(120))
    client.linkCost = LinkCost(isExpensive: true)
    try await client.report(at: line[0], altitudeFeet: 31_000, severity: .light, edr: 0.1)
    try await world.advance(by: .seconds(120))
    client.dataQuery.sevs = isFirst ? [.moderate, .moderateSevere] : TurbulenceSeverity.allCases
    try await world.fail("503 for 10m")
    try await world.advance(by: .seconds(1200))
    client.isOnline = false
    try await world.advance(by: .seconds(2 * 3600))
  }

  @Test func aDelegateIsCalledForEachUpdate() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3, hasAirports: true)
      let diary = Diary()
      var told: [ClientUpdate] = []
      for isFirst in [true, false] {
        let client = try world.client(directory: URL(filePath: folder + "/log"))
        client.delegate = diary
        let updates = client.updates
        try await fly(client, world, isFirst: isFirst)
        if !isFirst {
          // Whoever listens late is told as well.
          var late = client.updates.makeAsyncIterator()
          #expect(await late.next() == .rebuilt(.missing))
          #expect(await late.next() == .opened)
        }
        await client.stop()
        for await update in updates { told.append(update) }
        // The copy of the log is lost.
        for suffix in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: folder + "/log/projections.sqlite" + suffix)
        }
      }
      let expected = told.compactMap { Self.call(for: $0) }
      // The calls are made in turns of the main actor.
      await eventually { diary.calls.count >= expected.count }
      let calls = diary.calls
      let others = calls.filter { !$0.hasPrefix("new ") }
      #expect(others == expected)
      for (scope, area) in [(ScopeID.corridor, "polygon"), (.viewport, "viewport")] {
        let updates = told.count { $0 == .data(scope) }
        for type in ["turbulence", "pireps", "traffic"] {
          let count = calls.count { $0 == "new \(type) \(area)" }
          #expect(count > 0 && count <= updates, "\(type) \(area)")
        }
      }
      // All kinds were there.
      let kinds = Set(calls.map { $0.prefix { $0 != " " } })
      for kind in [
        "opened", "restored", "confirmed", "failed", "recovered", "filtered", "weather", "expired", "status", "saving",
        "polygons", "airports",
        "outbox",
      ] {
        #expect(kinds.contains(Substring(kind)), "\(kind)")
      }
      #expect(diary.pending.contains(1) && diary.pending.last == 0)
    }
  }

  /// Airports are loaded beside the engine.
  @Test func aDelegateAndTheApplicationsLogAreToldOfAirports() async throws {
    try await withFolder { folder in
      let server = try ScriptedServer(.answer(404))
      let (diary, messages) = (Diary(), Lock<[LogMessage]>([]))
      var configuration = ContrailClient.Configuration(server: server.address, directory: folder + "/log")
      configuration.airportDelivery = .automatic
      configuration.log = { message in messages.withLock { $0.append(message) } }
      let client = try ContrailClient(configuration, clock: ManualClock())
      client.delegate = diary
      while !diary.calls.contains("failed server airports") { await Task.yield() }
      await client.stop()
      #expect(messages.withLock { $0 }.contains { $0.level == .error && $0.text == "airports: server" })
    }
  }

  @Test func aDelegateThatComesLateIsToldWhyTheLogIsNotOpen() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let first = try world.client(directory: URL(filePath: folder + "/log"))
      try await first.opened()
      let second = try world.client(directory: URL(filePath: folder + "/log"))
      for await case .failed in second.updates { break }
      let diary = Diary()
      second.delegate = diary
      while diary.calls.isEmpty { await Task.yield() }
      #expect(diary.calls == ["failed inUse all"])
      await second.stop()
      await first.stop()
    }
  }

  @Test func aDelegateAloneIsToldThatDataExpire() async throws {
    try await withFolder { folder in
      let world = ReferenceWorld(seed: 3)
      let client = try await offlineClient(folder, in: world)
      let diary = Diary()
      client.delegate = diary
      try await world.advance(by: .seconds(3600))
      await eventually { diary.calls.contains("expired corridor") }
      #expect(diary.calls.contains("expired corridor"))
      await client.stop()
    }
  }

  /// Notes each call.
  @MainActor private final class Diary: ContrailClientDelegate {
    private(set) var calls: [String] = []
    private(set) var pending: [Int] = []

    func didOpen() { calls.append("opened") }
    func didRestoreData(of scope: ScopeID) { calls.append("restored \(scope.name)") }
    func didConfirmData(of scope: ScopeID) { calls.append("confirmed \(scope.name)") }
    func didExpireData(of scope: ScopeID) { calls.append("expired \(scope.name)") }
    func didFilterData(of scope: ScopeID) { calls.append("filtered \(scope.name)") }
    func didRecover(type: ScopeID?) { calls.append("recovered \(type?.name ?? "all")") }
    func didFailToFetchNewData(with error: ClientError, type: ScopeID?) {
      calls.append("failed \(error.code.rawValue) \(type?.name ?? "all")")
    }
    func didReceiveNewTurbulenceData(areaType: AreaType) { calls.append("new turbulence \(areaType.rawValue)") }
    func didReceiveNewPireps(areaType: AreaType) { calls.append("new pireps \(areaType.rawValue)") }
    func didReceiveNewTraffic(areaType: AreaType) { calls.append("new traffic \(areaType.rawValue)") }
    func didReceiveNewTurbulencePolygons(history: DataHistoryTime) { calls.append("polygons \(history.seconds)") }
    func didUpdateWeather(at place: RoundedCoordinate) { calls.append("weather \(place.key)") }
    func didChangeAirports() { calls.append("airports") }
    func didChangeSaving(_ saving: DataSaving) { calls.append("saving \(saving.rawValue)") }
    func didRebuildStore(_ rebuild: StoreRebuild) { calls.append("rebuilt") }
    func didRebuildAirports(_ rebuild: StoreRebuild) { calls.append("airports rebuilt") }
    func didUpdateOutbox(pendingReports: Int) {
      calls.append("outbox")
      pending.append(pendingReports)
    }
    func didChangeStatus(_ status: ScopeStatus) { calls.append("status \(status.scope.name)") }
  }
}
