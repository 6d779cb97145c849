#if Online
  import ContrailGeodesy
  import ContrailWire

  extension PIREPHistory {
    /// What a pilot says of a moment: at first, and in one of four cases again, corrected.
    ///
    /// - Parameter luck: Random bits that decide delay, correction and id.
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
      var versions = [report(look.severity, updatedAt: updatedAt, remark: "")]
      if (luck >> 20) % 4 == 0 {
        let milder = TurbulenceSeverity(rawValue: look.severity.rawValue > 1 ? look.severity.rawValue - 1 : 1)
        versions.append(
          report(milder ?? .light, updatedAt: updatedAt + 300 + Int64((luck >> 24) % 2100), remark: "/RM COR"))
      }
      self.init(versions: versions)
    }

    /// Degrees and minutes, as in `5130N01020W`.
    private static func place(_ position: FixedCoordinate) -> String {
      func part(_ valueE7: Int64, _ places: Int, _ letters: (String, String)) -> String {
        let minutes = Int(valueE7.magnitude * 60 / UInt64(FixedCoordinate.degree))
        return digits(minutes / 60, places) + digits(minutes % 60, 2) + (valueE7 < 0 ? letters.1 : letters.0)
      }
      return part(position.latitudeE7, 2, ("N", "S")) + part(position.longitudeE7, 3, ("E", "W"))
    }

    /// Hours and minutes of UTC.
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
#endif
