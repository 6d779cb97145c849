import ContrailAirportData
import ContrailGeodesy

/// Merges both sources and records the result of every row.
struct AirportMerger {
  private(set) var report: BuildReport
  /// The number of distances computed.
  private(set) var comparisonCount = 0

  private let options: BuildOptions
  private var filling: GapFilling

  init(options: BuildOptions, report: BuildReport) {
    self.options = options
    self.report = report
    filling = GapFilling()
  }

  /// Returns the selected airports: first those of NASR, then those of OurAirports, each in source order.
  mutating func merge(nasr: SourceContents, ourAirports: SourceContents) -> [Airport] {
    var partners = [[Int: AirportMatcher.Match]](repeating: [:], count: nasr.sites.count)
    let isWanted = ourAirports.sites.map { wanted($0, dropping: \.ourAirports) }
    var matcher = AirportMatcher(nasr.sites)
    var alone: [Int] = []
    for (index, site) in ourAirports.sites.enumerated() where isWanted[index] {
      if let match = matcher.match(site) { partners[match.index][index] = match } else { alone.append(index) }
    }
    comparisonCount = matcher.comparisonCount
    var airports: [Airport] = []
    var fate = [Fate](repeating: .dropped, count: ourAirports.sites.count)
    for (index, site) in nasr.sites.enumerated() {
      let isKept = wanted(site, dropping: \.nasrAirports)
      let partner = choose(among: partners[index], for: site, isKept: isKept, ourAirports)
      if let partner { fate[partner] = .merged }
      let airport = assembleNASR(site, nasr.runways[site.airport.recordID] ?? [], partner, ourAirports, isKept: isKept)
      if let airport { airports.append(airport) }
    }
    for index in withoutDuplicates(alone, ourAirports) {
      fate[index] = .kept
      if let airport = assembleOurs(index, ourAirports) { airports.append(airport) }
    }
    for (index, fate) in fate.enumerated() where fate == .dropped {
      for runway in ourAirports.runways[ourAirports.sites[index].airport.recordID] ?? [] {
        report.ourRunways.drop(.airportDropped, runway.label(at: ourAirports.sites[index]))
      }
    }
    report.computed = filling.computed
    report.filled = filling.filled
    for (field, tally) in filling.refused { report.refusedValues[field] = tally }
    return airports
  }

  private enum Fate {
    case kept
    case merged
    /// The airport and its runways are dropped.
    case dropped
  }

  private mutating func wanted(_ site: Site, dropping flow: WritableKeyPath<BuildReport, BuildReport.Flow>) -> Bool {
    if site.isClosed {
      report[keyPath: flow].drop(.closed, site.label)
      return false
    }
    guard options.kinds.contains(site.kind) else {
      report[keyPath: flow].drop(.unwantedKind, "\(site.label) (\(site.kind.rawValue))")
      return false
    }
    return true
  }

  // MARK: NASR

  /// Returns the match that supplies missing values of a NASR airport.
  private mutating func choose(
    among matches: [Int: AirportMatcher.Match], for site: Site, isKept: Bool, _ ours: SourceContents
  ) -> Int? {
    let ranked = matches.sorted { a, b in
      let (left, right) = (a.value, b.value)
      return (left.isByIdentifier ? 0 : 1, left.distanceNM, a.key) < (
        right.isByIdentifier ? 0 : 1, right.distanceNM, b.key
      )
    }
    guard isKept else {
      for (index, _) in ranked { report.ourAirports.drop(.droppedInNASR, ours.sites[index].label) }
      return nil
    }
    for (index, _) in ranked.dropFirst() {
      report.ourAirports.drop(.duplicate, "\(ours.sites[index].label), also \(site.label)")
    }
    guard let (index, match) = ranked.first else { return nil }
    report.ourAirports.merged += 1
    let label = "\(site.label) = \(ours.sites[index].label), \(match.distanceNM.formatted(decimals: 2)) NM"
    if match.isByIdentifier { report.matchedByIdentifier.add(label) } else { report.matchedByNearness.add(label) }
    return index
  }

  private mutating func assembleNASR(
    _ site: Site, _ given: [SiteRunway], _ partner: Int?, _ ours: SourceContents, isKept: Bool
  ) -> Airport? {
    guard isKept else {
      for runway in given { report.nasrRunways.drop(.airportDropped, runway.label(at: site)) }
      return nil
    }
    var airport = site.airport
    var runways = given.filter { keeps($0, of: site, dropping: \.nasrRunways) }
    let kept = runways.count
    if let partner {
      let other = ours.sites[partner]
      let others = (ours.runways[other.airport.recordID] ?? []).filter { keeps($0, of: other, dropping: \.ourRunways) }
      compare(site, runways, with: other, others)
      filling.fill(&airport, from: other.airport)
      if runways.isEmpty {
        report.ourRunways.kept += others.count
        runways = others
      } else {
        settle(&runways, others, other)
      }
    }
    airport.runways = runways.flatMap { filling.finished($0, at: airport) }
    guard !options.requiresRunway || !airport.runways.isEmpty else {
      report.nasrAirports.drop(.withoutRunway, site.label)
      return nil
    }
    report.nasrRunways.kept += kept
    report.nasrAirports.kept += 1
    return airport
  }

  /// Fills NASR's runways from the same runways of OurAirports, and drops the other runways of OurAirports.
  private mutating func settle(_ runways: inout [SiteRunway], _ others: [SiteRunway], _ other: Site) {
    var left = Dictionary(runways.enumerated().map { ($0.element.key, $0.offset) }) { first, _ in first }
    for runway in others {
      if let index = left.removeValue(forKey: runway.key) {
        filling.fill(&runways[index], from: runway, airport: other.label)
        report.ourRunways.merged += 1
      } else {
        report.ourRunways.drop(.supersededByNASR, runway.label(at: other))
      }
    }
  }

  private mutating func compare(_ site: Site, _ runways: [SiteRunway], with other: Site, _ others: [SiteRunway]) {
    let (mine, theirs) = (site.airport, other.airport)
    let distance = mine.coordinate.distanceNM(to: theirs.coordinate)
    if distance > 0.5 { conflict("position", site, "\(distance.formatted(decimals: 2)) NM apart") }
    if let a = mine.elevationFeet, let b = theirs.elevationFeet, (a - b).magnitude > 50 {
      conflict("elevation", site, "\(a.formatted(decimals: 0)) and \(b.formatted(decimals: 0)) ft")
    }
    if let a = mine.icaoID, let b = theirs.icaoID, a != b { conflict("icaoID", site, "\(a) and \(b)") }
    if let a = longestFeet(runways), let b = longestFeet(others), (a - b).magnitude > 100 {
      conflict("longestRunway", site, "\(a.formatted(decimals: 0)) and \(b.formatted(decimals: 0)) ft")
    }
  }

  private mutating func conflict(_ field: String, _ site: Site, _ text: String) {
    report.conflicts[field, default: Tally()].add("\(site.label): \(text)")
  }

  private func longestFeet(_ runways: [SiteRunway]) -> Double? {
    runways.flatMap(\.directions).compactMap(\.lengthFeet).max()
  }

  // MARK: OurAirports

  /// Returns the sites without the duplicates that ``DuplicateFinder`` finds.
  private mutating func withoutDuplicates(_ alone: [Int], _ ours: SourceContents) -> [Int] {
    let sites = alone.map { ours.sites[$0] }
    var finder = DuplicateFinder(sites, runwayCounts: sites.map { ours.runways[$0.airport.recordID]?.count ?? 0 })
    var dropped: Set<Int> = []
    for duplicate in finder.run() {
      dropped.insert(alone[duplicate.lesser])
      report.ourAirports.drop(
        .duplicate, "\(sites[duplicate.lesser].label), also \(sites[duplicate.better].label)")
    }
    comparisonCount += finder.comparisonCount
    return alone.filter { !dropped.contains($0) }
  }

  private mutating func assembleOurs(_ index: Int, _ ours: SourceContents) -> Airport? {
    let site = ours.sites[index]
    var airport = site.airport
    let runways = (ours.runways[airport.recordID] ?? []).filter { keeps($0, of: site, dropping: \.ourRunways) }
    report.ourRunways.kept += runways.count
    airport.runways = runways.flatMap { filling.finished($0, at: airport) }
    guard !options.requiresRunway || !airport.runways.isEmpty else {
      report.ourAirports.drop(.withoutRunway, site.label)
      return nil
    }
    report.ourAirports.kept += 1
    return airport
  }

  // MARK: Runways

  private mutating func keeps(
    _ runway: SiteRunway, of site: Site, dropping flow: WritableKeyPath<BuildReport, BuildReport.Flow>
  ) -> Bool {
    let reason: BuildReport.DropReason
    if runway.isClosed {
      reason = .closed
    } else if runway.directions.allSatisfy(\.name.isEmpty) {
      reason = .nameless
    } else if runway.isHelipad, !options.kinds.contains(.heliport) {
      reason = .helipad
    } else {
      return true
    }
    report[keyPath: flow].drop(reason, runway.label(at: site))
    return false
  }
}
