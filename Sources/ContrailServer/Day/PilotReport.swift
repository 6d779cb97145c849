#if Online
  import ContrailGeodesy
  import ContrailH3
  import ContrailWire

  /// A PIREP of a real day, in its own time, and what it says of turbulence as reports on hexagons.
  struct PilotReport: Hashable, Sendable {
    /// `updatedAt` is when it was received.
    var pirep: PIREP
    /// The cell's centre and what was felt there, one for each thousand feet.
    var reports: [TurbulenceReport]
    var centre: FixedCoordinate

    /// When the server gets it, in seconds since 1970.
    var arrival: Int64 { pirep.updatedAt }
  }

  extension TurbulenceSeverity {
    /// The severity of an intensity as PIREPs have it (FAA AIM, "PIREPs Relating to Turbulence": light, moderate, severe,
    /// extreme; the Aviation Weather Center's decoded reports know NEG, SMTH-LGT, LGT, LGT-MOD, MOD, MOD-SEV, SEV, SEV-EXTM and EXTM).
    ///
    /// The protocol knows nothing stronger than moderate, occasionally severe: all that is stronger becomes that.
    init?(intensity: String) {
      switch intensity {
      case "NEG", "SMTH", "SMOOTH", "NONE": self = .none
      case "SMTH-LGT", "LGT", "LIGHT": self = .light
      case "LGT-MOD": self = .lightModerate
      case "MOD", "MODERATE": self = .moderate
      case "MOD-SEV", "SEV", "SEVERE", "SEV-EXTM", "SEV-EXTRM", "EXTM", "EXTRM", "EXTREME": self = .moderateSevere
      default: return nil
      }
    }

    /// The eddy dissipation rate, times 10,000, that stands for a severity which a pilot gave in words: the middle of the span that
    /// ``init(edrE4:)`` reads as this severity, and of the strongest, which has no end, its beginning.
    var typicalEDRE4: UInt16 {
      switch self {
      case .none: 500
      case .light: 1250
      case .lightModerate: 1750
      case .moderate: 3250
      case .moderateSevere: 4500
      }
    }
  }
#endif
