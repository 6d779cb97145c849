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

  private let sites: [Site]
  private var byIndicator: [String: [Int]] = [:]
  private var byLocation: [String: [Int]] = [:]
  private let nearness: NearnessIndex

  init(_ sites: [Site]) {
    self.sites = sites
    nearness = NearnessIndex(sites.map(\.airport.coordinate))
    for (index, site) in sites.enumerated() {
      if let indicator = site.airport.icaoID { byIndicator[indicator, default: []].append(index) }
      byLocation[site.airport.locationID, default: []].append(index)
    }
  }

  func match(_ site: Site) -> Match? {
    let place = site.airport.coordinate
    let indicators = ([site.airport.icaoID].compactMap { $0 } + site.globalIDs).flatMap { byIndicator[$0] ?? [] }
    let locations = ([site.airport.locationID] + site.otherIDs).flatMap { byLocation[$0] ?? [] }
    let named =
      nearest(indicators, to: place, within: Self.indicatorNM) ?? nearest(locations, to: place, within: Self.locationNM)
    if let named { return Match(index: named.index, distanceNM: named.distanceNM, isByIdentifier: true) }
    let words = NameWords(site.airport.name)
    let near = nearness.within(Self.sameNameNM, of: place).filter { index in
      let other = sites[index]
      guard other.kind.agrees(with: site.kind) else { return false }
      return place.distanceNM(to: other.airport.coordinate) < Self.samePlaceNM
        || words.meets(NameWords(other.airport.name))
    }
    return nearest(near, to: place, within: Self.sameNameNM).map {
      Match(index: $0.index, distanceNM: $0.distanceNM, isByIdentifier: false)
    }
  }

  private func nearest(
    _ indices: [Int], to place: Coordinate, within limitNM: Double
  ) -> (index: Int, distanceNM: Double)? {
    indices.map { (index: $0, distanceNM: place.distanceNM(to: sites[$0].airport.coordinate)) }
      .filter { $0.distanceNM < limitNM }
      .min { ($0.distanceNM, $0.index) < ($1.distanceNM, $1.index) }
  }
}

/// Places by latitude: what lies within a mile or two of a point is few then, at the poles and across the antimeridian too.
struct NearnessIndex {
  private let places: [Coordinate]
  /// Ascending by latitude, then by index.
  private let order: [Int]

  init(_ places: [Coordinate]) {
    self.places = places
    order = places.indices.sorted { (places[$0].latitude, $0) < (places[$1].latitude, $1) }
  }

  /// The indices of the places within a distance, ascending.
  ///
  /// - Complexity: O(log *n* + *k*) in those *k* of about the same latitude.
  func within(_ distanceNM: Double, of place: Coordinate) -> [Int] {
    let reach = distanceNM / 59
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if places[order[middle]].latitude < place.latitude - reach { low = middle + 1 } else { high = middle }
    }
    return order[low...].prefix { places[$0].latitude <= place.latitude + reach }
      .filter { places[$0].distanceNM(to: place) <= distanceNM }
      .sorted()
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

  /// Whether they have a word in common.
  func meets(_ other: NameWords) -> Bool { !words.isDisjoint(with: other.words) }
}
