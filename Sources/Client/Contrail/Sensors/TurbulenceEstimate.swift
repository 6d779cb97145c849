public import ContrailWire

/// The turbulence of the last ten seconds and of the last minute.
///
/// Every eddy dissipation rate here is the cube root of the dissipation of kinetic energy, in m^(2/3)/s, as in ICAO Annex 3.
public struct TurbulenceEstimate: Hashable, Sendable {
  /// The end of the window, by the clock of the samples.
  public let timeSeconds: Double
  /// The EDR of the last ten seconds.
  public let edr: Double
  /// The mean EDR of the last minute: the root mean square over its windows.
  public let meanEDR: Double
  /// The greatest EDR of a window in the last minute.
  ///
  /// A window is short and its EDR scatters by about 20%: in steady turbulence the peak is about 1.3 times the mean.
  public let peakEDR: Double
  /// The middle of the window with the greatest EDR, by the clock of the samples.
  public let peakTimeSeconds: Double
  /// The mean true airspeed of the last ten seconds, in m/s.
  public let trueAirspeedMPS: Double
  /// The number of windows in the last minute; 11 if none is missing.
  public let windowCount: Int

  /// Whether the last minute has no gap, no step and no rejected window.
  public var isComplete: Bool { windowCount == TurbulenceEstimator.windowsPerMinute }

  /// The severity for the peak EDR.
  public var severity: TurbulenceSeverity { TurbulenceSeverity(edr: peakEDR) }
}

extension TurbulenceSeverity {
  /// Creates the severity for a peak eddy dissipation rate in m^(2/3)/s.
  ///
  /// The classes are those of ICAO Annex 3 for a medium-sized transport aircraft: light from 0.10, moderate from 0.20,
  /// severe from 0.45. Between light and moderate, the protocol has one more class from 0.15.
  public init(edr: Double) {
    let scaled = (edr * 1e4).rounded()
    self.init(edrE4: scaled > 0 ? UInt16(min(scaled, 65_535)) : 0)
  }
}
