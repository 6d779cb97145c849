import Contrail
import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailTestSupport
import ContrailWire
import Foundation

/// Turbulence ahead on a straight route, worked out by the guide from what the scopes show.
///
/// The hexagons of the simulated world are far from each other, so a cluster is a chain of reports of one hexagon.
struct AlertModel {
  /// Announced clusters by number: their reports, and the most severe severity ever.
  private var known: [Int: (reports: Set<TurbulenceReport>, worst: TurbulenceSeverity, lastSecond: Int64)] = [:]

  private struct Cluster: Hashable {
    var cell: UInt32
    var reports: Set<TurbulenceReport>
    var severity: TurbulenceSeverity { reports.map(\.severity).max() ?? .none }
  }

  mutating func compare(
    _ client: ContrailClient, second: Int64, slack: Int64, using random: inout SplitMix64
  ) -> String? {
    // Along a column of places, or between two of them; the aircraft is at the beginning or on the way.
    let (south, west) = [(40.0, -40.0), (10, 100), (51, -44)].randomElement(using: &random) ?? (40, -40)
    let longitude = west + 1 + 2 * Double(Int.random(in: 0..<4, using: &random))
    let route = [
      Coordinate(latitude: south - 0.5, longitude: longitude), Coordinate(latitude: south + 6, longitude: longitude),
    ]
    let latitude = south - 0.4 + Double(Int.random(in: 0...2, using: &random))
    let feet = Double(Int.random(in: 5...47, using: &random)) * 1000
    let position = AircraftPosition(
      coordinate: Coordinate(latitude: latitude, longitude: longitude), altitudeFeet: feet, trackDegrees: 0)
    let query = AlertQuery(route: route, distanceNM: 100)
    var reports: Set<TurbulenceReport> = []
    for scope in [ScopeID.corridor, .viewport] { reports.formUnion(client.data(of: scope).turbulence) }
    var ahead: [TurbulenceReport] = []
    for report in reports where report.severity >= .light && abs(Double(report.altitude) * 1000 - feet) <= 2000 {
      guard let centre = H3Cell(packed22: report.cell)?.center else { continue }
      // Along a meridian, and by how much beside it, in nautical miles.
      let along = (centre.latitude - latitude) * 60
      let beside = abs(centre.longitude - longitude) * 60 * cos(centre.latitude * .pi / 180)
      // A hexagon at a limit may be ahead or not: by the sphere or the ellipsoid, and by its size.
      if beside < 40, abs(along) < 8 || abs(along - 100) < 8 || abs(beside - 20) < 3 { return nil }
      if along > 0, along < 100, beside < 20 { ahead.append(report) }
    }
    do {
      let alerts = try client.alerts(with: query, at: position).filter { $0.phase != .ended }
      return compare(alerts, Self.clusters(of: ahead), second: second, slack: slack)
    } catch {
      return "alerts fail: \(error)"
    }
  }

  private static func clusters(of reports: [TurbulenceReport]) -> [Cluster] {
    var clusters: [Cluster] = []
    for report in reports {
      var cluster = Cluster(cell: report.cell, reports: [report])
      clusters.removeAll { other in
        guard other.cell == report.cell, other.reports.contains(where: { isConnected($0, report) }) else {
          return false
        }
        cluster.reports.formUnion(other.reports)
        return true
      }
      clusters.append(cluster)
    }
    return clusters
  }

  private static func isConnected(_ a: TurbulenceReport, _ b: TurbulenceReport) -> Bool {
    abs(Int(a.altitude) - Int(b.altitude)) <= 1 && abs(Int(a.severityCode) - Int(b.severityCode)) <= 1
  }

  private mutating func compare(
    _ alerts: [TurbulenceAlert], _ clusters: [Cluster], second: Int64, slack: Int64
  ) -> String? {
    guard alerts.count == clusters.count else { return "\(alerts.count) alerts, not \(clusters.count)" }
    if Set(alerts.map(\.id)).count < alerts.count { return "two alerts have the same number" }
    if zip(alerts, alerts.dropFirst()).contains(where: { $0.distanceNM > $1.distanceNM + 0.1 }) {
      return "the nearest alert isn't the first"
    }
    var rest = clusters
    for alert in alerts {
      let index = rest.firstIndex { cluster in
        let altitudes = cluster.reports.map { Int($0.altitude) * 1000 }
        return cluster.reports.contains(alert.nearest) && cluster.severity == alert.severity
          && cluster.reports.count == alert.count
          && altitudes.min() == alert.altitudeBandFeet.lowerBound
          && altitudes.max() == alert.altitudeBandFeet.upperBound
          && cluster.reports.map({ Int64($0.observedAt) }).max() == alert.newestAt
      }
      guard let index else { return "an alert that there isn't: \(alert)" }
      let cluster = rest.remove(at: index)
      if !(second - slack...second).contains(alert.newestAt + alert.ageSeconds) {
        return "an alert says it is \(alert.ageSeconds) s old"
      }
      // Remembered for ten minutes after it was last ahead.
      let earlier = known.filter {
        !$0.value.reports.isDisjoint(with: cluster.reports) && second - $0.value.lastSecond < 590
      }
      if alert.phase == .new, !earlier.isEmpty { return "turbulence is announced again as new" }
      let isKnown = known.contains { _, value in
        value.reports.contains { a in cluster.reports.contains { $0.cell == a.cell && Self.isConnected($0, a) } }
      }
      if alert.phase != .new, !isKnown { return "turbulence that was never announced is \(alert.phase)" }
      if alert.phase == .worsened, let worst = known[alert.id]?.worst, cluster.severity <= worst {
        return "turbulence has worsened from \(worst) to \(cluster.severity)"
      }
      if alert.phase == .unchanged, let before = known[alert.id], cluster.severity > before.worst {
        return "turbulence is unchanged, from \(before.worst) to \(cluster.severity)"
      }
      let worst = max(known[alert.id]?.worst ?? .none, cluster.severity)
      known[alert.id] = (cluster.reports, worst, second)
    }
    return nil
  }
}
