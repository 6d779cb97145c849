import ContrailAirportData
import ContrailGeodesy

/// Recognises airports of OurAirports among those of NASR.
///
/// 1. By identifier: the ICAO indicator (or what OurAirports calls the ident or GPS code) and less than ``indicatorNM`` apart, or the FAA's
///    identifier and less than ``locationNM`` apart. Of several the nearest.
/// 2. By nearness, if both are of one kind: less than ``samePlaceNM`` apart, or less than ``sameNameNM`` and a word of the name in
///    common.
///
/// Of several that mean one airport, one by identifier is taken before one by nearness, then the nearest, then the one that the source
/// has first; the others count as duplicates.
struct AirportMatcher {
  struct Match {
    /// Where in NASR's sites.
    let index: Int
    let distanceNM: Double
    let isByIdentifier: Bool
  }

  /// An ICAO indicator isn't used twice in the world at a time.
  static let indicatorNM = 10.0
  /// The FAA's identifiers are used elsewhere too, in other countries.
  static let locationNM = 5.0
  /// Two sources rarely agree on a small airfield's reference point to less.
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

  /// How many distances were computed.
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

  /// Returns the site that means the same airport.
  ///
  /// - Complexity: O(*k*) in the distinct points around that share an identifier, a kind or a word of the name.
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

/// The words of a name that say which place it is.
struct NameWords: Hashable {
  let words: Set<String>

  /// Words that many airports have, and what is shorter than four letters.
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
