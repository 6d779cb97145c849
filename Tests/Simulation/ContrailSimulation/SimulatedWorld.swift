package import ContrailCore
package import ContrailGeodesy
import ContrailH3
import ContrailTestSupport
package import ContrailWire

/// What happens in the air: reports and PIREPs, and when the server gets each, as a seed decides.
package struct SimulatedWorld {
  package struct Arrival {
    package var report: TurbulenceReport
    /// When the server got it, in seconds.
    var second: Int64
    /// The areas that its cell's centre lies in, a bit for each of ``rings``.
    var areas: UInt8
    package var centre: Coordinate
  }

  struct PilotArrival {
    var pirep: PIREP
    var areas: UInt8
  }

  package private(set) var arrivals: [Arrival] = []
  private(set) var pireps: [PilotArrival] = []
  /// The areas of which the world knows what lies in them.
  private(set) var rings: [Ring?]

  /// Before this second nothing happened; flights begin seven hours later.
  static let start: Int64 = Rig.start / 1000 - 7 * 3600

  package init(seed: UInt64, hours: Int64, reportsPerHour: Int64, hasStorms: Bool = false) {
    rings = Self.queriedRings
    if hasStorms { addStorms(seed: seed, hours: hours) }
    var random = SplitMix64(seed: seed)
    let end = Self.start + hours * 3600
    let gap = max(1, 3600 / reportsPerHour)
    for second in stride(from: Self.start, to: end, by: Int(gap)) {
      let observed = second + Int64.random(in: 0..<gap, using: &random)
      let place = Self.cells[Int.random(in: 0..<Self.cells.count, using: &random)]
      let delay =
        random.chance(10) ? Int64.random(in: 600...9000, using: &random) : Int64.random(in: 1...60, using: &random)
      let report = TurbulenceReport(
        cell: place.cell, altitude: UInt8.random(in: 0...52, using: &random),
        severity: UInt8.random(in: 0...4, using: &random), edrE4: UInt16.random(in: 0...6000, using: &random),
        observedAt: UInt32(observed))
      let arrival = Arrival(report: report, second: observed + delay, areas: place.areas, centre: place.centre)
      arrivals.append(arrival)
      // The same tuple comes in twice: it is one.
      if random.chance(5) {
        arrivals.append(arrival)
        arrivals[arrivals.count - 1].second += 90
      }
      if random.chance(15) { addPIREP(at: observed, using: &random) }
    }
  }

  /// Adds 40 urgent reports in 40 seconds, every 20 minutes from the time at which flights begin.
  private mutating func addStorms(seed: UInt64, hours: Int64) {
    var random = SplitMix64(seed: seed ^ 0x7374_6f72_6d)
    for begin in stride(from: Self.start + 7 * 3600, to: Self.start + hours * 3600, by: 1200) {
      let places = Self.cells.prefix(12)
      for second in begin..<begin + 40 {
        guard let place = places.randomElement(using: &random) else { continue }
        let report = TurbulenceReport(
          cell: place.cell, altitude: UInt8.random(in: 30...40, using: &random),
          severity: UInt8.random(in: 2...4, using: &random), edrE4: UInt16.random(in: 2000...6000, using: &random),
          observedAt: UInt32(second))
        arrivals.append(Arrival(report: report, second: second + 1, areas: place.areas, centre: place.centre))
      }
    }
  }

  private mutating func addPIREP(at second: Int64, using random: inout SplitMix64) {
    let place = Self.cells[Int.random(in: 0..<Self.cells.count, using: &random)]
    for update in 0...Int64.random(in: 0...2, using: &random) {
      let pirep = PIREP(
        id: "p\(second)", position: place.position, flightLevel: 300, severity: nil, isUrgent: update == 2,
        observedAt: second, updatedAt: second + update * 700, text: "UA \(update)")
      pireps.append(PilotArrival(pirep: pirep, areas: place.areas))
    }
  }

  /// Creates a world from what happens in it. It has no areas until ``include(_:)``.
  init(arrivals: [Arrival], pireps: [PilotArrival]) {
    (self.arrivals, self.pireps, rings) = (arrivals, pireps, [])
  }

  /// The same world with every fifth report left out.
  var thinned: SimulatedWorld {
    var thinned = self
    thinned.arrivals = arrivals.enumerated().filter { $0.offset % 5 != 0 }.map(\.element)
    return thinned
  }

  // MARK: Areas

  /// The areas that queries ask for: one in another, one apart, one across the antimeridian, one far north.
  package static let areas: [[FixedCoordinate?]] = [
    Rig.square(south: 40, west: -40), square20(south: 35, west: -45), Rig.square(south: 10, west: 100),
    Rig.square(south: -5, west: 175), Rig.square(south: 75, west: 0),
  ]

  /// Places of which the weather may be wanted.
  package static let places = [
    RoundedCoordinate(longitudeE4: -4500, latitudeE4: 514_700),
    RoundedCoordinate(longitudeE4: -737_800, latitudeE4: 406_400),
  ]

  /// An area, begun at another corner and the other way round.
  static func turned(_ area: Int) -> [FixedCoordinate?] {
    let open = areas[area].dropLast().reversed()
    let turned = Array(open.dropFirst()) + open.prefix(1)
    return turned + turned.prefix(1)
  }

  /// The first area with two corners exchanged, so that its ring crosses itself.
  static var crossing: [FixedCoordinate?] {
    var ring = areas[0]
    ring.swapAt(1, 2)
    return ring
  }

  /// The weather of a place: another every ten minutes.
  package func weather(_ place: RoundedCoordinate, asOf second: Int64) -> [UInt8] {
    Array(
      #"{"status":"ok","server_time":\#(second),"result":{"place":"\#(place.key)","temperature":\#(second / 600 % 30)}}"#
        .utf8)
  }

  /// A route, and its corridor of ``routeWidthNM``.
  static let route: ResolvedQuery.Points = [
    FixedCoordinate(latitudeE7: 500_000_000, longitudeE7: -450_000_000),
    FixedCoordinate(latitudeE7: 510_000_000, longitudeE7: -380_000_000),
  ]
  static let routeWidthNM = 200.0
  static let corridor: ResolvedQuery.Points? = try? route.compactMap { $0?.coordinate }.corridor(widthNM: routeWidthNM)
    .map(FixedCoordinate.init)

  /// Rectangles as on a map, and how each is to be read: three ways of writing one that is 340° wide, and one across the antimeridian.
  package static let rectangles: [(given: ResolvedQuery.Points, read: ResolvedQuery.Points)] = {
    let (north, south): (Int64, Int64) = (600_000_000, 350_000_000)
    func point(_ latitude: Int64, _ longitude: Int64) -> FixedCoordinate? {
      FixedCoordinate(latitudeE7: latitude, longitudeE7: longitude)
    }
    func corners(_ west: Int64, _ east: Int64) -> ResolvedQuery.Points {
      [point(north, west), point(north, east), point(south, east), point(south, west), point(north, west)]
    }
    let (west, east): (Int64, Int64) = (-1_700_000_000, 1_700_000_000)
    let clockwise = corners(west, east)
    let fromSouth = [clockwise[3], clockwise[2], clockwise[1], clockwise[0], clockwise[3]]
    let turned = [clockwise[0], clockwise[3], clockwise[2], clockwise[1], clockwise[0]]
    // Every edge goes the shorter way.
    let parallel: [Int64] = [west, -566_666_667, 566_666_666, east]
    let wide = parallel.map { point(south, $0) } + parallel.reversed().map { point(north, $0) } + [point(south, west)]
    let crossing = corners(east, west)
    return [(clockwise, wide), (fromSouth, wide), (turned, wide), (crossing, crossing)]
  }()

  /// Whether the weather service has a form; the others are made up.
  static func hasWeather(in spec: WeatherSpec) -> Bool {
    !["xx_YY", "furlongs", "v9", "all.json"].contains {
      [spec.language, spec.unit, spec.version, spec.file].contains($0)
    }
  }

  private static let queriedRings: [Ring?] =
    (areas + [rectangles[0].read, rectangles[3].read] + [corridor].compactMap { $0 }).map { try? Ring($0) }

  private static func square20(south: Int64, west: Int64) -> [FixedCoordinate?] {
    let degree = FixedCoordinate.degree
    return [(0, 0), (0, 20), (20, 20), (20, 0), (0, 0)].map {
      FixedCoordinate(latitudeE7: (south + $0.0) * degree, longitudeE7: (west + $0.1) * degree)
    }
  }

  /// Finds out what lies in an area, if that isn't known.
  mutating func include(_ ring: Ring) {
    guard bit(of: ring) == nil, rings.count < UInt8.bitWidth else { return }
    rings.append(ring)
    let bit = UInt8(1) << UInt8(rings.count - 1)
    for index in arrivals.indices where ring.contains(arrivals[index].centre) { arrivals[index].areas |= bit }
    for index in pireps.indices where ring.contains(pireps[index].pirep.position) { pireps[index].areas |= bit }
  }

  private func bit(of ring: Ring) -> UInt8? { rings.firstIndex(of: ring).map { 1 << UInt8($0) } }

  /// The bit of the area; nil for the world and for an area that isn't included.
  private func bit(of spec: FetchSpec) -> UInt8? {
    guard case .ring(let ring) = spec.area else { return nil }
    return bit(of: ring)
  }

  private struct Place {
    var cell: UInt32
    var centre: Coordinate
    var position: FixedCoordinate
    var areas: UInt8
  }

  private static let cells: [Place] = {
    let corners: [(south: Int64, west: Int64)] = [(40, -40), (10, 100), (-5, 175), (75, 0), (51, -44)]
    var places: [Place] = []
    for corner in corners {
      for step in 0..<12 {
        let degree = FixedCoordinate.degree
        let position = FixedCoordinate(
          latitudeE7: (corner.south + 1 + Int64(step % 3)) * degree,
          longitudeE7: (corner.west + 1 + Int64(step / 3) * 2) * degree)
        guard let cell = try? H3Cell(position.coordinate, resolution: 5), let packed = cell.packed22 else { continue }
        var areas: UInt8 = 0
        for (index, ring) in queriedRings.enumerated() where ring?.contains(cell.center) ?? false {
          areas |= 1 << UInt8(index)
        }
        places.append(Place(cell: packed, centre: cell.center, position: position, areas: areas))
      }
    }
    return places
  }()

  // MARK: The truth

  /// What the server's rules say a client holds for a spec as of a time: the wire's Held(spec, N).
  package func held(_ spec: FetchSpec, asOf token: Int64) -> Set<TurbulenceReport> {
    guard spec.types.contains(.turbulence), let bit = bit(of: spec) else { return [] }
    var held: Set<TurbulenceReport> = []
    for arrival in arrivals
    where arrival.areas & bit != 0 && arrival.second < token && isWanted(arrival.report, by: spec, asOf: token) {
      held.insert(arrival.report)
    }
    return held
  }

  /// The same for PIREPs: of each key the newest update.
  package func heldPIREPs(_ spec: FetchSpec, asOf token: Int64) -> [String: PIREP] {
    guard spec.types.contains(.pireps), let bit = bit(of: spec) else { return [:] }
    var held: [String: PIREP] = [:]
    for arrival in pireps where arrival.areas & bit != 0 {
      let pirep = arrival.pirep
      guard pirep.updatedAt < token, pirep.observedAt > token - spec.history.seconds else { continue }
      if held[pirep.id].map({ $0.updatedAt < pirep.updatedAt }) ?? true { held[pirep.id] = pirep }
    }
    return held
  }

  /// What came in from one second up to another, that one not included.
  func arrived(_ spec: FetchSpec, from since: Int64, to token: Int64) -> [TurbulenceReport] {
    guard spec.types.contains(.turbulence), let bit = bit(of: spec) else { return [] }
    return arrivals.filter {
      $0.areas & bit != 0 && $0.second >= since && $0.second < token && isWanted($0.report, by: spec, asOf: token)
    }.map(\.report)
  }

  /// Something that comes in.
  struct News {
    var second: Int64
    var isUrgent: Bool
    /// The second from which on no answer has it.
    var endsAt: Int64

    /// The second at which a held request is answered for its sake.
    func due(_ terms: HoldTerms) -> Int64 { second + (isUrgent ? 1 : max(terms.ordinarySeconds, 1)) }
  }

  /// Returns the news that arrives from the second `since` until before `end`. Wanted traffic is always news.
  func news(_ spec: FetchSpec, _ terms: HoldTerms, from since: Int64, to end: Int64) -> [News] {
    guard let bit = bit(of: spec) else { return [] }
    var news: [News] = []
    if spec.types.contains(.turbulence) {
      for arrival in arrivals
      where arrival.areas & bit != 0 && arrival.second >= since && arrival.second < end
        && isWanted(arrival.report, by: spec, asOf: arrival.second)
      {
        let endsAt = Int64(arrival.report.observedAt) + spec.history.seconds
        news.append(News(second: arrival.second, isUrgent: terms.isUrgent(arrival.report), endsAt: endsAt))
      }
    }
    if spec.types.contains(.pireps) {
      for arrival in pireps
      where arrival.areas & bit != 0 && arrival.pirep.updatedAt >= since && arrival.pirep.updatedAt < end {
        let pirep = arrival.pirep
        let endsAt = pirep.observedAt + spec.history.seconds
        news.append(News(second: pirep.updatedAt, isUrgent: terms.isUrgent(pirep), endsAt: endsAt))
      }
    }
    if spec.types.contains(.traffic) { news.append(News(second: since, isUrgent: false, endsAt: .max)) }
    return news
  }

  /// Returns the aircraft at a second. Every third hour has none.
  package func traffic(_ spec: FetchSpec, asOf token: Int64) -> [TrafficPosition]? {
    guard spec.types.contains(.traffic) else { return nil }
    return (0..<(token / 3600 % 3 == 0 ? 0 : token / 60 % 3)).map { number in
      TrafficPosition(
        id: "t\(number)", callsign: "SIM\(number)",
        position: FixedCoordinate(latitudeE7: 450_000_000, longitudeE7: -350_000_000 + token % 10_000),
        altitudeFeet: 31_000, groundSpeedKnots: 450, trackDegrees: nil, observedAt: token - 1)
    }
  }

  /// The polygons of a history time: others every quarter of an hour.
  package func polygons(
    _ history: DataHistoryTime, _ area: Area, asOf token: Int64
  ) -> (etag: String, answer: PolygonsAnswer) {
    let version = token / 900
    var random = SplitMix64(
      seed: Digest.mix(UInt64(version) &+ UInt64(history.seconds)) ^ area.digest)
    let first = Int.random(in: 0..<3, using: &random)
    let united = (0..<Int.random(in: 0...2, using: &random)).map { number in
      // Areas far from each other.
      let disk = Self.areaCells[(first + number) % 3][Int.random(in: 0..<2, using: &random)]
      return PolygonsAnswer.Area(
        severity: TurbulenceSeverity.allCases.randomElement(using: &random) ?? .light, base: 20, top: 41,
        count: Int.random(in: 1...300, using: &random),
        cells: disk.filter { _ in random.chance(80) })
    }
    var areas = PolygonsAnswer.outlined(united.filter { !$0.cells.isEmpty })
    if version % 3 == 0 {
      let corners = [(40, 10), (40, 15), (44, 12), (40, 10)]
      let ring = corners.map {
        FixedCoordinate(latitudeE7: Int64($0.0) * 10_000_000 + version, longitudeE7: Int64($0.1) * 10_000_000)
      }
      areas.append(
        .init(
          severity: .moderate, base: 0, top: 24, count: 1, polygons: [PlanePolygon(outer: ring)],
          advisory: "SIGMET \(version)"))
    }
    // An entity tag belongs to one address; two may well be the same.
    return ("\"v\(version)\"", PolygonsAnswer(token: token, areas: areas))
  }

  /// Connected cells of resolution 3 in several places, sorted: one at the antimeridian, and one around a pole.
  private static let areaCells: [[[H3Cell]]] = [(47.0, -40.0), (10.0, 179.9), (89.9, 0.0)].map { place in
    [0, 1].map { size in
      guard let centre = try? H3Cell(Coordinate(latitude: place.0, longitude: place.1), resolution: 3) else {
        return []
      }
      return ((try? centre.gridDisk(size)) ?? []).sorted { $0.rawValue < $1.rawValue }
    }
  }

  private func isWanted(_ report: TurbulenceReport, by spec: FetchSpec, asOf token: Int64) -> Bool {
    Int64(report.observedAt) > token - spec.history.seconds && spec.altitudes.contains(report.altitude)
      && spec.severities.rawValue & (1 << report.severityCode) != 0
  }
}
