import Contrail
import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailTestSupport
import ContrailWire

/// The results of queries, worked out by the guide from what the scopes show.
enum QueryModel {
  /// Makes a query and compares its result; nil if it is as the guide says.
  static func compare(
    _ client: ContrailClient, second: Int64, slack: Int64, using random: inout SplitMix64
  ) -> String? {
    let query = turbulenceQuery(using: &random)
    guard let due = turbulence(query, client, second: second, slack: slack) else { return nil }
    do {
      let items = try client.turbulence(with: query)
      let shown = items.map(\.report)
      if Set(shown) != Set(due.map(\.report)) || shown.count != due.count {
        return "\(query) returns \(shown.count) items, not \(due.count): \(shown.first.map { "\($0)" } ?? "none")"
      }
      let counts = Dictionary(due.map { ($0.report, $0.count) }) { a, _ in a }
      if let wrong = items.first(where: { $0.count != counts[$0.report] }) {
        return "\(query): an item stands for \(wrong.count) reports, not \(counts[wrong.report] ?? 0)"
      }
      if let wrong = items.first(where: { !(second - slack...second).contains($0.observedAt + $0.ageSeconds) }) {
        return "\(query): a report of \(second - wrong.observedAt) s ago is \(wrong.ageSeconds) s old"
      }
      if zip(shown, shown.dropFirst()).contains(where: { $0.cell > $1.cell }) { return "\(query) isn't sorted by cell" }
    } catch {
      return "\(query) fails: \(error)"
    }
    return comparePIREPs(client, using: &random)
  }

  private static func turbulenceQuery(using random: inout SplitMix64) -> TurbulenceQuery {
    var query = TurbulenceQuery()
    if random.chance(50) {
      let low = Double.random(in: 0...45_000, using: &random)
      query.altRange = low...low + Double.random(in: 0...9000, using: &random)
    }
    if random.chance(40) {
      query.sevs = TurbulenceSeverity.allCases.filter { _ in random.chance(60) }
    }
    if random.chance(40) { query.minimumSeverity = TurbulenceSeverity.allCases.randomElement(using: &random) ?? .none }
    if random.chance(40) { query.dataHistoryTime = DataHistoryTime.allCases.randomElement(using: &random) }
    query.aggregate = random.chance(50)
    query.scope = [nil, .corridor, .viewport].randomElement(using: &random) ?? nil
    if random.chance(40) { query.area = area(using: &random) }
    if random.chance(25) { query.aircraft = AircraftCategory.allCases.randomElement(using: &random) }
    return query
  }

  /// Regions between the places of the world, so that no place lies at an edge.
  private static func area(using random: inout SplitMix64) -> QueryArea {
    let (south, west) =
      [(40.0, -40.0), (10, 100), (-5, 175), (75, 0), (51, -44)].randomElement(using: &random) ?? (40, -40)
    let (rows, columns) = (Int.random(in: 1...3, using: &random), Int.random(in: 1...4, using: &random))
    return .viewport(
      north: south + 0.5 + Double(rows), south: south + 0.5, west: west, east: wrapped(west + 2 * Double(columns)))
  }

  private static func wrapped(_ longitude: Double) -> Double { longitude > 180 ? longitude - 360 : longitude }

  private static func isInside(_ cell: UInt32, _ area: QueryArea) -> Bool {
    guard case .viewport(let north, let south, let west, let east) = area else { return true }
    guard let centre = H3Cell(packed22: cell)?.center else { return false }
    let isBetween =
      west <= east ? (west...east).contains(centre.longitude) : centre.longitude >= west || centre.longitude <= east
    return (south...north).contains(centre.latitude) && isBetween
  }

  /// The severity of a report for an aircraft, by the guide's table.
  private static func severity(_ report: TurbulenceReport, _ aircraft: AircraftCategory?) -> TurbulenceSeverity {
    let edr = Double(report.edrE4) / 10_000
    let limits: (light: Double, moderate: Double, severe: Double)
    switch aircraft {
    case nil: return report.severity
    case .light: limits = (0.13, 0.16, 0.36)
    case .medium: limits = (0.15, 0.20, 0.44)
    case .heavy: limits = (0.17, 0.24, 0.54)
    }
    if report.edrE4 == 0 { return report.severity }
    let middle = (limits.light + limits.moderate) / 2
    return edr >= limits.severe
      ? .moderateSevere
      : edr >= limits.moderate ? .moderate : edr >= middle ? .lightModerate : edr >= limits.light ? .light : .none
  }

  /// Returns what a query must return; nil if a report is so near its end that either is right.
  private static func turbulence(
    _ query: TurbulenceQuery, _ client: ContrailClient, second: Int64, slack: Int64
  ) -> [(report: TurbulenceReport, count: Int)]? {
    var reports: Set<TurbulenceReport> = []
    for scope in [ScopeID.corridor, .viewport] where query.scope == nil || query.scope == scope {
      reports.formUnion(client.data(of: scope).turbulence)
    }
    if let range = query.altRange {
      let lower = Int((range.lowerBound / 1000).rounded(.down))
      let upper = Int((range.upperBound / 1000).rounded(.up))
      reports = reports.filter { (lower...upper).contains(Int($0.altitude)) }
    }
    reports = reports.filter {
      let severity = severity($0, query.aircraft)
      return query.sevs.contains(severity) && severity >= query.minimumSeverity && isInside($0.cell, query.area)
    }
    if let history = query.dataHistoryTime {
      let first = second - history.seconds
      if reports.contains(where: { (first - slack...first).contains(Int64($0.observedAt)) }) { return nil }
      reports = reports.filter { Int64($0.observedAt) > first }
    }
    guard query.aggregate else { return reports.map { (report: $0, count: 1) } }
    return Dictionary(grouping: reports, by: \.cell).values.compactMap { group in
      group.max { a, b in
        (severity(a, query.aircraft).rawValue, a.edrE4, a.observedAt, a.altitude)
          < (severity(b, query.aircraft).rawValue, b.edrE4, b.observedAt, b.altitude)
      }.map { (report: $0, count: group.count) }
    }
  }

  private static func comparePIREPs(_ client: ContrailClient, using random: inout SplitMix64) -> String? {
    var query = PIREPQuery()
    query.includesUnknownAltitude = random.chance(50)
    // All PIREPs of the world are at flight level 300, without a severity.
    let low = Double(Int.random(in: 20...40, using: &random)) * 1000
    if random.chance(50) { query.altRange = low...low + 5000 }
    query.scope = [nil, .corridor, .viewport].randomElement(using: &random) ?? nil
    var due: [String: PIREP] = [:]
    for scope in [ScopeID.corridor, .viewport] where query.scope == nil || query.scope == scope {
      for pirep in client.data(of: scope).pireps where due[pirep.id].map({ $0.updatedAt < pirep.updatedAt }) ?? true {
        due[pirep.id] = pirep
      }
    }
    if let range = query.altRange, !range.contains(30_000) { due = [:] }
    do {
      let shown = try client.pireps(with: query)
      if Set(shown) != Set(due.values) || shown.count != due.count {
        return "\(query) returns \(shown.count) PIREPs, not \(due.count)"
      }
    } catch {
      return "\(query) fails: \(error)"
    }
    return nil
  }
}
