/// How strongly the aircraft accelerates in a vertical gust.
///
/// In level flight a vertical gust `w` changes the angle of attack by `w / V`. The lift changes by `ρ V S a w / 2`, and
/// the acceleration by
///
///     (ρ V S a / 2 m) w = gustResponsePerSecond × w
///
/// with the air density `ρ`, the true airspeed `V`, the wing area `S`, the slope `a` of the lift curve and the mass `m`
/// (Hoblit, "Gust Loads on Aircraft: Concepts and Applications", AIAA 1988, chapter 2). The estimator takes this
/// response as the same at all frequencies of its band. A real aircraft responds less at both ends: at the lower end it
/// moves with the gust, and at the upper end the lift lags behind it.
public struct AircraftResponse: Hashable, Sendable {
  /// The vertical acceleration in m/s² for a gust of 1 m/s, in 1/s.
  public var gustResponsePerSecond: Double

  /// A medium-sized transport aircraft in cruise: 0.4/s.
  ///
  /// This is an assumption, between 0.46/s (520 kg/m², lift slope 5.5, 0.38 kg/m³, 230 m/s) and 0.34/s for a wing loading
  /// of 700 kg/m². An error of 10% in the response is an error of 10% in the EDR.
  public static let mediumTransport = AircraftResponse(gustResponsePerSecond: 0.4)

  /// Creates a response from its value, for example from a table of the aircraft's type.
  public init(gustResponsePerSecond: Double) {
    self.gustResponsePerSecond = gustResponsePerSecond
  }

  /// Creates the response for the aircraft's present state.
  ///
  /// - Parameters:
  ///   - wingLoadingKGPerM2: Mass over wing area, in kg/m².
  ///   - liftSlopePerRadian: The slope of the lift curve, about 5.5 for a transport aircraft in cruise.
  ///   - airDensityKGPerM3: The air density in kg/m³: 1.225 at sea level, about 0.38 at 35,000 ft.
  ///   - trueAirspeedMPS: The true airspeed in m/s.
  public init(
    wingLoadingKGPerM2: Double, liftSlopePerRadian: Double = 5.5, airDensityKGPerM3: Double, trueAirspeedMPS: Double
  ) {
    gustResponsePerSecond = airDensityKGPerM3 * trueAirspeedMPS * liftSlopePerRadian / (2 * wingLoadingKGPerM2)
  }

  /// Whether the response is a positive number.
  public var isValid: Bool { gustResponsePerSecond.isFinite && gustResponsePerSecond > 0 }
}
