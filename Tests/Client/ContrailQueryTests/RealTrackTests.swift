import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailTestSupport
import ContrailWire
import Testing

private let flights = SharedData.folder.map { $0 + "/flights" }

/// Real flights through patches of turbulence that were laid along their tracks.
@Suite(.enabled(if: flights != nil, "CONTRAIL_DATA names no folder of real tracks"))
struct RealTrackTests {
  private struct Fix {
    var second: Int64
    var aircraft: AircraftPosition
  }

  static let files = [
    "edw24-zrh-cun", "qfa7474-sydney-kangaroo", "ely1747-rome-tlv", "simulated-balloon-010", "simulated-balloon-345",
  ]

  /// The fixes of a file, thinned to `count`; altitudes are taken to be 36,000 ft, so that climbs are no other test.
  private func track(_ name: String, count: Int) throws -> [Fix] {
    let text = String(decoding: try TemporaryDirectory.contents("\(flights ?? "")/\(name).csv"), as: UTF8.self)
    let rows = text.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let step = max(1, rows.count / count)
    return stride(from: 0, to: rows.count, by: step).compactMap { index in
      let row = rows[index]
      guard row.count == 6, let latitude = Double(row[1]), let longitude = Double(row[2]) else { return nil }
      let clock = row[0].dropFirst(11).prefix(8).split(separator: ":").compactMap { Int64($0) }
      guard clock.count == 3, let day = Int64(row[0].dropFirst(8).prefix(2)) else { return nil }
      let second = day * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
      return Fix(
        second: second,
        aircraft: AircraftPosition(
          coordinate: point(latitude, longitude), altitudeFeet: 36_000, trackDegrees: Double(row[5]),
          groundSpeedKnots: Double(row[4])))
    }
  }

  /// Patches of cells along the track, each apart from the others.
  private func patches(_ fixes: [Fix], using random: inout SplitMix64) throws -> [[H3Cell]] {
    var patches: [[H3Cell]] = []
    var taken: Set<H3Cell> = []
    for index in stride(from: 3, to: fixes.count, by: max(2, fixes.count / 20)) {
      let middle = fixes[index].aircraft.coordinate.destination(
        azimuth: Double.random(in: 0..<360, using: &random), distanceNM: Double.random(in: 0...12, using: &random))
      let patch = try H3Cell(middle, resolution: 5).gridDisk(Int.random(in: 0...2, using: &random))
      let margin = try patch[0].gridDisk(5)
      guard taken.isDisjoint(with: margin) else { continue }
      taken.formUnion(patch)
      patches.append(patch)
    }
    return patches
  }

  @Test(arguments: files) func eachPatchIsToldOnceAndNoneIsMissed(name: String) throws {
    var random = SplitMix64(seed: 42)
    let fixes = try track(name, count: 90)
    let route = fixes.map(\.aircraft.coordinate)
    let patches = try patches(fixes, using: &random)
    #expect(patches.count > 3)
    let patchOf = Dictionary(uniqueKeysWithValues: patches.enumerated().flatMap { n, cells in cells.map { ($0, n) } })
    let base = fixes[0].second
    // Each patch has all altitudes near the aircraft and is observed before the flight.
    let reports = patches.flatMap { $0.map { report($0, alt: 36, sev: 2, age: 600) } }

    var tracker = AlertTracker(query: AlertQuery(route: route))
    var told: [Int: [(second: Int64, id: Int)]] = [:]
    var lastAhead: [Int: Int64] = [:]
    var warned: Set<Int> = []
    for fix in fixes {
      let second = fix.second - base
      let alerts: [TurbulenceAlert]
      do throws(QueryError) {
        alerts = try tracker.alerts(for: fix.aircraft, in: reports, asOf: now + second)
      } catch {
        // The route is the track, so only an unknown direction would be an error.
        Issue.record("\(name): \(error)")
        continue
      }
      #expect(Set(alerts.map(\.id)).count == alerts.count)
      let ahead = alerts.filter { $0.phase != .ended }
      var seen: Set<Int> = []
      for alert in ahead {
        let numbers = Set(alert.cells.compactMap { patchOf[$0] })
        warned.formUnion(numbers)
        for number in numbers {
          #expect(seen.insert(number).inserted, "\(name): patch \(number) is told as two clusters at once")
          if alert.phase == .new {
            if let last = lastAhead[number] {
              #expect(second - last > tracker.memorySeconds, "\(name): patch \(number) is told again")
            }
            told[number, default: []].append((second, alert.id))
          }
          lastAhead[number] = second
        }
      }
      // An aircraft in a patch was alerted to it, unless the patch was beside the corridor until the last moment.
      let here = try H3Cell(fix.aircraft.coordinate, resolution: 5)
      if let number = patchOf[here] { #expect(warned.contains(number), "\(name): flown into patch \(number) unwarned") }
    }
    // Every patch whose cells the route comes near was told.
    for (number, patch) in patches.enumerated() {
      let near = patch.contains { cell in route.dropFirst(2).distanceNM(to: cell.center) < 19 }
      if near { #expect(told[number] != nil, "\(name): patch \(number) was missed") }
    }
  }

  @Test(arguments: files) func inTheBeamNothingIsToldAgainWhileItIsRemembered(name: String) throws {
    var random = SplitMix64(seed: 43)
    let fixes = try track(name, count: 250)
    let patches = try patches(fixes, using: &random)
    let patchOf = Dictionary(uniqueKeysWithValues: patches.enumerated().flatMap { n, cells in cells.map { ($0, n) } })
    let reports = patches.flatMap { $0.map { report($0, alt: 36, sev: 2, age: 600) } }
    var tracker = AlertTracker(query: AlertQuery())
    var lastAhead: [H3Cell: Int64] = [:]
    var told = 0
    for fix in fixes where fix.aircraft.trackDegrees != nil {
      let second = fix.second - fixes[0].second
      for alert in try tracker.alerts(for: fix.aircraft, in: reports, asOf: now + second) where alert.phase != .ended {
        #expect(Set(alert.cells.compactMap { patchOf[$0] }).count == 1, "\(name): patches that lie apart are one alert")
        if alert.phase == .new {
          told += 1
          for cell in alert.cells {
            let isKnown = lastAhead[cell].map { second - $0 <= tracker.memorySeconds } ?? false
            #expect(!isKnown, "\(name): \(cell) is told again after \(second - (lastAhead[cell] ?? 0)) s")
          }
        }
        for cell in alert.cells { lastAhead[cell] = second }
      }
    }
    #expect(told > 2 || name.hasPrefix("simulated"), "\(name): \(told)")
  }
}

extension ArraySlice<Coordinate> {
  fileprivate func distanceNM(to point: Coordinate) -> Double { Array(self).distanceNM(to: point) }
}
