extension TurbulenceSeverity {
  /// Creates the severity for an eddy dissipation rate, times 10,000.
  ///
  /// Nil, light, moderate and severe begin at peak EDR 0, 0.10, 0.20 and 0.45 m^(2/3)/s for a medium-sized transport
  /// aircraft (ICAO Annex 3, 20th edition, appendix 4, 2.6.3). The protocol has no class for severe alone, but one
  /// between light and moderate, which is the upper half of light.
  package init(edrE4: UInt16) {
    switch edrE4 {
    case 0..<1000: self = .none
    case 1000..<1500: self = .light
    case 1500..<2000: self = .lightModerate
    case 2000..<4500: self = .moderate
    default: self = .moderateSevere
    }
  }
}
