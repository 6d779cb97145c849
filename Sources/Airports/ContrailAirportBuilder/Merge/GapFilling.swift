import ContrailAirportData
import ContrailGeodesy

/// Fills missing values from another source or from other values, and records each case.
struct GapFilling {
  /// The values from the other source, by field.
  private(set) var filled: [String: Tally] = [:]
  /// The computed values, by field.
  private(set) var computed: [String: Tally] = [:]
  /// The rejected values, by field.
  private(set) var refused: [String: Tally] = [:]

  /// The minimum distance between runway ends for a computed heading. Closer ends are one point, such as the reference
  /// point given twice.
  private static let leastEndsApartNM = 0.02
  /// The latitudes at which runway names follow magnetic north. Closer to the poles they follow grid north, or magnetic
  /// north differs arbitrarily.
  private static let paintedLatitudes = -60.0...70.0
  /// The maximum difference between heading and runway name. The variation at these latitudes is less than half of it,
  /// and names are rounded to ten degrees.
  private static let mostOffPaintedDegrees = 60.0

  mutating func fill(_ airport: inout Airport, from other: Airport) {
    let label = airport.icaoID ?? airport.locationID
    fill(&airport.icaoID, other.icaoID, "icaoID", label)
    fill(&airport.iataID, other.iataID, "iataID", label)
    fill(&airport.city, other.city, "city", label)
    fill(&airport.elevationMeters, other.elevationMeters, "elevation", label)
  }

  /// Fills a runway from the same runway of the other source, direction by direction.
  ///
  /// Displaced thresholds aren't filled, because a runway without one in NASR has none.
  mutating func fill(_ runway: inout SiteRunway, from other: SiteRunway, airport: String) {
    for index in runway.directions.indices {
      let name = SiteRunway(site: "", directions: [runway.directions[index]]).key
      let same = other.directions.first { SiteRunway(site: "", directions: [$0]).key == name }
      guard let same else { continue }
      let label = "\(airport) \(runway.directions[index].name)"
      fill(&runway.directions[index].trueHeadingDegrees, same.trueHeadingDegrees, "runway.trueHeading", label)
      fill(&runway.directions[index].lengthMeters, same.lengthMeters, "runway.length", label)
      fill(&runway.directions[index].widthMeters, same.widthMeters, "runway.width", label)
      fill(&runway.directions[index].elevationMeters, same.elevationMeters, "runway.elevation", label)
      fill(&runway.directions[index].endCoordinate, same.endCoordinate, "runway.end", label)
      if runway.directions[index].surface == .unknown, same.surface != .unknown {
        runway.directions[index].surface = same.surface
        filled["runway.surface", default: Tally()].add(label)
      }
    }
  }

  private mutating func fill<T>(_ value: inout T?, _ other: T?, _ field: String, _ label: String) {
    guard value == nil, let other else { return }
    value = other
    filled[field, default: Tally()].add(label)
  }

  /// Returns the directions with a name, with their headings and reciprocal names.
  mutating func finished(_ runway: SiteRunway, at airport: Airport) -> [Runway] {
    var directions = runway.directions
    for index in directions.indices {
      guard let degrees = directions[index].trueHeadingDegrees, !directions[index].name.isEmpty,
        !agrees(degrees, directions[index].name, airport.coordinate.latitude)
      else { continue }
      let label = "\(airport.icaoID ?? airport.locationID) \(directions[index].name)"
      refused["heading against what is painted", default: Tally()].add("\(label): \(degrees.formatted(decimals: 0))°")
      directions[index].trueHeadingDegrees = nil
    }
    if directions.count == 2 {
      let label = "\(airport.icaoID ?? airport.locationID) \(directions[0].name)/\(directions[1].name)"
      let given = directions
      addHeading(&directions[0], given[1], airport.coordinate.latitude, label)
      addHeading(&directions[1], given[0], airport.coordinate.latitude, label)
      for (index, other) in [(0, directions[1].name), (1, directions[0].name)] where !other.isEmpty {
        directions[index].reciprocalName = other
      }
    }
    return directions.filter { !$0.name.isEmpty }
  }

  private mutating func addHeading(
    _ direction: inout Runway, _ other: Runway, _ latitude: Double, _ label: String
  ) {
    guard direction.trueHeadingDegrees == nil, !direction.name.isEmpty else { return }
    if let reciprocal = other.trueHeadingDegrees {
      direction.trueHeadingDegrees = reciprocal > 180 ? reciprocal - 180 : reciprocal + 180
      computed["trueHeading from the reciprocal", default: Tally()].add(label)
    } else if let start = direction.endCoordinate, let end = other.endCoordinate,
      start.distanceNM(to: end) >= Self.leastEndsApartNM
    {
      // Rounded to hundredths of a degree, which is finer than any survey and equal on every machine.
      let degrees = (start.azimuth(to: end) * 100).rounded() / 100
      guard agrees(degrees, direction.name, latitude) else {
        refused["heading from the ends", default: Tally()].add("\(label): \(degrees.formatted(decimals: 0))°")
        return
      }
      direction.trueHeadingDegrees = degrees
      computed["trueHeading from the ends", default: Tally()].add(label)
    }
  }

  /// Returns whether a heading is plausible for a runway name. If not, the source is wrong or has the ends swapped.
  private func agrees(_ degrees: Double, _ name: String, _ latitude: Double) -> Bool {
    let digits = name.utf8.prefix { (0x30...0x39).contains($0) }
    guard digits.count <= 2, let number = Int(String(decoding: digits, as: UTF8.self)), (1...36).contains(number),
      Self.paintedLatitudes.contains(latitude)
    else { return true }
    let difference = (degrees - Double(number) * 10).magnitude.truncatingRemainder(dividingBy: 360)
    return min(difference, 360 - difference) <= Self.mostOffPaintedDegrees
  }
}
