import CContrail
import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailWire

/// The areas, positions and records of a redacted log.
///
/// They are drawn from the secret alone. No property of an original position has an effect on them: the engine asks of an area only
/// whether it equals another one, and why it is rejected.
struct StandIns {
  private var numbers: SecretNumbers
  private var rings: [ResolvedQuery.Points: ResolvedQuery.Points] = [:]
  private var lines: [ResolvedQuery.Points: ResolvedQuery.Points] = [:]
  private var places: [RoundedCoordinate: RoundedCoordinate] = [:]
  private var pirepCount = 0

  init(_ secret: RedactionSecret, attempt: Int) { numbers = SecretNumbers(secret, attempt: attempt) }

  /// The number of different areas and routes.
  var areaCount: Int { rings.count + lines.count }

  // MARK: Areas

  /// Returns the area that stands for another one. Equal areas stay equal, and different ones different.
  ///
  /// An invalid area is replaced by one with the same fault.
  mutating func ring(for points: ResolvedQuery.Points) -> ResolvedQuery.Points {
    let key = Self.canonical(points)
    if let known = rings[key] { return known }
    let made = areaWithFault(of: points) ?? closed(corners(5))
    rings[key] = made
    return made
  }

  /// Returns the route that stands for another one: two points.
  mutating func line(for points: ResolvedQuery.Points) -> ResolvedQuery.Points {
    if let known = lines[points] { return known }
    let made: ResolvedQuery.Points = [position(), position()]
    lines[points] = made
    return made
  }

  private static func canonical(_ points: ResolvedQuery.Points) -> ResolvedQuery.Points {
    (try? Ring(points))?.points ?? points
  }

  /// Returns the corners of a convex polygon near a drawn place, whose size and shape are drawn, too.
  private mutating func corners(_ count: Int) -> [FixedCoordinate] {
    let unit = FixedCoordinate.degree / 1_000_000
    let latitude = Int64(numbers.next() % 100_000_001) - 50_000_000
    let longitude = Int64(numbers.next() % 300_000_001) - 150_000_000
    let radius = 1 + 7 * numbers.fraction()
    let start = numbers.fraction()
    return (0..<count).map { index in
      let angle = 2 * Double.pi * (Double(index) + 0.5 * numbers.fraction() + start) / Double(count)
      return FixedCoordinate(
        latitudeE7: (latitude + Int64(radius * 1_000_000 * contrail_sin(angle)) & ~1) * unit,
        longitudeE7: (longitude + Int64(radius * 1_000_000 * contrail_cos(angle)) & ~1) * unit)
    }
  }

  private func closed(_ corners: [FixedCoordinate]) -> ResolvedQuery.Points { corners + [corners[0]] }

  /// Returns a point of the straight line through two corners, so many halves of their distance from the first.
  private static func along(_ a: FixedCoordinate, _ b: FixedCoordinate, halves: Int64) -> FixedCoordinate {
    // The coordinates of corners are even.
    FixedCoordinate(
      latitudeE7: a.latitudeE7 + (b.latitudeE7 - a.latitudeE7) / 2 * halves,
      longitudeE7: a.longitudeE7 + (b.longitudeE7 - a.longitudeE7) / 2 * halves)
  }

  private mutating func areaWithFault(of points: ResolvedQuery.Points) -> ResolvedQuery.Points? {
    do throws(GeodesyError) {
      _ = try Ring(simple: points)
      return nil
    } catch {
      // Some faults are found only in a ring without others, so the corners before the fault are on a convex polygon.
      let first = error.index ?? 0
      var corners = self.corners(min(first, Ring.maximumCount) + 8)
      switch error {
      case .tooFewPoints(let count): return Array(corners.prefix(count))
      case .tooManyPoints(let count): return closed(self.corners(count - 1))
      case .open: return Array(corners.prefix(5))
      case .notFinite(let index):
        var ring = closed(corners)
        ring[index] = nil
        return ring
      case .latitude(let index): corners[index].latitudeE7 = 91 * FixedCoordinate.degree
      case .longitude(let index): corners[index].longitudeE7 = 361 * FixedCoordinate.degree
      case .longEdge(let index):
        corners[index].longitudeE7 = 0
        corners[index + 1].longitudeE7 = 180 * FixedCoordinate.degree
        // The edges before it are shorter.
        for earlier in corners.indices.prefix(index) { corners[earlier].longitudeE7 = -FixedCoordinate.degree }
      case .windsTwice:
        corners = zip(corners, [-120, 0, 120, -120, 0, 120]).map { corner, longitude in
          FixedCoordinate(latitudeE7: corner.latitudeE7, longitudeE7: longitude * FixedCoordinate.degree)
        }
      case .crossing(let edge, _, _): corners.swapAt(edge + 1, edge + 2)
      case .touching(let edge, _, _):
        corners[edge + 3] = Self.along(corners[edge], corners[edge + 1], halves: 1)
      case .spike(0, _): corners[corners.count - 1] = Self.along(corners[0], corners[1], halves: 4)
      case .spike(let index, _): corners[index + 1] = Self.along(corners[index], corners[index - 1], halves: 1)
      // Boxes and corridors have faults of their own.
      default: return nil
      }
      return closed(corners)
    }
  }

  // MARK: Places

  /// Returns a position, uniform over the sphere.
  private mutating func position() -> FixedCoordinate {
    let z = 2 * numbers.fraction() - 1
    let degrees = 180 / Double.pi
    let coordinate = Coordinate(
      latitude: contrail_atan2(z, (1 - z * z).squareRoot()) * degrees, longitude: 360 * numbers.fraction() - 180)
    return FixedCoordinate(coordinate) ?? FixedCoordinate(latitudeE7: 0, longitudeE7: 0)
  }

  private mutating func cell() -> UInt32 {
    (try? H3Cell(position().coordinate, resolution: 5))?.packed22 ?? 0
  }

  /// Returns the place of the weather that stands for another one. Equal places stay equal, and different ones different.
  mutating func place(for place: RoundedCoordinate) -> RoundedCoordinate {
    if let known = places[place] { return known }
    var made = place
    repeat { made = RoundedCoordinate(rounding: position().coordinate) ?? made } while places.values.contains(made)
    places[place] = made
    return made
  }

  // MARK: Records

  /// Returns a report that the filter of a request admits.
  ///
  /// - Parameters:
  ///   - spec: What was requested; nil for any report.
  ///   - second: The time of the answer, in seconds since 1970.
  mutating func report(_ spec: FetchSpec?, at second: Int64) -> TurbulenceReport {
    let severities = spec?.severities.severities ?? TurbulenceSeverity.allCases
    let severity = severities.randomElement(using: &numbers) ?? .none
    let band = spec?.altitudes ?? .all
    return TurbulenceReport(
      cell: cell(), altitude: UInt8.random(in: band.lower...band.upper, using: &numbers),
      severity: severity.rawValue, edrE4: UInt16.random(in: 0..<10_000, using: &numbers),
      observedAt: UInt32(clamping: second - Int64.random(in: 0..<1_800, using: &numbers)))
  }

  /// Returns reports if the request asked for some, whether or not there were any: someone who knows the reports of the world would
  /// find the flight by the answers without.
  mutating func reports(_ spec: FetchSpec?, at second: Int64) -> [TurbulenceReport] {
    guard spec?.types.contains(.turbulence) ?? true else { return [] }
    return (0..<Int.random(in: 1...3, using: &numbers)).map { _ in report(spec, at: second) }
  }

  /// Returns the position of an aircraft without a callsign, altitude or speed.
  mutating func aircraft(at second: Int64) -> TrafficPosition {
    TrafficPosition(
      id: "000000", callsign: "", position: position(), altitudeFeet: nil, groundSpeedKnots: nil, trackDegrees: nil,
      observedAt: second)
  }

  /// Returns a PIREP if the request asked for some.
  mutating func pireps(_ spec: FetchSpec?, at second: Int64) -> [PIREP] {
    guard spec?.types.contains(.pireps) ?? true else { return [] }
    pirepCount += 1
    let observedAt = second - Int64.random(in: 60..<1_800, using: &numbers)
    return [
      PIREP(
        id: "r\(pirepCount)", position: position(), flightLevel: Int.random(in: 10...45, using: &numbers) * 10,
        severity: TurbulenceSeverity.allCases.randomElement(using: &numbers),
        isUrgent: Bool.random(using: &numbers), observedAt: observedAt, updatedAt: observedAt, text: "")
    ]
  }
}
