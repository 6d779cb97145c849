import ContrailGeodesy
import ContrailWire

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
        + "/TP \(type)/TB \(Self.words(severity))\(remark)"
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

  private static func words(_ severity: TurbulenceSeverity) -> String {
    switch severity {
    case .none: "NEG"
    case .light: "LGT"
    case .lightModerate: "LGT-MOD"
    case .moderate: "MOD"
    case .moderateSevere: "MOD-SEV"
    }
  }
}
