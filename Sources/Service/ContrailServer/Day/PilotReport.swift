import ContrailGeodesy
import ContrailH3
import ContrailWire

/// A PIREP of a recorded day with its turbulence as reports on hexagons.
struct PilotReport: Hashable, Sendable {
  /// The PIREP. Its `updatedAt` is the time of receipt.
  var pirep: PIREP
  /// The turbulence reports, one per thousand feet. The centre of their cell is ``centre``.
  var reports: [TurbulenceReport]
  var centre: FixedCoordinate

  /// The time of receipt in seconds since 1970.
  var arrival: Int64 { pirep.updatedAt }
}

extension TurbulenceSeverity {
  /// Creates a severity from the turbulence intensity of a PIREP, or returns `nil` if it is unknown.
  ///
  /// The intensities are those of the FAA AIM, "PIREPs Relating to Turbulence" (light, moderate, severe, extreme),
  /// and of the Aviation Weather Center's decoded reports (NEG, SMTH-LGT, LGT, LGT-MOD, MOD, MOD-SEV, SEV, SEV-EXTM
  /// and EXTM). The highest severity of the protocol is "moderate, occasionally severe", which includes all stronger
  /// intensities.
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

  /// A typical eddy dissipation rate for a severity reported in words, times 10,000: the middle of the range that
  /// ``init(edrE4:)`` maps to it, or the lower bound of the unbounded highest range.
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
