import ContrailAirportData
import ContrailGeodesy

/// Matches airports of OurAirports to those of NASR.
///
/// 1. By identifier: the same ICAO indicator (or OurAirports' ident or GPS code) and less than ``indicatorNM`` apart,
///   or the same FAA identifier and less than ``locationNM`` apart. The nearest one is used.
/// 2. By distance, if both are of the same kind: less than ``samePlaceNM`` apart, or less than ``sameNameNM`` with a
///   common word in the name.
///
/// If several records match one airport, matches by identifier take precedence, then the nearest one, then the first
/// one in the source. The others count as duplicates.
struct AirportMatcher {
  struct Match {
    /// The index of the site in NASR.
    let index: Int
    let distanceNM: Double
    let isByIdentifier: Bool
  }

  /// The maximum distance for a common ICAO indicator. At any time, an indicator is unique in the world.
  static let indicatorNM = 10.0
  /// The maximum distance for a common FAA identifier. Other countries use the same identifiers.
  static let locationNM = 5.0
  /// The maximum distance for records of the same kind. Two sources rarely agree more closely on the reference point of
  /// a small airfield.
  static let samePlaceNM = 0.25
  static let sameNameNM = 1.0

  private struct NamedKind: Hashable {
    var ground: AirportKind
    var word: String
  }

  private var byIndicator = PlaceIndex<String>(reachNM: indicatorNM)
  private var byLocation = PlaceIndex<String>(reachNM: locationNM)
  private var byKind = PlaceIndex<AirportKind>(reachNM: samePlaceNM)
  private var byName = PlaceIndex<NamedKind>(reachNM: sameNameNM)

  /// The number of distances computed.
  var comparisonCount: Int {
    byIndicator.comparisonCount + byLocation.comparisonCount + byKind.comparisonCount + byName.comparisonCount
  }

  init(_ sites: [Site]) {
    for (index, site) in sites.enumerated() {
      let place = site.airport.coordinate
      if let indicator = site.airport.icaoID { byIndicator.add(indicator, index, place) }
      byLocation.add(site.airport.locationID, index, place)
      byKind.add(site.kind.ground, index, place)
      for name in Self.names(site) { byName.add(name, index, place) }
    }
  }

  private static func names(_ site: Site) -> [NamedKind] {
    NameWords(site.airport.name).words.map { NamedKind(ground: site.kind.ground, word: $0) }
  }

  /// Returns the site of the same airport, or `nil` if no site matches.
  ///
  /// - Complexity: O(*k*) in the distinct nearby points with a common identifier, kind or word of the name.
  mutating func match(_ site: Site) -> Match? {
    let place = site.airport.coordinate
    let indicators = [site.airport.icaoID].compactMap { $0 } + site.globalIDs
    let named =
      byIndicator.nearest(indicators, to: place)
      ?? byLocation.nearest([site.airport.locationID] + site.otherIDs, to: place)
    if let named { return Match(index: named.index, distanceNM: named.distanceNM, isByIdentifier: true) }
    return [byKind.nearest([site.kind.ground], to: place), byName.nearest(Self.names(site), to: place)]
      .compactMap { $0 }
      .min { ($0.distanceNM, $0.index) < ($1.distanceNM, $1.index) }
      .map { Match(index: $0.index, distanceNM: $0.distanceNM, isByIdentifier: false) }
  }
}

/// The distinctive words of a name.
struct NameWords: Hashable {
  let words: Set<String>

  /// Words that many airports share. Words shorter than four letters are also ignored.
  private static let common: Set<String> = [
    "AIRPORT", "AIRFIELD", "AIRPARK", "AIRSTRIP", "FIELD", "REGIONAL", "RGNL", "MUNI", "MUNICIPAL", "INTERNATIONAL",
    "INTL", "MEMORIAL", "MEML", "COUNTY", "RANCH", "FARM", "FARMS", "LAKE", "NORTH", "SOUTH", "EAST", "WEST",
    "HELIPORT",
    "STRIP", "LANDING", "SEAPLANE", "BASE", "AIR", "FORCE", "GLIDERPORT", "ULTRALIGHT", "FLIGHTPARK", "PRIVATE",
  ]

  init(_ name: String) {
    words = Set(
      name.uppercased().split { !$0.isLetter }.map(String.init).filter { $0.count > 3 && !Self.common.contains($0) })
  }
}
