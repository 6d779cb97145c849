import ContrailWire

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A flight of an aircraft with its position between take-off and landing.
struct Flight: Sendable {
  /// The index of the aircraft in the world.
  let tail: Int
  /// The time of departure in seconds since 1970.
  let departure: Int64
  private let circle: GreatCircle
  private let profile: Profile

  init(tail: Int, departure: Int64, circle: GreatCircle, profile: Profile) {
    self.tail = tail
    self.departure = departure
    self.circle = circle
    self.profile = profile
  }

  /// The time of landing in seconds since 1970.
  var arrival: Int64 { departure + Int64(profile.duration) }

  /// Returns the position at a time after take-off, as a direction from the earth's centre and an altitude in feet.
  func position(after seconds: Double) -> (direction: SIMD3<Double>, feet: Double) {
    (circle.direction(atNM: profile.distanceNM(after: seconds)), profile.feet(after: seconds))
  }

  /// Returns the course in degrees from true north and the speed in knots at a time after take-off.
  func movement(after seconds: Double) -> (course: Double, knots: Double) {
    (circle.courseDegrees(atNM: profile.distanceNM(after: seconds)), profile.knots(after: seconds))
  }
}

extension Flight {
  /// The altitude and speed of a flight over time: climb, cruise at one or two levels, descent.
  struct Profile: Sendable {
    /// The time from take-off to landing in seconds.
    let duration: Double
    private let origin: Double
    private let destination: Double
    private let initialFeet: Double
    private let finalFeet: Double
    private let climbEnd: Double
    private let stepStart: Double
    private let descentStart: Double
    private let cruiseKnots: Double

    private static let climbFeetPerSecond = 1900.0 / 60
    private static let descentFeetPerSecond = 1800.0 / 60
    private static let stepFeetPerSecond = 600.0 / 60
    private static let climbKnots = 370.0
    private static let descentKnots = 340.0

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - lengthNM: The distance from take-off to landing in nautical miles.
    ///   - origin: The elevation of the origin in feet.
    ///   - destination: The elevation of the destination in feet.
    ///   - cruiseFeet: The final cruising altitude. A long flight begins 2,000 feet lower.
    ///   - cruiseKnots: The cruising speed.
    init(lengthNM: Double, from origin: Int, to destination: Int, cruiseFeet: Double, cruiseKnots: Double) {
      self.origin = Double(origin)
      self.destination = Double(destination)
      self.cruiseKnots = cruiseKnots
      finalFeet = cruiseFeet
      initialFeet = lengthNM > 2500 ? cruiseFeet - 2000 : cruiseFeet
      climbEnd = max(initialFeet - self.origin, 1000) / Self.climbFeetPerSecond
      let descent = max(finalFeet - self.destination, 1000) / Self.descentFeetPerSecond
      let level = lengthNM - (climbEnd * Self.climbKnots + descent * Self.descentKnots) / 3600
      let cruise = max(level, 0) / cruiseKnots * 3600
      descentStart = climbEnd + cruise
      stepStart = climbEnd + cruise / 2
      duration = (descentStart + descent).rounded(.up)
    }

    func feet(after seconds: Double) -> Double {
      if seconds < climbEnd { return origin + max(seconds, 0) * Self.climbFeetPerSecond }
      if seconds < descentStart {
        return min(initialFeet + max(seconds - stepStart, 0) * Self.stepFeetPerSecond, finalFeet)
      }
      return max(finalFeet - (seconds - descentStart) * Self.descentFeetPerSecond, destination)
    }

    func distanceNM(after seconds: Double) -> Double {
      let climb = min(max(seconds, 0), climbEnd) * Self.climbKnots
      let cruise = min(max(seconds - climbEnd, 0), descentStart - climbEnd) * cruiseKnots
      let descent = max(min(seconds, duration) - descentStart, 0) * Self.descentKnots
      return (climb + cruise + descent) / 3600
    }

    func knots(after seconds: Double) -> Double {
      seconds < climbEnd ? Self.climbKnots : seconds < descentStart ? cruiseKnots : Self.descentKnots
    }
  }
}

/// A simulated aircraft. It flies back and forth between two airports indefinitely, so its flight at any time is
/// computed by a division.
struct TailNumber: Sendable {
  /// The index of the aircraft in the world.
  let number: Int
  /// The 24-bit address in hexadecimal.
  let address: String
  let callsign: String
  /// The ICAO type designator.
  let type: String

  private let seed: UInt64
  private let ends: (Airport, Airport)
  private let circles: (GreatCircle, GreatCircle)
  private let cruiseKnots: Double
  /// The time in seconds between two slots. Each slot contains one flight.
  private let slotSeconds: Int64
  private let phaseSeconds: Int64

  /// The time on the ground between two flights in seconds, of which up to ``jitterSeconds`` are before the
  /// departure.
  private static let groundSeconds: Int64 = 3600
  private static let jitterSeconds: Int64 = 1200

  init(seed: UInt64, number: Int) {
    let (a, b) = Self.route(seed: seed, number: number)
    let key = UInt64(number)
    let schedule = SeededRandom(seed: seed, .schedule)
    let address = SeededRandom(seed: seed, .address)
    self.seed = seed
    self.number = number
    ends = (a, b)
    circles = (GreatCircle(from: a, to: b), GreatCircle(from: b, to: a))
    let length = circles.0.lengthNM
    let fleet = Self.fleet.filter { $0.reach.contains(length) }
    let model = fleet[address.index(below: fleet.count, key, 1)]
    type = model.type
    cruiseKnots = model.knots + (schedule.unit(key, 1) * 16 - 8).rounded()

    var hex: [UInt8] = []
    // The low bits contain the number, so addresses are unique.
    Hex.append((address.bits(key) & 0xF) << 16 | (UInt64(number) & 0xFFFF) | 0x40_0000, digits: 6, to: &hex)
    self.address = String(decoding: hex, as: UTF8.self)
    callsign = Self.airlines[address.index(below: Self.airlines.count, key, 2)] + String(100 + number)

    let block = Self.profile(circle: circles.0, from: a, to: b, level: 350, knots: cruiseKnots).duration
    slotSeconds = Int64(block) + Self.groundSeconds
    phaseSeconds = Int64(schedule.bits(key, 2) % UInt64(slotSeconds))
  }

  /// Returns the flight in the air at a time in seconds since 1970.
  func flight(at time: Int64) -> Flight? {
    let flight = flight(inSlot: slot(of: time))
    return flight.departure <= time && time < flight.arrival ? flight : nil
  }

  /// Returns the flights in the air during a range of times.
  func flights(during range: Range<Int64>) -> [Flight] {
    guard !range.isEmpty else { return [] }
    return (slot(of: range.lowerBound)...slot(of: range.upperBound - 1)).map(flight(inSlot:))
      .filter { $0.departure < range.upperBound && $0.arrival > range.lowerBound }
  }

  private func slot(of time: Int64) -> Int64 {
    let shifted = time - phaseSeconds
    return shifted >= 0 ? shifted / slotSeconds : (shifted - slotSeconds + 1) / slotSeconds
  }

  private func flight(inSlot slot: Int64) -> Flight {
    let word = UInt64(bitPattern: slot)
    let isOutbound = slot & 1 == 0
    let (from, to) = isOutbound ? (ends.0, ends.1) : (ends.1, ends.0)
    let circle = isOutbound ? circles.0 : circles.1
    let jitter = SeededRandom(seed: seed, .schedule).bits(UInt64(number), 3, word) % UInt64(Self.jitterSeconds)
    let level = Self.level(
      lengthNM: circle.lengthNM, isEastbound: circle.courseDegrees(atNM: 0) < 180,
      choice: SeededRandom(seed: seed, .level).bits(UInt64(number), word))
    return Flight(
      tail: number, departure: phaseSeconds + slot * slotSeconds + Int64(jitter), circle: circle,
      profile: Self.profile(circle: circle, from: from, to: to, level: level, knots: cruiseKnots))
  }

  private static func profile(
    circle: GreatCircle, from: Airport, to: Airport, level: Int, knots: Double
  ) -> Flight.Profile {
    Flight.Profile(
      lengthNM: circle.lengthNM, from: from.elevationFeet, to: to.elevationFeet, cruiseFeet: Double(level) * 100,
      cruiseKnots: knots)
  }

  /// Returns a flight level: odd thousands eastbound, even ones westbound (ICAO Annex 2, appendix 3), lower for short
  /// flights.
  private static func level(lengthNM: Double, isEastbound: Bool, choice: UInt64) -> Int {
    let highest = min(41, 18 + Int(lengthNM / 25))
    let thousands = highest - Int(choice % 4) * 2
    let isOdd = !thousands.isMultiple(of: 2)
    return (isOdd == isEastbound ? thousands : thousands - 1) * 10
  }
}

extension TailNumber {
  private struct Model {
    let type: String
    let knots: Double
    /// The range of route lengths in nautical miles.
    let reach: ClosedRange<Double>
  }

  /// Type designators of ICAO Doc 8643 with typical cruising speeds.
  private static let fleet: [Model] = [
    Model(type: "E190", knots: 445, reach: 0...1200),
    Model(type: "A320", knots: 450, reach: 0...2600),
    Model(type: "B738", knots: 453, reach: 0...2800),
    Model(type: "A21N", knots: 452, reach: 0...3600),
    Model(type: "A333", knots: 470, reach: 2000...20_000),
    Model(type: "B789", knots: 488, reach: 2500...20_000),
    Model(type: "A359", knots: 488, reach: 2500...20_000),
    Model(type: "B77W", knots: 484, reach: 2500...20_000),
  ]

  /// Designators that no airline uses.
  private static let airlines = ["ZZA", "ZZB", "ZZC", "ZZD", "ZZE", "ZZF", "ZZG", "ZZH"]

  private struct Flow {
    let from: Airport.Region
    let to: Airport.Region
    let weight: Int
    init(_ from: Airport.Region, _ to: Airport.Region, _ weight: Int) {
      self.from = from
      self.to = to
      self.weight = weight
    }
  }

  /// The number of aircraft per thousand between regions. Oceanic routes are over-represented, because links fail
  /// there.
  private static let flows: [Flow] = [
    Flow(.northAmerica, .europe, 230), Flow(.northAmerica, .northAmerica, 140), Flow(.europe, .europe, 100),
    Flow(.asia, .asia, 120), Flow(.europe, .asia, 70), Flow(.northAmerica, .asia, 80), Flow(.europe, .middleEast, 30),
    Flow(.middleEast, .asia, 40), Flow(.europe, .africa, 40), Flow(.northAmerica, .southAmerica, 30),
    Flow(.southAmerica, .southAmerica, 20), Flow(.europe, .southAmerica, 25), Flow(.oceania, .asia, 25),
    Flow(.oceania, .northAmerica, 20), Flow(.oceania, .oceania, 15), Flow(.africa, .africa, 15),
  ]

  private static func route(seed: UInt64, number: Int) -> (Airport, Airport) {
    let draw = SeededRandom(seed: seed, .route)
    let key = UInt64(number)
    var place = draw.index(below: flows.reduce(0) { $0 + $1.weight }, key)
    var flow = flows[0]
    for candidate in flows {
      flow = candidate
      guard place >= candidate.weight else { break }
      place -= candidate.weight
    }
    let origins = Airport.all.filter { $0.region == flow.from }
    let origin = origins[draw.index(below: origins.count, key, 1)]
    let destinations = Airport.all.filter { airport in
      airport.region == flow.to && airport != origin
        && (250...8200).contains(GreatCircle(from: origin, to: airport).lengthNM)
    }
    // Every airport has a destination in range in every region that its own region is connected to. The first two
    // airports are a safe fallback.
    guard !destinations.isEmpty else { return (Airport.all[0], Airport.all[1]) }
    return (origin, destinations[draw.index(below: destinations.count, key, 2)])
  }
}

/// A great circle between two places with precomputed trigonometry, because a flight needs hundreds of its points.
struct GreatCircle: Sendable {
  /// The earth's mean radius (IUGG) in nautical miles.
  static let radiusNM = 6371.0088 / 1.852

  private let origin: SIMD3<Double>
  private let forward: SIMD3<Double>
  /// The length in nautical miles.
  let lengthNM: Double

  init(from a: Airport, to b: Airport) {
    let start = Self.direction(latitude: a.latitude, longitude: a.longitude)
    let end = Self.direction(latitude: b.latitude, longitude: b.longitude)
    let cosine = (start * end).sum()
    let across = end - start * cosine
    let sine = (across * across).sum().squareRoot()
    origin = start
    forward = sine > 0 ? across / sine : SIMD3(-start.y, start.x, 0)
    lengthNM = atan2(sine, cosine) * Self.radiusNM
  }

  /// Returns the direction from the earth's centre to the point at a distance from the origin.
  func direction(atNM distance: Double) -> SIMD3<Double> {
    let angle = distance / Self.radiusNM
    return origin * cos(angle) + forward * sin(angle)
  }

  /// Returns the course at a distance from the origin, in degrees from true north, 0 ..< 360.
  func courseDegrees(atNM distance: Double) -> Double {
    let angle = distance / Self.radiusNM
    let here = origin * cos(angle) + forward * sin(angle)
    let ahead = forward * cos(angle) - origin * sin(angle)
    // East and north at `here`, each times the cosine of the latitude.
    let east = here.x * ahead.y - here.y * ahead.x
    let north = ahead.z
    let degrees = atan2(east, north) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }

  /// Returns the direction of a place given in degrees.
  static func direction(latitude: Double, longitude: Double) -> SIMD3<Double> {
    let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
    return SIMD3(cos(phi) * cos(lambda), cos(phi) * sin(lambda), sin(phi))
  }

  /// Returns the latitude and longitude of a direction in degrees, with the longitude in −180 ..< 180.
  static func place(of direction: SIMD3<Double>) -> (latitude: Double, longitude: Double) {
    let flat = (direction.x * direction.x + direction.y * direction.y).squareRoot()
    let longitude = atan2(direction.y, direction.x) * 180 / .pi
    return (atan2(direction.z, flat) * 180 / .pi, longitude >= 180 ? -180 : longitude)
  }
}
