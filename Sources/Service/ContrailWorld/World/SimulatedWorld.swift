import ContrailGeodesy
import ContrailH3
import ContrailWire

/// A simulated world of aircraft and turbulence as a pure function of a seed and the time.
///
/// The world has no state: epochs can be computed in any order, and are equal for equal seeds on the same machine.
/// ``WorldArchive`` caches recent ones.
struct SimulatedWorld: Sendable {
  /// The default number of aircraft. About five of six are in flight, and never fewer than 400.
  static let standardAircraft = ServiceConfiguration.standardAircraft

  let seed: UInt64
  let tails: [TailNumber]
  private let field: TurbulenceField
  private let bumps: SeededRandom
  private let offline: SeededRandom
  private let delay: SeededRandom
  private let words: SeededRandom

  /// The time in seconds between two observations of a flight. Crossing a cell of resolution 5 takes about seventy
  /// seconds.
  private static let stepSeconds: Int64 = 30
  /// Smooth air is reported at every n-th observation: every ten minutes.
  private static let smoothSteps: Int64 = 20
  /// The length in seconds of the periods for which it is decided whether an aircraft is offline.
  private static let stretchSeconds: Int64 = 1200
  private static let offlineShare = 0.03

  /// The maximum time in seconds until a report arrives at the server.
  static let maximumDelay: Int64 = 90 * 60 + 60

  /// Creates a world.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - aircraft: The number of aircraft.
  init(seed: UInt64, aircraft: Int = Self.standardAircraft) {
    self.seed = seed
    tails = (0..<max(aircraft, 0)).map { TailNumber(seed: seed, number: $0) }
    field = TurbulenceField(seed: seed)
    bumps = SeededRandom(seed: seed, .bumps)
    offline = SeededRandom(seed: seed, .offline)
    delay = SeededRandom(seed: seed, .delay)
    words = SeededRandom(seed: seed, .pirep)
  }

  /// Returns the aircraft in flight, in the order of their addresses.
  ///
  /// Each was last seen a few seconds before `token`, which is in whole seconds since 1970.
  func traffic(at token: Int64) -> [TrafficPosition] {
    tails.compactMap { tail -> TrafficPosition? in
      let seen = token - 1 - Int64(delay.bits(UInt64(tail.number), UInt64(bitPattern: token)) % 7)
      guard let flight = tail.flight(at: seen) else { return nil }
      let elapsed = Double(seen - flight.departure)
      let (direction, feet) = flight.position(after: elapsed)
      let (course, knots) = flight.movement(after: elapsed)
      guard let exact = Self.fixed(direction) else { return nil }
      // State vectors have four decimals.
      let position = FixedCoordinate(
        latitudeE7: exact.latitudeE7 / 1000 * 1000, longitudeE7: exact.longitudeE7 / 1000 * 1000)
      return TrafficPosition(
        id: tail.address, callsign: tail.callsign, position: position, altitudeFeet: Int((feet / 25).rounded()) * 25,
        groundSpeedKnots: Int(knots.rounded()), trackDegrees: Int(course.rounded()) % 360, observedAt: seen)
    }
    .sorted { $0.id < $1.id }
  }

  /// Returns the observations in the ten minutes of an epoch.
  ///
  /// - Complexity: O(*aircraft*); a few milliseconds for the standard world.
  func epoch(_ index: Int64) -> WorldEpoch {
    let start = index * WorldEpoch.seconds
    let span = start..<start + WorldEpoch.seconds
    var observations: [WorldEpoch.Observation] = []
    var pireps: [PIREPHistory] = []
    for tail in tails {
      for flight in tail.flights(during: span) {
        let first = max((span.lowerBound - flight.departure + Self.stepSeconds - 1) / Self.stepSeconds, 1)
        let last = (min(span.upperBound, flight.arrival) - 1 - flight.departure) / Self.stepSeconds
        guard first <= last else { continue }
        var before: Look?
        for step in first...last {
          let look = look(flight, step: step)
          defer { before = look }
          guard look.severity > .none || step % Self.smoothSteps == 0, let cell = cell(of: look) else { continue }
          if look.severity > .none {
            // Repeated turbulence in the same cell at the same level is one encounter and is reported once.
            let previous = before ?? self.look(flight, step: step - 1)
            if previous.severity == look.severity, previous.altitude == look.altitude, self.cell(of: previous) == cell {
              continue
            }
          }
          guard let observation = observation(of: look, in: cell, flight: flight) else { continue }
          observations.append(observation)
          if let pirep = pirep(of: look, tail: tail, flight: flight, step: step) { pireps.append(pirep) }
        }
      }
    }
    return WorldEpoch(
      observations: observations.sortedWithoutDoubles(),
      pireps: pireps.sorted { ($0.first.observedAt, $0.first.id) < ($1.first.observedAt, $1.first.id) })
  }
}

// MARK: - Observations of one aircraft

extension SimulatedWorld {
  /// An observation by an aircraft.
  struct Look {
    let time: Int64
    let direction: SIMD3<Double>
    /// The altitude in thousands of feet.
    let altitude: UInt8
    let edrE4: UInt16
    let severity: TurbulenceSeverity
  }

  private func look(_ flight: Flight, step: Int64) -> Look {
    let time = flight.departure + step * Self.stepSeconds
    let (direction, feet) = flight.position(after: Double(step * Self.stepSeconds))
    let luck = bumps.unit(UInt64(flight.tail), UInt64(bitPattern: time))
    let felt = field.edr(direction, feet: feet, time: Double(time)) * (0.9 + luck * 0.2)
    // Even smooth air has a small EDR.
    let edr = max(felt, 0.01 + luck * 0.03)
    let edrE4 = UInt16(min(max((edr * 1e4).rounded(), 0), 9000))
    return Look(
      time: time, direction: direction,
      altitude: UInt8(min(max((feet / 1000).rounded(), 0), Double(AltitudeBand.ceiling))), edrE4: edrE4,
      severity: TurbulenceSeverity(edrE4: edrE4))
  }

  private func cell(of look: Look) -> H3Cell? {
    let (latitude, longitude) = GreatCircle.place(of: look.direction)
    return try? H3Cell(Coordinate(latitude: latitude, longitude: longitude), resolution: 5)
  }

  private func observation(of look: Look, in cell: H3Cell, flight: Flight) -> WorldEpoch.Observation? {
    guard let observedAt = UInt32(exactly: look.time), let centre = FixedCoordinate(cell.center) else { return nil }
    let report = TurbulenceReport(
      cell: UInt32(truncatingIfNeeded: cell.rawValue >> 30), altitude: look.altitude,
      severity: look.severity.rawValue,
      edrE4: look.edrE4, observedAt: observedAt)
    return WorldEpoch.Observation(report: report, centre: centre, arrival: arrival(of: look.time, flight: flight))
  }

  /// Returns the arrival time of an observation: seconds later, or much later if the aircraft is offline.
  private func arrival(of time: Int64, flight: Flight) -> Int64 {
    let (tail, word) = (UInt64(flight.tail), UInt64(bitPattern: time))
    let usual = 5 + Int64(delay.bits(tail, word, 1) % 56)
    let stretch = UInt64(bitPattern: (time - flight.departure) / Self.stretchSeconds)
    let departure = UInt64(bitPattern: flight.departure)
    guard offline.unit(tail, departure, stretch) < Self.offlineShare else { return time + usual }
    // All observations of an offline period have similar delays of at least ten minutes.
    let late = 600 + Int64(offline.bits(tail, departure, stretch ^ 0x8000) % 4800)
    return time + late + usual
  }

  static func fixed(_ direction: SIMD3<Double>) -> FixedCoordinate? {
    let (latitude, longitude) = GreatCircle.place(of: direction)
    return FixedCoordinate(Coordinate(latitude: latitude, longitude: longitude))
  }

  private func pirep(of look: Look, tail: TailNumber, flight: Flight, step: Int64) -> PIREPHistory? {
    let key = (UInt64(tail.number), UInt64(bitPattern: flight.departure), UInt64(bitPattern: step))
    let share =
      switch look.severity {
      case .none: 0.006
      case .light: 0.01
      case .lightModerate: 0.02
      case .moderate: 0.06
      case .moderateSevere: 0.6
      }
    guard words.unit(key.0, key.1, key.2) < share, let position = Self.fixed(look.direction) else { return nil }
    return PIREPHistory(
      of: look, at: position, type: tail.type, luck: words.bits(key.0, key.1, key.2 ^ 0x100_0000))
  }
}

extension PIREPHistory {
  /// Creates the PIREP of an observation. One in four is later corrected.
  ///
  /// - Parameters:
  ///   - look: The observation.
  ///   - position: The position of the aircraft.
  ///   - type: The type designator of the aircraft.
  ///   - luck: Random bits that determine delay, correction and id.
  init(of look: SimulatedWorld.Look, at position: FixedCoordinate, type: String, luck: UInt64) {
    let updatedAt = look.time + 60 + Int64(luck % 540)
    let id = "P" + Hex.string(Digest.mix(luck ^ UInt64(bitPattern: look.time))).prefix(11)
    func report(_ severity: TurbulenceSeverity, updatedAt: Int64, remark: String) -> PIREP {
      let isUrgent = severity == .moderateSevere
      let level = Int(look.altitude) * 10
      let text =
        "\(isUrgent ? "UUA" : "UA") /OV \(Self.place(position))/TM \(Self.clock(look.time))/FL\(Self.digits(level, 3))"
        + "/TP \(type)/TB \(severity.pirepWord)\(remark)"
      return PIREP(
        id: String(id), position: position, flightLevel: level, severity: severity, isUrgent: isUrgent,
        observedAt: look.time, updatedAt: updatedAt, text: text)
    }
    let corrected =
      switch look.severity {
      case .none, .light, .lightModerate: TurbulenceSeverity.light
      case .moderate: TurbulenceSeverity.lightModerate
      case .moderateSevere: TurbulenceSeverity.moderate
      }
    let delay = 300 + Int64((luck >> 24) % 2100)
    self.init(
      first: report(look.severity, updatedAt: updatedAt, remark: ""),
      correction: (luck >> 20) % 4 == 0
        ? report(corrected, updatedAt: updatedAt + delay, remark: "/RM COR") : nil)
  }

  /// Returns degrees and minutes, such as `5130N01020W`.
  private static func place(_ position: FixedCoordinate) -> String {
    func part(_ valueE7: Int64, _ places: Int, _ letters: (String, String)) -> String {
      let minutes = Int(valueE7.magnitude * 60 / UInt64(FixedCoordinate.degree))
      return digits(minutes / 60, places) + digits(minutes % 60, 2) + (valueE7 < 0 ? letters.1 : letters.0)
    }
    return part(position.latitudeE7, 2, ("N", "S")) + part(position.longitudeE7, 3, ("E", "W"))
  }

  /// Returns hours and minutes in UTC.
  private static func clock(_ time: Int64) -> String {
    let minutes = Int(((time % 86_400) + 86_400) % 86_400) / 60
    return digits(minutes / 60, 2) + digits(minutes % 60, 2)
  }

  private static func digits(_ number: Int, _ places: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, places - text.count)) + text
  }
}

extension TurbulenceSeverity {
  /// The abbreviation in the text of a PIREP.
  var pirepWord: String {
    switch self {
    case .none: "NEG"
    case .light: "LGT"
    case .lightModerate: "LGT-MOD"
    case .moderate: "MOD"
    case .moderateSevere: "MOD-SEV"
    }
  }
}
